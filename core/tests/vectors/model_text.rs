//! What a model reads. Input: `result` or `error` (the raw JSON text of that member of a response), or `outcome` (a
//! value, the contract's); `"as": "shown"` with the texts of resources, `"partner"` with a partner's limit (`bytes` in
//! place of the default), `"agent"` with `limit`, `path`, and `previewChars`, `lineChars` in place of the defaults.
//! Or `same`: two JSON texts of the same value?
//!
//! Answers the content as a list of its lines, the error code where it is an error result; `{"unknown": code}` for what
//! never becomes a result.

use serde_json::{Value, json};
use toolgate_core::model_text::agent::{InlineLimit, preview, readable_file};
use toolgate_core::model_text::partner::partner_result;
use toolgate_core::model_text::{ModelResult, Resources, model_result};
use toolgate_core::outcome::CallOutcome;
use toolgate_core::{Limits, json as core_json};

use crate::harness::{self, File};

pub(crate) const FILES: &[File] = crate::files!(
    "model_text":
    "agent", "copies", "details", "errors", "escaping", "notes", "partner", "same-value", "text"
);

pub(crate) fn run(input: Value) -> Value {
    if let Some(texts) = input.get("same") {
        let text = |index: usize| texts[index].as_str().unwrap();
        let same = core_json::equal(text(0), text(1));
        assert_eq!(same, core_json::equal(text(1), text(0)));
        return json!(same);
    }
    let outcome = match input.get("outcome") {
        Some(outcome) => CallOutcome::from_json(&outcome.to_string()).expect("an outcome"),
        None => crate::outcome::read(&input),
    };
    let mut limits = Limits::default();
    let mut set = |key: &str, limit: fn(&mut Limits) -> &mut usize| {
        if let Some(number) = input.get(key) {
            *limit(&mut limits) = usize::try_from(number.as_u64().unwrap()).unwrap();
        }
    };
    set("bytes", |limits| &mut limits.partner_text_bytes);
    set("previewChars", |limits| &mut limits.preview_chars);
    set("lineChars", |limits| &mut limits.line_chars);
    let result = match input.get("as").map(|way| way.as_str().unwrap()) {
        None | Some("agent") => model_result(&outcome, Resources::Noted),
        Some("shown") => model_result(&outcome, Resources::Shown),
        Some("partner") => partner_result(&outcome, &limits),
        Some(other) => panic!("there is no way {other}"),
    };
    match result {
        Err(failure) => json!({ "unknown": failure.code }),
        Ok(result) if input.get("as") == Some(&json!("agent")) => agent(&input, &result, &limits),
        Ok(result) => shown(&result),
    }
}

fn agent(input: &Value, result: &ModelResult, limits: &Limits) -> Value {
    let setting = input
        .get("limit")
        .map(|limit| usize::try_from(limit.as_u64().unwrap()).unwrap());
    harness::outcome(InlineLimit::new(setting, limits), |limit| {
        if !limit.is_exceeded_by(&result.content) {
            return json!({ "whole": lines(&result.content) });
        }
        let file = readable_file(&result.content, limits);
        let path = input["path"].as_str().unwrap();
        json!({
            "preview": lines(&preview(&result.content, &file, path, limit, limits)),
            "file": lines(&file.text),
            "fileLines": file.lines,
        })
    })
}

fn shown(result: &ModelResult) -> Value {
    assert_eq!(result.is_error, result.error_code.is_some());
    let mut shown = json!({ "lines": lines(&result.content) });
    if let Some(code) = result.error_code {
        shown["error"] = json!(code);
    }
    shown
}

fn lines(text: &str) -> Value {
    text.split('\n').collect()
}
