//! The arguments of a call, as a person typed or a model wrote them.

use crate::json::{self, JsonText};
use crate::text::kind;
use crate::{Code, Diagnostic, Limits, ReasonCase};

/// Checks the text of a call's arguments and answers the JSON object that goes to the server (manager contract §6).
///
/// Nothing is filled in, converted or removed; numbers, strings and the order of members stay as they are spelled, only
/// the white space between tokens goes, so that the call fits on one line. A key that stands twice stays twice: as
/// everywhere, its last value counts. Nothing is checked against the tool's schema.
///
/// Errors, each `not_sent`: `mcp.call_arguments_size_limit` (counted in UTF-8 bytes of the text as given),
/// `mcp.call_arguments_invalid_json` (with line and column), `mcp.call_arguments_not_object`.
pub fn check(text: &str, limits: &Limits) -> Result<JsonText, Diagnostic> {
    if text.len() > limits.arguments_bytes {
        return Err(Diagnostic::new(
            Code::CallArgumentsSizeLimit,
            format!(
                "The arguments are {} bytes long; at most {} can be sent.",
                text.len(),
                limits.arguments_bytes
            ),
        ));
    }
    let arguments = JsonText::parse(text).map_err(|error| invalid(text, &error))?;
    if json::members(arguments.as_str()).is_none() {
        return Err(Diagnostic::new(
            Code::CallArgumentsNotObject,
            format!(
                "The arguments are {}; write a JSON object such as {{}}.",
                kind(Some(arguments.as_str()))
            ),
        ));
    }
    Ok(arguments)
}

fn invalid(text: &str, error: &serde_json::Error) -> Diagnostic {
    let line = u32::try_from(error.line()).unwrap_or(u32::MAX);
    // The parser counts bytes; editors in a browser count UTF-16 code units.
    let column = text
        .lines()
        .nth(error.line().saturating_sub(1))
        .map_or(1, |line| units_before(line, error.column()));
    let case = fault(text, error);
    let what = match case {
        _ if error.is_eof() => "The arguments are not JSON: the text ends too early.".to_owned(),
        Some(ReasonCase::CommaTooMany) => {
            format!("The arguments are not JSON; the comma before line {line}, column {column} is one too many.")
        }
        _ => format!("The arguments are not JSON; the fault is at line {line}, column {column}."),
    };
    let mut diagnostic = Diagnostic::new(Code::CallArgumentsInvalidJson, what).at_position(line.max(1), column);
    diagnostic.reason = case.map(Into::into);
    diagnostic
}

/// What people get wrong most, by the character the parser stopped at and what stands before it.
fn fault(text: &str, error: &serde_json::Error) -> Option<ReasonCase> {
    let lines_before: usize = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    // The parser's column is that of the last byte it read, from 1.
    let at = lines_before + error.column().saturating_sub(1);
    match text.as_bytes().get(at)? {
        b'}' | b']' => text
            .get(..at)?
            .trim_end()
            .ends_with(',')
            .then_some(ReasonCase::CommaTooMany),
        b'\'' | b'`' => Some(ReasonCase::QuotesInvalid),
        _ => None,
    }
}

/// The column, from 1, of the byte that is the `bytes`th of a line.
fn units_before(line: &str, bytes: usize) -> u32 {
    let units: usize = line
        .char_indices()
        .take_while(|(start, character)| start + character.len_utf8() < bytes)
        .map(|(_, character)| character.len_utf16())
        .sum();
    u32::try_from(units).unwrap_or(u32::MAX).saturating_add(1)
}
