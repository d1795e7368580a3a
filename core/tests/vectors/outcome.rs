//! From a server's raw answer to the contract's outcome. Input: `result` or `error` (the raw JSON text of that member of
//! the response), or `arguments` (the text of a call's arguments), or `target` (registration id and native name), or
//! `admit` (`state`, `permission`; both callers are asked).
//!
//! Answers the outcome as `McpTestCallOutcome`, without the sentences of our own; `"show": "resources"` adds what the
//! contract's form leaves out, `"show": "count"` shows numbers instead of lists. What is written is also read back.

use serde_json::{Value, json};
use toolgate_core::outcome::{self, CallOutcome, CallResponse, Caller, from_error, from_result};
use toolgate_core::{Limits, arguments};

use crate::harness::{self, File};

pub(crate) const FILES: &[File] = crate::files!(
    "outcome": "arguments", "before-sending", "content", "errors", "odd-results", "resources", "results", "unsupported"
);

pub(crate) fn run(input: Value) -> Value {
    if let Some(text) = input.get("arguments") {
        let checked = arguments::check(text.as_str().unwrap(), &Limits::default());
        return harness::outcome(checked, |arguments| json!(arguments.as_str()));
    }
    if let Some(named) = input.get("target") {
        let text = |index: usize| named[index].as_str().unwrap();
        let target = outcome::target(text(0), text(1), &Limits::default());
        return harness::outcome(target, |id| json!(id.to_string()));
    }
    if let Some(server) = input.get("admit") {
        return admit(server);
    }
    let outcome = read(&input);
    check_reading_back(&outcome);
    let mut shown = serde_json::from_str(&outcome.to_json()).unwrap();
    without_sentences(&mut shown);
    match input.get("show").map(|show| show.as_str().unwrap()) {
        None => shown,
        Some("resources") => {
            shown["resources"] = resources(&outcome);
            shown
        }
        Some("count") => {
            let response = &shown["response"];
            json!({
                "textBlocks": response["textBlocks"].as_array().unwrap().len(),
                "diagnostics": response["diagnostics"].as_array().unwrap().len(),
                "last": response["diagnostics"].as_array().unwrap().last(),
            })
        }
        Some(other) => panic!("show has no {other}"),
    }
}

fn admit(server: &Value) -> Value {
    let mut registration = super::layers::registration(&json!({
        "id": "11111111-1111-4111-8111-111111111111",
        "displayName": "docs",
        "state": server["state"],
    }));
    if let Some(permission) = server.get("permission") {
        let permission = serde_json::from_value(permission.clone()).unwrap();
        registration.tool_permissions.insert("t".to_owned(), permission);
    }
    let asked = |caller| match outcome::admit(&registration, "t", caller) {
        Ok(()) => json!("sent"),
        Err(reason) => json!(reason.code),
    };
    json!({ "person": asked(Caller::Person), "model": asked(Caller::Model) })
}

/// The outcome an input describes.
pub(crate) fn read(input: &Value) -> CallOutcome {
    let text = |key: &str| input.get(key).map(|text| text.as_str().unwrap());
    match (text("result"), text("error")) {
        (Some(result), None) => from_result(result),
        (None, Some(error)) => from_error(error),
        _ => panic!("an input has a result or an error"),
    }
}

/// What the contract's outcome does not have is the only thing that is lost on the way over the bridge.
fn check_reading_back(outcome: &CallOutcome) {
    let mut carried = outcome.clone();
    if let CallOutcome::KnownResponse {
        response: CallResponse::ToolResult(result),
    } = &mut carried
    {
        result.text_resources.clear();
        result.resource_uris.clear();
    }
    assert_eq!(CallOutcome::from_json(&outcome.to_json()), Some(carried));
}

/// Sentences may be worded anew at any time; those of servers may not.
fn without_sentences(outcome: &mut Value) {
    let remove = |value: &mut Value| {
        let message = value.as_object_mut().unwrap().shift_remove("message").unwrap();
        let message = message.as_str().unwrap();
        assert!(!message.trim().is_empty(), "there is no message");
        assert!(!message.contains('\n'), "a sentence of ours has two lines: {message}");
    };
    let Some(response) = outcome.get_mut("response") else {
        remove(outcome);
        return;
    };
    if response["kind"] == "unsupported_response" {
        remove(response);
    }
    if let Some(diagnostics) = response.get_mut("diagnostics") {
        diagnostics.as_array_mut().unwrap().iter_mut().for_each(remove);
    }
}

fn resources(outcome: &CallOutcome) -> Value {
    let CallOutcome::KnownResponse {
        response: CallResponse::ToolResult(result),
    } = outcome
    else {
        panic!("there is no tool result");
    };
    let texts = result.text_resources.iter().map(|resource| {
        json!({
            "index": resource.index,
            "uri": resource.uri,
            "mimeType": resource.mime_type,
            "text": resource.text,
        })
    });
    json!({ "texts": texts.collect::<Vec<_>>(), "uris": result.resource_uris })
}
