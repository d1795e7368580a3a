//! The npm packages of a lock file.

use std::fs;

use anyhow::{Context, Result};

use crate::process::{command, run_silent};
use crate::root::root;
use crate::stamp;
use crate::step::{Done, step};

/// For the MCP Inspector, which names an optional package that no registry has: `npm ci` refuses its lock file.
const AS_LOCKED: &[&str] = &["install", "--no-save"];

/// Installs the packages of the workspace where they are missing or of another lock file.
pub(crate) fn packages() -> Result<()> {
    install("npm packages", ".", &["ci"])
}

/// Installs the packages of the conformance suite, which are the workspace's business only where it runs.
pub(crate) fn conformance_packages() -> Result<()> {
    install("npm packages of the conformance suite", "tests/conformance", &["ci"])
}

/// Installs the clients that Toolgate is measured beside, and that the odd servers are tried with.
pub(crate) fn peers() -> Result<()> {
    install("npm packages of other clients", "bench/peers", AS_LOCKED)
}

fn install(name: &str, folder: &str, verb: &[&str]) -> Result<()> {
    step(name, || {
        let folder = root().join(folder);
        let lock = folder.join("package-lock.json");
        let lock = fs::read(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
        let stamp = folder.join("node_modules/.xtask-stamp");
        let wanted = stamp::of_bytes(&[&lock]);
        if stamp::is(&stamp, &wanted) {
            return Ok(Done::Already);
        }
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        let mut install = command(npm);
        install
            .args(verb)
            .args(["--no-audit", "--no-fund"])
            .current_dir(&folder);
        run_silent(&mut install).context("cannot install the npm packages; Node 20 or newer with npm is needed")?;
        stamp::set(&stamp, &wanted)?;
        Ok(Done::Now)
    })
}
