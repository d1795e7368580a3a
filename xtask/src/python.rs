//! Python environments with exactly the packages of a list, in Cargo's target folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::process::{command, find, output, run_silent, succeeds};
use crate::root::{root, target};
use crate::step::{Done, step};
use crate::{stamp, system};

/// The Python of an environment with the packages of `tests/real-servers/python/<name>.txt`, made where it is missing or
/// of another list or interpreter.
pub(crate) fn environment(name: &str) -> Result<PathBuf> {
    let list = root().join("tests/real-servers/python").join(format!("{name}.txt"));
    let folder = target()?.join("xtask/python").join(name);
    let python = folder.join(if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    });
    step(&format!("Python packages {name}"), || {
        let system = system_python()?;
        let packages = fs::read(&list).with_context(|| format!("cannot read {}", list.display()))?;
        let version = output(command(&system).arg("-VV"))?;
        let wanted = stamp::of_bytes(&[&packages, version.as_bytes()]);
        let stamp = folder.join(".stamp");
        if stamp::is(&stamp, &wanted) && python.is_file() {
            return Ok(Done::Already);
        }
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        run_silent(command(&system).args(["-m", "venv"]).arg(&folder))?;
        let mut install = command(&python);
        // Each file must be one of those whose hash is listed, and nothing is built from source.
        install.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-compile",
        ]);
        install.args([
            "--no-deps",
            "--require-hashes",
            "--only-binary",
            ":all:",
            "--requirement",
        ]);
        run_silent(install.arg(&list))?;
        stamp::set(&stamp, &wanted)?;
        Ok(Done::Now)
    })?;
    Ok(python)
}

/// A Python that can make environments; Debian has that part in a package of its own.
fn system_python() -> Result<PathBuf> {
    let here = || find(&["python3", "python"]).filter(|python| makes_environments(python));
    if let Some(python) = here() {
        return Ok(python);
    }
    system::install("the test against real servers", &["python3", "python3-venv"])?;
    match here() {
        Some(python) => Ok(python),
        None => bail!("python3 and python3-venv are installed, but there is no python3 on PATH that has venv"),
    }
}

fn makes_environments(python: &Path) -> bool {
    succeeds(command(python).args([
        "-c",
        "import ensurepip, venv, sys; sys.exit(sys.version_info < (3, 10))",
    ]))
}
