//! Writing and removing files so that a crash at any point leaves the whole old file or the whole new one.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use super::Files;

const TEMPORARY_PREFIX: &str = ".toolgate-";
const TEMPORARY_SUFFIX: &str = ".tmp";

/// Puts a file in place: a temporary file in the same folder, flushed, then renamed, then the folder flushed. After an
/// error the old file is still there, or (where only the last flush failed) the new one.
pub(super) fn write(files: &dyn Files, file: &Path, content: &[u8]) -> io::Result<()> {
    let folder = file.parent().ok_or(io::ErrorKind::InvalidInput)?;
    files.create_folder(folder)?;
    let temporary = temporary_in(folder);
    let placed = files
        .create(&temporary, content)
        .and_then(|()| files.rename(&temporary, file));
    if let Err(error) = placed {
        // What cannot be removed now is swept at the next start.
        let _ = files.remove(&temporary);
        return Err(error);
    }
    files.sync_folder(folder)
}

/// Removes a file durably. Nothing where there is none.
pub(super) fn remove(files: &dyn Files, file: &Path) -> io::Result<()> {
    match files.remove(file) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    }
    match file.parent() {
        Some(folder) => files.sync_folder(folder),
        None => Ok(()),
    }
}

/// A name for a temporary file in a folder, which nothing has yet.
pub(super) fn temporary_in(folder: &Path) -> PathBuf {
    folder.join(temporary_name())
}

fn temporary_name() -> String {
    format!("{TEMPORARY_PREFIX}{}{TEMPORARY_SUFFIX}", uuid::Uuid::new_v4().simple())
}

/// Whether a name is one that temporary files are given here.
pub(super) fn is_temporary(name: &OsStr) -> bool {
    name.to_str()
        .and_then(|name| name.strip_prefix(TEMPORARY_PREFIX)?.strip_suffix(TEMPORARY_SUFFIX))
        .is_some_and(|middle| middle.len() == 32 && middle.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Removes the temporary files that a crash left in a folder.
pub(super) fn sweep(files: &dyn Files, folder: &Path) {
    let names = match files.list(folder) {
        Ok(names) => names,
        Err(error) => {
            tracing::warn!(folder = %folder.display(), %error, "cannot look for stray temporary files");
            return;
        }
    };
    for name in names.iter().filter(|name| is_temporary(name)) {
        if let Err(error) = files.remove(&folder.join(name)) {
            tracing::warn!(folder = %folder.display(), %error, "cannot remove a stray temporary file");
        }
    }
}
