//! Descriptions of properties put into the text of a schema, with every other byte of it left as it is.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::value::RawValue;

use crate::json::{self, JsonText};

/// A schema with descriptions put in.
pub(super) struct Described<'a> {
    pub(super) schema: JsonText,
    /// What became of each description.
    pub(super) fates: Vec<(&'a str, Description)>,
}

/// What became of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Description {
    Written,
    /// The schema's root has no such property.
    NoProperty,
    /// The property's schema is no object.
    NoPlace,
}

/// Puts descriptions of properties into the `properties` of a schema's root. Where a key stands twice, its last value is
/// the one that counts, and is described.
pub(super) fn describe<'a>(schema: &JsonText, descriptions: &'a BTreeMap<String, String>) -> Described<'a> {
    let text = schema.as_str();
    let root = json::members(text);
    let properties = root
        .as_ref()
        .and_then(|root| root.get("properties"))
        .and_then(|properties| json::members(properties.get()));
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let fates = descriptions
        .iter()
        .map(|(property, description)| {
            let fate = match properties.as_ref().and_then(|properties| properties.get(property)) {
                None => Description::NoProperty,
                Some(property) => match edit(text, property, description) {
                    None => Description::NoPlace,
                    Some(edit) => {
                        edits.push(edit);
                        Description::Written
                    }
                },
            };
            (property.as_str(), fate)
        })
        .collect();
    edits.sort_by_key(|(range, _)| range.start);
    Described {
        schema: edited(schema, &edits),
        fates,
    }
}

/// What to replace in the text so that the property has the description; `None` where its schema is no object.
fn edit(text: &str, property: &RawValue, description: &str) -> Option<(Range<usize>, String)> {
    let members = json::members(property.get())?;
    let literal = serde_json::Value::from(description).to_string();
    if let Some(present) = members.get("description") {
        return Some((range_within(text, present.get())?, literal));
    }
    // Before the closing brace.
    let end = range_within(text, property.get())?.end.checked_sub(1)?;
    let comma = if property.get() == "{}" { "" } else { "," };
    Some((end..end, format!("{comma}\"description\":{literal}")))
}

/// Where a part of a text stands in it.
fn range_within(text: &str, part: &str) -> Option<Range<usize>> {
    let start = part.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    let end = start.checked_add(part.len())?;
    (text.get(start..end) == Some(part)).then_some(start..end)
}

fn edited(schema: &JsonText, edits: &[(Range<usize>, String)]) -> JsonText {
    let text = schema.as_str();
    let mut edited = String::with_capacity(text.len());
    let mut done = 0;
    for (range, replacement) in edits {
        edited.push_str(text.get(done..range.start).unwrap_or_default());
        edited.push_str(replacement);
        done = range.end;
    }
    edited.push_str(text.get(done..).unwrap_or_default());
    // JSON with JSON in place of values is JSON.
    JsonText::parse(&edited).unwrap_or_else(|_| schema.clone())
}
