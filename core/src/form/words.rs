//! What is said of a place beside its field: bounds, formats, the names of alternatives and values.

use serde_json::Value;

use super::spec::{Alternative, Shape, Spec};
use super::{FormAlternative, FormHint, FormOption, FormShape};
use crate::text::shortened;

/// Bounds and formats, in the order in which they are shown.
const HINTS: [&str; 14] = [
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
];

/// Keywords of rules that a form does not show.
const MORE_RULES: [&str; 9] = [
    "not",
    "if",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "propertyNames",
    "contains",
    "unevaluatedProperties",
    "unevaluatedItems",
];

pub(super) fn option(json: String, title: Option<&str>) -> FormOption {
    FormOption {
        json,
        title: title.map(str::to_owned),
    }
}

pub(super) fn described(alternative: &Alternative<'_>) -> FormAlternative {
    FormAlternative {
        shape: match &alternative.shape {
            Shape::Text => FormShape::Text,
            Shape::Number => FormShape::Number,
            Shape::Integer => FormShape::Integer,
            Shape::Boolean => FormShape::Boolean,
            Shape::Null => FormShape::Null,
            Shape::Object => FormShape::Object,
            Shape::List => FormShape::List,
            Shape::Options(_) => FormShape::Options,
        },
        label: alternative.label.map(str::to_owned),
    }
}

pub(super) fn hints(spec: &Spec<'_>, alternative: Option<&Alternative<'_>>) -> Vec<FormHint> {
    let Some(alternative) = alternative else {
        return Vec::new();
    };
    let shown: &[&str] = match &alternative.shape {
        Shape::Text => &HINTS[..4],
        Shape::Number | Shape::Integer => &HINTS[4..9],
        Shape::List => &HINTS[9..12],
        Shape::Object => &HINTS[12..],
        Shape::Null | Shape::Boolean | Shape::Options(_) => &[],
    };
    shown
        .iter()
        .filter_map(|keyword| {
            let value = match spec.first(keyword)? {
                Value::String(text) => shortened(text),
                Value::Number(number) => shortened(&number.to_string()),
                Value::Bool(true) => "true".to_owned(),
                _ => return None,
            };
            Some(FormHint {
                keyword: (*keyword).to_owned(),
                value,
            })
        })
        .collect()
}

pub(super) fn has_more_rules(spec: &Spec<'_>) -> bool {
    let has = |keyword: &&str| spec.layers.iter().any(|layer| layer.contains_key(*keyword));
    MORE_RULES.iter().any(has) || spec.unresolved || spec.leaves_a_choice()
}
