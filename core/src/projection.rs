//! What a catalog is under the decisions of a registration: computed at each call, never stored.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use crate::catalog::{Catalog, CatalogTool};
use crate::identity::{RegistrationId, ToolId};
use crate::json::{self, JsonText};
use crate::server::{DescriptionOverride, Permission, Registration, ServerState};
use crate::{Code, Diagnostic};

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
    #[serde(serialize_with = "JsonText::as_string")]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub input_schema_json: JsonText,
    /// The output schema as JSON text.
    #[serde(serialize_with = "output_schema", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub output_schema_json: Option<JsonText>,
    /// The annotations as JSON text.
    #[serde(serialize_with = "JsonText::as_string")]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub annotations_json: JsonText,
    /// What is decided.
    pub permission: Permission,
    /// The registration's override, where there is one.
    #[serde(rename = "override", skip_serializing_if = "Option::is_none")]
    pub description_override: Option<DescriptionOverride>,
    /// Why the tool cannot go to a model as things are (paused, off, root type not `object`); empty where it can.
    pub not_model_ready: Vec<Diagnostic>,
}

#[expect(clippy::ref_option, reason = "serde hands the field over so")]
fn output_schema<S: Serializer>(schema: &Option<JsonText>, serializer: S) -> Result<S::Ok, S::Error> {
    schema.as_ref().map(JsonText::as_str).serialize(serializer)
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

/// Projects a catalog for its registration (manager contract §3 and §5): each tool with its permission (off where
/// nothing is decided), override and the reasons why it cannot go to a model, in the catalog's order; and the
/// permissions and overrides whose tool or property is gone, by name. Nothing of this is stored: call it each time.
pub fn project_discovery(registration: &Registration, catalog: &Catalog) -> DiscoveryResult {
    let tools: Vec<ToolView> = catalog.tools.iter().map(|tool| view(registration, tool)).collect();
    let offered: HashMap<&str, &CatalogTool> = catalog
        .tools
        .iter()
        .map(|tool| (tool.native_name.as_str(), tool))
        .collect();
    let stale_tools = registration
        .tool_permissions
        .iter()
        .filter(|(name, permission)| **permission != Permission::Off && !offered.contains_key(name.as_str()))
        .map(|(name, permission)| StaleTool {
            native_name: name.clone(),
            permission: *permission,
        })
        .collect();
    let stale_overrides = registration
        .tool_description_overrides
        .iter()
        .filter_map(|(name, description_override)| {
            stale(name, description_override, offered.get(name.as_str()).copied())
        })
        .collect();
    DiscoveryResult {
        registration_id: registration.id,
        protocol_version: catalog.protocol_version.clone(),
        server_name: catalog.server_name.clone(),
        server_version: catalog.server_version.clone(),
        tools,
        diagnostics: catalog.diagnostics.clone(),
        stale_tools,
        stale_overrides,
    }
}

/// Why a tool cannot go to a model as things are: its server is paused, it is off, the root `type` of its input schema
/// is not exactly the string `object` (manager contract §7). Empty where it can.
pub fn not_model_ready(registration: &Registration, tool: &CatalogTool) -> Vec<Diagnostic> {
    let mut reasons = Vec::new();
    if registration.state == ServerState::Paused {
        let message = "The server is paused; activate it to use its tools.";
        reasons.push((Code::ToolServerPaused, message));
    }
    if permission(registration, tool) == Permission::Off {
        let message = "The tool is off; set it to Ask or Allow to use it.";
        reasons.push((Code::ToolPermissionOff, message));
    }
    let decided = reasons
        .into_iter()
        .map(|(code, message)| Diagnostic::new(code, message));
    decided
        .chain(root_type_reason(tool))
        .map(|reason| reason.about_tool(&tool.native_name))
        .collect()
}

/// Why the tool cannot go to any model, whatever is decided about it: the root `type` of its input schema.
pub(crate) fn root_type_reason(tool: &CatalogTool) -> Option<Diagnostic> {
    let message = "The root of the tool's input schema must say \"type\": \"object\"; only its server can change that.";
    (!root_type_is_object(&tool.input_schema)).then(|| Diagnostic::new(Code::ToolRootTypeNotObject, message))
}

fn view(registration: &Registration, tool: &CatalogTool) -> ToolView {
    ToolView {
        id: ToolId::new(registration.id, tool.native_name.clone()).to_string(),
        native_name: tool.native_name.clone(),
        title: tool.title.clone(),
        description: tool.description.clone(),
        input_schema_json: tool.input_schema.clone(),
        output_schema_json: tool.output_schema.clone(),
        annotations_json: tool.annotations.clone(),
        permission: permission(registration, tool),
        description_override: registration.tool_description_overrides.get(&tool.native_name).cloned(),
        not_model_ready: not_model_ready(registration, tool),
    }
}

/// What is decided about a tool: off where nothing is.
pub(crate) fn permission(registration: &Registration, tool: &CatalogTool) -> Permission {
    registration
        .tool_permissions
        .get(&tool.native_name)
        .copied()
        .unwrap_or_default()
}

fn root_type_is_object(schema: &JsonText) -> bool {
    json::members(schema.as_str())
        .and_then(|members| members.get("type").and_then(json::string))
        .is_some_and(|root_type| root_type == "object")
}

fn stale(name: &str, description_override: &DescriptionOverride, tool: Option<&CatalogTool>) -> Option<StaleOverride> {
    let mut properties = Vec::new();
    if let Some(tool) = tool {
        let schema = json::members(tool.input_schema.as_str());
        let offered = schema.and_then(|schema| json::members(schema.get("properties")?.get()));
        let is_offered = |property: &str| offered.as_ref().is_some_and(|offered| offered.get(property).is_some());
        properties.extend(
            description_override
                .properties
                .keys()
                .filter(|property| !is_offered(property))
                .cloned(),
        );
        if properties.is_empty() {
            return None;
        }
    }
    Some(StaleOverride {
        native_name: name.to_owned(),
        properties,
    })
}
