//! The form for a tool's arguments, made from its input schema: what a page shows of each place of the arguments, and
//! how it is filled in.
//!
//! The arguments are JSON text, and that text is the only truth: a form is read from schema and text together, and what
//! a person does in it is an edit of the text ([`crate::json::set_at`], [`crate::json::remove_at`]). So nothing is lost
//! by going from one to the other: numbers as they are spelled, the order of keys, members that the schema does not
//! know. What is not in the text yet is shown, with its default, and is not sent before a person chooses it.
//!
//! A form never judges: it may be less than the schema (see [`FormNode::more_rules`]), and the check of the arguments
//! ([`crate::schema::check_arguments`]) only warns.

mod choose;
mod fields;
mod fit;
mod read;
mod shapes;
mod spec;
mod words;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::json;

#[cfg(feature = "schema")]
pub(crate) use spec::Schemas;

/// Alternatives that a person chose, by the JSON Pointer of their place.
pub type Choices = BTreeMap<String, usize>;

/// The places of a form, at most: a longer one ends in [`FormControl::Json`].
const MOST_NODES: usize = 1_000;
/// Levels of a form, at most.
const DEEPEST: usize = 48;
/// Levels that are opened below what is in the arguments, for what the schema requires.
const DEEPEST_UNFILLED: usize = 3;

/// One place of the arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, for the page to show"
)]
pub struct FormNode {
    /// The JSON Pointer of the place; empty for the whole.
    pub path: String,
    /// The member's key; none for the whole and for items of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The schema's title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The schema's description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The schema requires a value.
    pub required: bool,
    /// The arguments have a value.
    pub present: bool,
    /// The schema has an entry for the member, or is one that needs none.
    pub known: bool,
    /// The schema's default as JSON text. Only shown: nobody sends it but a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_json: Option<String>,
    /// The schema's first example as JSON text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example_json: Option<String>,
    /// Bounds and formats.
    pub hints: Vec<FormHint>,
    /// The schema has rules here that the form does not show, `not` for example.
    pub more_rules: bool,
    /// The ways to fill the place, where there are several.
    pub alternatives: Vec<FormAlternative>,
    /// Which of them `control` is for; none where the value fits none of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<usize>,
    /// How it is filled in.
    pub control: FormControl,
    /// The value as JSON text, shortened, where it is there and does not fit the control.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfitting_json: Option<String>,
}

/// How a place is filled in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub enum FormControl {
    /// A string.
    Text {
        /// What it stands for.
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// A number, which is text to the page: see [`number_or_text`].
    Number {
        /// Only whole numbers.
        integer: bool,
        /// As it is spelled. A string in its place is shown as what it stands for, and is `unfitting_json` too.
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// One of a few values.
    Options {
        /// The values.
        options: Vec<FormOption>,
        /// Which of them it is.
        #[serde(skip_serializing_if = "Option::is_none")]
        selected: Option<usize>,
        /// Values that are left out here, as there are too many.
        left: usize,
    },
    /// Nothing but `null`.
    Null,
    /// An object.
    Object {
        /// Its members: those of the schema in its order, then the others of the arguments.
        fields: Vec<FormNode>,
        /// What a member of another name begins with, as JSON text, where the schema has a place for such members.
        #[serde(skip_serializing_if = "Option::is_none")]
        new_member: Option<String>,
        /// Its fields are shown although there is no value yet, or there is one.
        open: bool,
        /// What it begins with, as JSON text.
        initial: String,
    },
    /// A list.
    List {
        /// Its items.
        items: Vec<FormNode>,
        /// What a further item begins with, as JSON text; none where the schema allows no further one.
        #[serde(skip_serializing_if = "Option::is_none")]
        new_item: Option<String>,
        /// Where a further item goes: its JSON Pointer.
        next: String,
    },
    /// Only as JSON.
    Json {
        /// Why.
        reason: JsonReason,
    },
}

/// Why a place is filled in as JSON only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum JsonReason {
    /// The schema is none that can be read here.
    Schema,
    /// The schema allows no value.
    Never,
    /// The value fits none of the alternatives, or holds what no field of text can.
    Value,
    /// The form is too long or too deep.
    Limit,
}

/// A value to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct FormOption {
    /// The value as JSON text.
    pub json: String,
    /// The schema's title for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// A way to fill a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct FormAlternative {
    /// The kind of value.
    pub shape: FormShape,
    /// What the schema calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// The kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum FormShape {
    /// A string.
    Text,
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// `null`.
    Null,
    /// An object.
    Object,
    /// A list.
    List,
    /// One of a few values.
    Options,
}

/// A bound or format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FormHint {
    /// The schema's keyword, `minimum` for example.
    pub keyword: String,
    /// Its value: a number as it is spelled, a text as it is.
    pub value: String,
}

/// A tool's input schema, ready for its form to be read.
#[derive(Clone, Debug)]
pub struct FormModel {
    /// None where the text is no JSON, or is nested too deeply to be read.
    schema: Option<Value>,
}

impl FormModel {
    /// Reads a schema. Any text gives a form; of what is no schema, one that says so.
    pub fn new(schema: &str) -> Self {
        Self {
            schema: serde_json::from_str(schema).ok(),
        }
    }

    /// The form for these arguments; `None` where their text is no JSON object. `choices` are the alternatives that the
    /// person chose, by JSON Pointer: they count where there is no value yet that says otherwise.
    ///
    /// Takes time in proportion to schema and arguments.
    pub fn read(&self, arguments: &str, choices: &Choices) -> Option<FormNode> {
        read::form(self.schema.as_ref(), arguments, choices)
    }

    /// The arguments after an alternative was chosen at a place of their form: what the present value has in common with
    /// it stays, constants are filled in. `None` where nothing can be chosen there.
    pub fn choose(&self, arguments: &str, choices: &Choices, path: &str, alternative: usize) -> Option<String> {
        choose::choose(self.schema.as_ref()?, arguments, choices, path, alternative)
    }
}

/// What a person wrote into a field for numbers, as JSON text: the number as it is spelled, and as a string what is no
/// number of JSON, so that nothing that was typed is lost; the check of the arguments warns of it.
pub fn number_or_text(text: &str) -> String {
    let text = text.trim();
    let is_number = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    if is_number && json::JsonText::parse(text).is_ok() {
        text.to_owned()
    } else {
        json::literal(text)
    }
}
