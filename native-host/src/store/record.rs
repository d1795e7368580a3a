//! What the store's records have in common: a schema version, a kind, and a form in which nothing unknown is passed
//! over.

use std::io;

use serde::de::{DeserializeOwned, Error, IgnoredAny, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use toolgate_core::Diagnostic;

use crate::strict_json::{self, Misfit};

/// The schema version of every record, as it is spelled.
const VERSION: &str = "1";

/// Why a file is no record. The texts say what is wrong without the values that were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The file could not be read.
    Unreadable(String),
    /// The content is torn, or has not the form of its kind.
    Invalid(String),
    /// The record is of another kind.
    KindUnknown(String),
    /// The record is of another schema version.
    SchemaUnknown(String),
    /// The record is about another server than the file's name says.
    IdMismatch(String),
    /// What is kept apart from the record is not there.
    CredentialsMissing(String),
    /// What is kept apart from the record cannot be used.
    CredentialsUnreadable(String),
    /// The system's keyring does not give the key.
    KeyringUnavailable(String),
}

impl Fault {
    /// What is wrong, as a sentence.
    pub(super) fn sentence(&self) -> String {
        let (Self::Unreadable(text)
        | Self::Invalid(text)
        | Self::KindUnknown(text)
        | Self::SchemaUnknown(text)
        | Self::IdMismatch(text)
        | Self::CredentialsMissing(text)
        | Self::CredentialsUnreadable(text)
        | Self::KeyringUnavailable(text)) = self;
        format!("{text}.")
    }

    /// The fault that a failed read is.
    pub(super) fn from_io(error: &io::Error) -> Self {
        Self::Unreadable(match error.kind() {
            io::ErrorKind::InvalidInput => "it is not a regular file".to_owned(),
            io::ErrorKind::FileTooLarge => "it is larger than such a file can be".to_owned(),
            kind => format!("it could not be read ({kind})"),
        })
    }
}

impl From<Misfit> for Fault {
    fn from(Misfit { path, reason }: Misfit) -> Self {
        Self::Invalid(match path.as_str() {
            "" => format!("it {reason}"),
            path => format!("{path} {reason}"),
        })
    }
}

/// The fault of content that has the form of its kind but breaks one of the domain's rules.
pub(super) fn invalid(diagnostic: &Diagnostic) -> Fault {
    let place = diagnostic
        .path
        .as_deref()
        .map(|path| format!("{path}: "))
        .unwrap_or_default();
    Fault::Invalid(format!("{place}{}", diagnostic.message.trim_end_matches('.')))
}

/// The text of a file.
pub(super) fn text(content: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(content).map_err(|_| Fault::Invalid("it is not UTF-8 text".to_owned()))
}

/// The kind of the record that a text is, once its schema version is known to be ours.
pub(super) fn kind(text: &str) -> Result<String, Fault> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Header<'a> {
        #[serde(borrow)]
        schema_version: &'a RawValue,
        kind: String,
    }
    // An array of the fields in order would do for the reader.
    let is_object = text.trim_start().starts_with('{');
    let header: Option<Header<'_>> = serde_json::from_str(text).ok().filter(|_| is_object);
    let Some(header) = header else {
        // A torn file is called torn whatever its beginning says.
        let _: IgnoredAny = strict_json::read(text)?;
        let reason = if is_object {
            "it lacks schemaVersion or kind, or has one of them twice"
        } else {
            "it is not a JSON object"
        };
        return Err(Fault::Invalid(reason.to_owned()));
    };
    if header.schema_version.get() != VERSION {
        return Err(Fault::SchemaUnknown("schemaVersion must be 1".to_owned()));
    }
    Ok(header.kind)
}

/// Reads a record of a known kind.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    Ok(strict_json::read(text)?)
}

/// The schema version of every record: 1.
pub(super) struct SchemaVersion;

impl Serialize for SchemaVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(1)
    }
}

impl<'de> Deserialize<'de> for SchemaVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let version = Box::<RawValue>::deserialize(deserializer)?;
        if version.get() != VERSION {
            return Err(Error::invalid_value(Unexpected::Other("another version"), &VERSION));
        }
        Ok(Self)
    }
}
