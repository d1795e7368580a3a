//! Servers that are child processes: messages on their standard input and output, one JSON text a line (MCP
//! specification, transport "stdio"; partner contract). `docs/stdio.md` says what is promised for users.
//!
//! A connection is a process of its own. [`process`] starts it, through the guard where there is one, and sees to its
//! end; [`transport`] and [`reader`] are the SDK's transport over its pipes, which keep a result's text beside the SDK
//! as the HTTP side does; [`start`] is the lifecycle; [`ended`] and [`known_messages`] say why something failed.

mod ended;
pub(crate) mod environment;
mod known_messages;
mod lines;
mod loose;
mod process;
mod program;
mod reader;
mod start;
mod stderr;
mod transport;

pub(super) use lines::{Line, Lines};
pub(super) use loose::known_id;
pub(super) use process::Launcher;
pub(super) use start::StdioStart;
pub(super) use stderr::Tail;

use super::{Failure, Step};

/// What a server that was given up on while it started wrote that explains it.
pub(super) fn explained(tail: &Tail) -> Option<Failure> {
    let (class, tool) = known_messages::find(&tail.text())?;
    Some(Failure::new(class, Step::Start).with_detail(format!("as a message of {tool} says")))
}
