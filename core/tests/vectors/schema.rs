//! The schema compiler alone: `{"schema": …}`, or `{"text": …}` for what must keep its spelling, answers `{"ok": notes}`
//! or `"fault"`.

use serde_json::{Value, json};
use toolgate_core::schema::{JsonSchemaCheck, SchemaCheck};

use crate::harness::File;

pub(crate) const FILES: &[File] = crate::files!("schema": "dialects", "numbers", "patterns", "references", "validity");

pub(crate) fn run(input: Value) -> Value {
    let schema = match input.get("text") {
        Some(text) => serde_json::from_str(text.as_str().unwrap()).expect("a schema"),
        None => input["schema"].clone(),
    };
    match JsonSchemaCheck.compile(&schema) {
        Err(fault) => {
            assert!(!fault.0.is_empty());
            json!("fault")
        }
        Ok(notes) => {
            let mut shown = json!({});
            if let Some(dialect) = notes.unknown_dialect {
                shown["unknownDialect"] = json!(dialect);
            }
            if let Some(pattern) = notes.unreadable_pattern {
                shown["unreadablePattern"] = json!(pattern);
            }
            if let Some(pattern) = notes.unchecked_pattern {
                shown["uncheckedPattern"] = json!(pattern);
            }
            json!({ "ok": shown })
        }
    }
}
