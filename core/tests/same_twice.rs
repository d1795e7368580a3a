//! What is said of a schema is the same each time, whatever the order in which the compiler comes upon it.

// Tests say what they expect by failing.
#![allow(clippy::unwrap_used)]
#![cfg(all(feature = "schema", not(target_arch = "wasm32")))]

use toolgate_core::schema::{JsonSchemaCheck, SchemaCheck as _};

#[test]
fn what_a_schema_refers_to_elsewhere_is_named_the_same_each_time() {
    let schema = serde_json::json!({
        "$defs": {"a": {"$ref": "https://b.example/x"}, "b": {"$ref": "https://a.example/y#/z"}},
        "properties": {"c": {"$ref": "https://c.example/"}, "d": {"$ref": "#/$defs/a"}}
    });
    for _ in 0..50 {
        let fault = JsonSchemaCheck.compile(&schema).unwrap_err();
        assert_eq!(
            fault.0,
            "it refers to https://a.example/y, which stands elsewhere; nothing is fetched"
        );
    }
}
