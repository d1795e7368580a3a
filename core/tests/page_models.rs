//! What the page shows of models: a tool as one sees it, what one reads of an outcome, and what becomes of a Legacy round
//! (manager contract §7 and §8).

// Tests say what they expect by failing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(not(target_arch = "wasm32"))]

use serde_json::{Value, json};
use toolgate_core::identity::ToolId;
use toolgate_core::layers::ToolDescriptor;
use toolgate_core::legacy_round::Settlement;
use toolgate_core::model_text::ModelResult;
use toolgate_core::outcome::CallFailure;
use toolgate_core::page::models::{
    LegacyRound, LegacySettlement, LegacyTool, OutcomeReading, preview_tool, read_outcome,
};
use toolgate_core::server::DescriptionOverride;
use toolgate_core::{Code, Diagnostic, Limits};

const ID: &str = "mcp/8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a:look up";

fn tool() -> ToolDescriptor {
    serde_json::from_value(json!({
        "toolId": ID,
        "serverName": "Docs",
        "description": "Theirs.",
        "inputSchemaJson": r#"{"type":"object","properties":{"q":{"type":"string"}}}"#,
    }))
    .unwrap()
}

#[test]
fn a_tool_is_previewed_with_its_alias_and_with_a_layer_that_need_not_be_saved() {
    let plain = preview_tool(tool(), None);
    // A name that had to be changed has a suffix of the tool's id.
    assert!(plain.alias.starts_with("mcp__Docs__look_up"), "{}", plain.alias);
    assert_ne!(plain.alias, "mcp__Docs__look_up");
    assert_eq!(plain.description, "Theirs.");
    assert_eq!(plain.input_schema_json, tool().input_schema_json.as_str());
    assert!(plain.diagnostics.is_empty());

    let layer: DescriptionOverride = serde_json::from_value(json!({
        "description": "Ours.", "properties": {"q": "What to look for.", "gone": "Not there."},
    }))
    .unwrap();
    let layered = preview_tool(tool(), Some(&layer));
    assert_eq!((layered.alias, layered.description.as_str()), (plain.alias, "Ours."));
    let schema: Value = serde_json::from_str(&layered.input_schema_json).unwrap();
    assert_eq!(schema["properties"]["q"]["description"], "What to look for.");
    assert_eq!(layered.diagnostics.len(), 1, "{:?}", layered.diagnostics);
    assert!(
        layered.diagnostics[0].message.contains("gone"),
        "{:?}",
        layered.diagnostics
    );
}

#[test]
fn an_outcome_is_read_as_a_model_reads_it_or_not_at_all() {
    let refused = json!({"outcome": "not_sent", "code": "mcp.call_server_paused", "message": "The server is paused."});
    let reading = read_outcome(&refused.to_string());
    let result = reading.result.unwrap();
    assert!(result.is_error);
    assert!(result.content.contains("The server is paused."), "{}", result.content);
    assert_eq!(reading.unknown, None);

    let unknown = json!({"outcome": "outcome_unknown", "code": "mcp.call_cancelled", "message": "It was cancelled."});
    let expected = OutcomeReading {
        result: None,
        unknown: Some(Code::CallCancelled),
    };
    assert_eq!(read_outcome(&unknown.to_string()), expected);

    for text in [
        "",
        "{}",
        "[]",
        r#"{"outcome":"sent"}"#,
        r#"{"outcome":"not_sent","code":"mcp.no_such","message":""}"#,
    ] {
        assert_eq!(read_outcome(text), OutcomeReading::default(), "{text}");
    }
}

#[test]
fn a_legacy_round_has_tools_or_an_error_a_name_a_tool_and_a_batch_results() {
    let begun = LegacyRound::from(Ok(Some("[]".to_owned())));
    assert_eq!((begun.tools.as_deref(), begun.error), (Some("[]"), None));
    let error = Diagnostic::new(Code::HostStopping, "It stops.");
    let refused = LegacyRound::from(Err(error.clone()));
    assert_eq!((refused.tools, refused.error), (None, Some(error)));

    let id = ToolId::parse(ID, &Limits::default()).unwrap();
    let found = LegacyTool::from(Ok(&id));
    assert_eq!((found.tool_id.as_deref(), found.error), (Some(ID), None));
    let failure = CallFailure {
        code: Code::CallCancelled,
        message: "It was cancelled.".to_owned(),
    };
    let missing = LegacyTool::from(Err(failure.clone()));
    assert_eq!((missing.tool_id, missing.error), (None, Some(failure.clone())));

    let result = ModelResult {
        is_error: true,
        error_code: Some(Code::CallServerPaused),
        content: "It is paused.".to_owned(),
        structured: None,
        resource_refs: Vec::new(),
    };
    let settled = LegacySettlement::from(Settlement::Results(vec![result]));
    assert_eq!(
        serde_json::to_value(settled).unwrap(),
        json!({"results": [{"isError": true, "content": "It is paused."}], "ended": null})
    );
    let ended = LegacySettlement::from(Settlement::Ended(failure.clone()));
    assert_eq!((ended.results, ended.ended), (None, Some(failure)));
}
