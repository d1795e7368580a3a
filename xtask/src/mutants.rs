//! `cargo xtask mutants`: are core's rules tested? `cargo mutants` changes them one place at a time, and a change that no
//! test notices is a rule that nothing holds to. `docs/testing.md` says what was found, and what is left on purpose.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::process::{cargo, find, typed};
use crate::root::target;

/// A group of core's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Area {
    /// Reading a pasted server, and files of other clients.
    Import,
    /// What a raw list of tools holds.
    Catalog,
    /// What a person sees of a catalog.
    Projection,
    /// The names models call tools by.
    Aliases,
    /// Secrets behind placeholders, and back.
    Placeholders,
}

impl Area {
    /// Its files in core/src.
    fn files(self) -> &'static [&'static str] {
        match self {
            Self::Import => &["import.rs", "import/**"],
            Self::Catalog => &["catalog.rs", "catalog/**"],
            Self::Projection => &["projection.rs"],
            Self::Aliases => &["alias.rs"],
            Self::Placeholders => &["mask.rs", "named_values.rs"],
        }
    }
}

/// Changes that no test noticed.
const MISSED: i32 = 2;
/// Changes with which the tests did not end: noticed, too.
const ENDLESS: i32 = 3;

/// Tries the areas, or all; of their changes only a part where one is given (`K/N`: every N-th from the K-th on, counted
/// from 0).
pub(crate) fn try_out(areas: &[Area], shard: Option<&str>) -> Result<()> {
    if find(&["cargo-mutants"]).is_none() {
        bail!("cargo-mutants is needed: `cargo install --locked cargo-mutants`");
    }
    let areas = if areas.is_empty() {
        Area::value_variants()
    } else {
        areas
    };
    let folder = target()?.join("xtask/mutants");
    let found = folder.join("mutants.out");
    if found.exists() {
        fs::remove_dir_all(&found).with_context(|| format!("cannot remove {}", found.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let run = |more: &[&str], tests: &[&str]| -> Result<i32> {
        let mut mutants = mutants(areas, shard, &folder);
        mutants.args(more).args(["--", "--locked"]).args(tests);
        let status = mutants
            .status()
            .with_context(|| format!("cannot start `{}`", typed(&mutants)))?;
        Ok(status.code().unwrap_or_default())
    };
    // The vectors notice most changes, and are compiled soonest; the other tests try what they left.
    let mut came_of = run(&[], &["--test", "vectors"])?;
    if came_of == MISSED {
        came_of = run(&["--iterate"], &["--lib", "--tests"])?;
    }
    match came_of {
        0 | ENDLESS => Ok(()),
        MISSED => bail!(
            "there are changes that no test notices: {}",
            found.join("missed.txt").display()
        ),
        code => bail!("`cargo mutants` ended with {code}; its logs are in {}", found.display()),
    }
}

fn mutants(areas: &[Area], shard: Option<&str>, folder: &Path) -> Command {
    let mut mutants = cargo();
    mutants.args([
        "mutants",
        "--package",
        "toolgate-core",
        "--no-shuffle",
        "--jobs",
        "1",
        "--output",
    ]);
    mutants.arg(folder);
    if let Some(shard) = shard {
        mutants.args(["--sharding", "round-robin", "--shard", shard]);
    }
    for file in areas.iter().flat_map(|area| area.files()) {
        mutants.arg("--file").arg(format!("core/src/{file}"));
    }
    // A folder of its own, where what core needs stays compiled; nothing in it is debugged.
    mutants.env("CARGO_TARGET_DIR", folder.join("target"));
    for profile in ["DEV", "TEST"] {
        mutants.env(format!("CARGO_PROFILE_{profile}_DEBUG"), "none");
    }
    mutants
}
