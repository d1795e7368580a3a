//! Which of several alternatives a value is.

use serde_json::{Map, Value};

use super::spec::{Alternative, Schemas, Shape, Spec};
use crate::json::{self, Document, Id, Kind};

/// Members that are looked at to tell alternatives apart, at most.
const MOST_NAMES: usize = 32;

/// The alternative that a value fits best; the first of those that fit as well.
pub(super) fn best(
    alternatives: &[Alternative<'_>],
    schemas: &Schemas<'_>,
    document: &Document<'_>,
    value: Id,
) -> Option<usize> {
    let mut best: Option<(usize, i64)> = None;
    for (index, alternative) in alternatives.iter().enumerate() {
        let Some(score) = score(alternative, schemas, document, value) else {
            continue;
        };
        if best.is_none_or(|(_, other)| score > other) {
            best = Some((index, score));
        }
    }
    best.map(|(index, _)| index)
}

/// How well a value fits; `None` where it is of another kind.
fn score(alternative: &Alternative<'_>, schemas: &Schemas<'_>, document: &Document<'_>, value: Id) -> Option<i64> {
    if !has_shape(&alternative.shape, document, value) {
        return None;
    }
    match (&alternative.shape, document.kind(value)) {
        // A value of a list says more than a type does.
        (Shape::Options(_), _) => Some(3),
        (Shape::Integer, _) => Some(2),
        (Shape::Object, Kind::Object(members)) => {
            let spec = &alternative.spec;
            let mut score = 1;
            for (name, constant) in constants(spec, schemas) {
                match document.member(value, name) {
                    Some(member) if is_one_of(document.text(member), constant) => score += 100,
                    Some(_) => score -= 100,
                    None => {}
                }
            }
            for name in required(spec).into_iter().take(MOST_NAMES) {
                score += if document.member(value, name).is_some() { 3 } else { -3 };
            }
            let is_closed = spec.first("additionalProperties") == Some(&Value::Bool(false));
            for member in members.iter().take(MOST_NAMES) {
                let is_known = member.key.as_deref().is_some_and(|key| has_property(spec, key));
                score += match (is_known, is_closed) {
                    (true, _) => 1,
                    (false, true) => -4,
                    (false, false) => 0,
                };
            }
            Some(score)
        }
        _ => Some(1),
    }
}

/// Whether a value is of a kind.
pub(super) fn has_shape(shape: &Shape<'_>, document: &Document<'_>, value: Id) -> bool {
    let text = document.text(value);
    let first = text.bytes().next().unwrap_or_default();
    let is_number = first == b'-' || first.is_ascii_digit();
    match shape {
        Shape::Text => first == b'"',
        Shape::Number => is_number,
        Shape::Integer => is_number && is_whole(text),
        Shape::Boolean => first == b't' || first == b'f',
        Shape::Null => first == b'n',
        Shape::Object => first == b'{',
        Shape::List => first == b'[',
        Shape::Options(options) => options.iter().any(|(option, _)| is(text, option)),
    }
}

/// Whether a text stands for a value.
pub(super) fn is(text: &str, value: &Value) -> bool {
    // Most values of a list are strings, and differ at once.
    match value {
        Value::String(_) if !text.starts_with('"') => false,
        Value::String(value) if !text.contains('\\') => text.trim_matches('"') == value,
        Value::Number(_) if !text.starts_with(|first: char| first == '-' || first.is_ascii_digit()) => false,
        Value::Object(_) if !text.starts_with('{') => false,
        Value::Array(_) if !text.starts_with('[') => false,
        Value::Number(number) => {
            let number = number.to_string();
            let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            number == text || (!(is_plain(&number) && is_plain(text)) && json::equal(text, &number))
        }
        value => json::equal(text, &value.to_string()),
    }
}

fn is_one_of(text: &str, schema: &Map<String, Value>) -> bool {
    match (schema.get("const"), schema.get("enum")) {
        (Some(only), _) => is(text, only),
        (None, Some(Value::Array(values))) => values.iter().any(|value| is(text, value)),
        _ => true,
    }
}

/// `1.0` and `1e2` are whole, `1.5` is not; of a number with a negative exponent it is not asked.
fn is_whole(number: &str) -> bool {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let fraction = mantissa.split_once('.').map_or("", |(_, fraction)| fraction);
    let digits = fraction.trim_end_matches('0').len();
    match exponent.trim_start_matches('+').parse::<i64>() {
        Ok(exponent) => usize::try_from(exponent).is_ok_and(|exponent| exponent >= digits),
        Err(_) => digits == 0,
    }
}

/// The names an object must have.
pub(super) fn required<'a>(spec: &Spec<'a>) -> Vec<&'a str> {
    let mut names = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for layer in &spec.layers {
        if let Some(Value::Array(required)) = layer.get("required") {
            names.extend(
                required
                    .iter()
                    .filter_map(Value::as_str)
                    .filter(|name| seen.insert(*name)),
            );
        }
    }
    names
}

pub(super) fn has_property(spec: &Spec<'_>, name: &str) -> bool {
    spec.layers
        .iter()
        .any(|layer| matches!(layer.get("properties"), Some(Value::Object(all)) if all.contains_key(name)))
}

/// The required properties that have one value, or one of a few: what tells alternatives apart.
pub(super) fn constants<'a>(spec: &Spec<'a>, schemas: &Schemas<'a>) -> Vec<(&'a str, &'a Map<String, Value>)> {
    let mut found = Vec::new();
    for name in required(spec).into_iter().take(MOST_NAMES) {
        for layer in &spec.layers {
            let Some(Value::Object(properties)) = layer.get("properties") else {
                continue;
            };
            let Some(property) = properties.get(name) else { continue };
            let inner = schemas.spec([property]);
            let constant = inner
                .layers
                .iter()
                .find(|layer| layer.contains_key("const") || layer.contains_key("enum"));
            if let Some(constant) = constant {
                found.push((name, *constant));
                break;
            }
        }
    }
    found
}
