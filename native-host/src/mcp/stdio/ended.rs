//! Why a server that is a child process did not start or did not go on: from what the system says first, from what known
//! tools write last.

use std::io;

use super::super::{Failure, FailureClass, Step};
use super::known_messages;
use crate::guard::Report;

/// How a server's process ended, or that it never began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The system did not start it, for this reason in its own numbers.
    NotStarted(i32),
    Exited(i32),
    Killed(i32),
    /// It runs, but takes nothing any more, and is ended for that.
    ClosedInput,
    /// How is not known.
    Somehow,
}

impl Ended {
    /// What a guard reports, where it reports an end.
    pub(super) const fn reported(report: Report) -> Option<Self> {
        match report {
            Report::Started => None,
            Report::NotStarted(number) => Some(Self::NotStarted(number)),
            Report::Exited(code) => Some(Self::Exited(code)),
            Report::Killed(signal) => Some(Self::Killed(signal)),
            Report::ClosedInput => Some(Self::ClosedInput),
        }
    }

    pub(super) fn of(status: std::process::ExitStatus) -> Self {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Self::Killed(signal);
        }
        status.code().map_or(Self::Somehow, Self::Exited)
    }

    /// The failure that this is when something was waited for. `stderr` is what it wrote last, where that may count.
    pub(super) fn failure(self, step: Step, stderr: Option<&str>) -> Failure {
        if let Self::NotStarted(number) = self {
            return not_started(&io::Error::from_raw_os_error(number));
        }
        if let Some((class, tool)) = stderr.and_then(known_messages::find) {
            return Failure::new(class, step).with_detail(format!("as a message of {tool} says"));
        }
        if self == Self::ClosedInput {
            return closed_input(step);
        }
        let failure = Failure::new(FailureClass::Exited, step);
        match self {
            Self::Exited(code) => failure.with_detail(format!("exit code {code}")),
            Self::Killed(signal) => failure.with_detail(signal_name(signal)),
            Self::NotStarted(_) | Self::ClosedInput | Self::Somehow => failure,
        }
    }
}

/// Of a server that still runs but said that it will say nothing more.
pub(super) fn hung_up(step: Step) -> Failure {
    Failure::new(FailureClass::ConnectionReset, step).with_detail("it closed its standard output")
}

/// Of a server that still runs but listens no more.
pub(super) fn closed_input(step: Step) -> Failure {
    Failure::new(FailureClass::ConnectionReset, step).with_detail("it closed its standard input")
}

/// The failure that the system's refusal to start a program is. That there is such a file was seen before.
pub(super) fn not_started(error: &io::Error) -> Failure {
    let (class, detail) = match error.kind() {
        io::ErrorKind::NotFound => (
            FailureClass::CommandMissing,
            Some("the file is there, but not the interpreter that its first line names".to_owned()),
        ),
        io::ErrorKind::PermissionDenied => (FailureClass::CommandNotExecutable, None),
        io::ErrorKind::ArgumentListTooLong => (
            FailureClass::CommandNotExecutable,
            Some("its arguments and environment are longer than the system takes".to_owned()),
        ),
        kind => (
            FailureClass::CommandNotExecutable,
            Some(match error.raw_os_error() {
                Some(EXEC_FORMAT) => "it is no program that this computer can run".to_owned(),
                Some(number) if number != 0 => format!("system error {number}"),
                _ => kind.to_string(),
            }),
        ),
    };
    Failure {
        class,
        step: Step::Connect,
        detail,
    }
}

/// ENOEXEC, and on Windows that a file is no program.
const EXEC_FORMAT: i32 = if cfg!(windows) { 193 } else { 8 };

fn signal_name(signal: i32) -> String {
    // Those of these numbers have the same name on every system.
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        4 => "SIGILL",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal}, {name}")
}
