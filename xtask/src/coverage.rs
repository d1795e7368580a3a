//! `cargo xtask coverage`: which lines of core and host Rust's tests run through. `docs/testing.md` says what came of it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{cargo, command, find, output, run};
use crate::root::target;
use crate::toolchain;

/// Runs the tests of core and host, and prints for each file how many of its lines were run; `missing` names the others.
pub(crate) fn measure(missing: bool) -> Result<()> {
    if find(&["cargo-llvm-cov"]).is_none() {
        bail!("cargo-llvm-cov is needed: `cargo install --locked cargo-llvm-cov`");
    }
    let tools = tools()?;
    let coverage = || -> Result<Command> {
        let mut coverage = cargo();
        coverage.arg("llvm-cov");
        if let Some([cov, profdata]) = &tools {
            coverage.env("LLVM_COV", cov).env("LLVM_PROFDATA", profdata);
        }
        coverage.env("CARGO_TARGET_DIR", target()?.join("xtask/coverage"));
        for profile in ["DEV", "TEST"] {
            coverage.env(format!("CARGO_PROFILE_{profile}_DEBUG"), "none");
        }
        Ok(coverage)
    };
    run(coverage()?.args([
        "--no-report",
        "--no-fail-fast",
        "-p",
        "toolgate-core",
        "-p",
        "toolgate-host",
    ]))?;
    let mut report = coverage()?;
    report.args(["report", "-p", "toolgate-core", "-p", "toolgate-host"]);
    report.args(["--ignore-filename-regex", "/(tests|examples)/"]);
    // A process that a test kills may leave half of what it would have said.
    report.args(["--failure-mode", "all"]);
    report.args(if missing {
        ["--text", "--show-missing-lines"].as_slice()
    } else {
        &["--summary-only"]
    });
    print!("{}", output(&mut report)?);
    Ok(())
}

/// LLVM's `llvm-cov` and `llvm-profdata`, of the version the compiler is of; none where cargo-llvm-cov finds rustup's by
/// itself.
fn tools() -> Result<Option<[PathBuf; 2]>> {
    let sysroot = output(command("rustc").args(["--print", "sysroot"]))?;
    let of_rustup = Path::new(sysroot.trim())
        .join("lib/rustlib")
        .join(toolchain::host()?)
        .join("bin/llvm-profdata");
    if of_rustup.with_extension(std::env::consts::EXE_EXTENSION).is_file() {
        return Ok(None);
    }
    let version = output(command("rustc").arg("-vV"))?;
    let llvm = version.lines().find_map(|line| line.strip_prefix("LLVM version: "));
    let major = llvm
        .and_then(|llvm| llvm.split('.').next())
        .context("`rustc -vV` names no LLVM version")?;
    let of_system = |name: &str| find(&[&format!("{name}-{major}")]);
    match (of_system("llvm-cov"), of_system("llvm-profdata")) {
        (Some(cov), Some(profdata)) => Ok(Some([cov, profdata])),
        _ => bail!("LLVM's tools are needed: `rustup component add llvm-tools`, or Debian's package llvm-{major}"),
    }
}
