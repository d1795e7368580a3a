//! Import: `{"text"}` is read as one server to add, `{"text", "saved"}` as the text of a saved one that is edited.
//! Answers `{"server"}` or `{"refused"}`, and `"notes"` where there are any.

use serde_json::{Value, json};
use toolgate_core::Limits;
use toolgate_core::import::{AddPreview, add_one, edit_one};
use toolgate_core::server::ServerConfig;

use crate::harness::{File, diagnostics};

pub(crate) const FILES: &[File] = crate::files!(
    "import": "forms", "json", "relaxed", "transport", "fields", "other-programs", "limits", "editing"
);

pub(crate) fn run(input: Value) -> Value {
    let text = input["text"].as_str().expect("a text");
    let limits = Limits::default();
    let AddPreview { server, errors, notes } = match input.get("saved") {
        None => add_one(text, &limits),
        Some(saved) => {
            let saved: ServerConfig = serde_json::from_value(saved.clone()).expect("a configuration");
            edit_one(text, &saved, &limits)
        }
    };
    assert_ne!(server.is_some(), !errors.is_empty(), "a server or errors");
    let mut answer = server.map_or_else(
        || json!({ "refused": diagnostics(&errors) }),
        |server| json!({ "server": server }),
    );
    if !notes.is_empty() {
        answer["notes"] = diagnostics(&notes);
    }
    answer
}
