//! Reading JSON into our own types so that a mistake is named by its place and by what would be right, never by the
//! value that was found: that may be a secret.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use toolgate_core::json::Members;
use toolgate_core::server::{HttpConfig, StdioConfig};

/// What does not fit, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misfit {
    /// The field, such as `config.headers.X`; empty where it is the whole value.
    pub(crate) path: String,
    /// What is wrong with it, as the end of a sentence: `must be a string, not a number`.
    pub(crate) reason: String,
}

/// Reads a value of a type from JSON text. The text must be JSON already or the misfit says where it stops being so.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Misfit> {
    // Keeping account of the place costs as much as reading, and is of use where something does not fit.
    if let Ok(value) = serde_json::from_str(text) {
        return Ok(value);
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        Misfit {
            path: if path == "." { String::new() } else { path },
            reason: reason(error.inner()),
        }
    })?;
    deserializer.end().map_err(|error| Misfit {
        path: String::new(),
        reason: reason(&error),
    })?;
    Ok(value)
}

/// A member stands twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Twice;

/// A member's value, which may be null; none where it is not there. Whatever the other members are called, keys that are
/// no Unicode text included.
pub(crate) fn once<'a>(members: &Members<'a>, name: &str) -> Result<Option<&'a RawValue>, Twice> {
    let mut values = members
        .iter()
        .filter(|(other, _)| *other == name)
        .map(|(_, value)| value);
    let value = values.next();
    match values.next() {
        Some(_) => Err(Twice),
        None => Ok(value),
    }
}

/// Why the `config` of a bridge message does not fit, looked at under the transport it names: the general reader knows
/// no place inside a value whose form depends on one of its own fields.
pub(crate) fn config_misfit(config: &RawValue) -> Option<Misfit> {
    let within = |misfit: Misfit| Misfit {
        path: match misfit.path.as_str() {
            "" => "config".to_owned(),
            path => format!("config.{path}"),
        },
        ..misfit
    };
    let mut fields = match read::<BTreeMap<String, Box<RawValue>>>(config.get()) {
        Ok(fields) => fields,
        Err(misfit) => return Some(within(misfit)),
    };
    let transport = fields.remove("type")?;
    let rest = serde_json::to_string(&fields).ok()?;
    match transport.get() {
        r#""http""# => read::<HttpConfig>(&rest).err().map(within),
        r#""stdio""# => read::<StdioConfig>(&rest).err().map(within),
        _ => Some(Misfit {
            path: "config.type".to_owned(),
            reason: "must be \"http\" or \"stdio\"".to_owned(),
        }),
    }
}

/// A map whose keys stand once each; the last of several is never silently the one that counts.
pub(crate) fn unique_map<'de, D, V>(deserializer: D) -> Result<BTreeMap<String, V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    struct Entries<V>(PhantomData<V>);

    impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
        type Value = BTreeMap<String, V>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut entries = BTreeMap::new();
            while let Some((name, value)) = map.next_entry::<String, V>()? {
                if entries.insert(name, value).is_some() {
                    return Err(serde::de::Error::custom(NAME_TWICE));
                }
            }
            Ok(entries)
        }
    }

    deserializer.deserialize_map(Entries(PhantomData))
}

/// A value that stands as an object. What is derived for a struct would take an array of its fields in order too, which
/// is no form of ours.
pub(crate) fn object<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Fields<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
        type Value = T;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }

    deserializer.deserialize_map(Fields(PhantomData))
}

/// A value that is read by [`object`], inside of a list or map.
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        object(deserializer).map(Self)
    }
}

/// A list of such values.
pub(crate) fn objects<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let objects = Vec::<Object<T>>::deserialize(deserializer)?;
    Ok(objects.into_iter().map(|Object(value)| value).collect())
}

/// A map of such values, whose keys stand once each.
pub(crate) fn unique_map_of_objects<'de, D, T>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let objects = unique_map::<D, Object<T>>(deserializer)?;
    Ok(objects.into_iter().map(|(name, Object(value))| (name, value)).collect())
}

/// What [`unique_map`] and core's `NamedValues` say of a name that stands twice.
const NAME_TWICE: &str = "a name stands twice";

/// Turns serde's sentence into one without the value that was found.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    if error.is_syntax() || error.is_eof() {
        return format!(
            "is not JSON: it breaks off or goes wrong at line {} column {}",
            error.line(),
            error.column()
        );
    }
    if let Some(rest) = text.strip_prefix("missing field `") {
        return format!("lacks the field `{}`", rest.split('`').next().unwrap_or_default());
    }
    if let Some(rest) = text.strip_prefix("duplicate field `") {
        return format!("has the field `{}` twice", rest.split('`').next().unwrap_or_default());
    }
    if text.starts_with(NAME_TWICE) {
        return "has a name that stands twice".to_owned();
    }
    // What was expected is a text of ours; what was found stands before it and is left out.
    let expected = text
        .rsplit_once(", expected ")
        .map(|(_, expected)| expected.split(" at line ").next().unwrap_or(expected));
    match expected {
        Some(expected) if text.starts_with("unknown field") => {
            format!(
                "is not a known field; known are {}",
                expected.trim_start_matches("one of ")
            )
        }
        Some(expected) if text.starts_with("unknown variant") || text.starts_with("invalid ") => {
            format!("must be {}", in_words(expected))
        }
        _ => "does not have the form it must have".to_owned(),
    }
}

/// What was expected, where serde says it by the name of a type of ours or of the language.
fn in_words(expected: &str) -> &str {
    let begins = |beginning| expected.starts_with(beginning);
    if begins("struct ") || begins("internally tagged enum ") || expected == "a map" {
        "an object"
    } else if expected == "a sequence" {
        "a list"
    } else if ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize"].contains(&expected) {
        "a whole number"
    } else {
        expected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its form is asked for")]
    struct Form {
        name: String,
        #[serde(default, deserialize_with = "unique_map")]
        map: BTreeMap<String, bool>,
        #[serde(default)]
        inner: Option<Inner>,
        #[serde(default)]
        count: Option<u32>,
        #[serde(default)]
        list: Vec<bool>,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only its form is asked for")]
    struct Inner {
        a: bool,
    }

    fn misfit(text: &str, path: &str, reason: &str) {
        let expected = Misfit {
            path: path.to_owned(),
            reason: reason.to_owned(),
        };
        assert_eq!(read::<Form>(text).err(), Some(expected), "{text}");
    }

    #[test]
    fn what_does_not_fit_is_named_by_place_and_by_what_would_be_right() {
        misfit(r#"{"name":5}"#, "name", "must be a string");
        misfit(
            r#"{"name":"a","map":{"k":"secret, expected b"}}"#,
            "map.k",
            "must be a boolean",
        );
        misfit(
            r#"{"name":"a","map":{"k":true,"k":false}}"#,
            "map",
            "has a name that stands twice",
        );
        misfit(
            r#"{"name":"a","other":1}"#,
            "other",
            "is not a known field; known are `name`, `map`, `inner`, `count`, `list`",
        );
        misfit(r#"{"name":"a","inner":5}"#, "inner", "must be an object");
        misfit(r#"{"name":"a","inner":[]}"#, "inner", "must be an object");
        misfit(r#"{"name":"a","count":"5"}"#, "count", "must be a whole number");
        misfit(r#"{"name":"a","list":5}"#, "list", "must be a list");
        misfit("{}", "", "lacks the field `name`");
        misfit(r#"{"name":"a","name":"b"}"#, "", "has the field `name` twice");
        misfit(
            "{\n\"name\":x",
            "name",
            "is not JSON: it breaks off or goes wrong at line 2 column 8",
        );
        misfit(
            r#"{"name":"a"} 7"#,
            "",
            "is not JSON: it breaks off or goes wrong at line 1 column 14",
        );
        assert!(read::<Form>(r#" {"name":"a","map":{"k":true}} "#).is_ok());
    }
}
