//! The tools a model may be offered. Input: `servers`, each with `id`, `displayName`, `state` (active where absent),
//! `permissions`, `overrides` and `tools` (a list of `{name, description, inputSchema}`, the schema a JSON text; absent
//! where the tools were never read; `"damaged"` where the saved catalog is). Then either
//! - `"profile": {"allow": [tool id], "descriptions": {tool id: override}}` and `localNames`: what an agent is offered,
//!   `{tools: [{alias, toolId, description, inputSchema}], diagnostics}`;
//! - or nothing: what Legacy chats are offered of the first server, without aliases.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolgate_core::catalog::{Catalog, CatalogTool};
use toolgate_core::identity::{RegistrationId, ToolId};
use toolgate_core::json::JsonText;
use toolgate_core::layers::agent::{AgentTools, ServerSnapshot, freeze};
use toolgate_core::layers::descriptors;
use toolgate_core::named_values::NamedValues;
use toolgate_core::server::{
    DescriptionOverride, HttpConfig, Permission, ProtocolVersion, Registration, ServerConfig, ServerState,
};
use toolgate_core::{Code, Diagnostic, Limits};

use crate::harness::{File, diagnostics};

pub(crate) const FILES: &[File] = crate::files!("layers": "agent", "descriptions", "legacy", "properties");

pub(crate) fn run(input: Value) -> Value {
    let servers: Vec<(Registration, Result<Option<Catalog>, Diagnostic>)> =
        input["servers"].as_array().unwrap().iter().map(server).collect();
    let before = format!("{servers:?}");
    let answer = match input.get("profile") {
        Some(profile) => agent(profile, &servers, &input),
        None => legacy(&servers),
    };
    assert_eq!(before, format!("{servers:?}"), "the catalog was changed");
    answer
}

fn agent(profile: &Value, servers: &[(Registration, Result<Option<Catalog>, Diagnostic>)], input: &Value) -> Value {
    let id = |text: &str| ToolId::parse(text, &Limits::default()).unwrap();
    let descriptions: BTreeMap<String, DescriptionOverride> = match profile.get("descriptions") {
        Some(layer) => serde_json::from_value(layer.clone()).unwrap(),
        None => BTreeMap::new(),
    };
    let tools = AgentTools {
        allow: texts(&profile["allow"]).into_iter().map(id).collect(),
        descriptions: descriptions.into_iter().map(|(tool, layer)| (id(&tool), layer)).collect(),
    };
    let snapshots = servers.iter().map(|(registration, catalog)| ServerSnapshot {
        registration,
        catalog: catalog.as_ref().map(Option::as_ref),
    });
    let local_names = input.get("localNames").map(texts).unwrap_or_default();
    let offer = freeze(&tools, snapshots, local_names);
    let tools = offer.tools.iter().map(|tool| {
        json!({
            "alias": tool.alias,
            "toolId": tool.tool_id.to_string(),
            "description": tool.description,
            "inputSchema": tool.input_schema_json.as_str(),
        })
    });
    json!({ "tools": tools.collect::<Vec<_>>(), "diagnostics": diagnostics(&offer.diagnostics) })
}

fn legacy(servers: &[(Registration, Result<Option<Catalog>, Diagnostic>)]) -> Value {
    let (registration, catalog) = &servers[0];
    let offer = descriptors(registration, catalog.as_ref().unwrap().as_ref().unwrap());
    // As the bridge carries them.
    let carried = serde_json::to_string(&offer.tools).unwrap();
    assert_eq!(
        serde_json::from_str::<Vec<toolgate_core::layers::ToolDescriptor>>(&carried).unwrap(),
        offer.tools
    );
    let tools = offer.tools.iter().map(|tool| {
        json!({
            "toolId": tool.tool_id.to_string(),
            "serverName": tool.server_name,
            "description": tool.description,
            "inputSchema": tool.input_schema_json.as_str(),
        })
    });
    json!({ "tools": tools.collect::<Vec<_>>(), "diagnostics": diagnostics(&offer.diagnostics) })
}

/// The same with its catalog.
pub(crate) fn server(value: &Value) -> (Registration, Result<Option<Catalog>, Diagnostic>) {
    let registration = registration(value);
    let catalog = match value.get("tools") {
        None => Ok(None),
        Some(Value::String(_)) => Err(Diagnostic::new(Code::CatalogDamaged, "The stored catalog is damaged.")),
        Some(tools) => Ok(Some(Catalog {
            protocol_version: "2025-11-25".to_owned(),
            server_name: None,
            server_version: None,
            tools: tools.as_array().unwrap().iter().map(tool).collect(),
            diagnostics: Vec::new(),
        })),
    };
    (registration, catalog)
}

/// The server an input describes.
pub(crate) fn registration(value: &Value) -> Registration {
    let parsed = |key: &str| value.get(key).cloned().unwrap_or_else(|| json!({}));
    let permissions: BTreeMap<String, Permission> = serde_json::from_value(parsed("permissions")).unwrap();
    Registration {
        id: RegistrationId::parse(value["id"].as_str().unwrap()).unwrap(),
        display_name: value["displayName"].as_str().unwrap().to_owned(),
        config: ServerConfig::Http(HttpConfig {
            url: "https://example.com/".to_owned(),
            headers: NamedValues::new(),
            protocol_version: ProtocolVersion::Auto,
        }),
        state: match value.get("state") {
            None => ServerState::Active,
            Some(state) => serde_json::from_value(state.clone()).unwrap(),
        },
        tool_permissions: permissions,
        tool_description_overrides: serde_json::from_value(parsed("overrides")).unwrap(),
    }
}

fn tool(value: &Value) -> CatalogTool {
    CatalogTool {
        native_name: value["name"].as_str().unwrap().to_owned(),
        title: None,
        description: value.get("description").map(|text| text.as_str().unwrap().to_owned()),
        input_schema: JsonText::parse(value["inputSchema"].as_str().unwrap()).unwrap(),
        output_schema: None,
        annotations: JsonText::empty_object(),
    }
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}
