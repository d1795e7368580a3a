//! `checked-catalogs.txt`: what catalog files held when they had been checked in full. Compiling the schemas of 512 tools takes ten
//! times as long as reading them, and what was compiled once need not be compiled again at each start.
//!
//! A line is a keyed hash of a file's whole content, so that a file which was changed in any way, or comes from a Toolgate with
//! other rules, is checked again. The newest lines stay. That the file cannot be read or written costs time and nothing else.

use std::path::PathBuf;
use std::sync::PoisonError;

use sha2::{Digest, Sha256};

use super::settings::to_hex;
use super::{Files, Store, atomic};

/// The file's name in the data directory.
const CHECKED: &str = "checked-catalogs.txt";
const MAX_BYTES: u64 = 64 * 1024;
/// Twice as many as there are servers.
const MOST_LINES: usize = 100;
/// Another version may know more faults.
const RULES: &str = concat!("checked catalog 1, ", env!("CARGO_PKG_VERSION"), "\n");

/// Stands for the whole content of a catalog file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seal(String);

impl Store {
    /// The seal of a content.
    pub(super) fn seal(&self, content: &[u8]) -> Seal {
        let mut hash = Sha256::new();
        hash.update(self.salt.bytes());
        hash.update(RULES.as_bytes());
        hash.update(content);
        Seal(to_hex(&hash.finalize()))
    }

    /// Whether a catalog with this content was checked in full before.
    pub(crate) fn was_checked(&self, seal: &Seal) -> bool {
        self.seals().contains(seal)
    }

    /// Notes that a catalog with this content was checked in full.
    pub(crate) fn note_checked(&self, seal: &Seal) {
        // Whoever writes has read what others wrote; where one panicked the file is whole all the same.
        let _writing = self.checking.lock().unwrap_or_else(PoisonError::into_inner);
        let mut seals = self.seals();
        if seals.contains(seal) {
            return;
        }
        seals.push(seal.clone());
        let newest = seals.len().saturating_sub(MOST_LINES);
        let lines: String = seals.iter().skip(newest).flat_map(|seal| [&seal.0, "\n"]).collect();
        if let Err(error) = atomic::write(&self.files, &self.checked_file(), lines.as_bytes()) {
            tracing::debug!(error = %error.kind(), "{CHECKED} could not be written; catalogs are checked again");
        }
    }

    fn seals(&self) -> Vec<Seal> {
        let content = self.files.read(&self.checked_file(), MAX_BYTES).unwrap_or_default();
        let text = String::from_utf8(content).unwrap_or_default();
        text.lines().map(|line| Seal(line.to_owned())).collect()
    }

    fn checked_file(&self) -> PathBuf {
        self.data_dir.join(CHECKED)
    }
}
