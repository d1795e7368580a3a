//! `settings.json`: what belongs to the data directory as a whole: the salt that keys revisions, and what was done once
//! and is not to be done again.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::record::{self, Fault};
use super::{Files, atomic};

const KIND: &str = "toolgate.settings";
const MAX_BYTES: u64 = 1024 * 1024;

/// The random salt of a data directory. Without it nobody can try out secrets against a revision.
#[derive(Clone)]
pub(super) struct Salt(Vec<u8>);

impl Salt {
    /// A new one.
    pub(super) fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = vec![0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// What the file holds.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) salt: Salt,
    /// The recommended server was offered (manager contract §4). Removing that server leaves this as it is.
    pub(super) recommended_offered: bool,
}

/// What the file holds; none where there is no file.
pub(super) fn read(files: &dyn Files, file: &Path) -> Result<Option<Settings>, Fault> {
    let content = match files.read(file, MAX_BYTES) {
        Ok(content) => content,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Fault::from_io(&error)),
    };
    let text = record::text(&content)?;
    if record::kind(text)? != KIND {
        return Err(Fault::KindUnknown(format!("kind must be {KIND:?}")));
    }
    let record: Record = record::read(text)?;
    let salt = from_hex(&record.salt)
        .filter(|salt| salt.len() >= 16)
        .ok_or_else(|| Fault::Invalid("salt must be at least 32 hexadecimal digits".to_owned()))?;
    Ok(Some(Settings {
        salt: Salt(salt),
        recommended_offered: record.recommended_offered,
    }))
}

/// Writes the file.
pub(super) fn write(files: &dyn Files, file: &Path, settings: &Settings) -> std::io::Result<()> {
    atomic::write(files, file, text(settings)?.as_bytes())
}

/// What the file is to hold.
pub(super) fn text(settings: &Settings) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(&Record {
        schema_version: record::SchemaVersion,
        kind: KIND.to_owned(),
        salt: to_hex(settings.salt.bytes()),
        recommended_offered: settings.recommended_offered,
    })?;
    text.push('\n');
    Ok(text)
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Record {
    schema_version: record::SchemaVersion,
    kind: String,
    salt: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    recommended_offered: bool,
}

/// Lowercase hexadecimal digits.
pub(super) fn to_hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text
        .chars()
        .map(|digit| digit.to_digit(16).and_then(|value| u8::try_from(value).ok()))
        .collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    rest.is_empty()
        .then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}
