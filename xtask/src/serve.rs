//! `cargo xtask serve`: builds what is missing, then becomes the program, so that signals reach it and standard output
//! carries its address line alone.

use std::ffi::OsString;
use std::process::Command;

use anyhow::Result;

use crate::build;
use crate::process::forget_this_package;

/// Builds, then runs `toolgate serve` with these arguments in the folder where the task was started.
pub(crate) fn serve(arguments: &[OsString]) -> Result<()> {
    build::all()?;
    let mut program = Command::new(build::program()?);
    forget_this_package(&mut program);
    become_program(program.arg("serve").args(arguments))
}

#[cfg(unix)]
fn become_program(command: &mut Command) -> Result<()> {
    use std::os::unix::process::CommandExt;

    // Comes back only where it failed.
    Err(command.exec().into())
}

#[cfg(not(unix))]
fn become_program(command: &mut Command) -> Result<()> {
    let status = command.status()?;
    std::process::exit(status.code().unwrap_or(1));
}
