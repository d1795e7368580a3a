//! Reading a type from a JSON object and from nothing else. What serde derives reads a list of the fields' values as
//! well, and a map whose keys stand twice; neither is meant by anyone who writes it.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Reads a value from an object; the error on anything else says that `expected` belongs there.
pub(crate) fn read<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
    expected: &'static str,
) -> Result<T, D::Error> {
    struct Object<T>(&'static str, PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
        type Value = T;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str(self.0)
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }

    deserializer.deserialize_map(Object(expected, PhantomData))
}

/// Reads texts by name, each name once.
pub(crate) fn texts_by_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    struct Texts;

    impl<'de> Visitor<'de> for Texts {
        type Value = BTreeMap<String, String>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an object whose values are strings")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut texts = BTreeMap::new();
            while let Some((name, text)) = map.next_entry()? {
                if texts.insert(name, text).is_some() {
                    return Err(A::Error::custom("a name stands twice"));
                }
            }
            Ok(texts)
        }
    }

    deserializer.deserialize_map(Texts)
}
