//! What lies below a place: the members of an object, the items of a list, and what a new one begins with.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::fit::{has_property, is, required};
use super::spec::{Alternative, Options, Schemas, Shape, Spec};
use crate::json::{Document, Id, Kind, literal};

/// A member that an object has or may have.
pub(super) struct Field<'s> {
    pub(super) name: String,
    pub(super) spec: Spec<'s>,
    pub(super) required: bool,
    pub(super) known: bool,
    pub(super) value: Option<Id>,
}

/// The members of an object: the schema's in its order, those it only requires, then what the arguments have besides.
pub(super) fn fields<'s>(
    spec: &Spec<'s>,
    schemas: &Schemas<'s>,
    document: &Document<'_>,
    value: Option<Id>,
    most: usize,
) -> Vec<Field<'s>> {
    let required: Vec<&str> = required(spec);
    let required_names: HashSet<&str> = required.iter().copied().collect();
    let mut names: Vec<String> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    let mut add = |name: &str| {
        if names.len() <= most && seen.insert(name.to_owned()) {
            names.push(name.to_owned());
        }
    };
    for layer in &spec.layers {
        if let Some(Value::Object(properties)) = layer.get("properties") {
            properties.keys().for_each(|name| add(name));
        }
    }
    for name in &required {
        add(name);
    }
    if let Some(Kind::Object(members)) = value.map(|value| document.kind(value)) {
        members
            .iter()
            .filter_map(|member| member.key.as_deref())
            .for_each(&mut add);
    }
    names
        .into_iter()
        .map(|name| Field {
            spec: member_spec(spec, schemas, &name),
            required: required_names.contains(name.as_str()),
            known: required_names.contains(name.as_str()) || has_property(spec, &name) || allows_more(spec),
            value: value.and_then(|value| document.member(value, &name)),
            name,
        })
        .collect()
}

/// What holds for a member.
pub(super) fn member_spec<'s>(spec: &Spec<'s>, schemas: &Schemas<'s>, name: &str) -> Spec<'s> {
    if has_property(spec, name) {
        return schemas.spec(
            spec.layers
                .iter()
                .filter_map(|layer| layer.get("properties")?.get(name)),
        );
    }
    further_spec(spec, schemas).unwrap_or_default()
}

/// What holds for members that the schema does not name; `None` where it says nothing of them.
fn further_spec<'s>(spec: &Spec<'s>, schemas: &Schemas<'s>) -> Option<Spec<'s>> {
    let patterns = |layer: &&'s Map<String, Value>| match layer.get("patternProperties") {
        // Which of several patterns a name fits is not asked here.
        Some(Value::Object(patterns)) if patterns.len() == 1 => patterns.values().next(),
        _ => None,
    };
    let by_pattern: Vec<&Value> = spec.layers.iter().filter_map(patterns).collect();
    if !by_pattern.is_empty() {
        return Some(schemas.spec(by_pattern));
    }
    let additional = spec.layers.iter().filter_map(|layer| layer.get("additionalProperties"));
    let additional: Vec<&Value> = additional.filter(|schema| **schema != Value::Bool(false)).collect();
    (!additional.is_empty()).then(|| schemas.spec(additional))
}

fn allows_more(spec: &Spec<'_>) -> bool {
    spec.layers.iter().all(|layer| {
        layer.get("additionalProperties") != Some(&Value::Bool(false)) || layer.contains_key("patternProperties")
    })
}

/// What a member of another name begins with, where the schema speaks of such members, or of no members at all.
pub(super) fn new_member(spec: &Spec<'_>, schemas: &Schemas<'_>) -> Option<String> {
    if !allows_more(spec) {
        return None;
    }
    let names_some = spec
        .layers
        .iter()
        .any(|layer| matches!(layer.get("properties"), Some(Value::Object(all)) if !all.is_empty()));
    let says_more = |layer: &&Map<String, Value>| {
        layer.contains_key("patternProperties") || layer.contains_key("additionalProperties")
    };
    if names_some && !spec.layers.iter().any(says_more) {
        return None;
    }
    begin(&further_spec(spec, schemas).unwrap_or_default(), schemas)
}

/// What holds for an item of a list; `None` where there may be none at this place.
pub(super) fn item_spec<'s>(spec: &Spec<'s>, schemas: &Schemas<'s>, index: usize) -> Option<Spec<'s>> {
    let found = schemas.spec(spec.layers.iter().filter_map(|layer| {
        let (first, rest) = match (layer.get("prefixItems"), layer.get("items")) {
            (Some(Value::Array(first)), rest) => (Some(first), rest),
            // As drafts before 2020-12 write it.
            (_, Some(Value::Array(first))) => (Some(first), layer.get("additionalItems")),
            (_, rest) => (None, rest),
        };
        first.and_then(|first| first.get(index)).or(rest)
    }));
    (!found.never).then_some(found)
}

/// What a further item of a list that has so many begins with.
pub(super) fn new_item(spec: &Spec<'_>, schemas: &Schemas<'_>, items: usize) -> Option<String> {
    let most = spec.first("maxItems").and_then(Value::as_u64);
    if most.is_some_and(|most| usize::try_from(most).is_ok_and(|most| items >= most)) {
        return None;
    }
    begin(&item_spec(spec, schemas, items)?, schemas)
}

fn begin(spec: &Spec<'_>, schemas: &Schemas<'_>) -> Option<String> {
    schemas.alternatives(spec).first().map(|first| initial(first, schemas))
}

/// What a value begins with once a person adds it. No default is taken, only what cannot be otherwise.
pub(super) fn initial(alternative: &Alternative<'_>, schemas: &Schemas<'_>) -> String {
    match &alternative.shape {
        Shape::Text => "\"\"".to_owned(),
        Shape::Number | Shape::Integer => "0".to_owned(),
        Shape::Boolean => "false".to_owned(),
        Shape::Null => "null".to_owned(),
        Shape::List => "[]".to_owned(),
        Shape::Options(options) => options
            .first()
            .map_or_else(|| "null".to_owned(), |(value, _)| value.to_string()),
        Shape::Object => object(fixed(&alternative.spec, schemas).into_iter()),
    }
}

/// The required members that can have one value only, with it.
pub(super) fn fixed<'s>(spec: &Spec<'s>, schemas: &Schemas<'s>) -> Vec<(&'s str, String)> {
    let constants = super::fit::constants(spec, schemas).into_iter();
    constants
        .filter_map(|(name, schema)| {
            let only = match (schema.get("const"), schema.get("enum")) {
                (Some(only), _) => only,
                (None, Some(Value::Array(values))) if values.len() == 1 => values.first()?,
                _ => return None,
            };
            Some((name, only.to_string()))
        })
        .collect()
}

/// The object that becomes of another one once this alternative is chosen for it.
pub(super) fn converted(
    alternative: &Alternative<'_>,
    schemas: &Schemas<'_>,
    document: &Document<'_>,
    value: Id,
) -> String {
    let fixed = fixed(&alternative.spec, schemas);
    let Kind::Object(members) = document.kind(value) else {
        return initial(alternative, schemas);
    };
    let kept = members.iter().filter_map(|member| {
        let name = member.key.as_deref()?;
        let stays = has_property(&alternative.spec, name) && fixed.iter().all(|(other, _)| *other != name);
        stays.then(|| (name, document.text(member.value).to_owned()))
    });
    object(fixed.iter().map(|(name, value)| (*name, value.clone())).chain(kept))
}

fn object<'a>(members: impl Iterator<Item = (&'a str, String)>) -> String {
    let members: Vec<String> = members
        .map(|(name, value)| format!("{}:{value}", literal(name)))
        .collect();
    format!("{{{}}}", members.join(","))
}

/// Which of these values a text stands for.
pub(super) fn selected(options: &Options<'_>, text: &str) -> Option<usize> {
    options.iter().position(|(option, _)| is(text, option))
}
