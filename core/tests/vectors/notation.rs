//! A small notation for values too large, or too hard to read, to be written out in a vector.
//!
//! Objects whose first key begins with `$` stand for what they describe, anywhere in an input or expected value:
//! - `{"$json": value}`: the compact JSON text of the value, a string.
//! - `{"$repeat": "text", "times": 3}`: the text three times, a string.
//! - `{"$concat": ["a", …]}`: the strings joined.
//! - `{"$list": template, "count": 512, "from": 0}`: an array of the template, in which `#` in every string and key is
//!   the number of the item, counted from `from` (0 where absent).
//! - `{"$fit": "…~…", "bytes": 262144}`: the text with its one `~` replaced by as many `x` as make it so many bytes.
//!   `"fill"` gives another character of one byte.
//!
//! What stands inside is expanded first.

use serde_json::{Map, Value};

/// The value that is described.
pub(crate) fn expand(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(expand).collect(),
        Value::Object(map) if map.keys().next().is_some_and(|key| key == "$list") => list(&map),
        Value::Object(map) => {
            let map: Map<String, Value> = map.into_iter().map(|(key, value)| (key, expand(value))).collect();
            match map.keys().next().map(String::as_str) {
                Some("$json") => Value::String(only(&map, &["$json"])["$json"].to_string()),
                Some("$repeat") => {
                    let map = only(&map, &["$repeat", "times"]);
                    Value::String(text(map, "$repeat").repeat(number(map, "times")))
                }
                Some("$concat") => {
                    let parts = only(&map, &["$concat"])["$concat"].as_array().unwrap();
                    Value::String(parts.iter().map(|part| part.as_str().unwrap()).collect())
                }
                Some("$fit") => fit(only(&map, &["$fit", "bytes", "fill"])),
                Some(key) if known_mistake(key) => panic!("there is no notation {key}"),
                _ => Value::Object(map),
            }
        }
        scalar => scalar,
    }
}

/// JSON Schema has keys with a dollar sign too; any other one is a slip of the pen.
fn known_mistake(key: &str) -> bool {
    key.starts_with('$') && !["$schema", "$id", "$ref", "$defs", "$anchor", "$comment", "$dynamicRef"].contains(&key)
}

fn list(map: &Map<String, Value>) -> Value {
    let map = only(map, &["$list", "count", "from"]);
    let from = map.get("from").map_or(0, |_| number(map, "from"));
    (from..from + number(map, "count"))
        .map(|index| expand(with_index(&map["$list"], &index.to_string())))
        .collect()
}

fn with_index(template: &Value, index: &str) -> Value {
    match template {
        Value::String(text) => Value::String(text.replace('#', index)),
        Value::Array(items) => items.iter().map(|item| with_index(item, index)).collect(),
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| (key.replace('#', index), with_index(value, index)))
            .collect::<Map<_, _>>()
            .into(),
        scalar => scalar.clone(),
    }
}

fn fit(map: &Map<String, Value>) -> Value {
    let template = text(map, "$fit");
    let fill = map.get("fill").map_or("x", |_| text(map, "fill"));
    assert_eq!(fill.len(), 1, "`fill` is one byte");
    let (before, after) = template.split_once('~').expect("`$fit` has a ~");
    let bytes = number(map, "bytes")
        .checked_sub(before.len() + after.len())
        .expect("`$fit` is longer than `bytes` already");
    Value::String([before, &fill.repeat(bytes), after].concat())
}

fn only<'a>(map: &'a Map<String, Value>, keys: &[&str]) -> &'a Map<String, Value> {
    for key in map.keys() {
        assert!(keys.contains(&key.as_str()), "{key} does not belong to {}", keys[0]);
    }
    map
}

fn text<'a>(map: &'a Map<String, Value>, key: &str) -> &'a str {
    map[key].as_str().unwrap_or_else(|| panic!("{key} is a string"))
}

fn number(map: &Map<String, Value>, key: &str) -> usize {
    usize::try_from(map[key].as_u64().unwrap_or_else(|| panic!("{key} is a number"))).unwrap()
}
