//! Headers and environment variables: names and values in the order they were given.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Names with their values, in order. Names may differ only by case, but no name stands twice. Written as a JSON
/// object. Equality does not ask for the order. Values are secrets: `Debug` shows names only.
#[derive(Clone, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "Record<string, string>"))]
pub struct NamedValues(Vec<(String, String)>);

impl NamedValues {
    /// None.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds one at the end; `false`, with nothing changed, where the name is there already.
    #[must_use]
    pub fn insert(&mut self, name: String, value: String) -> bool {
        if self.get(&name).is_some() {
            return false;
        }
        self.0.push((name, value));
        true
    }

    /// These, in this order; where a name stands twice, the error is that name.
    pub fn from_pairs(pairs: Vec<(String, String)>) -> Result<Self, String> {
        let mut names = BTreeSet::new();
        let doubled = pairs.iter().find(|(name, _)| !names.insert(name.as_str()));
        match doubled {
            Some((name, _)) => Err(name.clone()),
            None => Ok(Self(pairs)),
        }
    }

    /// The value of a name (case matters).
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(other, _)| *other == name).map(|(_, value)| value)
    }

    /// Names and values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Values by name. One after the other: collecting sorts first, and that code is what a page would load it for.
    pub(crate) fn by_name(&self) -> BTreeMap<&str, &str> {
        let mut values = BTreeMap::new();
        values.extend(self.iter());
        values
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl PartialEq for NamedValues {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.by_name() == other.by_name()
    }
}

impl Eq for NamedValues {}

impl fmt::Debug for NamedValues {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_set()
            .entries(self.iter().map(|(name, _)| name))
            .finish()
    }
}

impl Serialize for NamedValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for NamedValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;

        impl<'de> Visitor<'de> for Pairs {
            type Value = NamedValues;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object whose values are strings")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<NamedValues, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry::<String, String>()? {
                    pairs.push(pair);
                }
                NamedValues::from_pairs(pairs).map_err(|_| serde::de::Error::custom("a name stands twice"))
            }
        }

        deserializer.deserialize_map(Pairs)
    }
}
