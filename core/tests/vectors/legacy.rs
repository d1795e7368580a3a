//! The Legacy round. Input: `tools` (the frozen descriptors) and `steps`, done one after the other on one root; answers
//! what each gave:
//! - `{"begin": tools text or null, "localNames": […]}`: the request's tools, or the refusal;
//! - `{"finalize": tools text or null}`: the aliases that can be called; `"begun"` stands for what `begin` gave;
//! - `{"resolve": alias}`: the tool id, or the code;
//! - `{"settle": [outcome]}`: the contents for the model, or `{"ended": code}`.

use serde_json::{Value, json};
use toolgate_core::legacy_round::{LegacyRoot, Settlement};
use toolgate_core::outcome::CallOutcome;

use crate::harness::{File, outcome};

pub(crate) const FILES: &[File] = crate::files!("legacy": "hook", "rounds", "unknown");

pub(crate) fn run(input: Value) -> Value {
    let descriptors = serde_json::from_str(&input["tools"].to_string()).unwrap();
    let mut root = LegacyRoot::new(descriptors);
    let mut begun: Option<String> = None;
    input["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| do_step(step, &mut root, &mut begun))
        .collect()
}

fn do_step(step: &Value, root: &mut LegacyRoot, begun: &mut Option<String>) -> Value {
    let step = step.as_object().unwrap();
    let argument = |key: &str| step[key].as_str();
    match step.keys().next().unwrap().as_str() {
        "begin" => {
            let local_names: Vec<&str> = match step.get("localNames") {
                Some(names) => names.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect(),
                None => Vec::new(),
            };
            outcome(root.begin_round(argument("begin"), &local_names), |tools| {
                begun.clone_from(&tools);
                json!(tools)
            })
        }
        "finalize" => {
            let tools = match argument("finalize") {
                Some("begun") => begun.as_deref(),
                other => other,
            };
            json!(root.finalize(tools))
        }
        "resolve" => match root.resolve(argument("resolve").unwrap()) {
            Ok(id) => json!(id.to_string()),
            Err(failure) => json!(failure.code),
        },
        "settle" => {
            let outcomes: Vec<CallOutcome> = step["settle"]
                .as_array()
                .unwrap()
                .iter()
                .map(|outcome| CallOutcome::from_json(&outcome.to_string()).expect("an outcome"))
                .collect();
            match root.settle(&outcomes) {
                Settlement::Results(results) => results
                    .iter()
                    .map(|result| json!({ "isError": result.is_error, "content": result.content }))
                    .collect(),
                Settlement::Ended(failure) => json!({ "ended": failure.code }),
            }
        }
        other => panic!("there is no step {other}"),
    }
}
