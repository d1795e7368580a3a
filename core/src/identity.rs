//! Who is meant: registration ids, tool ids, native names, display names.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::{Uuid, Variant, Version};

use crate::{Code, Diagnostic, Limits};

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

/// The identity of a tool: `mcp/<registration id>:<native name>` (manager contract §3).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolId {
    registration_id: RegistrationId,
    native_name: String,
}

impl ToolId {
    const PREFIX: &str = "mcp/";

    /// The id of a server's tool. The name is taken verbatim; it comes from a catalog or was checked by
    /// [`check_tool_name`].
    pub const fn new(registration_id: RegistrationId, native_name: String) -> Self {
        Self {
            registration_id,
            native_name,
        }
    }

    /// Reads an id from its text. Everything after the first `:` is the native name, whatever it holds.
    pub fn parse(text: &str, limits: &Limits) -> Result<Self, Diagnostic> {
        let (registration_id, native_name) = text
            .strip_prefix(Self::PREFIX)
            .and_then(|rest| rest.split_once(':'))
            .ok_or_else(|| {
                Diagnostic::new(
                    Code::ToolIdInvalid,
                    "A tool id is mcp/, the registration id, a colon and the tool's name.",
                )
            })?;
        let registration_id = RegistrationId::parse(registration_id)?;
        check_tool_name(native_name, limits)?;
        Ok(Self::new(registration_id, native_name.to_owned()))
    }

    /// The server.
    pub const fn registration_id(&self) -> RegistrationId {
        self.registration_id
    }

    /// The tool's name at its server, verbatim.
    pub fn native_name(&self) -> &str {
        &self.native_name
    }
}

/// Checks a tool's native name: 1 to 256 UTF-8 bytes of anything; it is never trimmed or normalised.
pub fn check_tool_name(name: &str, limits: &Limits) -> Result<(), Diagnostic> {
    if name.is_empty() {
        return Err(Diagnostic::new(
            Code::ToolNameEmpty,
            "The tool's name is empty; take the name from its server's list of tools.",
        ));
    }
    if name.len() > limits.tool_name_bytes {
        return Err(Diagnostic::new(
            Code::ToolNameTooLong,
            format!(
                "The tool's name is {} UTF-8 bytes long; at most {} are allowed.",
                name.len(),
                limits.tool_name_bytes
            ),
        ));
    }
    Ok(())
}

/// The display name as it is stored: trimmed, each run of Unicode white space one space, 1 to 128 characters (Unicode
/// scalar values).
pub fn normalize_display_name(name: &str, limits: &Limits) -> Result<String, Diagnostic> {
    let mut normalized = String::with_capacity(name.len());
    for word in name.split_whitespace() {
        if !normalized.is_empty() {
            normalized.push(' ');
        }
        normalized.push_str(word);
    }
    let length = normalized.chars().count();
    if length == 0 {
        return Err(Diagnostic::new(
            Code::DisplayNameEmpty,
            "The name is empty; give the server a name you will know it by.",
        ));
    }
    if length > limits.display_name_chars {
        return Err(Diagnostic::new(
            Code::DisplayNameTooLong,
            format!(
                "The name is {length} characters long; at most {} are allowed.",
                limits.display_name_chars
            ),
        ));
    }
    Ok(normalized)
}

impl fmt::Display for ToolId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}{}:{}",
            Self::PREFIX,
            self.registration_id,
            self.native_name
        )
    }
}

impl fmt::Debug for ToolId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
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
