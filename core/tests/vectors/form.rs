//! The form of a tool's arguments. Input: `schema` (a value, or its text as `schemaText`), `arguments` (JSON text, `{}`
//! where absent) and `choices`. Answers a line for each place: its pointer, how it is filled in, and what else there is
//! to say; `null` where the arguments are no JSON object.
//!
//! With `choose` (a path and the number of an alternative), the arguments after that. With `text` in place of a schema:
//! after `set` (a pointer and JSON text), `remove` (a pointer), or the line and column of `place` (a pointer). With
//! `typed`, what a field for numbers makes of it. With `"check": true`, the warnings, notes and whether anything was
//! checked.

use std::fmt::Write as _;

use serde_json::{Value, json};
use toolgate_core::form::{Choices, FormControl, FormModel, FormNode, number_or_text};
use toolgate_core::json::{place_of, remove_at, set_at, value_at};
use toolgate_core::schema::check_arguments;

use crate::harness::File;

pub(crate) const FILES: &[File] = crate::files!(
    "form": "alternatives", "check", "edit", "fields", "lists", "numbers", "references", "values"
);

pub(crate) fn run(input: Value) -> Value {
    let text = |key: &str| input.get(key).map(|value| value.as_str().expect("a text").to_owned());
    if let Some(typed) = text("typed") {
        return json!(number_or_text(&typed));
    }
    if let Some(document) = text("text") {
        return edited(&input, &document);
    }
    let schema = text("schemaText").unwrap_or_else(|| input["schema"].to_string());
    let arguments = text("arguments").unwrap_or_else(|| "{}".to_owned());
    if input.get("check").is_some() {
        return checked(&schema, &arguments);
    }
    let choices: Choices = input
        .get("choices")
        .map(|choices| serde_json::from_value(choices.clone()).expect("choices"))
        .unwrap_or_default();
    let model = FormModel::new(&schema);
    if let Some(choose) = input.get("choose") {
        let alternative = usize::try_from(choose[1].as_u64().unwrap()).unwrap();
        return json!(model.choose(&arguments, &choices, choose[0].as_str().unwrap(), alternative));
    }
    model.read(&arguments, &choices).map_or(Value::Null, |form| {
        let mut lines = Vec::new();
        line(&form, &mut lines);
        json!(lines)
    })
}

fn edited(input: &Value, document: &str) -> Value {
    if let Some(set) = input.get("set") {
        let (pointer, value) = (set[0].as_str().unwrap(), set[1].as_str().unwrap());
        let edited = set_at(document, pointer, value);
        if let Some(edited) = &edited {
            assert!(toolgate_core::json::equal(value_at(edited, pointer).unwrap(), value));
        }
        return json!(edited);
    }
    if let Some(pointer) = input.get("remove") {
        return json!(remove_at(document, pointer.as_str().unwrap()));
    }
    json!(place_of(document, input["place"].as_str().unwrap()))
}

fn checked(schema: &str, arguments: &str) -> Value {
    let check = check_arguments(schema, arguments);
    let warnings: Vec<Value> = check
        .warnings
        .iter()
        .map(|warning| {
            assert!(!warning.message.is_empty());
            let expected = warning.expected.as_deref().map(|expected| format!(" {expected}"));
            json!(format!("{} {}{}", warning.path, warning.keyword, expected.unwrap_or_default()))
        })
        .collect();
    if check.unchecked.is_some() {
        return json!("unchecked");
    }
    if check.notes.is_empty() && !check.has_more {
        return json!(warnings);
    }
    let notes: Vec<_> = check.notes.iter().map(|note| note.code).collect();
    json!({ "warnings": warnings, "notes": notes, "more": check.has_more })
}

/// `/path kind`, a `*` where a value is required, `= value` where there is one, and in parentheses what else is shown.
fn line(node: &FormNode, lines: &mut Vec<String>) {
    let mut text = format!("{} ", if node.path.is_empty() { "(whole)" } else { &node.path });
    let mut below: &[FormNode] = &[];
    match &node.control {
        FormControl::Text { text: value } => {
            text.push_str("text");
            push(&mut text, " = ", value.as_deref());
        }
        FormControl::Number { integer, text: value } => {
            text.push_str(if *integer { "integer" } else { "number" });
            push(&mut text, " = ", value.as_deref());
        }
        FormControl::Options {
            options,
            selected,
            left,
        } => {
            let named = options.iter().map(|option| match &option.title {
                Some(title) => format!("{} ({title})", option.json),
                None => option.json.clone(),
            });
            let _ = write!(text, "one of {}", named.collect::<Vec<_>>().join(" "));
            push(&mut text, " = ", selected.map(|selected| options[selected].json.as_str()));
            if *left > 0 {
                let _ = write!(text, " and {left} more");
            }
        }
        FormControl::Null => text.push_str("null"),
        FormControl::Object {
            fields,
            new_member,
            open,
            initial,
        } => {
            text.push_str(if *open { "object" } else { "closed object" });
            if initial != "{}" && !open {
                let _ = write!(text, " from {initial}");
            }
            push(&mut text, " +", new_member.as_deref());
            below = fields;
        }
        FormControl::List { items, new_item, next } => {
            text.push_str("list");
            push(&mut text, " +", new_item.as_deref());
            assert_eq!(*next, format!("{}/{}", node.path, items.len()));
            below = items;
        }
        FormControl::Json { reason } => {
            let _ = write!(text, "json ({})", json!(reason).as_str().unwrap());
        }
    }
    if node.required && !node.path.is_empty() {
        text.push_str(" *");
    }
    if !node.present {
        text.push_str(" absent");
    }
    if !node.known {
        text.push_str(" unknown");
    }
    if node.more_rules {
        text.push_str(" with more rules");
    }
    push(&mut text, " not fitting ", node.unfitting_json.as_deref());
    push(&mut text, " title ", node.title.as_deref());
    push(&mut text, " about ", node.description.as_deref());
    push(&mut text, " default ", node.default_json.as_deref());
    push(&mut text, " example ", node.example_json.as_deref());
    for hint in &node.hints {
        let _ = write!(text, " {} {}", hint.keyword, hint.value);
    }
    if !node.alternatives.is_empty() {
        let alternatives = node.alternatives.iter().enumerate().map(|(index, one)| {
            let mark = if node.chosen == Some(index) { "!" } else { "" };
            let shape = json!(one.shape);
            let label = one.label.as_ref().map(|label| format!(":{label}")).unwrap_or_default();
            format!("{mark}{}{label}", shape.as_str().unwrap())
        });
        let _ = write!(text, " of [{}]", alternatives.collect::<Vec<_>>().join(", "));
    }
    lines.push(text);
    for node in below {
        line(node, lines);
    }
}

fn push(text: &mut String, before: &str, value: Option<&str>) {
    if let Some(value) = value {
        let _ = write!(text, "{before}{value}");
    }
}
