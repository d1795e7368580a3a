//! What odd servers may cost: `cargo xtask bounds` meets all of them and writes docs/bounds.md; a part of them is a kind of
//! test.

use std::ffi::OsString;
use std::process::Command;

use anyhow::Result;

use crate::process::{cargo, command, quiet, run};
use crate::root::built;
use crate::step::{Done, step};
use crate::{build, npm};

const KIT: &str = "toolgate-testkit";

/// Measures the servers with these names, or all; the table is written of all.
pub(crate) fn measure(names: &[OsString]) -> Result<()> {
    set_up()?;
    let mut node = command("node");
    node.args(["--import", "tsx", "tests/bounds/run.ts"]).args(names);
    run(with_programs(&mut node)?)
}

/// Builds what is measured, and what measures it.
pub(crate) fn set_up() -> Result<()> {
    npm::packages()?;
    step("odd servers", || {
        run(cargo().args(["build", "-p", KIT]).args(quiet()))?;
        Ok(Done::Now)
    })?;
    build::all()
}

/// Says where the programs are.
pub(crate) fn with_programs(node: &mut Command) -> Result<&mut Command> {
    Ok(node
        .env("TOOLGATE", build::program()?)
        .env("TESTKIT", built("debug", KIT)?))
}
