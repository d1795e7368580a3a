//! Where things are in the repository.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process::{cargo, output};

/// The repository's top folder.
pub(crate) fn root() -> PathBuf {
    // Cargo sets the variable for `cargo xtask`; the path at compile time covers a start by hand.
    let manifest =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    manifest.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Cargo's target folder, wherever its configuration puts it.
pub(crate) fn target() -> Result<&'static Path> {
    static TARGET: OnceLock<PathBuf> = OnceLock::new();
    if let Some(target) = TARGET.get() {
        return Ok(target);
    }
    let metadata = output(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let target = metadata
        .get("target_directory")
        .and_then(Value::as_str)
        .context("`cargo metadata` names no target directory")?;
    Ok(TARGET.get_or_init(|| target.into()))
}

/// A program that Cargo has built, by its name without the system's suffix.
pub(crate) fn built(profile: &str, name: &str) -> Result<PathBuf> {
    Ok(target()?
        .join(profile)
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
}
