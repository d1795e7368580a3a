//! The messages of the bridge: parameters and results of every method. The page's TypeScript types are generated from
//! these.

mod agent;
mod credentials;
mod decisions;
mod import;
mod legacy;
pub mod partners;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toolgate_core::code::Code;
use toolgate_core::identity::RegistrationId;
use toolgate_core::server::{
    DescriptionOverride, Permission, ProtocolVersion, ServerConfig, ServerState, TransportKind,
};

pub use agent::*;
pub use credentials::CredentialsInfo;
pub use decisions::DecidedServer;
pub use import::{ImportParams, Imported};
pub use legacy::*;

/// `servers.list`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ListParams {
    /// Whether summaries hold the whole configuration, secrets included.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>"))]
    pub reveal: bool,
}

/// Every server and every bad file, as one snapshot.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ServerList {
    /// The servers, by display name, then by id.
    pub servers: Vec<ServerSummary>,
    /// Files that could not be used.
    pub storage_issues: Vec<StorageIssue>,
}

/// One server as a list shows it. Without `reveal` it holds no path, query, header value, argument or environment value.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ServerSummary {
    /// The registration id.
    pub id: RegistrationId,
    /// The display name.
    pub display_name: String,
    /// Which transport.
    pub transport: TransportKind,
    /// Scheme, host and port, or the command's file name.
    pub target: String,
    /// Active or paused.
    pub state: ServerState,
    /// True where it is paused until the host ends only: that could not be saved, and its file says active still. A
    /// change of it that can be saved saves that too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>"))]
    pub pause_unsaved: bool,
    /// The protocol version setting.
    pub protocol_version: ProtocolVersion,
    /// Ask and Allow settings by native name.
    pub tool_permissions: BTreeMap<String, Permission>,
    /// Description overrides by native name.
    pub tool_description_overrides: BTreeMap<String, DescriptionOverride>,
    /// Number of tools in the saved catalog; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_count: Option<u32>,
    /// The last discovery or refresh failed like this since the host started, and none has succeeded after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_failure: Option<LastFailure>,
    /// The whole configuration, only with `reveal`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<ServerConfig>,
}

/// How and when the last discovery or refresh failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LastFailure {
    /// The code.
    pub code: Code,
    /// The sentence that goes with it.
    pub message: String,
    /// When, in milliseconds since 1970-01-01 UTC.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub at_ms: u64,
}

/// A file that could not be used (manager contract §3, `McpStorageIssue`). It is left as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct StorageIssue {
    /// The file's name, without its folder.
    pub file_name: String,
    /// The server the file's name says, where it is a registration id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registration_id: Option<RegistrationId>,
    /// The code.
    pub code: Code,
    /// What is wrong with the file.
    pub message: String,
}

/// `servers.create`, `servers.review`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CreateParams {
    /// The display name; it is normalised.
    pub display_name: String,
    /// How to reach the server; it is validated and normalised.
    #[serde(deserialize_with = "crate::strict_json::object")]
    pub config: ServerConfig,
}

/// `servers.readConfig`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ReadConfigParams {
    /// The registration id.
    pub id: String,
    /// Whether secrets are shown instead of placeholders.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>"))]
    pub reveal: bool,
}

/// A server's configuration as an editor shows it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct EditableConfig {
    /// The display name.
    pub display_name: String,
    /// The configuration, masked unless reveal was asked for.
    pub config: ServerConfig,
    /// What was read; a save carries it back.
    pub revision: String,
}

/// `servers.saveConfig`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SaveConfigParams {
    /// The registration id.
    pub id: String,
    /// The display name.
    pub display_name: String,
    /// The configuration, placeholders for what is to stay as saved.
    #[serde(deserialize_with = "crate::strict_json::object")]
    pub config: ServerConfig,
    /// The revision that was read with it.
    pub revision: String,
}

/// `servers.remove`, `servers.discover`, `servers.refresh`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ServerParams {
    /// The registration id.
    pub id: String,
}

/// `servers.setState`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct SetStateParams {
    /// The registration id.
    pub id: String,
    /// Active or paused.
    pub state: ServerState,
    /// The revision of the configuration the person saw; another one since then refuses with `mcp.config_conflict`.
    #[serde(default)]
    pub revision: Option<String>,
}

/// `tools.setPermission`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SetPermissionParams {
    /// The registration id.
    pub id: String,
    /// The tool's native name.
    pub native_name: String,
    /// What is decided.
    pub permission: Permission,
}

/// `tools.setPermissions`: many tools of one server, one write.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SetPermissionsParams {
    /// The registration id.
    pub id: String,
    /// Native name to what is decided.
    #[serde(deserialize_with = "crate::strict_json::unique_map")]
    pub changes: BTreeMap<String, Permission>,
}

/// `tools.setDescriptionOverride`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SetDescriptionOverrideParams {
    /// The registration id.
    pub id: String,
    /// The tool's native name.
    pub native_name: String,
    /// The override; null removes it.
    #[serde(rename = "override", deserialize_with = "Option::deserialize")]
    pub description_override: Option<DescriptionOverride>,
}

/// `servers.offerRecommended`: what came of it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct RecommendedOffer {
    /// The server that was added, paused; absent where it was added before, also where it was removed since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<ServerSummary>,
}

/// `tools.startTestCall`, `tools.cancelTestCall`, `agent.cancel`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CallIdParams {
    /// The call's id, made by the caller, a UUID for example: 1 to 128 visible ASCII characters.
    pub call_id: String,
}

/// `tools.testCall`: one call of a tool by a person (manager contract §6).
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct TestCallParams {
    /// The id that `tools.startTestCall` was given. Left out, the call cannot be cancelled.
    #[serde(default)]
    pub call_id: Option<String>,
    /// The registration id.
    pub id: String,
    /// The tool's native name.
    pub native_name: String,
    /// The arguments as the text of a JSON object, at most 256 KiB; numbers and the order of keys reach the server as
    /// they are spelled here.
    pub arguments_json: String,
}

/// `storage.remove`: deletes a file that is in the present list of storage issues.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RemoveFileParams {
    /// The file's name as the issue gives it.
    pub file_name: String,
}

/// `host.info`
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct HostInfo {
    /// Toolgate's version.
    pub version: String,
    /// The data directory.
    pub data_dir: String,
    /// The transports this host can connect with.
    pub transports: Vec<TransportKind>,
    /// The proxy variables in force, by name, without their values; empty where connections go out directly.
    pub proxies: Vec<String>,
    /// Where connections are kept.
    pub credentials: CredentialsInfo,
}

/// Event `host.changed`: what changed, so that every open page reads it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct HostChanged {
    /// What kind of thing.
    pub area: ChangedArea,
    /// The server, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<RegistrationId>,
}

/// The kinds of thing that change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ChangedArea {
    /// A registration was made, changed or removed.
    Servers,
    /// A catalog was published or removed, or a discovery failed.
    Catalog,
    /// A bad file appeared or was removed.
    Storage,
    /// A partner was made, changed or removed, or what one is granted.
    Partners,
}
