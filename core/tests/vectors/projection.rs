//! A catalog under a registration's decisions. Input: `tools` (of one `tools/list` page), `permissions`, `overrides`,
//! `state` (active where absent). Answers per tool what was decided and why it cannot go to a model, and what is stale;
//! `"show": "whole"` answers the whole discovery result.

use serde_json::{Value, json};
use toolgate_core::Limits;
use toolgate_core::catalog::build_catalog;
use toolgate_core::identity::RegistrationId;
use toolgate_core::named_values::NamedValues;
use toolgate_core::projection::project_discovery;
use toolgate_core::schema::JsonSchemaCheck;
use toolgate_core::server::{HttpConfig, ProtocolVersion, Registration, ServerConfig, ServerState};

use crate::catalog::context;
use crate::harness::File;

pub(crate) const FILES: &[File] = crate::files!("projection": "discovery");

pub(crate) fn run(input: Value) -> Value {
    let page = json!({ "tools": input["tools"] }).to_string();
    let catalog = build_catalog([page.as_str()], context(&input), &Limits::default(), &JsonSchemaCheck).unwrap();
    let result = project_discovery(&registration(&input), &catalog);
    let mut shown = serde_json::to_value(&result).unwrap();
    if input.get("show").is_some() {
        return shown;
    }
    for tool in shown["tools"].as_array_mut().unwrap() {
        let reasons: Value = tool["notModelReady"]
            .as_array()
            .unwrap()
            .iter()
            .map(|reason| {
                assert_eq!(reason["nativeName"], tool["nativeName"]);
                reason["code"].clone()
            })
            .collect();
        let mut brief = json!({ "name": tool["nativeName"], "permission": tool["permission"], "notModelReady": reasons });
        if let Some(description_override) = tool.get("override") {
            brief["override"] = description_override.clone();
        }
        *tool = brief;
    }
    json!({ "tools": shown["tools"], "staleTools": shown["staleTools"], "staleOverrides": shown["staleOverrides"] })
}

fn registration(input: &Value) -> Registration {
    let or_empty = |key: &str| input.get(key).cloned().unwrap_or_else(|| json!({}));
    Registration {
        id: RegistrationId::parse("8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a").unwrap(),
        display_name: "Docs".to_owned(),
        config: ServerConfig::Http(HttpConfig {
            url: "https://mcp.example/".to_owned(),
            headers: NamedValues::new(),
            protocol_version: ProtocolVersion::Auto,
        }),
        state: match input.get("state") {
            Some(state) => serde_json::from_value(state.clone()).unwrap(),
            None => ServerState::Active,
        },
        tool_permissions: serde_json::from_value(or_empty("permissions")).unwrap(),
        tool_description_overrides: serde_json::from_value(or_empty("overrides")).unwrap(),
    }
}
