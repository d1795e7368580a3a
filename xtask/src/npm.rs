//! The npm packages of the lock file.

use std::fs;

use anyhow::{Context, Result};

use crate::process::{command, run_silent};
use crate::root::root;
use crate::stamp;
use crate::step::{Done, step};

/// Installs the packages where they are missing or of another lock file.
pub(crate) fn packages() -> Result<()> {
    step("npm packages", || {
        let lock = fs::read(root().join("package-lock.json")).context("cannot read package-lock.json")?;
        let stamp = root().join("node_modules/.xtask-stamp");
        let wanted = stamp::of_bytes(&[&lock]);
        if stamp::is(&stamp, &wanted) {
            return Ok(Done::Already);
        }
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        run_silent(command(npm).args(["ci", "--no-audit", "--no-fund"]))
            .context("cannot install the npm packages; Node 20 or newer with npm is needed")?;
        stamp::set(&stamp, &wanted)?;
        Ok(Done::Now)
    })
}
