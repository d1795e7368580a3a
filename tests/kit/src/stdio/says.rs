//! Child processes that write odd bytes where an answer belongs.

use std::io::{self, Write as _};
use std::time::Duration;

use super::family;
use super::tricks::Then;
use crate::behaviours::ShownBy;
use crate::script::Asked;

/// What is written in place of an answer, and what happens then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Says {
    /// The method it is the answer to.
    pub(super) method: &'static str,
    pub(super) make: fn(&Asked) -> Vec<u8>,
    pub(super) after: After,
}

/// What happens after it.
#[derive(Clone, Copy, Debug)]
pub(super) enum After {
    GoOn,
    /// The process exits with this code.
    Exit(u8),
    /// The process is ended by a signal.
    Killed,
    /// Its output is closed, and it stays.
    Closed,
    /// Its output is held open by another process when it exits.
    Held,
    /// Nothing more is read or written.
    Stays,
    /// The same bytes again and again.
    Repeated,
}

impl Says {
    /// What a client does when the server shows its behaviour.
    pub(super) fn shown_by(&self) -> ShownBy {
        if self.method == "tools/call" {
            ShownBy::Call
        } else {
            ShownBy::List
        }
    }

    /// Whether it is about this method.
    pub(super) fn is_about(&self, method: &str) -> bool {
        self.method == method
    }

    /// Says it.
    pub(super) fn say(&self, asked: &Asked) -> io::Result<Then> {
        let bytes = (self.make)(asked);
        write(&bytes)?;
        match self.after {
            After::GoOn => {}
            After::Exit(code) => return Ok(Then::Exit(code)),
            After::Killed => family::kill_itself()?,
            After::Closed => family::close_output()?,
            After::Held => {
                family::have_one_that_lingers()?;
                return Ok(Then::Exit(0));
            }
            After::Stays => return Ok(Then::Stay),
            After::Repeated => loop {
                write(&bytes)?;
            },
        }
        Ok(Then::GoOn)
    }
}

fn write(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Writes a line byte by byte.
pub(super) fn drip(line: &[u8]) -> io::Result<()> {
    for byte in line.iter().chain(b"\n") {
        write(&[*byte])?;
        std::thread::sleep(Duration::from_micros(500));
    }
    Ok(())
}
