//! Endpoints: `{"endpoint": text}` answers the stored form or why it is refused, `{"target": config}` what a list shows.

use serde_json::{Value, json};
use toolgate_core::endpoint::normalize;
use toolgate_core::server::ServerConfig;

use crate::harness::{File, outcome};

pub(crate) const FILES: &[File] = crate::files!("endpoint": "accepted", "refused", "target");

pub(crate) fn run(input: Value) -> Value {
    if let Some(config) = input.get("target") {
        let config: ServerConfig = serde_json::from_value(config.clone()).expect("a configuration");
        return json!(config.target());
    }
    let text = input["endpoint"].as_str().expect("an endpoint");
    outcome(normalize(text), |endpoint| {
        assert_eq!(
            normalize(&endpoint).as_ref(),
            Ok(&endpoint),
            "a stored endpoint stays as it is"
        );
        json!(endpoint)
    })
}
