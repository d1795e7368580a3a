//! Nothing in a tool list overflows the stack, however deep it is nested: on threads with 1 MiB of stack, as much as a
//! WebAssembly module has. (The vectors run the deepest documents in WebAssembly itself.)

// Tests say what they expect by failing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(all(feature = "schema", not(target_arch = "wasm32")))]

use serde_json::{Value, json};
use toolgate_core::json::{self, JsonText};
use toolgate_core::schema::{JsonSchemaCheck, SchemaCheck};

fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(1024 * 1024)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

/// Puts a schema inside another.
type Shape = fn(Value) -> Value;

/// Every way in which one schema can stand inside another.
fn shapes() -> Vec<(&'static str, Shape)> {
    vec![
        ("not", |inner| json!({ "not": inner })),
        ("items", |inner| json!({ "items": inner })),
        ("prefixItems", |inner| json!({ "prefixItems": [inner] })),
        ("contains", |inner| json!({ "contains": inner })),
        ("properties", |inner| json!({ "properties": { "a": inner } })),
        (
            "patternProperties",
            |inner| json!({ "patternProperties": { "a": inner } }),
        ),
        ("additionalProperties", |inner| json!({ "additionalProperties": inner })),
        (
            "unevaluatedProperties",
            |inner| json!({ "unevaluatedProperties": inner }),
        ),
        ("unevaluatedItems", |inner| json!({ "unevaluatedItems": inner })),
        ("propertyNames", |inner| json!({ "propertyNames": inner })),
        (
            "dependentSchemas",
            |inner| json!({ "dependentSchemas": { "a": inner } }),
        ),
        ("allOf", |inner| json!({ "allOf": [inner] })),
        ("anyOf", |inner| json!({ "anyOf": [inner] })),
        ("oneOf", |inner| json!({ "oneOf": [inner] })),
        ("if", |inner| json!({ "if": inner, "then": {} })),
        ("then", |inner| json!({ "if": {}, "then": inner })),
        ("$defs", |inner| json!({ "$defs": { "a": inner } })),
        ("$id", |inner| json!({ "$id": "https://a.example/", "not": inner })),
        ("unknown", |inner| json!({ "x": inner })),
        ("default", |inner| json!({ "default": inner })),
        ("enum", |inner| json!({ "enum": [inner] })),
        ("const", |inner| json!({ "const": inner })),
    ]
}

fn nested(shape: Shape, levels: usize) -> Value {
    let mut schema = json!({ "type": "string" });
    for _ in 0..levels {
        schema = shape(schema);
    }
    schema
}

/// Levels of JSON, the root being the first.
fn depth(value: &Value) -> usize {
    let below = match value {
        Value::Array(items) => items.iter().map(depth).max(),
        Value::Object(map) => map.values().map(depth).max(),
        _ => return 0,
    };
    1 + below.unwrap_or(0)
}

#[test]
fn schemas_nested_in_any_way_are_compiled_or_refused() {
    on_small_stack(|| {
        for (name, shape) in shapes() {
            for dialect in [
                "http://json-schema.org/draft-07/schema#",
                "https://json-schema.org/draft/2020-12/schema",
            ] {
                for levels in [10, 31, 32, 62, 63, 64, 126] {
                    let mut schema = nested(shape, levels);
                    schema["$schema"] = json!(dialect);
                    let depth = depth(&schema);
                    let compiled = JsonSchemaCheck.compile(&schema);
                    assert_eq!(
                        compiled.is_ok(),
                        depth <= 64,
                        "{name}, {dialect}, {depth} levels: {compiled:?}"
                    );
                }
            }
        }
    });
}

#[test]
fn chains_of_references_are_compiled() {
    on_small_stack(|| {
        let mut definitions = json!({});
        for index in 0..3000 {
            definitions[format!("d{index}")] =
                json!({ "properties": { "a": { "$ref": format!("#/$defs/d{}", index + 1) } } });
        }
        definitions["d3000"] = json!({ "$ref": "#/$defs/d0" });
        let schema = json!({ "$defs": definitions, "$ref": "#/$defs/d0" });
        JsonSchemaCheck.compile(&schema).unwrap();
    });
}

/// Forty definitions, each of which refers to the next one twice: 2⁴⁰ paths. The test ends only where no keyword walks
/// all of them.
#[test]
fn definitions_that_double_forty_times_are_compiled() {
    let twice: [fn(&str) -> Value; 4] = [
        |next| json!({ "allOf": [{ "$ref": next }, { "$ref": next }] }),
        |next| json!({ "properties": { "a": { "$ref": next }, "b": { "$ref": next } } }),
        |next| json!({ "unevaluatedProperties": false, "allOf": [{ "$ref": next }, { "$ref": next }] }),
        |next| json!({ "unevaluatedItems": false, "anyOf": [{ "$ref": next }, { "$ref": next }] }),
    ];
    for twice in twice {
        // Anything can be referred to as a schema, data and what stands under unknown keywords too.
        for place in ["$defs", "default", "examples", "enum", "x/const", "x/properties"] {
            let mut definitions = json!({ "d40": { "type": "string" } });
            for index in 0..40 {
                definitions[format!("d{index}")] = twice(&format!("#/{place}/d{}", index + 1));
            }
            let mut schema = json!({ "properties": { "a": { "$ref": format!("#/{place}/d0") } } });
            match place.split_once('/') {
                Some((outer, inner)) => schema[outer][inner] = definitions,
                None if place == "enum" => {
                    schema["enum"] = json!([definitions]);
                    schema = serde_json::from_str(&schema.to_string().replace("#/enum/", "#/enum/0/")).unwrap();
                }
                None if place == "examples" => {
                    schema["examples"] = json!([definitions]);
                    schema = serde_json::from_str(&schema.to_string().replace("#/examples/", "#/examples/0/")).unwrap();
                }
                None => schema[place] = definitions,
            }
            JsonSchemaCheck.compile(&schema).unwrap();

            // Inside a schema of another draft.
            schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
            schema["$id"] = json!("https://schemas.example/inner");
            let outer = json!({
                "$schema": "http://json-schema.org/draft-07/schema#",
                "properties": { "inner": schema },
            });
            JsonSchemaCheck.compile(&outer).unwrap();
        }
    }
}

/// A hundred expressions of a hundred thousand states each are not compiled, and neither are thousands of small ones.
#[test]
fn patterns_of_any_weight_take_no_time() {
    for weight in ["(\\w{99}){999}", "\\w{400}", "(a{1000}){1000}", "\\p{L}{50}", "a.b[^c]"] {
        let properties: serde_json::Map<String, Value> = (0..5000)
            .map(|index| (format!("p{index}"), json!({ "pattern": format!("{weight}{index}") })))
            .collect();
        let notes = JsonSchemaCheck.compile(&json!({ "properties": properties })).unwrap();
        assert!(notes.unchecked_pattern.is_some(), "{weight}");
    }
}

#[test]
fn text_of_any_depth_is_split_compacted_and_indented() {
    on_small_stack(|| {
        let depth = 100_000;
        let text = format!("{{\"a\": {}1{}}}", "[".repeat(depth), " ]".repeat(depth));
        let compact = JsonText::parse(&text).unwrap();
        assert_eq!(compact.as_str().len(), depth * 2 + 7);
        assert!(json::members(&text).unwrap().get("a").is_some());
        assert!(json::pretty(&text).len() < 300 * text.len());
    });
}
