//! The registration file, strict v1 (manager contract §4; for stdio servers the same with a kind of our own).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toolgate_core::identity::{self, RegistrationId};
use toolgate_core::named_values::NamedValues;
use toolgate_core::server::{
    DescriptionOverride, HttpConfig, Permission, ProtocolVersion, Registration, ServerConfig, ServerState, StdioConfig,
};
use toolgate_core::{Code, Diagnostic, Limits, validate};

use super::record::{self, Fault};

const HTTP_KIND: &str = "tauritavern.mcpServerRegistration";
const STDIO_KIND: &str = "toolgate.stdioServerRegistration";

/// Our form of a registration: two-space indent, keys in the order of the record, a final newline; empty headers,
/// arguments, environment, permissions and overrides left out. `stored` stands in the place of its configuration: that
/// itself, or one with placeholders.
pub(super) fn write(registration: &Registration, stored: ServerConfig) -> Result<String, serde_json::Error> {
    let Registration {
        id,
        display_name,
        config: _,
        state,
        tool_permissions,
        tool_description_overrides,
    } = registration.clone();
    let schema_version = record::SchemaVersion;
    let tool_permissions = tool_permissions
        .into_iter()
        .filter_map(|(name, permission)| Some((name, Decision::from_permission(permission)?)))
        .collect();
    let tool_description_overrides = tool_description_overrides
        .into_iter()
        .map(
            |(
                name,
                DescriptionOverride {
                    description,
                    properties,
                },
            )| {
                (
                    name,
                    Override {
                        description,
                        properties,
                    },
                )
            },
        )
        .collect();
    let mut text = match stored {
        ServerConfig::Http(HttpConfig {
            url,
            headers,
            protocol_version,
        }) => serde_json::to_string_pretty(&HttpRecord {
            schema_version,
            kind: HTTP_KIND.to_owned(),
            id: id.to_string(),
            display_name,
            endpoint: url,
            headers,
            protocol_version,
            state,
            tool_permissions,
            tool_description_overrides,
        }),
        ServerConfig::Stdio(StdioConfig {
            command,
            args,
            env,
            cwd,
            protocol_version,
        }) => serde_json::to_string_pretty(&StdioRecord {
            schema_version,
            kind: STDIO_KIND.to_owned(),
            id: id.to_string(),
            display_name,
            command,
            args,
            env,
            cwd,
            protocol_version,
            state,
            tool_permissions,
            tool_description_overrides,
        }),
    }?;
    text.push('\n');
    Ok(text)
}

/// Reads the file that is named after this id, its configuration as it stands there.
pub(super) fn read(content: &[u8], named: RegistrationId) -> Result<Parts, Fault> {
    let text = record::text(content)?;
    let parts = match record::kind(text)?.as_str() {
        HTTP_KIND => Parts::from(record::read::<HttpRecord>(text)?),
        STDIO_KIND => Parts::from(record::read::<StdioRecord>(text)?),
        _ => {
            return Err(Fault::KindUnknown(format!(
                "kind must be {HTTP_KIND:?} or {STDIO_KIND:?}"
            )));
        }
    };
    if RegistrationId::parse(&parts.id) != Ok(named) {
        return Err(Fault::IdMismatch(
            "id is not the one the file is named after".to_owned(),
        ));
    }
    Ok(parts)
}

/// What records of both kinds hold.
pub(super) struct Parts {
    id: String,
    pub(super) display_name: String,
    /// As it stands in the file, with placeholders where it is kept apart.
    pub(super) config: ServerConfig,
    state: ServerState,
    tool_permissions: BTreeMap<String, Decision>,
    tool_description_overrides: BTreeMap<String, Override>,
}

impl Parts {
    /// The registration, once its configuration is whole and everything keeps to the domain's rules.
    pub(super) fn checked(self, named: RegistrationId, limits: &Limits) -> Result<Registration, Fault> {
        let Self {
            id: _,
            display_name,
            config,
            state,
            tool_permissions,
            tool_description_overrides,
        } = self;
        let config = validate::config(config, limits).map_err(|refusal| record::invalid(&refusal.first))?;
        let display_name = identity::normalize_display_name(&display_name, limits)
            .map_err(|diagnostic| record::invalid(&diagnostic.at("displayName")))?;
        for name in tool_permissions.keys().chain(tool_description_overrides.keys()) {
            identity::check_tool_name(name, limits).map_err(|diagnostic| record::invalid(&diagnostic))?;
        }
        let tool_description_overrides = tool_description_overrides
            .into_iter()
            .map(
                |(
                    name,
                    Override {
                        description,
                        properties,
                    },
                )| {
                    let description_override = DescriptionOverride {
                        description,
                        properties,
                    };
                    validate::description_override(&description_override)
                        .map_err(|diagnostic| record::invalid(&diagnostic.at("toolDescriptionOverrides")))?;
                    Ok((name, description_override))
                },
            )
            .collect::<Result<_, Fault>>()?;
        let tool_permissions = tool_permissions
            .into_iter()
            .map(|(name, decision)| (name, decision.permission()))
            .collect();
        Ok(Registration {
            id: named,
            display_name,
            config,
            state,
            tool_permissions,
            tool_description_overrides,
        })
    }
}

impl From<HttpRecord> for Parts {
    fn from(record: HttpRecord) -> Self {
        let HttpRecord {
            schema_version: _,
            kind: _,
            id,
            display_name,
            endpoint,
            headers,
            protocol_version,
            state,
            tool_permissions,
            tool_description_overrides,
        } = record;
        Self {
            id,
            display_name,
            config: ServerConfig::Http(HttpConfig {
                url: endpoint,
                headers,
                protocol_version,
            }),
            state,
            tool_permissions,
            tool_description_overrides,
        }
    }
}

impl From<StdioRecord> for Parts {
    fn from(record: StdioRecord) -> Self {
        let StdioRecord {
            schema_version: _,
            kind: _,
            id,
            display_name,
            command,
            args,
            env,
            cwd,
            protocol_version,
            state,
            tool_permissions,
            tool_description_overrides,
        } = record;
        Self {
            id,
            display_name,
            config: ServerConfig::Stdio(StdioConfig {
                command,
                args,
                env,
                cwd,
                protocol_version,
            }),
            state,
            tool_permissions,
            tool_description_overrides,
        }
    }
}

/// What anything that is wrong with a registration file is called.
pub(super) fn issue(fault: &Fault) -> (Code, String) {
    let code = match fault {
        Fault::Unreadable(_) => Code::StorageUnreadable,
        Fault::Invalid(_) => Code::StorageInvalid,
        Fault::KindUnknown(_) => Code::StorageKindUnknown,
        Fault::SchemaUnknown(_) => Code::StorageSchemaUnknown,
        Fault::IdMismatch(_) => Code::StorageIdMismatch,
        Fault::CredentialsMissing(_) => Code::StorageCredentialsMissing,
        Fault::CredentialsUnreadable(_) => Code::StorageCredentialsUnreadable,
        Fault::KeyringUnavailable(_) => Code::StorageKeyringUnavailable,
    };
    (code, fault.sentence())
}

/// What to do about it, as a sentence.
pub(super) fn remedy(fault: &Fault) -> &'static str {
    match fault {
        Fault::Unreadable(_) => "Check that it is a file you may read, or remove it.",
        Fault::Invalid(_) => "Mend it, or remove it.",
        Fault::KindUnknown(_) => "Move it elsewhere if you need it, or remove it.",
        Fault::SchemaUnknown(_) => "Use the version of Toolgate that wrote it, or remove it.",
        Fault::IdMismatch(_) => "Give it the name of the id inside, or remove it.",
        Fault::CredentialsMissing(_) => {
            "Put the file of the connections back from a copy; or remove the server and add it again."
        }
        Fault::CredentialsUnreadable(_) => "Mend that file or put it back from a copy.",
        Fault::KeyringUnavailable(_) => "Unlock the keyring of the account and computer that saved it.",
    }
}

/// The refusal of a request about a server whose file is bad.
pub(super) fn refusal(fault: &Fault, id: RegistrationId) -> Diagnostic {
    let (code, sentence) = issue(fault);
    Diagnostic::new(
        code,
        format!(
            "The server's file {id}.json cannot be used: {sentence} {}",
            remedy(fault)
        ),
    )
    .about_server(id)
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct HttpRecord {
    schema_version: record::SchemaVersion,
    kind: String,
    id: String,
    display_name: String,
    endpoint: String,
    #[serde(default, skip_serializing_if = "NamedValues::is_empty")]
    headers: NamedValues,
    protocol_version: ProtocolVersion,
    state: ServerState,
    #[serde(
        default,
        deserialize_with = "crate::strict_json::unique_map",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    tool_permissions: BTreeMap<String, Decision>,
    #[serde(
        default,
        deserialize_with = "crate::strict_json::unique_map_of_objects",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    tool_description_overrides: BTreeMap<String, Override>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct StdioRecord {
    schema_version: record::SchemaVersion,
    kind: String,
    id: String,
    display_name: String,
    command: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    args: Vec<String>,
    #[serde(default, skip_serializing_if = "NamedValues::is_empty")]
    env: NamedValues,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cwd: Option<String>,
    protocol_version: ProtocolVersion,
    state: ServerState,
    #[serde(
        default,
        deserialize_with = "crate::strict_json::unique_map",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    tool_permissions: BTreeMap<String, Decision>,
    #[serde(
        default,
        deserialize_with = "crate::strict_json::unique_map_of_objects",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    tool_description_overrides: BTreeMap<String, Override>,
}

/// A permission as it is stored: off is absence.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Decision {
    Ask,
    Allow,
}

impl Decision {
    const fn from_permission(permission: Permission) -> Option<Self> {
        match permission {
            Permission::Off => None,
            Permission::Ask => Some(Self::Ask),
            Permission::Allow => Some(Self::Allow),
        }
    }

    const fn permission(self) -> Permission {
        match self {
            Self::Ask => Permission::Ask,
            Self::Allow => Permission::Allow,
        }
    }
}

/// An override as it is stored: its properties are always written.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Override {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(default, deserialize_with = "crate::strict_json::unique_map")]
    properties: BTreeMap<String, String>,
}
