//! Running other programs: always in the repository's top folder, failures with the command that failed. Standard
//! output is left to the program that is served or the tests; whatever builds writes to standard error.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};

use crate::root::root;

/// A command that runs in the repository's top folder and reads nothing.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root()).stdin(Stdio::null());
    command
}

/// Cargo, the one that runs this task, with the versions of the lock files and no others.
pub(crate) fn cargo() -> Command {
    let mut cargo = command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.arg("--locked");
    forget_this_package(&mut cargo);
    cargo
}

/// Takes out what Cargo says of xtask to xtask: a build script that watches such a variable would run again each time.
pub(crate) fn forget_this_package(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CARGO_PKG_") {
            command.env_remove(name);
        }
    }
    command
        .env_remove("CARGO_MANIFEST_DIR")
        .env_remove("CARGO_MANIFEST_PATH");
}

/// Cargo's `--quiet`, except at a terminal, where a person likes to see that something happens.
pub(crate) fn quiet() -> &'static [&'static str] {
    if io::stderr().is_terminal() { &[] } else { &["--quiet"] }
}

/// The command as a person would type it.
pub(crate) fn typed(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}

/// Runs to the end; what it writes goes to standard error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .stdout(Stdio::from(io::stderr()))
        .status()
        .with_context(|| format!("cannot start `{}`", typed(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", typed(command));
    }
    Ok(())
}

/// Runs to the end; what it writes is shown only where it fails.
pub(crate) fn run_silent(command: &mut Command) -> Result<()> {
    let output = command
        .output()
        .with_context(|| format!("cannot start `{}`", typed(command)))?;
    if !output.status.success() {
        eprint!("{}", String::from_utf8_lossy(&output.stdout));
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        bail!("`{}` failed ({})", typed(command), output.status);
    }
    Ok(())
}

/// Runs to the end and answers whether it succeeded; what it writes is nobody's business.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Runs to the end and answers standard output; standard error goes to the terminal.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start `{}`", typed(command)))?;
    if !output.status.success() {
        bail!("`{}` failed ({})", typed(command), output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{}` wrote something that is not UTF-8", typed(command)))
}

/// Runs to the end; each line of its standard output is shown, then given to `line`.
pub(crate) fn run_watched(command: &mut Command, mut line: impl FnMut(&str)) -> Result<ExitStatus> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{}`", typed(command)))?;
    if let Some(stdout) = child.stdout.take() {
        let mut reader = BufReader::new(stdout);
        let mut bytes = Vec::new();
        while reader.read_until(b'\n', &mut bytes)? > 0 {
            io::stdout().write_all(&bytes)?;
            line(String::from_utf8_lossy(&bytes).trim_end());
            bytes.clear();
        }
    }
    child.wait().with_context(|| format!("`{}` was lost", typed(command)))
}

/// The first of these programs that is on `PATH`.
pub(crate) fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().find_map(|name| {
        let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        folders
            .iter()
            .map(|folder| folder.join(&file))
            .find(|path| path.is_file())
    })
}

/// A program of the npm packages, started by Node.
pub(crate) fn npm_program(package: &str, path: &str) -> Result<Command> {
    let script = Path::new("node_modules").join(package).join(path);
    if !root().join(&script).is_file() {
        bail!("{} is missing; delete node_modules and try again", script.display());
    }
    let mut node = command("node");
    node.arg(script);
    Ok(node)
}
