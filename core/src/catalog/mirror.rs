//! Which arguments of a call are repeated in `Mcp-Param-…` headers: the tool is looked for page by page, and its
//! annotations say which of the arguments they are (MCP 2026-07-28, "Custom Headers from Tool Parameters", SEP-2243).
//! How a value is written so that a header can carry it is the transport's business.

use std::collections::HashMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::headers::{self, Annotated};
use super::pages::{CatalogPages, NextPage};
use crate::json::{self, JsonText, Members};
use crate::{Code, Diagnostic, Limits};

/// Looks for one tool in the pages of `tools/list`, for the one call that is about to be made; no catalog comes of it
/// (manager contract §6).
#[derive(Debug)]
pub struct MirrorSearch {
    tool: String,
    pages: CatalogPages,
    /// The items of earlier pages, which the tool is not among.
    searched: usize,
}

/// What a page brought.
#[derive(Debug)]
pub enum MirrorStep {
    /// The tool.
    Found(Mirror),
    /// Not the tool, and this cursor leads to the next page.
    Next(String),
    /// Not the tool, and no page is left.
    Absent,
}

/// What a tool's annotations say.
#[derive(Debug)]
pub struct Mirror {
    annotated: Vec<Annotated>,
}

impl MirrorSearch {
    /// A search for the tool of this native name. The limits are those of a discovery.
    pub fn new(tool: &str, limits: &Limits) -> Self {
        Self {
            tool: tool.to_owned(),
            pages: CatalogPages::new(limits),
            searched: 0,
        }
    }

    /// Looks through a page, given as the raw JSON text of the `result` of `tools/list`.
    ///
    /// An error is `mcp.call_metadata_failed`: a page that would fail a discovery, a tool that stands on it twice, or a
    /// tool whose annotations are invalid, which a client must leave alone.
    pub fn push(&mut self, result: &str) -> Result<MirrorStep, Diagnostic> {
        let next = self.pages.push(result).map_err(|fault| failed(fault.message))?;
        let items = self.pages.items.iter().skip(self.searched);
        let mut found = items.filter_map(|item| {
            let members = json::members(item.get())?;
            (members.get("name").and_then(json::string)? == self.tool).then_some(members)
        });
        if let Some(tool) = found.next() {
            if found.next().is_some() {
                return Err(failed("The server lists the tool more than once."));
            }
            return Mirror::of(&tool).map(MirrorStep::Found);
        }
        drop(found);
        self.searched = self.pages.items.len();
        Ok(match next {
            NextPage::Cursor(cursor) => MirrorStep::Next(cursor),
            NextPage::End => MirrorStep::Absent,
        })
    }
}

impl Mirror {
    fn of(tool: &Members<'_>) -> Result<Self, Diagnostic> {
        let schema = tool
            .get("inputSchema")
            .ok_or_else(|| failed("The server lists no input schema for the tool."))?;
        Self::of_schema(schema)
    }

    /// What the annotations of a tool's input schema say, where the caller has the schema already, as models do that were
    /// offered it. Errors: `mcp.call_metadata_failed`, where the schema cannot be read or has an invalid annotation, which
    /// no tool of a catalog has.
    pub fn of_schema(schema: &RawValue) -> Result<Self, Diagnostic> {
        let schema: Value =
            serde_json::from_str(schema.get()).map_err(|_| failed("The tool's input schema cannot be read."))?;
        match headers::annotated(&schema) {
            Ok(annotated) => Ok(Self { annotated }),
            Err(fault) => Err(failed(format!(
                "An x-mcp-header annotation of the tool is invalid: {}.",
                fault.reason
            ))),
        }
    }

    /// The arguments that are mirrored, in the order of the schema: what the header is called after `Mcp-Param-`, and
    /// the value's text. An argument that is missing, null, an object or an array is not mirrored.
    ///
    /// A string's text is what it stands for, a boolean's is `true` or `false`. A number that is an integer which a
    /// JavaScript number holds exactly is written in plain digits, however it is spelled (`1e2` is `100`); every other
    /// number as it is spelled, so that the header says no other value than the body does.
    pub fn headers(&self, arguments: &JsonText) -> Vec<(String, String)> {
        let mut objects = Objects::new();
        self.annotated
            .iter()
            .filter_map(|annotated| {
                let value = argument(&mut objects, arguments, &annotated.pointer)?;
                Some((annotated.header.clone(), value_text(value)?))
            })
            .collect()
    }
}

/// The objects among the arguments that were taken apart, by the JSON Pointer of their schema: each once, however many
/// of its members are mirrored.
type Objects<'a> = HashMap<String, HashMap<String, &'a RawValue>>;

/// The argument for a property, given by the JSON Pointer of its schema.
fn argument<'a>(objects: &mut Objects<'a>, arguments: &'a JsonText, pointer: &str) -> Option<&'a RawValue> {
    let Some((parent, name)) = pointer.rsplit_once("/properties/") else {
        return Some(arguments.as_raw());
    };
    if !objects.contains_key(parent) {
        let value = argument(objects, arguments, parent);
        let members = value.and_then(|value| json::members(value.get()));
        let members = members.iter().flat_map(Members::iter);
        let members = members.map(|(name, value)| (name.to_owned(), value)).collect();
        objects.insert(parent.to_owned(), members);
    }
    let name = name.replace("~1", "/").replace("~0", "~");
    objects.get(parent)?.get(&name).copied()
}

fn value_text(value: &RawValue) -> Option<String> {
    let text = value.get();
    match text.as_bytes().first()? {
        b'"' => json::string_lossy(value).map(|(text, _)| text),
        b't' | b'f' => Some(text.to_owned()),
        b'-' | b'0'..=b'9' => Some(integer(text).unwrap_or_else(|| text.to_owned())),
        _ => None,
    }
}

/// The plain digits of a number that is an integer up to 2^53 - 1 in size.
fn integer(number: &str) -> Option<String> {
    let (negative, unsigned) = match number.strip_prefix('-') {
        Some(unsigned) => (true, unsigned),
        None => (false, number),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (unsigned, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return Some("0".to_owned());
    }
    // How many digits stand before the decimal point, counted from the first one that is not zero.
    let leading_zeros = digits.len() - digits.trim_start_matches('0').len();
    let before_point = i64::try_from(whole.len()).ok()? - i64::try_from(leading_zeros).ok()? + i64::from(exponent);
    let before_point = usize::try_from(before_point).ok().filter(|count| *count <= 16)?;
    if before_point < significant.len() {
        return None;
    }
    let plain = format!("{significant:0<before_point$}");
    let size: u64 = plain.parse().ok()?;
    (size < 1 << 53).then(|| if negative { format!("-{plain}") } else { plain })
}

fn failed(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::CallMetadataFailed, message)
}
