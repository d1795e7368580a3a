//! The guard: a process between the host and a server that is a child process. It sees to it that the server ends, with
//! everything the server started, when the host closes the connection and also when the host is killed.
//!
//! It is the host's own program, run again. Its standard input is the only thing that the host holds of it: the first
//! line says what to start (`Plan`), everything after that is passed on to the server, and its end is the order to
//! end. Standard output and error are the server's own; on the latter the guard says, in lines that begin with a random
//! word, what became of the server (`Report`).
//!
//! What is promised on which system is in `docs/stdio.md`.

#[cfg(unix)]
mod family;
#[cfg(unix)]
#[path = "run_unix.rs"]
mod run;
#[cfg(not(unix))]
#[path = "run_elsewhere.rs"]
mod run;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The one argument that makes a program the guard.
const ARGUMENT: &str = "__toolgate-guard";
/// More than the largest configuration that can be saved.
const PLAN_BYTES: u64 = 16 * 1024 * 1024;

/// Whether this program becomes a guard when it is asked to.
static CAN_GUARD: AtomicBool = AtomicBool::new(false);

/// The program that guards servers which are child processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    program: PathBuf,
}

impl Guard {
    /// This program itself; `None` where its `main` does not call [`run_if_asked`], without which it would be started
    /// a second time in place of guarding.
    pub fn this_program() -> Option<Self> {
        if !CAN_GUARD.load(Ordering::Relaxed) {
            return None;
        }
        // This name leads to the very file that runs, even when an update has replaced it.
        let running = Path::new("/proc/self/exe");
        let program = if cfg!(target_os = "linux") && running.exists() {
            running.to_owned()
        } else {
            std::env::current_exe().ok()?
        };
        Some(Self { program })
    }

    /// Another program, which must call [`run_if_asked`] first thing in its `main`: `toolgate` does.
    pub fn program(path: impl Into<PathBuf>) -> Self {
        Self { program: path.into() }
    }

    /// What starts it.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::arg0(&mut command, "toolgate-guard");
        command.arg(ARGUMENT);
        command
    }
}

/// To be called first thing in `main` by an application that wants its servers guarded. Where the process was started
/// to be a guard, this guards until the server is gone and ends the process; else it returns at once.
pub fn run_if_asked() {
    CAN_GUARD.store(true, Ordering::Relaxed);
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().as_deref() == Some(OsStr::new(ARGUMENT)) && arguments.next().is_none() {
        let code = match read_plan() {
            // On a thread of its own: `main` may be a task of a runtime already.
            Ok(plan) => std::thread::spawn(move || run::run(plan)).join().unwrap_or(1),
            Err(_) => 1,
        };
        std::process::exit(code);
    }
}

/// What a guard is to start, and how patient it is to be.
#[derive(Serialize, Deserialize)]
pub(crate) struct Plan {
    /// The word that reports begin with.
    pub(crate) word: String,
    /// The file to run.
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<String>,
    /// The configured variables; those of the allow-list the guard takes from its own environment.
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) cwd: Option<PathBuf>,
    /// How long a server may take to end when its input has ended.
    pub(crate) after_input: Duration,
    /// How long it and everything it started may then take when it was asked to end.
    pub(crate) after_asking: Duration,
}

impl Plan {
    /// The plan as the line that a guard reads.
    pub(crate) fn line(&self) -> serde_json::Result<Vec<u8>> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        Ok(line)
    }
}

/// What became of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    /// It runs.
    Started,
    /// The system did not start it, for this reason in its own numbers, 0 where it gives none.
    NotStarted(i32),
    /// It ended by itself or was ended, with this code.
    Exited(i32),
    /// It was ended by this signal.
    Killed(i32),
    /// It runs, and has closed its standard input.
    ClosedInput,
}

impl Report {
    /// Says it to the host, which reads the server's standard error.
    fn send(self, word: &str) {
        let (what, number) = match self {
            Self::Started => ("started", 0),
            Self::NotStarted(number) => ("not-started", number),
            Self::Exited(number) => ("exited", number),
            Self::Killed(number) => ("killed", number),
            Self::ClosedInput => ("closed-input", 0),
        };
        // One write, so that nothing of the server's stands inside. A host that is gone reads nothing.
        let _ = io::stderr().write_all(format!("\n{word} {what} {number}\n").as_bytes());
    }

    /// Reads a line that may be a report.
    pub(crate) fn read(line: &[u8], word: &str) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?;
        let mut words = line.strip_prefix(word)?.split_ascii_whitespace();
        let (what, number) = (words.next()?, words.next()?.parse().ok()?);
        match what {
            "started" => Some(Self::Started),
            "not-started" => Some(Self::NotStarted(number)),
            "exited" => Some(Self::Exited(number)),
            "killed" => Some(Self::Killed(number)),
            "closed-input" => Some(Self::ClosedInput),
            _ => None,
        }
    }
}

fn read_plan() -> io::Result<Plan> {
    let mut line = Vec::new();
    // What is buffered beyond the line stays with the handle, and is passed on.
    io::stdin().lock().take(PLAN_BYTES).read_until(b'\n', &mut line)?;
    Ok(serde_json::from_slice(&line)?)
}

/// Passes on to the server what the host says, until either wants no more; whether it is the server.
fn pass_on(mut server: impl io::Write) -> bool {
    let mut input = io::stdin().lock();
    loop {
        let bytes = match input.fill_buf() {
            Ok([]) => return false,
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return false,
        };
        let count = bytes.len();
        if server.write_all(bytes).and_then(|()| server.flush()).is_err() {
            return true;
        }
        input.consume(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read_back() {
        assert_eq!(Report::read(b"w0rd killed 9", "w0rd"), Some(Report::Killed(9)));
        let closed = Report::read(b"w0rd closed-input 0", "w0rd");
        assert_eq!(closed, Some(Report::ClosedInput));
        assert_eq!(Report::read(b"w0rd not-started 2", "w0rd"), Some(Report::NotStarted(2)));
        for other in [
            &b"exited 1"[..],
            b"other exited 1",
            b"w0rd exited",
            b"w0rd \xff 1",
            b"w0rd sang 1",
            b"",
        ] {
            assert_eq!(Report::read(other, "w0rd"), None);
        }
    }
}
