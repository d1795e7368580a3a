//! Schemas: compiled or refused with a reason, the same way twice, and never in the way of arguments, which are compared
//! and never refused.

use serde_json::Value;
use toolgate_core::json::{JsonText, place_of};
use toolgate_core::schema::{JsonSchemaCheck, SchemaCheck as _, check_arguments};

use crate::parts::Parts;

/// The parts are a schema and arguments.
pub fn check(input: &[u8]) {
    let mut parts = Parts::of(input);
    let (schema, arguments) = (parts.text(), parts.text());
    let checked = check_arguments(&schema, &arguments);
    assert_eq!(checked, check_arguments(&schema, &arguments), "not the same twice");
    if JsonText::parse(&arguments).is_ok() {
        for warning in &checked.warnings {
            assert!(!warning.message.is_empty());
            assert!(place_of(&arguments, &warning.path).is_some(), "{warning:?} has no place");
        }
    }
    assert!(checked.unchecked.is_none() || checked.warnings.is_empty());
    let Ok(schema) = serde_json::from_str::<Value>(&schema) else {
        assert!(checked.unchecked.is_some(), "checked without a schema");
        return;
    };
    let compiled = JsonSchemaCheck.compile(&schema);
    assert_eq!(compiled, JsonSchemaCheck.compile(&schema), "not the same twice");
    match compiled {
        // Nothing of a schema that is refused is held against arguments.
        Err(fault) => assert!(!fault.0.is_empty() && checked.warnings.is_empty(), "{fault:?}"),
        Ok(notes) => {
            let pattern = notes.unreadable_pattern.or(notes.unchecked_pattern);
            assert!(pattern.is_none_or(|pattern| !pattern.is_empty() || schema.to_string().contains("\"\"")));
        }
    }
}
