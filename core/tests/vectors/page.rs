//! What a form shows: `{"displayName", "config", "otherNames", "saved"}` answers errors, warnings, the stored form and a
//! split command.

use serde_json::{Value, json};
use toolgate_core::Limits;
use toolgate_core::page::{ServerCheck, check_server};
use toolgate_core::server::ServerConfig;

use crate::harness::{File, diagnostics};

pub(crate) const FILES: &[File] = crate::files!("page": "check-server");

pub(crate) fn run(input: Value) -> Value {
    let config = |value: &Value| -> ServerConfig { serde_json::from_value(value.clone()).expect("a configuration") };
    let other_names: Vec<String> = input
        .get("otherNames")
        .map(|names| serde_json::from_value(names.clone()).expect("names"))
        .unwrap_or_default();
    let ServerCheck {
        errors,
        warnings,
        config,
        command_split,
    } = check_server(
        input["displayName"].as_str().expect("a name"),
        config(&input["config"]),
        &other_names,
        input.get("saved").map(config).as_ref(),
        &Limits::default(),
    );
    json!({
        "errors": diagnostics(&errors),
        "warnings": diagnostics(&warnings),
        "config": config,
        "commandSplit": command_split,
    })
}
