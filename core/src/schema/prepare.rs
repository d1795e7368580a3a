//! What is changed in a copy of a schema before it is compiled, so that the compiler answers the one question asked of
//! it, whether this is a schema, and answers it soon.

use jsonschema::Draft;
use serde_json::{Map, Number, Value};

use super::compiler::Purpose;

/// A copy to compile in place of a schema, where there is need for one: without unknown dialects, with numbers the
/// compiler can hold, and without the keywords whose compilation can take for ever.
pub(super) fn prepared(schema: &Value, draft: Draft, purpose: Purpose) -> Option<Value> {
    let has_unknown_dialect = unknown_dialect(schema).is_some();
    let has_extreme_number = holds_extreme_number(schema);
    // Only asked whether it is a schema: what is compared with it would have to fit what these keywords say of a rest.
    let has_unevaluated = purpose == Purpose::Compile
        && draft >= Draft::Draft201909
        && mentions_unevaluated(schema)
        && !refers_through_unevaluated(schema);
    if !(has_unknown_dialect || has_extreme_number || has_unevaluated) {
        return None;
    }
    let mut copy = schema.clone();
    if has_unknown_dialect {
        drop_unknown_dialects(&mut copy);
    }
    if has_extreme_number {
        tame_numbers(&mut copy);
    }
    if has_unevaluated {
        settle_unevaluated(&mut copy);
    }
    Some(copy)
}

pub(super) const UNEVALUATED: [&str; 2] = ["unevaluatedProperties", "unevaluatedItems"];

/// Whether a reference leads through one of these keywords, so that what stands under it is compiled from there, and
/// must stay.
fn refers_through_unevaluated(value: &Value) -> bool {
    match value {
        Value::Object(map) => map.iter().any(|(key, value)| match value {
            Value::String(to) => key == "$ref" && to.contains("/unevaluated"),
            value => refers_through_unevaluated(value),
        }),
        Value::Array(items) => items.iter().any(refers_through_unevaluated),
        _ => false,
    }
}

fn mentions_unevaluated(value: &Value) -> bool {
    match value {
        Value::Object(map) => map
            .iter()
            .any(|(key, value)| UNEVALUATED.contains(&key.as_str()) || mentions_unevaluated(value)),
        Value::Array(items) => items.iter().any(mentions_unevaluated),
        _ => false,
    }
}

/// Puts what stands under `unevaluatedProperties` and `unevaluatedItems` under `allOf`: the compiler is kept from
/// compiling these two keywords, and whether the schema under them is one is still asked.
fn settle_unevaluated(schema: &mut Value) {
    let map = match schema {
        Value::Object(map) => map,
        Value::Array(items) => return items.iter_mut().for_each(settle_unevaluated),
        _ => return,
    };
    for keyword in UNEVALUATED {
        settle(map, keyword);
    }
    for (key, value) in map.iter_mut() {
        match (key.as_str(), value) {
            // The keys inside are names, not keywords.
            (
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas",
                Value::Object(named),
            ) => {
                named.values_mut().for_each(settle_unevaluated);
            }
            ("const" | "enum" | "default" | "examples", _) => {}
            (_, value) => settle_unevaluated(value),
        }
    }
}

fn settle(map: &mut Map<String, Value>, keyword: &str) {
    let Some(inner) = map.shift_remove(keyword) else {
        return;
    };
    match map.get_mut("allOf") {
        None => {
            map.insert("allOf".to_owned(), Value::Array(vec![inner]));
        }
        Some(Value::Array(schemas)) => schemas.push(inner),
        // The schema is refused for this.
        Some(_) => {}
    }
}

/// Whether a value has more levels of nesting than this; the value itself is the first.
pub(super) fn depth_is_above(value: &Value, limit: usize) -> bool {
    let mut stack = vec![(value, 1)];
    while let Some((value, depth)) = stack.pop() {
        let deeper = |value| (value, depth + 1);
        match value {
            Value::Array(_) | Value::Object(_) if depth > limit => return true,
            Value::Array(items) => stack.extend(items.iter().map(deeper)),
            Value::Object(map) => stack.extend(map.values().map(deeper)),
            _ => {}
        }
    }
    false
}

fn is_unknown_dialect(value: &Value) -> Option<&str> {
    value
        .as_str()
        .filter(|uri| Draft::from_schema_uri(uri) == Draft::Unknown)
}

/// The first `$schema` that names no draft we know.
pub(super) fn unknown_dialect(value: &Value) -> Option<&str> {
    match value {
        Value::Object(map) => map
            .get("$schema")
            .and_then(is_unknown_dialect)
            .or_else(|| map.values().find_map(unknown_dialect)),
        Value::Array(items) => items.iter().find_map(unknown_dialect),
        _ => None,
    }
}

fn drop_unknown_dialects(value: &mut Value) {
    match value {
        Value::Object(map) => {
            if map.get("$schema").and_then(is_unknown_dialect).is_some() {
                map.shift_remove("$schema");
            }
            map.values_mut().for_each(drop_unknown_dialects);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_unknown_dialects),
        _ => {}
    }
}

/// The nearest number the compiler can hold, for one that is larger than an `f64` can be, or smaller without being 0:
/// it takes the one for no number at all, and the other for 0.
fn tamed(number: &Number) -> Option<Number> {
    let text = number.to_string();
    let digits = text.split(['e', 'E']).next().unwrap_or_default();
    let tame = match number.as_f64() {
        None => f64::MAX,
        Some(0.0) if digits.contains(|digit| matches!(digit, '1'..='9')) => f64::MIN_POSITIVE,
        Some(_) => return None,
    };
    Number::from_f64(if text.starts_with('-') { -tame } else { tame })
}

fn holds_extreme_number(value: &Value) -> bool {
    match value {
        Value::Number(number) => tamed(number).is_some(),
        Value::Array(items) => items.iter().any(holds_extreme_number),
        Value::Object(map) => map.values().any(holds_extreme_number),
        _ => false,
    }
}

fn tame_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(tame) = tamed(number) {
                *number = tame;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(tame_numbers),
        Value::Object(map) => map.values_mut().for_each(tame_numbers),
        _ => {}
    }
}
