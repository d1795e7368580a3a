//! Partner ids.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::{Uuid, Variant, Version};

use crate::{Code, Diagnostic};

/// The id of a partner: a version 4 UUID in its canonical text, lowercase with hyphens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "string"))]
pub struct PartnerId(Uuid);

impl PartnerId {
    /// The id that this UUID is; `None` where it is not of version 4.
    pub fn from_uuid(uuid: Uuid) -> Option<Self> {
        (uuid.get_version() == Some(Version::Random) && uuid.get_variant() == Variant::RFC4122).then_some(Self(uuid))
    }

    /// Reads an id from its canonical text. Error: `mcp.partner_id_invalid`.
    pub fn parse(text: &str) -> Result<Self, Diagnostic> {
        Uuid::try_parse(text)
            .ok()
            .and_then(Self::from_uuid)
            .filter(|id| id.to_string() == text)
            .ok_or_else(|| {
                Diagnostic::new(
                    Code::PartnerIdInvalid,
                    "A partner id is a version 4 UUID in lowercase with hyphens, as partners.list gives it.",
                )
            })
    }
}

impl fmt::Display for PartnerId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_hyphenated().fmt(formatter)
    }
}

impl fmt::Debug for PartnerId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Serialize for PartnerId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PartnerId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}
