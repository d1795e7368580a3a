//! Objects and arrays taken apart into the raw text of what they hold, so that an odd value inside costs only itself.

use std::borrow::Cow;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// The members of a JSON object in order, their values still text.
#[derive(Debug)]
pub struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    /// The value of a member; where the key stands twice, the last one.
    pub fn get(&self, key: &str) -> Option<&'a RawValue> {
        self.0.iter().rev().find(|(other, _)| other == key).map(|(_, raw)| *raw)
    }

    /// Keys and values in order, as often as they stand there.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(key, raw)| (key.as_ref(), *raw))
    }
}

/// Takes an object apart; `None` where the text is no JSON object. A member whose key is no Unicode text (a lone
/// surrogate) can be asked for by nobody and is left out.
pub fn members(text: &str) -> Option<Members<'_>> {
    let entries: Entries<'_> = serde_json::from_str(text).ok()?;
    let entries = entries.0.into_iter();
    Some(Members(
        entries
            .filter_map(|(key, raw)| decode(key.get()).map(|key| (key, raw)))
            .collect(),
    ))
}

/// Takes an array apart; `None` where the text is no JSON array.
pub fn items(text: &str) -> Option<Vec<&RawValue>> {
    serde_json::from_str(text).ok()
}

/// The text that a JSON string stands for; `None` where it is no string, or no Unicode text (a lone surrogate).
pub fn string(raw: &RawValue) -> Option<String> {
    decode(raw.get()).map(Cow::into_owned)
}

pub(super) fn decode(literal: &str) -> Option<Cow<'_, str>> {
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        serde_json::from_str(literal).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

struct Entries<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;

        impl<'de> Visitor<'de> for Pairs {
            type Value = Entries<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(Pairs)
    }
}
