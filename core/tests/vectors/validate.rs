//! What is refused: `{"config"}` answers the stored form or every reason, `{"override"}` whether it may be saved.

use serde_json::{Value, json};
use toolgate_core::server::{DescriptionOverride, ServerConfig};
use toolgate_core::{Limits, validate};

use crate::harness::{File, outcome, refusal};

pub(crate) const FILES: &[File] = crate::files!("validate": "config", "description-override");

pub(crate) fn run(input: Value) -> Value {
    if let Some(value) = input.get("override") {
        let value: DescriptionOverride = serde_json::from_value(value.clone()).expect("an override");
        return outcome(validate::description_override(&value), |()| json!(value));
    }
    let config: ServerConfig = serde_json::from_value(input["config"].clone()).expect("a configuration");
    match validate::config(config, &Limits::default()) {
        Ok(config) => json!({ "ok": config }),
        Err(reasons) => refusal(&reasons),
    }
}
