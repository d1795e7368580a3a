//! Reading a form: schema, arguments and what the person chose in, a tree of places out.

use serde_json::Value;

use super::choose::{alternatives, chosen};
use super::fields::{self, fields, initial, item_spec, new_member, selected};
use super::fit::has_shape;
use super::spec::{Alternative, Options, Schemas, Shape, Spec};
use super::words::{described, has_more_rules, hints, option};
use super::{Choices, DEEPEST, DEEPEST_UNFILLED, FormControl, FormNode, JsonReason, MOST_NODES};
use crate::json::{Document, Id, Kind, pointer_to};
use crate::text::shortened;

/// Values of a list that are offered, at most.
const MOST_OPTIONS: usize = 500;

/// Values that are offered in the whole form, at most.
const MOST_OPTIONS_IN_ALL: usize = 10_000;

/// A place to be read.
struct Place<'s> {
    path: String,
    name: Option<String>,
    spec: Spec<'s>,
    value: Option<Id>,
    required: bool,
    known: bool,
    depth: usize,
    /// Levels without a value above it.
    unfilled: usize,
}

struct Reader<'r, 's> {
    schemas: &'r Schemas<'s>,
    document: &'r Document<'r>,
    choices: &'r Choices,
    /// Places that may still be read.
    left: usize,
    /// Values to choose from that may still be offered.
    options_left: usize,
}

pub(super) fn form(schema: Option<&Value>, arguments: &str, choices: &Choices) -> Option<FormNode> {
    let document = Document::of(arguments)?;
    let Kind::Object(_) = document.kind(document.root()) else {
        return None;
    };
    let nothing = Value::Null;
    let schemas = Schemas::of(schema.unwrap_or(&nothing));
    let mut reader = Reader {
        schemas: &schemas,
        document: &document,
        choices,
        left: MOST_NODES,
        options_left: MOST_OPTIONS_IN_ALL,
    };
    let whole = Place {
        path: String::new(),
        name: None,
        spec: schemas.spec([schemas.root]),
        value: Some(document.root()),
        required: true,
        known: true,
        depth: 0,
        unfilled: 0,
    };
    if !matches!(schema, Some(Value::Object(_) | Value::Bool(_))) {
        return Some(bare(whole, JsonReason::Schema));
    }
    Some(reader.node(whole))
}

/// A place without a control of its own.
fn bare(place: Place<'_>, reason: JsonReason) -> FormNode {
    FormNode {
        path: place.path,
        name: place.name,
        title: None,
        description: None,
        required: place.required,
        present: place.value.is_some(),
        known: place.known,
        default_json: None,
        example_json: None,
        hints: Vec::new(),
        more_rules: false,
        alternatives: Vec::new(),
        chosen: None,
        control: FormControl::Json { reason },
        unfitting_json: None,
    }
}

impl<'s> Reader<'_, 's> {
    fn node(&mut self, mut place: Place<'s>) -> FormNode {
        self.left = self.left.saturating_sub(1);
        if place.depth > DEEPEST {
            return bare(place, JsonReason::Limit);
        }
        let spec = std::mem::take(&mut place.spec);
        let alternatives = alternatives(self.schemas, &spec, place.depth == 0);
        let choice = self.choices.get(&place.path).copied();
        let chosen = chosen(&alternatives, self.schemas, self.document, place.value, choice);
        let alternative = chosen.and_then(|chosen| alternatives.get(chosen));
        // What holds at the place, and then what the alternative adds to it.
        let inner = alternative.map_or(&spec, |alternative| &alternative.spec);
        let text = |keyword| spec.text(keyword).or_else(|| inner.text(keyword)).map(str::to_owned);
        let has_unfitting = match (alternative, place.value) {
            (Some(alternative), Some(value)) => !has_shape(&alternative.shape, self.document, value),
            (None, Some(_)) => true,
            (_, None) => false,
        };
        let unfitting_json = place.value.filter(|_| has_unfitting);
        let unfitting_json = unfitting_json.map(|value| shortened(self.document.text(value)));
        let first = |keyword| spec.first(keyword).or_else(|| inner.first(keyword));
        let example = match first("examples") {
            Some(Value::Array(examples)) => examples.first().map(Value::to_string),
            _ => None,
        };
        FormNode {
            // Of several, each has a title of its own in the choice.
            title: if alternatives.len() == 1 {
                text("title")
            } else {
                spec.text("title").map(str::to_owned)
            },
            description: text("description"),
            default_json: first("default").map(Value::to_string),
            example_json: example,
            hints: hints(inner, alternative),
            more_rules: has_more_rules(&spec) || has_more_rules(inner),
            chosen,
            alternatives: if alternatives.len() > 1 {
                alternatives.iter().map(described).collect()
            } else {
                Vec::new()
            },
            control: match alternative {
                Some(alternative) => self.control(alternative, &place),
                None if alternatives.is_empty() && spec.unresolved => FormControl::Json {
                    reason: JsonReason::Schema,
                },
                None if alternatives.is_empty() => FormControl::Json {
                    reason: JsonReason::Never,
                },
                None => FormControl::Json {
                    reason: JsonReason::Value,
                },
            },
            unfitting_json,
            ..bare(place, JsonReason::Value)
        }
    }

    fn control(&mut self, alternative: &Alternative<'s>, place: &Place<'s>) -> FormControl {
        let value = place.value;
        let fitting = value.filter(|value| has_shape(&alternative.shape, self.document, *value));
        let string = |value| self.document.string(value).map(std::borrow::Cow::into_owned);
        match &alternative.shape {
            Shape::Text => match fitting {
                None => FormControl::Text { text: None },
                // A field of text makes line feeds of other line ends.
                Some(value) => match string(value).filter(|text| !text.contains('\r')) {
                    Some(text) => FormControl::Text { text: Some(text) },
                    None => FormControl::Json {
                        reason: JsonReason::Value,
                    },
                },
            },
            Shape::Number | Shape::Integer => FormControl::Number {
                integer: alternative.shape == Shape::Integer,
                text: value.and_then(|value| {
                    let text = self.document.text(value);
                    let is_number = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
                    if is_number {
                        Some(text.to_owned())
                    } else {
                        string(value)
                    }
                }),
            },
            Shape::Boolean => FormControl::Options {
                options: ["true", "false"].map(|json| option(json.to_owned(), None)).into(),
                selected: fitting.map(|value| usize::from(self.document.text(value) == "false")),
                left: 0,
            },
            Shape::Options(options) => self.options(options, fitting),
            Shape::Null => FormControl::Null,
            Shape::Object => self.object(alternative, place, fitting),
            Shape::List => self.list(alternative, place, fitting),
        }
    }

    fn options(&mut self, options: &Options<'s>, value: Option<Id>) -> FormControl {
        let offered = options.len().min(MOST_OPTIONS).min(self.options_left);
        if offered == 0 && !options.is_empty() {
            return FormControl::Json {
                reason: JsonReason::Limit,
            };
        }
        self.options_left = self.options_left.saturating_sub(offered);
        let shown = options.iter().take(offered).map(|(value, schema)| {
            let title = schema.and_then(|schema| schema.get("title")?.as_str());
            option(value.to_string(), title)
        });
        FormControl::Options {
            options: shown.collect(),
            selected: value
                .and_then(|value| selected(options, self.document.text(value)))
                .filter(|selected| *selected < offered),
            left: options.len().saturating_sub(offered),
        }
    }

    fn object(&mut self, alternative: &Alternative<'s>, place: &Place<'s>, value: Option<Id>) -> FormControl {
        let opens_unfilled = place.required && place.value.is_none() && place.unfilled < DEEPEST_UNFILLED;
        let open = value.is_some() || opens_unfilled;
        let mut shown = Vec::new();
        if open {
            for field in fields(&alternative.spec, self.schemas, self.document, value, self.left) {
                let path = pointer_to(&place.path, &field.name);
                if self.left == 0 {
                    shown.push(rest(place));
                    break;
                }
                shown.push(self.node(Place {
                    path,
                    name: Some(field.name),
                    spec: field.spec,
                    value: field.value,
                    required: field.required,
                    known: field.known,
                    depth: place.depth + 1,
                    unfilled: if value.is_some() { 0 } else { place.unfilled + 1 },
                }));
            }
        }
        FormControl::Object {
            fields: shown,
            new_member: new_member(&alternative.spec, self.schemas),
            open,
            initial: initial(alternative, self.schemas),
        }
    }

    fn list(&mut self, alternative: &Alternative<'s>, place: &Place<'s>, value: Option<Id>) -> FormControl {
        let document = self.document;
        let values: &[Id] = match value.map(|value| document.kind(value)) {
            Some(Kind::List(items)) => items,
            _ => &[],
        };
        let mut items = Vec::new();
        for (index, value) in values.iter().enumerate() {
            if self.left == 0 {
                items.push(rest(place));
                break;
            }
            let spec = item_spec(&alternative.spec, self.schemas, index);
            items.push(self.node(Place {
                path: format!("{}/{index}", place.path),
                name: None,
                known: spec.is_some(),
                spec: spec.unwrap_or_default(),
                value: Some(*value),
                required: false,
                depth: place.depth + 1,
                unfilled: 0,
            }));
        }
        FormControl::List {
            items,
            new_item: fields::new_item(&alternative.spec, self.schemas, values.len()),
            next: format!("{}/{}", place.path, values.len()),
        }
    }
}

/// What stands for all further places below one.
fn rest(place: &Place<'_>) -> FormNode {
    bare(
        Place {
            path: place.path.clone(),
            name: None,
            spec: Spec::default(),
            value: place.value,
            required: false,
            known: true,
            depth: 0,
            unfilled: 0,
        },
        JsonReason::Limit,
    )
}
