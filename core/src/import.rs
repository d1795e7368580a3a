//! Reading a server from the text a person pasted. What a preview shows is what these functions answer; the host runs
//! them again on the same text.

mod entries;
mod fields;
mod many;
mod place;
mod scan;
mod server;
mod text;
mod values;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged as _;
use serde::Serialize;
use std::collections::BTreeSet;

use crate::server::ServerConfig;
use crate::{Code, Diagnostic, Limits, Reason, path};
pub use many::{Accepted, ImportEntry, ImportPreview, Registered, import_many};
use place::Places;
use text::Document;

/// What a text for "add one server" says (manager contract §4, partner contract). The preview a page shows is this value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AddPreview {
    /// The server, where there are no errors.
    pub server: Option<ServerDraft>,
    /// Why the text is refused; empty where it is accepted.
    pub errors: Vec<Diagnostic>,
    /// What was accepted but not used, or read differently than it was written.
    pub notes: Vec<Diagnostic>,
}

/// A server as a text describes it, before it is saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ServerDraft {
    /// The name the text gives it; none in a bare server object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// How to reach it, normalised.
    pub config: ServerConfig,
}

/// Reads one server: `{"name": {…}}`, a bare server object, or `mcpServers` (or `servers`) holding exactly one
/// (manager contract §4, partner contract). Comments, trailing commas, a byte order mark and one Markdown fence around
/// the text are passed over with a note; anything else that is not JSON, and anything that does not say one server of
/// either transport, refuses the whole text. Each field that was not used is a note.
pub fn add_one(text: &str, limits: &Limits) -> AddPreview {
    one(text, None, limits)
}

/// The same for a text that a person edits: `saved` is the configuration the editor was given, whose placeholders may
/// stand in their fields (see [`crate::validate::edited`]).
pub fn edit_one(text: &str, saved: &ServerConfig, limits: &Limits) -> AddPreview {
    one(text, Some(saved), limits)
}

fn one(text: &str, saved: Option<&ServerConfig>, limits: &Limits) -> AddPreview {
    let document = match Document::read(text) {
        Ok(document) => document,
        Err(error) => {
            return AddPreview {
                server: None,
                errors: vec![error],
                notes: Vec::new(),
            };
        }
    };
    let mut reading = Reading {
        places: &document.places,
        saved,
        limits,
        errors: Vec::new(),
        notes: Vec::from_iter(document.relaxed),
    };
    let server = reading.one(&document.value);
    AddPreview {
        server: server.filter(|_| reading.errors.is_empty()),
        errors: in_order(reading.errors),
        notes: in_order(reading.notes),
    }
}

/// In the order in which they stand in the text.
fn in_order(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
    diagnostics
}

/// One reading of a document: where things stand in it, and what there is to say about it.
struct Reading<'document> {
    places: &'document Places<'document>,
    /// What placeholders may stand for; none in a new server.
    saved: Option<&'document ServerConfig>,
    limits: &'document Limits,
    errors: Vec<Diagnostic>,
    notes: Vec<Diagnostic>,
}

impl Reading<'_> {
    fn one(&mut self, root: &Value<'_>) -> Option<ServerDraft> {
        self.refuse_duplicate_keys("", root);
        if !self.errors.is_empty() {
            return None;
        }
        let entries = self.entries(root);
        match entries.as_slice() {
            [] => None,
            [entry] => self.server(entry),
            [_, second, ..] => {
                let message = format!(
                    "There are {} servers in this text; here one is added. Keep one of them, or use Import JSON for all.",
                    entries.len()
                );
                self.error(Code::ImportSeveralServers, &second.path, second.at, message);
                None
            }
        }
    }

    /// An error at a field; places are bytes from the beginning of the JSON.
    fn error(&mut self, code: Code, path: &str, at: usize, message: impl Into<Said>) {
        let diagnostic = self.diagnostic(code, path, at, message);
        self.errors.push(diagnostic);
    }

    /// A note at a field.
    fn note(&mut self, code: Code, path: &str, at: usize, message: impl Into<Said>) {
        let diagnostic = self.diagnostic(code, path, at, message);
        self.notes.push(diagnostic);
    }

    fn diagnostic(&self, code: Code, path: &str, at: usize, said: impl Into<Said>) -> Diagnostic {
        let Said { message, reason } = said.into();
        let mut diagnostic = self.places.mark(Diagnostic::new(code, message), at);
        diagnostic.reason = reason;
        if path.is_empty() {
            diagnostic
        } else {
            diagnostic.at(path)
        }
    }

    /// Every object of the document, used or not: a key that stands twice means that someone meant one of the two.
    fn refuse_duplicate_keys(&mut self, parent: &str, value: &Value<'_>) {
        match value {
            Value::Object(object) => {
                let mut keys = BTreeSet::new();
                for property in &object.properties {
                    let path = path::member(parent, property.name.as_str());
                    if !keys.insert(property.name.as_str()) {
                        self.error(
                            Code::ImportJsonDuplicateKey,
                            &path,
                            property.start(),
                            "This key stands twice in the same object; keep one of them.",
                        );
                    }
                    self.refuse_duplicate_keys(&path, &property.value);
                }
            }
            Value::Array(list) => {
                for (index, element) in list.elements.iter().enumerate() {
                    self.refuse_duplicate_keys(&path::element(parent, index), element);
                }
            }
            _ => {}
        }
    }
}

/// One server in a document, before it is read.
struct Entry<'value, 'text> {
    /// Its key; none in a bare server object.
    name: Option<&'value str>,
    /// Its path in the document; empty for a bare server object.
    path: String,
    /// Where it, or its key, begins.
    at: usize,
    object: &'value Object<'text>,
}

/// What there is to say: in English, and as a reason that is said in other languages.
struct Said {
    message: String,
    reason: Option<Reason>,
}

impl<T: Into<String>> From<T> for Said {
    fn from(message: T) -> Self {
        Self {
            message: message.into(),
            reason: None,
        }
    }
}

impl Reason {
    fn says(self, message: impl Into<String>) -> Said {
        Said {
            message: message.into(),
            reason: Some(self),
        }
    }
}

/// The same as a name in a reason: `text`, `number`, `true`, `false`, `object`, `list` or `null`.
fn found(value: &Value<'_>) -> &'static str {
    let kind = kind(value);
    kind.split_once(' ').map_or(kind, |(_, kind)| kind)
}

/// What a value is, for a person.
const fn kind(value: &Value<'_>) -> &'static str {
    match value {
        Value::StringLit(_) => "text",
        Value::NumberLit(_) => "a number",
        Value::BooleanLit(literal) => {
            if literal.value {
                "true"
            } else {
                "false"
            }
        }
        Value::Object(_) => "an object",
        Value::Array(_) => "a list",
        Value::NullKeyword(_) => "null",
    }
}
