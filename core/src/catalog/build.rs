//! From the raw text of the tools to a catalog, item by item.

use std::collections::HashMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::headers;
use super::pages::list_failed;
use super::{Catalog, CatalogContext, CatalogPages, CatalogTool};
use crate::json::{self, JsonText, Members};
use crate::schema::{SchemaCheck, SchemaNotes};
use crate::server::{ProtocolVersion, TransportKind};
use crate::text::{self, shortened};
use crate::{Code, Diagnostic, Limits};

/// The catalog of complete pages: [`CatalogPages::push`] for each, then [`CatalogPages::build`]. Pages that end in a
/// cursor are no complete list (`mcp.discovery_list_failed`).
pub fn build_catalog<'a>(
    pages: impl IntoIterator<Item = &'a str>,
    context: CatalogContext,
    limits: &Limits,
    check: &dyn SchemaCheck,
) -> Result<Catalog, Diagnostic> {
    let mut collected = CatalogPages::new(limits);
    for page in pages {
        collected.push(page)?;
    }
    if !collected.is_complete() {
        return Err(list_failed("The list of tools has further pages, which were not read."));
    }
    Ok(collected.build(context, check))
}

impl CatalogPages {
    /// The catalog of the tools collected so far: complete once [`push`](Self::push) has answered
    /// [`NextPage::End`](super::NextPage::End).
    ///
    /// Every item is either offered or named by exactly one diagnostic that says why not, the first reason that holds:
    /// it is no object, its name is unusable, its name is used by another well-named item too, it is too large, its
    /// input schema is no object that compiles, or (2026-07-28 over HTTP) its `x-mcp-header` annotations are invalid.
    /// An item that is offered may have diagnostics too: for each field that was dropped, and each note on a schema.
    /// An item that has a usable name is named in `nativeName`; of any other the message and `path` say which it is:
    /// `tools[2]`, counted from 0 over all pages. Null says the same as absence in optional fields.
    pub fn build(self, context: CatalogContext, check: &dyn SchemaCheck) -> Catalog {
        let read: Vec<_> = self
            .items
            .iter()
            .enumerate()
            .map(|(index, raw)| Named::read(index, raw, &self.limits))
            .collect();
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for item in read.iter().flatten() {
            *uses.entry(item.name.as_str()).or_default() += 1;
        }
        let duplicates: Vec<bool> = read
            .iter()
            .map(|item| {
                item.as_ref()
                    .is_ok_and(|item| uses.get(item.name.as_str()).is_some_and(|uses| *uses > 1))
            })
            .collect();
        let mut tools = Vec::new();
        let mut diagnostics = Vec::new();
        let mirrors_headers = mirrors_headers(&context.protocol_version, context.transport);
        for (item, is_duplicate) in read.into_iter().zip(duplicates) {
            let mut notes = Vec::new();
            match item.and_then(|item| item.into_tool(is_duplicate, &self.limits, mirrors_headers, check, &mut notes)) {
                Ok(tool) => {
                    tools.push(tool);
                    diagnostics.append(&mut notes);
                }
                Err(reason) => diagnostics.push(*reason),
            }
        }
        Catalog {
            protocol_version: context.protocol_version,
            server_name: context.server_name,
            server_version: context.server_version,
            tools,
            diagnostics,
        }
    }
}

/// Whether calls mirror arguments into headers, so that `x-mcp-header` annotations must be valid.
pub(super) fn mirrors_headers(protocol_version: &str, transport: TransportKind) -> bool {
    transport == TransportKind::Http && protocol_version == ProtocolVersion::V20260728.as_str()
}

/// Why an item is not offered.
type Isolated = Box<Diagnostic>;

/// An item that is an object with a usable name.
struct Named<'a> {
    name: String,
    raw: &'a RawValue,
    members: Members<'a>,
}

impl<'a> Named<'a> {
    fn read(index: usize, raw: &'a RawValue, limits: &Limits) -> Result<Self, Isolated> {
        let place = format!("tools[{index}]");
        let members = json::members(raw.get()).ok_or_else(|| {
            let message = format!("{place} is {}; a tool is an object.", kind(Some(raw)));
            Diagnostic::new(Code::ToolNotObject, message).at(&place)
        })?;
        let invalid = |what: String| {
            let message = format!(
                "{place} {what}; a name is 1 to {} bytes of text.",
                limits.tool_name_bytes
            );
            Box::new(Diagnostic::new(Code::ToolNameInvalid, message).at(&place))
        };
        let name = members.get("name");
        let name = name.and_then(json::string).ok_or_else(|| {
            invalid(match kind(name) {
                "a string" => "has a name that is no Unicode text".to_owned(),
                "missing" => "has no name".to_owned(),
                kind => format!("has a name that is {kind}"),
            })
        })?;
        if name.is_empty() {
            return Err(invalid("has an empty name".to_owned()));
        }
        if name.len() > limits.tool_name_bytes {
            return Err(invalid(format!("has a name of {} bytes", name.len())));
        }
        Ok(Self { name, raw, members })
    }

    fn into_tool(
        self,
        is_duplicate: bool,
        limits: &Limits,
        mirrors_headers: bool,
        check: &dyn SchemaCheck,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<CatalogTool, Isolated> {
        let about = |code, message: String| Diagnostic::new(code, message).about_tool(&self.name);
        if is_duplicate {
            let message = "The server lists this name more than once; none of these tools is offered.";
            return Err(about(Code::ToolDuplicateName, message.to_owned()).into());
        }
        let bytes = self.raw.get().len();
        if bytes > limits.tool_bytes {
            let message = format!(
                "The tool is {bytes} bytes of JSON; {} are the most that is read.",
                limits.tool_bytes
            );
            return Err(about(Code::ToolSizeLimit, message).into());
        }
        let mut note = |diagnostic: Diagnostic| notes.push(diagnostic.about_tool(&self.name));

        let input = self.members.get("inputSchema");
        let (input_schema, schema_notes) = compile(input, check).map_err(|reason| {
            let message = format!("The input schema cannot be used: {reason}.");
            about(Code::ToolInputSchemaInvalid, message).at("inputSchema")
        })?;
        say(schema_notes, "inputSchema", &mut note);
        if mirrors_headers {
            headers::annotated(&input_schema).map_err(|fault| {
                let message = format!("An x-mcp-header annotation is invalid: {}.", fault.reason);
                about(Code::ToolHeaderAnnotationInvalid, message).at(format!("inputSchema{}", fault.pointer))
            })?;
        }

        let output_schema = match self.members.get("outputSchema").filter(is_not_null) {
            None => None,
            output => match compile(output, check) {
                Ok((_, schema_notes)) => {
                    say(schema_notes, "outputSchema", &mut note);
                    output.map(JsonText::from_raw)
                }
                Err(reason) => {
                    let message = format!("The output schema was dropped: {reason}.");
                    note(Diagnostic::new(Code::ToolOutputSchemaInvalid, message).at("outputSchema"));
                    None
                }
            },
        };
        let annotations = match self.members.get("annotations").filter(is_not_null) {
            Some(annotations) if kind(Some(annotations)) == "an object" => JsonText::from_raw(annotations),
            None => JsonText::empty_object(),
            other => {
                let message = format!("The annotations were dropped: they are {}, no object.", kind(other));
                note(Diagnostic::new(Code::ToolAnnotationsInvalid, message).at("annotations"));
                JsonText::empty_object()
            }
        };
        let title = optional_text(self.members.get("title"), "title", &mut note);
        let description = optional_text(self.members.get("description"), "description", &mut note);
        Ok(CatalogTool {
            input_schema: input.map_or_else(JsonText::empty_object, JsonText::from_raw),
            native_name: self.name,
            title,
            description,
            output_schema,
            annotations,
        })
    }
}

/// Reads and compiles a schema; the error is the end of a sentence.
pub(super) fn compile(raw: Option<&RawValue>, check: &dyn SchemaCheck) -> Result<(Value, SchemaNotes), String> {
    let raw = match raw {
        Some(raw) if kind(Some(raw)) == "an object" => raw,
        other => return Err(format!("it is {}, where a JSON Schema object belongs", kind(other))),
    };
    let schema: Value = serde_json::from_str(raw.get()).map_err(|error| error.to_string())?;
    let notes = check.compile(&schema).map_err(|fault| fault.0)?;
    Ok((schema, notes))
}

fn say(notes: SchemaNotes, field: &str, note: &mut impl FnMut(Diagnostic)) {
    let SchemaNotes {
        unknown_dialect,
        unreadable_pattern,
    } = notes;
    if let Some(dialect) = unknown_dialect {
        let message = format!(
            "The schema declares the dialect {}, which is unknown here; it was read as JSON Schema 2020-12.",
            shortened(&dialect)
        );
        note(Diagnostic::new(Code::ToolSchemaDialectUnknown, message).at(field));
    }
    if let Some(pattern) = unreadable_pattern {
        let message = format!(
            "The schema has the pattern {}, which cannot be read here; it is not checked.",
            shortened(&pattern)
        );
        note(Diagnostic::new(Code::ToolSchemaPatternUnreadable, message).at(field));
    }
}

fn optional_text(raw: Option<&RawValue>, field: &str, note: &mut impl FnMut(Diagnostic)) -> Option<String> {
    let raw = raw.filter(is_not_null)?;
    let text = json::string(raw);
    if text.is_none() {
        let what = match kind(Some(raw)) {
            "a string" => "no Unicode text",
            kind => kind,
        };
        let message = format!("The {field} was dropped: it is {what}, where text belongs.");
        note(Diagnostic::new(Code::ToolFieldInvalid, message).at(field));
    }
    text
}

fn is_not_null(raw: &&RawValue) -> bool {
    raw.get() != "null"
}

/// What a JSON value is, for a sentence.
pub(super) fn kind(raw: Option<&RawValue>) -> &'static str {
    text::kind(raw.map(RawValue::get))
}
