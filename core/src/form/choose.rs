//! Which alternative a place has, and what becomes of the arguments when a person chooses another one.

use serde_json::Value;

use super::Choices;
use super::fields::{converted, initial, item_spec, member_spec};
use super::fit::{best, has_shape};
use super::spec::{Alternative, Schemas, Shape, Spec};
use crate::json::{self, Document, Id, pointer_to};

/// The arguments after a choice; see `FormModel::choose`.
pub(super) fn choose(
    schema: &Value,
    arguments: &str,
    choices: &Choices,
    path: &str,
    alternative: usize,
) -> Option<String> {
    let document = Document::of(arguments)?;
    let schemas = Schemas::of(schema);
    let mut spec = schemas.spec([schema]);
    let mut at = String::new();
    let mut value = Some(document.root());
    let mut in_list = false;
    for step in json::steps(path)? {
        let alternatives = alternatives(&schemas, &spec, at.is_empty());
        let chosen = chosen(&alternatives, &schemas, &document, value, choices.get(&at).copied())?;
        let chosen = alternatives.get(chosen)?;
        in_list = chosen.shape == Shape::List;
        spec = match chosen.shape {
            Shape::Object => member_spec(&chosen.spec, &schemas, &step),
            Shape::List => item_spec(&chosen.spec, &schemas, step.parse().ok()?)?,
            _ => return None,
        };
        at = pointer_to(&at, &step);
        value = value.and_then(|value| document.step(value, &step));
    }
    let alternatives = alternatives(&schemas, &spec, at.is_empty());
    let chosen = alternatives.get(alternative)?;
    let fits = |value| has_shape(&chosen.shape, &document, value);
    match (&chosen.shape, value) {
        (Shape::Object, Some(value)) => json::set_at(arguments, path, &converted(chosen, &schemas, &document, value)),
        (_, Some(value)) if fits(value) => Some(arguments.to_owned()),
        (Shape::Object | Shape::List | Shape::Null, _) => json::set_at(arguments, path, &initial(chosen, &schemas)),
        (Shape::Options(options), _) if options.len() == 1 => json::set_at(arguments, path, &initial(chosen, &schemas)),
        // An item of a list cannot be absent, a member waits for what the person fills in.
        (_, _) if in_list => json::set_at(arguments, path, &initial(chosen, &schemas)),
        (_, Some(_)) => json::remove_at(arguments, path),
        (_, None) => Some(arguments.to_owned()),
    }
}

/// The ways to fill a place; of the whole, those that are objects, as arguments are nothing else.
pub(super) fn alternatives<'s>(schemas: &Schemas<'s>, spec: &Spec<'s>, is_root: bool) -> Vec<Alternative<'s>> {
    let mut found = schemas.alternatives(spec);
    if is_root {
        found.retain(|alternative| alternative.shape == Shape::Object);
    }
    found
}

/// Which of them is shown: what the person chose where that can be, else what the value is, else the first.
pub(super) fn chosen(
    alternatives: &[Alternative<'_>],
    schemas: &Schemas<'_>,
    document: &Document<'_>,
    value: Option<Id>,
    choice: Option<usize>,
) -> Option<usize> {
    let fits = |one: &Alternative<'_>| value.is_none_or(|value| has_shape(&one.shape, document, value));
    if let Some(choice) = choice.filter(|choice| alternatives.get(*choice).is_some_and(fits)) {
        return Some(choice);
    }
    let Some(value) = value else {
        let first = alternatives.iter().position(|one| one.shape != Shape::Null);
        return first.or(if alternatives.is_empty() { None } else { Some(0) });
    };
    best(alternatives, schemas, document, value).or_else(|| {
        let is_number = |one: &Alternative<'_>| matches!(one.shape, Shape::Number | Shape::Integer);
        let text = document.text(value);
        // Half a number on its way through a field is text.
        let is_typed = text.starts_with(|first: char| first == '"' || first == '-' || first.is_ascii_digit());
        let typed = alternatives.iter().position(is_number).filter(|_| is_typed);
        typed.or(if alternatives.len() == 1 { Some(0) } else { None })
    })
}
