//! Masked editing: `{"mask": config}` answers it masked; `{"edited", "saved"}` what a save restores, or every reason why
//! not.

use serde_json::{Value, json};
use toolgate_core::mask::{mask, restore};
use toolgate_core::server::ServerConfig;

use crate::harness::{File, refusal};

pub(crate) const FILES: &[File] = crate::files!("mask": "mask", "restore");

pub(crate) fn run(input: Value) -> Value {
    let config = |value: &Value| -> ServerConfig { serde_json::from_value(value.clone()).expect("a configuration") };
    if let Some(saved) = input.get("mask") {
        let saved = config(saved);
        let masked = mask(&saved);
        assert_eq!(
            restore(masked.clone(), Some(&saved)).as_ref(),
            Ok(&saved),
            "what comes back unchanged is what was saved"
        );
        return json!(masked);
    }
    let saved = input.get("saved").map(config);
    match restore(config(&input["edited"]), saved.as_ref()) {
        Ok(config) => json!({ "ok": config }),
        Err(reasons) => refusal(&reasons),
    }
}
