//! What the schemas of a place say of its value: keywords, values to choose from, types.

use serde_json::Value;

use super::spec::{Options, Shape, Spec};

/// Values of an `enum` that are looked at, at most.
const MOST_OPTIONS: usize = 2_000;
/// Pairs of values that are compared to find those that two lists have in common, at most.
const MOST_COMPARED: usize = 10_000;

impl<'a> Spec<'a> {
    /// The first value of a keyword.
    pub(super) fn first(&self, keyword: &str) -> Option<&'a Value> {
        self.layers.iter().find_map(|layer| layer.get(keyword))
    }

    pub(super) fn text(&self, keyword: &str) -> Option<&'a str> {
        self.layers
            .iter()
            .find_map(|layer| layer.get(keyword).and_then(Value::as_str))
    }

    /// Whether branches are left that this alternative does not show.
    pub(super) fn leaves_a_choice(&self) -> bool {
        self.groups.len() > 1 || self.is_narrowed
    }

    fn has(&self, keywords: &[&str]) -> bool {
        self.layers
            .iter()
            .any(|layer| keywords.iter().any(|keyword| layer.contains_key(*keyword)))
    }

    /// The values of `enum` or `const`: those of the first layer with one that the others have too.
    pub(super) fn options(&self) -> Option<Options<'a>> {
        let mut options: Option<Vec<&'a Value>> = None;
        for layer in &self.layers {
            let own: Vec<&'a Value> = match (layer.get("const"), layer.get("enum")) {
                (Some(only), _) => vec![only],
                (None, Some(Value::Array(values))) => values.iter().collect(),
                _ => continue,
            };
            options = Some(match options {
                None => own,
                // Where comparing would take long, the check of the arguments says what the second list forbids.
                Some(before) if before.len() * own.len() > MOST_COMPARED => before,
                Some(before) => before.into_iter().filter(|value| own.contains(value)).collect(),
            });
        }
        let types = self.types();
        let fits = |value: &&Value| {
            types
                .as_ref()
                .is_none_or(|types| types.iter().any(|one| is_of(value, one)))
        };
        options.map(|options| {
            let fitting = options.into_iter().filter(fits).take(MOST_OPTIONS);
            fitting.map(|value| (value, None)).collect()
        })
    }

    /// The types that all layers with types have in common.
    fn types(&self) -> Option<Vec<&'a str>> {
        let mut types: Option<Vec<&'a str>> = None;
        for layer in &self.layers {
            let mut own: Vec<&'a str> = match layer.get("type") {
                Some(Value::String(one)) => vec![one],
                Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
                _ => continue,
            };
            if layer.get("nullable") == Some(&Value::Bool(true)) && !own.contains(&"null") {
                own.push("null");
            }
            types = Some(match types {
                None => own,
                Some(before) => common(&before, &own),
            });
        }
        types
    }

    pub(super) fn shapes(&self) -> Vec<Shape<'a>> {
        let Some(types) = self.types() else {
            if self.has(&["properties", "required", "patternProperties", "additionalProperties"]) {
                return vec![Shape::Object];
            }
            if self.has(&["items", "prefixItems"]) {
                return vec![Shape::List];
            }
            if self.has(&["minLength", "maxLength", "pattern", "format"]) {
                return vec![Shape::Text];
            }
            if self.has(&[
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
            ]) {
                return vec![Shape::Number];
            }
            return vec![
                Shape::Text,
                Shape::Number,
                Shape::Boolean,
                Shape::Null,
                Shape::List,
                Shape::Object,
            ];
        };
        types.iter().filter_map(|name| Shape::of_type(name)).collect()
    }
}

impl Shape<'_> {
    fn of_type(name: &str) -> Option<Self> {
        Some(match name {
            "string" => Self::Text,
            "number" => Self::Number,
            "integer" => Self::Integer,
            "boolean" => Self::Boolean,
            "null" => Self::Null,
            "object" => Self::Object,
            "array" => Self::List,
            _ => return None,
        })
    }
}

fn common<'a>(some: &[&'a str], others: &[&'a str]) -> Vec<&'a str> {
    let mut types = Vec::new();
    for one in some {
        if others.contains(one) || (*one == "integer" && others.contains(&"number")) {
            types.push(*one);
        } else if *one == "number" && others.contains(&"integer") {
            types.push("integer");
        }
    }
    types
}

fn is_of(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(_) => name == "number" || name == "integer",
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}

/// The values of branches that are each one constant, often with a title.
pub(super) fn described_options(branches: &[Value]) -> Option<Options<'_>> {
    branches
        .iter()
        .map(|branch| {
            let map = branch.as_object()?;
            let value = match (map.get("const"), map.get("enum")) {
                (Some(only), None) => only,
                (None, Some(Value::Array(values))) if values.len() == 1 => values.first()?,
                _ => return None,
            };
            Some((value, Some(map)))
        })
        .collect()
}
