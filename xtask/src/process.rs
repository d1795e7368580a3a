//! Running other programs: always in the repository's top folder, failures with the command that failed.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::root::root;

/// A command that runs in the repository's top folder and reads nothing.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root()).stdin(Stdio::null());
    command
}

/// Cargo, the one that runs this task.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
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
