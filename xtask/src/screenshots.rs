//! `cargo xtask screenshots`: pictures of every screen and dialog, taken by a script of the browser tests.

use std::ffi::OsString;

use anyhow::Result;

use crate::chromium::Chromium;
use crate::process::{command, run};
use crate::{build, npm};

/// Builds the product, then takes the pictures that the script's arguments ask for.
pub(crate) fn take(arguments: &[OsString]) -> Result<()> {
    npm::packages()?;
    let chromium = Chromium::find()?;
    build::all()?;
    run(command("node")
        .args(["--import", "tsx", "tests/browser/screenshots.ts"])
        .args(arguments)
        .env("TOOLGATE", build::program()?)
        .env("CHROMIUM", &chromium.browser))
}
