//! JSON as text: documents of servers and models are carried as the text they came in, so that no number, key order
//! or string is ever changed on the way.
//!
//! Nothing here recurses: documents nested a hundred thousand levels deep are read like others, on the small stack of
//! a WebAssembly module too. Where a key stands twice in an object the last one counts, as in every common reader.

mod compact;
mod document;
mod edit;
mod equal;
mod literal;
mod pretty;
pub mod quoted;
mod split;
mod tokens;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

pub use compact::compact;
pub(crate) use document::{Document, Id, Kind, pointer_to, steps};
pub use edit::{literal, place_of, remove_at, set_at, value_at};
pub use equal::equal;
pub use literal::string_lossy;
pub(crate) use literal::{Unit, units};
pub use pretty::pretty;
pub use split::{Members, items, members, string};
pub(crate) use tokens::Tokens;

/// One JSON value as text, without white space between its tokens; numbers and strings are spelled as they came.
///
/// Inside a type that is read from or written to JSON *text* with `serde_json` it is the value itself, not a string.
/// It cannot be read from a `serde_json::Value`, nor inside tagged, untagged or flattened types.
///
/// Clones share the text: what is offered to models of a catalog takes the memory of its schemas once.
#[derive(Clone)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "string"))]
pub struct JsonText(Arc<RawValue>);

impl JsonText {
    /// Reads one JSON value (RFC 8259), which may have white space around it, and drops the white space between its
    /// tokens. The error says in which line the first fault is (and about at which column), and holds
    /// nothing of the text.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str::<&RawValue>(text).map(Self::from_raw)
    }

    /// The same for a value that is known to be JSON.
    pub fn from_raw(raw: &RawValue) -> Self {
        Self(without_space(raw).unwrap_or_else(|| raw.to_owned()).into())
    }

    /// `{}`.
    pub fn empty_object() -> Self {
        // The text is JSON, so `null` is never taken.
        Self::from_raw(serde_json::from_str("{}").unwrap_or(RawValue::NULL))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// Writes the text as a JSON *string*, as what goes to pages carries it. For `#[serde(serialize_with)]`.
    pub(crate) fn as_string<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }

    /// The value as it is passed to `serde_json`.
    pub fn as_raw(&self) -> &RawValue {
        &self.0
    }
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_raw().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self(without_space(&raw).unwrap_or(raw).into()))
    }
}

/// The value without white space between its tokens; none where it has none.
fn without_space(raw: &RawValue) -> Option<Box<RawValue>> {
    match compact(raw.get()) {
        Cow::Borrowed(_) => None,
        // It is JSON still; were it not, the text as it came would be right too.
        Cow::Owned(compact) => RawValue::from_string(compact).ok(),
    }
}

impl fmt::Debug for JsonText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl PartialEq for JsonText {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.as_str() == other.as_str()
    }
}

impl Eq for JsonText {}
