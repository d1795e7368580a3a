//! One server object to a configuration, every field at its place.

use std::collections::HashMap;

use jsonc_parser::ast::ObjectProp;
use jsonc_parser::common::Ranged as _;

use super::entries::wrapper_hint;
use super::fields::Field;
use super::{Entry, Reading, ServerDraft, found as found_in, kind};
use crate::server::TransportKind;
use crate::{Code, Diagnostic, ReasonCase, identity, path, validate};

/// The fields of one server, the first spelling of each.
#[derive(Default)]
pub(super) struct Found<'value, 'text> {
    pub(super) url: Option<&'value ObjectProp<'text>>,
    pub(super) headers: Option<&'value ObjectProp<'text>>,
    pub(super) command: Option<&'value ObjectProp<'text>>,
    pub(super) args: Option<&'value ObjectProp<'text>>,
    pub(super) env: Option<&'value ObjectProp<'text>>,
    pub(super) cwd: Option<&'value ObjectProp<'text>>,
    pub(super) protocol_version: Option<&'value ObjectProp<'text>>,
    /// `type` and `transport` may both stand there.
    pub(super) types: Vec<&'value ObjectProp<'text>>,
    /// The name in a bare server object.
    pub(super) name: Option<&'value ObjectProp<'text>>,
}

/// Where in the document each field of the configuration came from: by its path in the configuration, its path in the
/// document and its place.
#[derive(Default)]
pub(super) struct Origins(HashMap<String, (String, usize)>);

impl Reading<'_> {
    /// Reads one server. Where it answers none, an error says why; where errors were added, what it answers counts for
    /// nothing.
    pub(super) fn server(&mut self, entry: &Entry<'_, '_>) -> Option<ServerDraft> {
        let errors_before = self.errors.len();
        let found = self.fields(entry);
        let display_name = self.display_name(entry, &found);
        let transport = self.transport(entry, &found)?;
        let mut origins = Origins::default();
        let config = match transport {
            TransportKind::Http => {
                self.belongs_to_stdio(entry, [found.args, found.env, found.cwd]);
                self.http(entry, &found, &mut origins)
            }
            TransportKind::Stdio => {
                if let Some(headers) = found.headers {
                    self.other_transport(entry, headers, ReasonCase::ForUrl, "a url; a command takes env instead");
                }
                self.stdio(entry, &found, &mut origins)
            }
        }?;
        if self.errors.len() > errors_before {
            return None;
        }
        match validate::edited(config, self.saved, self.limits) {
            Ok(config) => Some(ServerDraft { display_name, config }),
            Err(refusal) => {
                for reason in refusal {
                    let (path, at) = origins.of(&reason, entry);
                    self.error(reason.code, &path, at, reason.message);
                }
                None
            }
        }
    }

    /// Sorts the fields; names each that is not used, that another program spells so, or that says what one before it
    /// said.
    fn fields<'value, 'text>(&mut self, entry: &Entry<'value, 'text>) -> Found<'value, 'text> {
        let mut found = Found::default();
        for property in &entry.object.properties {
            let name = property.name.as_str();
            let Some(field) = Field::read(name) else {
                if name == "name" && entry.name.is_none() && property.value.as_string_lit().is_some() {
                    found.name = Some(property);
                } else {
                    self.ignore(&entry.path, property);
                }
                continue;
            };
            let path = path::member(&entry.path, name);
            if property.value.as_null_keyword().is_some() {
                self.note(
                    Code::ImportFieldIgnored,
                    &path,
                    property.start(),
                    ReasonCase::IsNull
                        .about([])
                        .says(format!("{name} is null and was read as left out.")),
                );
                continue;
            }
            if field.is_renamed(name) {
                self.note(
                    Code::ImportFieldRenamed,
                    &path,
                    property.start(),
                    ReasonCase::ReadAs
                        .about([name, field.name()])
                        .says(format!("Read {name} as {}.", field.name())),
                );
            }
            let slot = match field {
                Field::Url => &mut found.url,
                Field::Headers => &mut found.headers,
                Field::Command => &mut found.command,
                Field::Args => &mut found.args,
                Field::Env => &mut found.env,
                Field::Cwd => &mut found.cwd,
                Field::ProtocolVersion => &mut found.protocol_version,
                Field::Type => {
                    found.types.push(property);
                    continue;
                }
            };
            match slot {
                None => *slot = Some(property),
                Some(first) => {
                    let message = format!(
                        "{} and {name} say the same thing; keep one of them.",
                        first.name.as_str()
                    );
                    let reason = ReasonCase::SaidTwice.about([first.name.as_str(), name]);
                    self.error(Code::ImportFieldConflict, &path, property.start(), reason.says(message));
                }
            }
        }
        found
    }

    fn display_name(&mut self, entry: &Entry<'_, '_>, found: &Found<'_, '_>) -> Option<String> {
        let (name, path, at) = match (entry.name, found.name) {
            (Some(name), _) => (name, entry.path.clone(), entry.at),
            (None, Some(property)) => (
                property.value.as_string_lit()?.value.as_ref(),
                path::member(&entry.path, "name"),
                property.value.start(),
            ),
            (None, None) => return None,
        };
        match identity::normalize_display_name(name, self.limits) {
            Ok(name) => Some(name),
            Err(reason) => {
                self.error(reason.code, &path, at, reason.message);
                None
            }
        }
    }

    /// Which transport the server's fields say, all of them agreeing.
    fn transport(&mut self, entry: &Entry<'_, '_>, found: &Found<'_, '_>) -> Option<TransportKind> {
        let errors_before = self.errors.len();
        let mut said = None;
        for property in &found.types {
            let path = path::member(&entry.path, property.name.as_str());
            let Some(kind) = self.transport_said(&path, property) else {
                continue;
            };
            if said.is_some_and(|(_, other)| other != kind) {
                self.error(
                    Code::ImportTransportConflict,
                    &path,
                    property.value.start(),
                    "type and transport contradict each other; keep the one that is right.",
                );
            }
            said = Some((*property, kind));
        }
        if self.errors.len() > errors_before {
            return None;
        }
        let by_fields = match (found.url, found.command) {
            (Some(url), Some(command)) => {
                let later = if url.start() > command.start() { url } else { command };
                self.error(
                    Code::ImportTransportConflict,
                    &path::member(&entry.path, later.name.as_str()),
                    later.start(),
                    "A server has a url (it is reached over HTTP) or a command (it is started here), not both; remove one.",
                );
                return None;
            }
            (Some(_), None) => Some(TransportKind::Http),
            (None, Some(_)) => Some(TransportKind::Stdio),
            (None, None) => None,
        };
        match (said, by_fields) {
            (None, Some(kind)) => Some(kind),
            (Some((_, said)), Some(kind)) if said == kind => Some(kind),
            (Some((property, _)), Some(kind)) => {
                let message = match kind {
                    TransportKind::Http => "The server has a url, so its type is http, not stdio.",
                    TransportKind::Stdio => "The server has a command, so its type is stdio, not http.",
                };
                self.error(
                    Code::ImportTransportConflict,
                    &path::member(&entry.path, property.name.as_str()),
                    property.value.start(),
                    message,
                );
                None
            }
            (said, None) => {
                let message = match said {
                    Some((_, TransportKind::Http)) => {
                        "The server's type is http, but it has no url; add \"url\": \"https://…\"."
                    }
                    Some((_, TransportKind::Stdio)) => {
                        "The server's type is stdio, but it has no command; add \"command\": \"…\"."
                    }
                    None => {
                        "The server has neither a url (reached over HTTP) nor a command (started here); add the one it needs."
                    }
                };
                let hint = wrapper_hint(entry).unwrap_or_default();
                self.error(
                    Code::ImportTransportMissing,
                    &entry.path,
                    entry.at,
                    format!("{message} {hint}").trim_end(),
                );
                None
            }
        }
    }

    /// The transport that a `type` or `transport` names.
    fn transport_said(&mut self, path: &str, property: &ObjectProp<'_>) -> Option<TransportKind> {
        let at = property.value.start();
        let Some(literal) = property.value.as_string_lit() else {
            let message = format!(
                "{} is {}; write \"http\" or \"stdio\", or leave it out.",
                property.name.as_str(),
                kind(&property.value)
            );
            let reason = ReasonCase::TransportWanted.about([found_in(&property.value)]);
            self.error(Code::ImportFieldInvalid, path, at, reason.says(message));
            return None;
        };
        match literal.value.trim().to_ascii_lowercase().as_str() {
            "http" | "streamable-http" | "streamable_http" | "streamablehttp" => Some(TransportKind::Http),
            "stdio" => Some(TransportKind::Stdio),
            renamed @ ("remote" | "local") => {
                let (kind, name) = if renamed == "remote" {
                    (TransportKind::Http, "http")
                } else {
                    (TransportKind::Stdio, "stdio")
                };
                let reason = ReasonCase::ReadAs.about([renamed, name]);
                self.note(
                    Code::ImportFieldRenamed,
                    path,
                    at,
                    reason.says(format!("Read {renamed} as {name}.")),
                );
                Some(kind)
            }
            "sse" | "http+sse" | "http-sse" => {
                self.error(
                    Code::ImportTransportSse,
                    path,
                    at,
                    "The HTTP+SSE transport of 2024 is not supported. Many servers answer Streamable HTTP too, often at /mcp in place of /sse: look for that address and write \"type\": \"http\".",
                );
                None
            }
            _ => {
                self.error(
                    Code::ImportTransportUnsupported,
                    path,
                    at,
                    "This transport is not supported; it is \"http\" (Streamable HTTP) or \"stdio\".",
                );
                None
            }
        }
    }

    fn belongs_to_stdio(&mut self, entry: &Entry<'_, '_>, fields: [Option<&ObjectProp<'_>>; 3]) {
        for property in fields.into_iter().flatten() {
            let of = "a command; a server with a url is not started here";
            self.other_transport(entry, property, ReasonCase::ForCommand, of);
        }
    }

    fn other_transport(&mut self, entry: &Entry<'_, '_>, property: &ObjectProp<'_>, case: ReasonCase, of: &str) {
        let name = property.name.as_str();
        self.note(
            Code::ImportFieldIgnored,
            &path::member(&entry.path, name),
            property.start(),
            case.about([]).says(format!("{name} was not used. It belongs to {of}.")),
        );
    }
}

impl Origins {
    pub(super) fn add(&mut self, config_path: &str, document_path: &str, at: usize) {
        self.0
            .entry(config_path.to_owned())
            .or_insert_with(|| (document_path.to_owned(), at));
    }

    /// Where a reason about the configuration belongs in the document; the server itself where it is about no field.
    fn of(&self, reason: &Diagnostic, entry: &Entry<'_, '_>) -> (String, usize) {
        reason
            .path
            .as_ref()
            .and_then(|config_path| self.0.get(config_path))
            .map_or_else(|| (entry.path.clone(), entry.at), |(path, at)| (path.clone(), *at))
    }
}
