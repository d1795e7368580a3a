//! The text as a JSON document with places: what people paste besides JSON is passed over, all else that is not JSON
//! is refused at its line and column.

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use jsonc_parser::{CollectOptions, ParseOptions, ParseStringErrorKind, parse_to_ast};

use super::place::Places;
use super::scan::{Fault, Leniencies, scan};
use crate::{Code, Diagnostic, ReasonCase};

/// A text that was read.
pub(super) struct Document<'text> {
    /// Its one value.
    pub(super) value: Value<'text>,
    /// What was passed over to read it as JSON, as a note.
    pub(super) relaxed: Option<Diagnostic>,
    /// Where the value's ranges lie in the whole text.
    pub(super) places: Places<'text>,
}

/// Only what the specification of JSON allows, and comments and trailing commas.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

const BYTE_ORDER_MARK: char = '\u{feff}';

impl<'text> Document<'text> {
    /// Reads a text: JSON, or JSON with comments, trailing commas, a byte order mark and one Markdown fence around it.
    pub(super) fn read(text: &'text str) -> Result<Self, Diagnostic> {
        let mut leniencies = Leniencies::default();
        let body = match text.strip_prefix(BYTE_ORDER_MARK) {
            Some(rest) => {
                leniencies.byte_order_mark = true;
                rest
            }
            None => text,
        };
        let mark_length = text.len() - body.len();
        let (offset, body) = match inside_fence(body) {
            Ok(Some((start, inside))) => {
                leniencies.fence = true;
                (mark_length + start, inside)
            }
            Ok(None) => (mark_length, body),
            Err(at) => {
                return Err(Places::new(text, mark_length).mark(
                    Diagnostic::new(
                        Code::ImportJsonInvalid,
                        "A Markdown fence begins here and does not end in a line of its own; remove it, or paste the whole block.",
                    )
                    .because(ReasonCase::FenceOpen),
                    at,
                ));
            }
        };
        let places = Places::new(text, offset);

        if let Err(Fault {
            at,
            code,
            case,
            message,
        }) = scan(body, &mut leniencies)
        {
            let earlier = body.get(..at).and_then(fault_before_end);
            return Err(earlier.map_or_else(
                || {
                    let mut fault = Diagnostic::new(code, message);
                    fault.reason = case.map(Into::into);
                    places.mark(fault, at)
                },
                |error| refused(&places, body, &error),
            ));
        }
        match parse_to_ast(body, &CollectOptions::default(), &OPTIONS) {
            Ok(parsed) => match parsed.value {
                Some(value) => Ok(Self {
                    value,
                    relaxed: leniencies.note(),
                    places,
                }),
                None => Err(Diagnostic::new(
                    Code::ImportEmpty,
                    "There is no JSON in the text. Paste a server such as {\"docs\": {\"url\": \"https://example.com/mcp\"}}.",
                )),
            },
            Err(error) => Err(refused(&places, body, &error)),
        }
    }
}

fn refused(places: &Places<'_>, body: &str, error: &ParseError) -> Diagnostic {
    let at = error.range().start();
    let kind = match error.kind() {
        // What the parser calls a word where white space follows, and nothing in particular where a bracket does.
        ParseErrorKind::UnexpectedToken if body.get(at..).is_some_and(begins_with_letter) => {
            &ParseErrorKind::UnexpectedWord
        }
        kind => kind,
    };
    let (case, sentence) = sentence(kind);
    let mut fault = Diagnostic::new(Code::ImportJsonInvalid, sentence);
    fault.reason = case.map(Into::into);
    places.mark(fault, at)
}

fn begins_with_letter(text: &str) -> bool {
    text.starts_with(|character: char| character.is_ascii_alphabetic())
}

/// What the parser finds wrong in the beginning of a text, save that it ends too early.
fn fault_before_end(beginning: &str) -> Option<ParseError> {
    parse_to_ast(beginning, &CollectOptions::default(), &OPTIONS)
        .err()
        .filter(|error| {
            error.range().start() < beginning.trim_end().len()
                && !matches!(
                    error.kind(),
                    ParseErrorKind::UnterminatedObject
                        | ParseErrorKind::UnterminatedArray
                        | ParseErrorKind::UnterminatedCommentBlock
                        | ParseErrorKind::String(
                            ParseStringErrorKind::UnterminatedStringLiteral
                                | ParseStringErrorKind::ExpectedFourHexDigits
                                | ParseStringErrorKind::InvalidUnicodeEscapeSequence(_)
                        )
                )
        })
}

/// What stands inside the one Markdown fence around the text, and where it begins: `None` where there is no fence, the
/// place of the opening one as error where it is not closed.
fn inside_fence(body: &str) -> Result<Option<(usize, &str)>, usize> {
    let opening = body.trim_start();
    let at = body.len() - opening.len();
    let Some(mark) = opening.chars().next().filter(|mark| matches!(mark, '`' | '~')) else {
        return Ok(None);
    };
    let length = opening.chars().take_while(|character| *character == mark).count();
    if length < 3 {
        return Ok(None);
    }
    let (info, rest) = opening.split_once(['\n', '\r']).ok_or(at)?;
    if info.chars().skip(length).any(|character| character == mark) {
        return Err(at);
    }
    let rest = rest.trim_end();
    let (inside, closing) = match rest.rfind(['\n', '\r']) {
        Some(line_end) => rest.split_at(line_end),
        None => ("", rest),
    };
    let closing = closing.trim();
    if closing.chars().count() >= length && closing.chars().all(|character| character == mark) {
        Ok(Some((at + info.len() + 1, inside)))
    } else {
        Err(at)
    }
}

/// What is wrong and what would be right, in our words.
fn sentence(kind: &ParseErrorKind) -> (Option<ReasonCase>, &'static str) {
    let (case, sentence) = match kind {
        ParseErrorKind::ExpectedComma => (ReasonCase::CommaMissing, "A comma is missing here."),
        ParseErrorKind::ExpectedColonAfterObjectKey => {
            (ReasonCase::ColonMissing, "After a key comes a colon and the value.")
        }
        ParseErrorKind::ExpectedObjectValue => (ReasonCase::ValueMissing, "The value after the colon is missing."),
        ParseErrorKind::ExpectedStringObjectProperty | ParseErrorKind::UnexpectedTokenInObject => (
            ReasonCase::KeyWanted,
            "Here a key in double quotes belongs, such as \"url\", or the } that closes the object.",
        ),
        ParseErrorKind::UnexpectedWord => (
            ReasonCase::BareWord,
            "This word is no JSON value. Text stands in double quotes; the only bare words are true, false and null.",
        ),
        ParseErrorKind::MultipleRootJsonValues => (
            ReasonCase::MoreFollows,
            "The JSON ends before this, and more follows. Paste one object; put { } around several.",
        ),
        ParseErrorKind::UnexpectedComma => (
            ReasonCase::CommaTooMany,
            "This comma is one too many; a value belongs before it.",
        ),
        ParseErrorKind::UnexpectedColon => (ReasonCase::ColonTooMany, "This colon does not follow a key."),
        ParseErrorKind::UnexpectedCloseBrace => (
            ReasonCase::BraceTooMany,
            "This } closes nothing, or a value is missing before it.",
        ),
        ParseErrorKind::UnexpectedCloseBracket => (
            ReasonCase::BracketTooMany,
            "This ] closes nothing, or a value is missing before it.",
        ),
        ParseErrorKind::UnterminatedObject => (
            ReasonCase::ObjectOpen,
            "The object that begins with this { is never closed.",
        ),
        ParseErrorKind::UnterminatedArray => (
            ReasonCase::ListOpen,
            "The list that begins with this [ is never closed.",
        ),
        ParseErrorKind::UnterminatedCommentBlock => (
            ReasonCase::CommentOpen,
            "The comment that begins here is never closed with */.",
        ),
        ParseErrorKind::String(ParseStringErrorKind::UnterminatedStringLiteral) => (
            ReasonCase::TextOpen,
            "The text that begins with this double quote is never closed.",
        ),
        ParseErrorKind::String(ParseStringErrorKind::InvalidUnicodeEscapeSequence(_)) => (
            ReasonCase::EscapeInvalid,
            "This \\u escape is half of a surrogate pair and no character by itself; write both halves, or the character.",
        ),
        ParseErrorKind::String(ParseStringErrorKind::ExpectedFourHexDigits) => {
            (ReasonCase::EscapeInvalid, "After \\u come four hexadecimal digits.")
        }
        ParseErrorKind::String(_) => (
            ReasonCase::EscapeInvalid,
            "JSON has no such escape. After a backslash comes one of \" \\ / b f n r t u; write a backslash itself as \\\\.",
        ),
        ParseErrorKind::SingleQuotedStringsNotAllowed => {
            (ReasonCase::QuotesInvalid, "JSON uses double quotes, not single ones.")
        }
        ParseErrorKind::HexadecimalNumbersNotAllowed
        | ParseErrorKind::UnaryPlusNumbersNotAllowed
        | ParseErrorKind::BareDecimalPointNumbersNotAllowed
        | ParseErrorKind::NonFiniteNumbersNotAllowed
        | ParseErrorKind::ExpectedDigit
        | ParseErrorKind::ExpectedDigitFollowingNegativeSign
        | ParseErrorKind::ExpectedPlusMinusOrDigitInNumberLiteral => {
            (ReasonCase::NumberInvalid, "This is not a number as JSON writes one.")
        }
        ParseErrorKind::NestingDepthExceeded => return (None, "The JSON is nested too deeply."),
        _ => (ReasonCase::OutOfPlace, "This does not belong here in JSON."),
    };
    (Some(case), sentence)
}
