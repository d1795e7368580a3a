//! Where things are in the repository.

use std::path::{Path, PathBuf};

/// The repository's top folder.
pub(crate) fn root() -> PathBuf {
    // Cargo sets the variable for `cargo run`; the path at compile time covers a start by hand.
    let manifest =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    manifest.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}
