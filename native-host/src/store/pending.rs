//! `pending.json`: a change of several files, written whole before any of them is touched. It holds what the files will
//! hold, secrets included, and is there only while the change is made.

use serde::{Deserialize, Serialize};

use super::data_file::DataFile;
use super::record::{self, Fault};

/// The file's name in the data directory.
pub(super) const PENDING: &str = "pending.json";

const KIND: &str = "toolgate.pendingChange";

/// What becomes of one file.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct FileChange {
    /// The file.
    pub(crate) file: DataFile,
    /// All that it will hold; none where it is removed.
    pub(crate) content: Option<String>,
}

impl FileChange {
    /// The file will hold this.
    pub(crate) const fn write(file: DataFile, content: String) -> Self {
        Self {
            file,
            content: Some(content),
        }
    }

    /// The file will be gone.
    pub(crate) const fn remove(file: DataFile) -> Self {
        Self { file, content: None }
    }
}

/// The record of a change.
pub(super) fn write(changes: &[FileChange]) -> Result<String, serde_json::Error> {
    let files = changes
        .iter()
        .map(|change| FileRecord {
            file: change.file.name(),
            content: change.content.clone(),
        })
        .collect();
    let mut text = serde_json::to_string_pretty(&Record {
        schema_version: record::SchemaVersion,
        kind: KIND.to_owned(),
        files,
    })?;
    text.push('\n');
    Ok(text)
}

/// The change that a record holds: all of it, or a fault.
pub(super) fn read(content: &[u8]) -> Result<Vec<FileChange>, Fault> {
    let text = record::text(content)?;
    if record::kind(text)? != KIND {
        return Err(Fault::KindUnknown(format!("kind must be {KIND:?}")));
    }
    let record: Record = record::read(text)?;
    let mut changes: Vec<FileChange> = Vec::with_capacity(record.files.len());
    for (index, FileRecord { file, content }) in record.files.into_iter().enumerate() {
        let file = DataFile::parse(&file)
            .ok_or_else(|| Fault::Invalid(format!("files[{index}].file is no file that a change can be about")))?;
        if changes.iter().any(|change| change.file == file) {
            return Err(Fault::Invalid(format!(
                "files[{index}].file stands there a second time"
            )));
        }
        changes.push(FileChange { file, content });
    }
    Ok(changes)
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Record {
    schema_version: record::SchemaVersion,
    kind: String,
    #[serde(deserialize_with = "crate::strict_json::objects")]
    files: Vec<FileRecord>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FileRecord {
    file: String,
    #[serde(deserialize_with = "Option::deserialize")]
    content: Option<String>,
}
