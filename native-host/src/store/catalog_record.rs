//! The catalog file, strict v1 (manager contract §4 and §5). It belongs to one server as it is reached now: it is
//! bound to the endpoint, or, where that holds secrets or there is none, to the connection revision.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use toolgate_core::catalog::{Catalog, CatalogTool};
use toolgate_core::identity::RegistrationId;
use toolgate_core::json::JsonText;
use toolgate_core::{Code, Diagnostic};

use super::record::{self, Fault};
use crate::strict_json::Object;

const KIND: &str = "tauritavern.mcpCatalogSnapshot";

/// The way to a server that a catalog was found on.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Binding {
    /// The normalised endpoint.
    Endpoint(String),
    /// The revision of the configuration.
    ConnectionRevision(String),
}

/// The bindings of a server as it is reached now: the one a catalog of it is written with, and another that an older one
/// may have.
#[derive(Clone)]
pub(super) struct Bindings {
    pub(super) written: Binding,
    pub(super) accepted: Option<Binding>,
}

impl Bindings {
    fn fit(&self, binding: &Binding) -> bool {
        self.written == *binding || self.accepted.as_ref() == Some(binding)
    }
}

/// Our form of a catalog: two-space indent, keys in the order of the record, nulls written, a final newline. What a
/// server gave as JSON, its schemas and annotations, stands on a line each, with the spelling of its numbers and strings
/// and the order of its keys: indented, a list would be twice as long and take twice as long to read, and a document
/// that is nested deeply many times as long.
pub(super) fn write(id: RegistrationId, binding: Binding, catalog: &Catalog) -> Result<String, serde_json::Error> {
    let (endpoint, connection_revision) = match binding {
        Binding::Endpoint(endpoint) => (Some(endpoint), None),
        Binding::ConnectionRevision(revision) => (None, Some(revision)),
    };
    let Catalog {
        protocol_version,
        server_name,
        server_version,
        tools,
        diagnostics,
    } = catalog.clone();
    let mut text = serde_json::to_string_pretty(&Record {
        schema_version: record::SchemaVersion,
        kind: KIND.to_owned(),
        registration_id: id.to_string(),
        endpoint,
        connection_revision,
        catalog: CatalogRecord {
            protocol_version,
            server_name,
            server_version,
            tools: tools.into_iter().map(ToolRecord::from).collect(),
            diagnostics: diagnostics
                .into_iter()
                .map(|diagnostic| DiagnosticRecord {
                    code: diagnostic.code.as_str().to_owned(),
                    native_name: diagnostic.native_name,
                    message: diagnostic.message,
                })
                .collect(),
        },
    })?;
    text.push('\n');
    Ok(text)
}

/// Whether a catalog of this server is bound otherwise than it would be written now, so that it is to be written anew.
pub(super) fn is_bound_otherwise(content: &[u8], id: RegistrationId, bindings: &Bindings) -> Result<bool, Fault> {
    let record: Record<IgnoredAny> = open(content, id, bindings)?;
    Ok(bound_to(&record)? != bindings.written)
}

/// Reads the catalog of a server that is reached like this now.
pub(super) fn read(content: &[u8], id: RegistrationId, bindings: &Bindings) -> Result<Catalog, Fault> {
    let record: Record<Object<ToolRecord>> = open(content, id, bindings)?;
    let CatalogRecord {
        protocol_version,
        server_name,
        server_version,
        tools,
        diagnostics,
    } = record.catalog;
    Ok(Catalog {
        protocol_version,
        server_name,
        server_version,
        tools: tools.into_iter().map(|Object(tool)| CatalogTool::from(tool)).collect(),
        diagnostics: diagnostics.into_iter().map(Diagnostic::from).collect(),
    })
}

/// How many tools the catalog has, without reading them.
pub(super) fn count(content: &[u8], id: RegistrationId, bindings: &Bindings) -> Result<usize, Fault> {
    let record: Record<IgnoredAny> = open(content, id, bindings)?;
    Ok(record.catalog.tools.len())
}

/// The refusal of a request that needs the catalog. Refreshing is what mends it (manager contract §5).
pub(super) fn refusal(fault: &Fault, id: RegistrationId) -> Diagnostic {
    let code = match fault {
        Fault::Unreadable(_) => Code::CatalogReadFailed,
        // A catalog has nothing that is kept apart.
        Fault::Invalid(_)
        | Fault::CredentialsMissing(_)
        | Fault::CredentialsUnreadable(_)
        | Fault::KeyringUnavailable(_) => Code::CatalogDamaged,
        Fault::KindUnknown(_) | Fault::SchemaUnknown(_) => Code::CatalogSchemaUnknown,
        Fault::IdMismatch(_) => Code::CatalogMismatch,
    };
    let sentence = fault.sentence();
    Diagnostic::new(
        code,
        format!("The saved tool list {id}.json cannot be used: {sentence} Refresh the server to read its tools again."),
    )
    .about_server(id)
}

fn open<T: serde::de::DeserializeOwned>(
    content: &[u8],
    id: RegistrationId,
    bindings: &Bindings,
) -> Result<Record<T>, Fault> {
    let text = record::text(content)?;
    let record = record::read::<Object<Record<T>>>(text).map(|Object(record)| record);
    // Only what does not fit is read again: another kind or version of record is told before what does not fit in it.
    if record.as_ref().map_or(true, |record| record.kind != KIND) && record::kind(text)? != KIND {
        return Err(Fault::KindUnknown(format!("kind must be {KIND:?}")));
    }
    let record = record?;
    if record.registration_id != id.to_string() {
        return Err(Fault::IdMismatch(
            "registrationId is not the one the file is named after".to_owned(),
        ));
    }
    if !is_version(&record.catalog.protocol_version) {
        return Err(Fault::Invalid(
            "catalog.protocolVersion must be a version of MCP, such as 2025-06-18".to_owned(),
        ));
    }
    let bound_to = bound_to(&record)?;
    if !bindings.fit(&bound_to) {
        let sentence = match bound_to {
            Binding::Endpoint(_) => "it was found on another connection than the server has now",
            Binding::ConnectionRevision(_) => {
                "it was found on another connection than the server has now, or settings.json, by which connections are told \
                 apart, was lost, replaced or damaged since"
            }
        };
        return Err(Fault::IdMismatch(sentence.to_owned()));
    }
    Ok(record)
}

fn bound_to<T>(record: &Record<T>) -> Result<Binding, Fault> {
    match (&record.endpoint, &record.connection_revision) {
        (Some(endpoint), None) => Ok(Binding::Endpoint(endpoint.clone())),
        (None, Some(revision)) => Ok(Binding::ConnectionRevision(revision.clone())),
        _ => Err(Fault::Invalid(
            "it must have either endpoint or connectionRevision".to_owned(),
        )),
    }
}

/// Whether a text is written like the versions of MCP. One that we do not speak may stand in a catalog of another
/// manager.
fn is_version(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Record<T> {
    schema_version: record::SchemaVersion,
    kind: String,
    registration_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    endpoint: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    connection_revision: Option<String>,
    #[serde(
        deserialize_with = "crate::strict_json::object",
        bound(deserialize = "CatalogRecord<T>: Deserialize<'de>")
    )]
    catalog: CatalogRecord<T>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CatalogRecord<T> {
    protocol_version: String,
    #[serde(deserialize_with = "Option::deserialize")]
    server_name: Option<String>,
    #[serde(deserialize_with = "Option::deserialize")]
    server_version: Option<String>,
    tools: Vec<T>,
    #[serde(deserialize_with = "crate::strict_json::objects")]
    diagnostics: Vec<DiagnosticRecord>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ToolRecord {
    native_name: String,
    #[serde(deserialize_with = "Option::deserialize")]
    title: Option<String>,
    #[serde(deserialize_with = "Option::deserialize")]
    description: Option<String>,
    input_schema: JsonText,
    #[serde(deserialize_with = "Option::deserialize")]
    output_schema: Option<JsonText>,
    annotations: JsonText,
}

impl From<CatalogTool> for ToolRecord {
    fn from(tool: CatalogTool) -> Self {
        let CatalogTool {
            native_name,
            title,
            description,
            input_schema,
            output_schema,
            annotations,
        } = tool;
        Self {
            native_name,
            title,
            description,
            input_schema,
            output_schema,
            annotations,
        }
    }
}

impl From<ToolRecord> for CatalogTool {
    fn from(tool: ToolRecord) -> Self {
        let ToolRecord {
            native_name,
            title,
            description,
            input_schema,
            output_schema,
            annotations,
        } = tool;
        Self {
            native_name,
            title,
            description,
            input_schema,
            output_schema,
            annotations,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DiagnosticRecord {
    code: String,
    #[serde(deserialize_with = "Option::deserialize")]
    native_name: Option<String>,
    message: String,
}

impl From<DiagnosticRecord> for Diagnostic {
    fn from(record: DiagnosticRecord) -> Self {
        let DiagnosticRecord {
            code,
            native_name,
            message,
        } = record;
        let known = Code::ALL.iter().copied().find(|known| known.as_str() == code);
        let diagnostic = match known {
            Some(known) => Self::new(known, message),
            None => Self::new(Code::CatalogDiagnosticForeign, format!("{code}: {message}")),
        };
        match native_name {
            Some(native_name) => diagnostic.about_tool(native_name),
            None => diagnostic,
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test stops where its ground is missing")]
mod tests {
    use super::*;

    fn catalog(annotations: &str) -> Catalog {
        Catalog {
            protocol_version: "2025-06-18".to_owned(),
            server_name: None,
            server_version: None,
            tools: vec![CatalogTool {
                native_name: "t".to_owned(),
                title: None,
                description: None,
                input_schema: JsonText::empty_object(),
                output_schema: None,
                annotations: JsonText::parse(annotations).unwrap(),
            }],
            diagnostics: Vec::new(),
        }
    }

    #[test]
    fn a_document_nested_ever_so_deep_does_not_blow_up_the_file() {
        let levels = 20_000;
        let deep = format!("{{\"x\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        let catalog = catalog(&deep);
        let id = RegistrationId::parse("8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a").unwrap();
        let binding = Binding::Endpoint("https://example.com/".to_owned());
        let text = write(id, binding.clone(), &catalog).unwrap();
        assert!(text.len() < 2 * levels + 1000);
        let bindings = Bindings {
            written: binding,
            accepted: None,
        };
        assert_eq!(read(text.as_bytes(), id, &bindings), Ok(catalog));
    }
}
