//! `cargo xtask supply`: what the project is built and tested with comes from the registries alone, under licences that are
//! allowed, and each crate once, except where `deny.toml` says why not.
//!
//! The lock files are checked here, which needs nothing to be installed. Where `cargo deny` is, it checks the same and what
//! else it knows. Known weaknesses need its database, and so the network: `cargo xtask supply --advisories`.

mod crates;
mod license;
mod npm;
mod policy;

use std::fs;

use anyhow::{Context, Result, bail};

use crate::process::{cargo, command, find, run, run_silent};
use crate::root::root;
use policy::Policy;

/// A workspace of Cargo.
struct Workspace {
    /// Its folder, with a `/` at the end where it is not the top one.
    folder: &'static str,
    /// Whether the crates of every platform are looked at, or only those of this one: the examples are built on Linux alone,
    /// and what Windows would need for them is large.
    every_platform: bool,
}

const WORKSPACES: [Workspace; 2] = [
    Workspace {
        folder: "",
        every_platform: true,
    },
    Workspace {
        folder: "examples/",
        every_platform: false,
    },
];

const NPM_LOCKS: [&str; 2] = ["package-lock.json", "tests/conformance/package-lock.json"];

/// Checks the lock files, and lets `cargo deny` check where it is installed.
pub(crate) fn check() -> Result<()> {
    let mut findings = Vec::new();
    for workspace in &WORKSPACES {
        let Workspace { folder, .. } = workspace;
        let policy = Policy::read(&read(&format!("{folder}deny.toml"))?);
        let found = crates::findings(&read(&format!("{folder}Cargo.lock"))?, &policy);
        let licenses = crates::license_findings(&crates::metadata(workspace)?, &policy.allow);
        for finding in found.into_iter().chain(licenses) {
            findings.push(format!("{folder}Cargo.lock: {finding}"));
        }
    }
    for lock in NPM_LOCKS {
        let found = npm::findings(&read(lock)?).with_context(|| format!("cannot read {lock}"))?;
        findings.extend(found.into_iter().map(|finding| format!("{lock}: {finding}")));
    }
    if !findings.is_empty() {
        bail!("{}", findings.join("\n"));
    }
    if find(&["cargo-deny"]).is_none() {
        eprintln!("xtask: the lock files are in order; cargo-deny, which checks more, is not installed");
        return Ok(());
    }
    for workspace in &WORKSPACES {
        run_silent(deny(workspace).args(["--hide-inclusion-graph", "bans", "licenses", "sources"]))?;
    }
    Ok(())
}

/// Asks the databases of known weaknesses, which only the network has.
pub(crate) fn advisories() -> Result<()> {
    if find(&["cargo-deny"]).is_none() {
        bail!("cargo-deny is needed: `cargo install --locked cargo-deny`");
    }
    for workspace in &WORKSPACES {
        run(deny(workspace).arg("advisories"))
            .context("a weakness is known, or the RustSec database could not be fetched; see above which")?;
    }
    for lock in NPM_LOCKS {
        let folder = root().join(lock);
        let mut audit = command(if cfg!(windows) { "npm.cmd" } else { "npm" });
        audit.arg("audit").current_dir(folder.parent().unwrap_or(&folder));
        run(&mut audit).with_context(|| {
            format!("{lock}: a weakness is known, or the registry answers no questions about them; see above which")
        })?;
    }
    Ok(())
}

fn deny(workspace: &Workspace) -> std::process::Command {
    let mut deny = cargo();
    let manifest = format!("{}Cargo.toml", workspace.folder);
    deny.args(["deny", "--locked", "--manifest-path", &manifest, "check"]);
    deny
}

fn read(path: &str) -> Result<String> {
    fs::read_to_string(root().join(path)).with_context(|| format!("cannot read {path}"))
}
