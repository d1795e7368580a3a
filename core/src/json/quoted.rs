//! For `#[serde(with = "…")]`: a [`JsonText`] carried as a string that holds the text, as the bridge and the page carry
//! JSON documents.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

use super::JsonText;

/// Writes the text as a string.
pub fn serialize<S: Serializer>(json: &JsonText, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(json.as_str())
}

/// Reads the text from a string; an error where it is no JSON.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<JsonText, D::Error> {
    let text = String::deserialize(deserializer)?;
    JsonText::parse(&text).map_err(D::Error::custom)
}

/// The same for what may be absent.
pub mod option {
    use serde::Serializer;

    use crate::json::JsonText;

    /// Writes the text as a string; use it with `skip_serializing_if = "Option::is_none"`.
    #[allow(clippy::ref_option, reason = "serde hands the field over as it is")]
    pub fn serialize<S: Serializer>(json: &Option<JsonText>, serializer: S) -> Result<S::Ok, S::Error> {
        match json {
            Some(json) => serializer.serialize_str(json.as_str()),
            None => serializer.serialize_none(),
        }
    }
}
