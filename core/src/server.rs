//! What a server is: one entity with one of two transports, its state, and what a person decided about its tools.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

use crate::command_line;
use crate::identity::RegistrationId;
use crate::named_values::NamedValues;
use crate::object_only;

/// The setting for the MCP protocol version (manager contract §3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ProtocolVersion {
    /// Negotiate, newest first.
    #[default]
    #[serde(rename = "auto")]
    Auto,
    /// 2026-07-28 and no other.
    #[serde(rename = "2026-07-28")]
    V20260728,
    /// 2025-11-25 and no other.
    #[serde(rename = "2025-11-25")]
    V20251125,
    /// 2025-06-18 and no other.
    #[serde(rename = "2025-06-18")]
    V20250618,
    /// 2025-03-26 and no other.
    #[serde(rename = "2025-03-26")]
    V20250326,
}

impl ProtocolVersion {
    /// Every setting, in the order in which a person is offered them.
    pub const ALL: [Self; 5] = [
        Self::Auto,
        Self::V20260728,
        Self::V20251125,
        Self::V20250618,
        Self::V20250326,
    ];

    /// The setting as it is written: `auto` or the version.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::V20260728 => "2026-07-28",
            Self::V20251125 => "2025-11-25",
            Self::V20250618 => "2025-06-18",
            Self::V20250326 => "2025-03-26",
        }
    }

    /// The setting that is written so; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.as_str() == text)
    }

    /// The versions that may take part in the negotiation under this setting, newest first.
    pub fn allowed(self) -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .skip(1)
            .filter(move |version| self == Self::Auto || *version == self)
    }
}

/// Whether Toolgate may connect to a server, or start it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ServerState {
    /// A person has seen the exact endpoint or command and activated it.
    Active,
    /// Nothing connects, nothing starts.
    Paused,
}

/// The two ways in which Toolgate talks to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum TransportKind {
    /// Streamable HTTP.
    Http,
    /// A child process, messages on its standard input and output.
    Stdio,
}

/// What a person decided about a tool. Off is the default, and is stored as absence (manager contract §4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Permission {
    /// No model may use it.
    #[default]
    Off,
    /// A model may use it; a person is to be asked.
    Ask,
    /// A model may use it.
    Allow,
}

/// How to reach a server over Streamable HTTP. Holds secrets: its `Debug` output shows none of them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct HttpConfig {
    /// The endpoint.
    pub url: String,
    /// Header names and values, verbatim.
    #[serde(default)]
    pub headers: NamedValues,
    /// The protocol version setting.
    #[serde(default)]
    pub protocol_version: ProtocolVersion,
}

/// How to start a server as a child process. Holds secrets: its `Debug` output shows none of them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StdioConfig {
    /// The program, as the system finds it; never a command line.
    pub command: String,
    /// Its arguments, verbatim.
    #[serde(default)]
    pub args: Vec<String>,
    /// Environment variables set for it beside the allow-listed ones.
    #[serde(default)]
    pub env: NamedValues,
    /// The folder it starts in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub cwd: Option<String>,
    /// The protocol version setting.
    #[serde(default)]
    pub protocol_version: ProtocolVersion,
}

/// How to reach a server. The one form of it everywhere: `{type: "http", …}` or `{type: "stdio", …}`.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ServerConfig {
    /// Streamable HTTP.
    Http(HttpConfig),
    /// A child process.
    Stdio(StdioConfig),
}

impl ServerConfig {
    /// Which transport this is.
    pub const fn transport(&self) -> TransportKind {
        match self {
            Self::Http(_) => TransportKind::Http,
            Self::Stdio(_) => TransportKind::Stdio,
        }
    }

    /// The protocol version setting.
    pub const fn protocol_version(&self) -> ProtocolVersion {
        match self {
            Self::Http(config) => config.protocol_version,
            Self::Stdio(config) => config.protocol_version,
        }
    }

    /// What a list may show of it: scheme, host and port (without the scheme's default one) of the endpoint, or the
    /// command's file name. Never holds userinfo, path, query or arguments. Empty for an endpoint that is none.
    pub fn target(&self) -> String {
        match self {
            Self::Http(config) => url::Url::parse(&config.url)
                .ok()
                .filter(url::Url::has_host)
                .map(|url| url.origin().ascii_serialization())
                .unwrap_or_default(),
            Self::Stdio(config) => command_line::file_name(&config.command).to_owned(),
        }
    }
}

/// How a model is told about a tool in place of what the server says; strings are kept verbatim (manager contract §4).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct DescriptionOverride {
    /// Replaces the tool's description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Replaces the descriptions of properties of the input schema's root, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<BTreeMap<String, String>>"))]
    pub properties: BTreeMap<String, String>,
}

/// A saved server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// Its id; never changes.
    pub id: RegistrationId,
    /// The name a person knows it by; need not be unique.
    pub display_name: String,
    /// How to reach it.
    pub config: ServerConfig,
    /// Whether it may be reached.
    pub state: ServerState,
    /// What is decided about its tools, by native name. Never holds [`Permission::Off`].
    pub tool_permissions: BTreeMap<String, Permission>,
    /// What a model is told about its tools, by native name. Never holds an empty override.
    pub tool_description_overrides: BTreeMap<String, DescriptionOverride>,
}

impl<'de> Deserialize<'de> for ServerConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(
            tag = "type",
            rename_all = "lowercase",
            expecting = "an object whose type is http or stdio"
        )]
        enum Read {
            Http(HttpConfig),
            Stdio(StdioConfig),
        }

        let read = object_only::read(deserializer, "an object whose type is http or stdio")?;
        Ok(match read {
            Read::Http(config) => Self::Http(config),
            Read::Stdio(config) => Self::Stdio(config),
        })
    }
}

impl<'de> Deserialize<'de> for DescriptionOverride {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Read {
            #[serde(default)]
            description: Option<String>,
            #[serde(default, deserialize_with = "object_only::texts_by_name")]
            properties: BTreeMap<String, String>,
        }

        let Read {
            description,
            properties,
        } = object_only::read(deserializer, "an object with a description, properties or both")?;
        Ok(Self {
            description,
            properties,
        })
    }
}

impl fmt::Debug for HttpConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("HttpConfig")
            .field("headers", &self.headers)
            .field("protocol_version", &self.protocol_version)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for StdioConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("StdioConfig")
            .field("args", &self.args.len())
            .field("env", &self.env)
            .field("protocol_version", &self.protocol_version)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for ServerConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Http(config) => config.fmt(formatter),
            Self::Stdio(config) => config.fmt(formatter),
        }
    }
}
