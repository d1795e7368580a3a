//! Servers of the kit as child processes: the scripts of [`crate::behaviours`] on standard input and output, and
//! oddities that only a child process can have.
//!
//! Where the environment variable `KIT_PIDS` names a file, every process of the kit appends its id to it; where
//! `KIT_ASKED` names one, a server appends the method of each message it gets.

mod answers;
mod family;
mod oddities;
mod says;
mod tricks;

pub use family::linger;
pub use oddities::{Oddity, oddities};

use std::fs::OpenOptions;
use std::io::{self, Write as _};

use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::behaviours;
use crate::conversation::message_to;
use crate::script::Script;
use crate::wire::Received;
use oddities::Trick;

/// Serves until standard input ends; answers the exit code.
///
/// # Errors
///
/// No behaviour has this name, or standard input cannot be read.
pub async fn serve(name: &str) -> io::Result<u8> {
    note_process()?;
    let oddity = oddities().find(|oddity| oddity.name == name);
    let script = match (behaviours::find(name), oddity) {
        (Some(behaviour), _) => (behaviour.script)(),
        (None, Some(oddity)) => (oddity.script)(),
        (None, None) => {
            let error = format!("no behaviour is named {name}");
            return Err(io::Error::new(io::ErrorKind::NotFound, error));
        }
    };
    let trick = oddity.map(|oddity| oddity.trick);
    if let Some(code) = trick.map(tricks::at_start).transpose()?.flatten() {
        return Ok(code);
    }
    let code = converse(&script, trick).await?;
    if trick.is_some_and(Trick::outlives_its_input) {
        family::stay().await?;
    }
    Ok(code)
}

async fn converse(script: &Script, trick: Option<Trick>) -> io::Result<u8> {
    let mut input = BufReader::new(tokio::io::stdin());
    if matches!(trick, Some(Trick::Deaf)) {
        family::stay().await?;
    }
    let mut line = String::new();
    while input.read_line(&mut line).await? > 0 {
        let request = Received::line(std::mem::take(&mut line));
        note("KIT_ASKED", &request.rpc())?;
        let answer = message_to(script, &request);
        if let Some(trick) = trick {
            match tricks::at(trick, script, &request, answer)? {
                tricks::Then::GoOn => {}
                tricks::Then::Exit(code) => return Ok(code),
                tricks::Then::Stay => family::stay().await?,
            }
        } else if let Some(answer) = answer {
            say(answer.as_bytes())?;
        }
    }
    Ok(0)
}

/// Writes a line to standard output.
fn say(line: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(line)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Appends this process's id to the file that a test reads.
fn note_process() -> io::Result<()> {
    note("KIT_PIDS", &std::process::id().to_string())
}

/// Appends a line to the file that a variable names, where it is set.
fn note(variable: &str, line: &str) -> io::Result<()> {
    let Some(file) = std::env::var_os(variable) else {
        return Ok(());
    };
    let mut file = OpenOptions::new().append(true).create(true).open(file)?;
    // One write, so that the lines of several processes do not mix.
    file.write_all(format!("{line}\n").as_bytes())
}
