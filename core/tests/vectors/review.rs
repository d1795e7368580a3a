//! Warnings: `{"config", "displayName", "otherNames"}` answers them; `{"commandLine"}` how it would be split.

use serde_json::{Value, json};
use toolgate_core::command_line::suggested_split;
use toolgate_core::review::review;
use toolgate_core::server::ServerConfig;

use crate::harness::{File, diagnostics};

pub(crate) const FILES: &[File] = crate::files!("review": "http", "stdio", "command-line");

pub(crate) fn run(input: Value) -> Value {
    if let Some(command) = input.get("commandLine") {
        return json!(suggested_split(command.as_str().expect("a command")));
    }
    let config: ServerConfig = serde_json::from_value(input["config"].clone()).expect("a configuration");
    let display_name = input.get("displayName").map_or("docs", |name| name.as_str().expect("a name"));
    let other_names: Vec<String> = input
        .get("otherNames")
        .map(|names| serde_json::from_value(names.clone()).expect("names"))
        .unwrap_or_default();
    diagnostics(&review(display_name, &config, &other_names))
}
