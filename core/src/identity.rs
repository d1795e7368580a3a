//! Who is meant: registration ids, tool ids, native names, display names.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::{Uuid, Variant, Version};

use crate::{Code, Diagnostic};

/// The id of a registered server: a version 4 UUID in its canonical text, lowercase with hyphens (manager contract §3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "string"))]
pub struct RegistrationId(Uuid);

impl RegistrationId {
    /// The id that this UUID is; `None` where it is not of version 4.
    pub fn from_uuid(uuid: Uuid) -> Option<Self> {
        (uuid.get_version() == Some(Version::Random) && uuid.get_variant() == Variant::RFC4122).then_some(Self(uuid))
    }

    /// Reads an id from its canonical text.
    pub fn parse(text: &str) -> Result<Self, Diagnostic> {
        let invalid = || {
            Diagnostic::new(
                Code::RegistrationIdInvalid,
                "A registration id is a version 4 UUID such as 8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a.",
            )
        };
        let id = Uuid::try_parse(text)
            .ok()
            .and_then(Self::from_uuid)
            .ok_or_else(invalid)?;
        if id.to_string() == text {
            Ok(id)
        } else {
            Err(Diagnostic::new(
                Code::RegistrationIdNoncanonical,
                format!("Write the registration id in lowercase with hyphens: {id}."),
            ))
        }
    }
}

impl fmt::Display for RegistrationId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_hyphenated().fmt(formatter)
    }
}

impl fmt::Debug for RegistrationId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Serialize for RegistrationId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RegistrationId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}
