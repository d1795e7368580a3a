//! A change that is decided and not made in all files: what the files hold, to whoever reads meanwhile.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::pending::FileChange;

/// A decided change that is not made in all files.
pub(super) struct Unfinished {
    contents: BTreeMap<PathBuf, Option<String>>,
    /// Which file could not be changed, and why.
    pub(super) why: String,
}

impl Unfinished {
    pub(super) fn new(changes: &[FileChange], data_dir: &Path, why: String) -> Self {
        let contents = changes
            .iter()
            .map(|change| (change.file.path(data_dir), change.content.clone()))
            .collect();
        Self { contents, why }
    }

    /// Adds to the names in a folder those that the change makes, and takes away those that it removes.
    pub(super) fn list(&self, folder: &Path, names: &mut Vec<OsString>) {
        for (path, content) in &self.contents {
            let Some(name) = path.file_name().filter(|_| path.parent() == Some(folder)) else {
                continue;
            };
            names.retain(|other| other != name);
            if content.is_some() {
                names.push(name.to_owned());
            }
        }
    }

    /// What a file holds once the change is made; none where the change is not about it.
    pub(super) fn read(&self, file: &Path, max_bytes: u64) -> Option<io::Result<Vec<u8>>> {
        let content = self.contents.get(file)?;
        Some(match content {
            None => Err(io::ErrorKind::NotFound.into()),
            Some(content) if u64::try_from(content.len()).is_ok_and(|length| length > max_bytes) => {
                Err(io::ErrorKind::FileTooLarge.into())
            }
            Some(content) => Ok(content.as_bytes().to_vec()),
        })
    }
}
