//! What a catalog is under the decisions of a registration: computed at each call, never stored.

use serde::Serialize;

use crate::Diagnostic;
use crate::identity::RegistrationId;
use crate::server::{DescriptionOverride, Permission};

/// A catalog with the permissions and overrides of its registration (manager contract §3, `McpDiscoveryResult`), plus
/// what the page needs besides. JSON documents are text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct DiscoveryResult {
    /// The server.
    pub registration_id: RegistrationId,
    /// The negotiated MCP protocol version.
    pub protocol_version: String,
    /// The server's name for itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_name: Option<String>,
    /// The server's version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_version: Option<String>,
    /// The tools offered, in the server's order.
    pub tools: Vec<ToolView>,
    /// What was isolated, mended or is worth saying.
    pub diagnostics: Vec<Diagnostic>,
    /// Ask and Allow settings whose tool is gone, by name.
    pub stale_tools: Vec<StaleTool>,
    /// Description overrides whose tool or property is gone.
    pub stale_overrides: Vec<StaleOverride>,
}

/// One tool with what was decided about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ToolView {
    /// `mcp/<registration id>:<native name>`.
    pub id: String,
    /// The tool's name at its server.
    pub native_name: String,
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The server's description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The input schema as JSON text.
    pub input_schema_json: String,
    /// The output schema as JSON text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema_json: Option<String>,
    /// The annotations as JSON text.
    pub annotations_json: String,
    /// What is decided.
    pub permission: Permission,
    /// The registration's override, where there is one.
    #[serde(rename = "override", skip_serializing_if = "Option::is_none")]
    pub description_override: Option<DescriptionOverride>,
    /// Why the tool cannot go to a model as things are (paused, off, root type not `object`); empty where it can.
    pub not_model_ready: Vec<Diagnostic>,
}

/// A permission whose tool is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StaleTool {
    /// The native name.
    pub native_name: String,
    /// What is decided: ask or allow.
    pub permission: Permission,
}

/// A description override whose tool, or some of whose properties, are gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StaleOverride {
    /// The native name.
    pub native_name: String,
    /// The properties that are gone; empty where the whole tool is.
    pub properties: Vec<String>,
}
