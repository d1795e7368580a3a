//! Processes that do not want to end, and their kin.

use std::io;
use std::process::{Command, Stdio};

/// Has SIGTERM do nothing from now on.
#[cfg(unix)]
pub(super) fn ignore_terminate() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    // Once it is listened for it ends the process no longer, listened to or not.
    drop(signal(SignalKind::terminate())?);
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn ignore_terminate() -> io::Result<()> {
    Ok(())
}

/// Starts descendants that ignore SIGTERM and hold the server's pipes open: one in its process group, one in a session
/// of its own, and one in a session of its own whose parent has ended.
pub(super) fn have() -> io::Result<()> {
    for kind in ["here", "apart", "orphan"] {
        start(kind)?;
    }
    Ok(())
}

fn start(kind: &str) -> io::Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args([kind, "--linger"]).stdin(Stdio::null());
    let mut child = command.spawn()?;
    if kind == "orphan" {
        // It ends as soon as its own child runs.
        child.wait()?;
    }
    Ok(())
}

/// Starts one descendant that holds the server's pipes open.
pub(super) fn have_one_that_lingers() -> io::Result<()> {
    start("here")
}

/// Is one of those descendants.
///
/// # Errors
///
/// The system refuses what it needs.
pub async fn linger(kind: &str) -> io::Result<()> {
    ignore_terminate()?;
    if kind == "orphan" {
        return start("apart");
    }
    #[cfg(unix)]
    if kind == "apart" {
        rustix::process::setsid()?;
    }
    super::note_process()?;
    stay().await
}

/// Stays until it is killed.
pub(super) async fn stay() -> io::Result<()> {
    std::future::pending::<io::Result<()>>().await
}

#[cfg(unix)]
pub(super) fn kill_itself() -> io::Result<()> {
    Ok(rustix::process::kill_process(
        rustix::process::getpid(),
        rustix::process::Signal::KILL,
    )?)
}

#[cfg(not(unix))]
pub(super) fn kill_itself() -> io::Result<()> {
    std::process::abort()
}

/// Closes standard output for good.
#[cfg(unix)]
pub(super) fn close_output() -> io::Result<()> {
    let nowhere = std::fs::OpenOptions::new().write(true).open("/dev/null")?;
    Ok(rustix::stdio::dup2_stdout(nowhere)?)
}

#[cfg(not(unix))]
pub(super) fn close_output() -> io::Result<()> {
    std::process::exit(0)
}

/// Closes standard input for good.
#[cfg(unix)]
pub(super) fn close_input() -> io::Result<()> {
    let nowhere = std::fs::File::open("/dev/null")?;
    Ok(rustix::stdio::dup2_stdin(nowhere)?)
}

#[cfg(not(unix))]
pub(super) fn close_input() -> io::Result<()> {
    std::process::exit(0)
}
