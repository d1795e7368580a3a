//! Stamps: what a step was made from, kept beside its result, so that it runs again only when its input has changed.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

/// The stamp of these contents, in this order.
pub(crate) fn of_bytes(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    let mut stamp = String::new();
    for byte in hash.finalize() {
        // Writing to a string does not fail.
        let _ = write!(stamp, "{byte:02x}");
    }
    stamp
}

/// The stamp of files: their names and contents.
pub(crate) fn of_files(files: &[PathBuf]) -> Result<String> {
    let mut parts = Vec::new();
    for file in files {
        parts.push(file.to_string_lossy().into_owned().into_bytes());
        parts.push(fs::read(file).with_context(|| format!("cannot read {}", file.display()))?);
    }
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    Ok(of_bytes(&parts))
}

/// Whether the stamp at this path is this one.
pub(crate) fn is(path: &Path, stamp: &str) -> bool {
    fs::read_to_string(path).is_ok_and(|found| found == stamp)
}

/// Writes a stamp.
pub(crate) fn set(path: &Path, stamp: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, stamp).with_context(|| format!("cannot write {}", path.display()))
}

/// Every file below a folder, sorted, but for folders of these names.
pub(crate) fn files_below(folder: &Path, except: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    collect(folder, except, &mut files)?;
    files.sort();
    Ok(files)
}

fn collect(folder: &Path, except: &[&str], files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            if !except.iter().any(|name| entry.file_name() == *name) {
                collect(&entry.path(), except, files)?;
            }
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_tells_where_one_part_ends() {
        assert_ne!(of_bytes(&[b"ab", b"c"]), of_bytes(&[b"a", b"bc"]));
        assert_eq!(of_bytes(&[b"ab", b"c"]), of_bytes(&[b"ab", b"c"]));
    }
}
