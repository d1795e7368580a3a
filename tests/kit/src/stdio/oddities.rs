//! What only a child process can do wrong.

use std::io::{self, Write as _};
use std::time::Duration;

use serde_json::{Value, json};

use super::{family, say};
use crate::behaviours::ShownBy;
use crate::script::Script;
use crate::wire::Received;

/// An odd server with a name.
#[derive(Clone, Copy, Debug)]
pub struct Oddity {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// The script it plays otherwise.
    pub script: fn() -> Script,
    /// What it does.
    pub(super) trick: Trick,
}

/// What an odd server does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trick {
    /// Writes other things than messages between its messages.
    Noise,
    /// Writes a megabyte to standard error before it answers, and goes on.
    FloodsStderr,
    /// Exits at once.
    Exits(u8),
    /// Exits when it is asked by this method.
    ExitsOn(&'static str),
    /// Ends itself by SIGKILL.
    KillsItself,
    /// Reads and never answers.
    Silent,
    /// Does not even read.
    Deaf,
    /// Does not answer `server/discover`.
    SilentProbe,
    /// Takes a second to begin.
    Slow,
    /// Answers a call with a line that does not end.
    EndlessLine,
    /// Writes a line that does not end before it answers anything.
    EndlessNoise,
    /// Answers a call with a line above the limit, and goes on.
    LongAnswer,
    /// The same with the id at its end.
    LongAnswerIdLast,
    /// Answers a call with half a message.
    TornAnswer,
    /// Answers a call with a result and an error in one.
    DoubleAnswer,
    /// Answers a call with bytes that are not UTF-8.
    BadUtf8,
    /// Answers a call with an error that names no request.
    NullError,
    /// Answers with everything it was started with.
    TellsAll,
    /// Writes everything it was started with to standard error and exits.
    LeaksAndExits,
    /// Refuses the list with everything it was started with in the error.
    LeaksInErrors,
    /// Closes its standard output when a tool is called, and stays.
    ClosesOutput,
    /// Neither the end of its input nor SIGTERM ends it.
    Stubborn,
    /// The same with children in its group, in a session of their own, and orphaned ones.
    Family,
    /// The same, and it does not answer when its tools are asked for.
    SilentFamily,
    /// It has such descendants, but ends in order itself.
    LeavesFamily,
}

impl Oddity {
    /// What a client does when the server shows its behaviour.
    pub fn shown_by(&self) -> ShownBy {
        match self.trick {
            Trick::EndlessLine
            | Trick::LongAnswer
            | Trick::LongAnswerIdLast
            | Trick::TornAnswer
            | Trick::DoubleAnswer
            | Trick::BadUtf8
            | Trick::NullError
            | Trick::TellsAll
            | Trick::ClosesOutput => ShownBy::Call,
            Trick::ExitsOn(method) if method == "tools/call" => ShownBy::Call,
            _ => ShownBy::List,
        }
    }
}

impl Trick {
    pub(super) fn outlives_its_input(self) -> bool {
        matches!(self, Self::Stubborn | Self::Family | Self::SilentFamily)
    }
}

/// Whatever the server is asked by.
const ANYTHING: &str = "";

const fn odd(name: &'static str, about: &'static str, trick: Trick) -> Oddity {
    Oddity {
        name,
        about,
        script: Script::default,
        trick,
    }
}

/// Every oddity.
pub const ODDITIES: &[Oddity] = &[
    odd("stdio-noise", "Noise on standard output.", Trick::Noise),
    odd(
        "stdio-floods-stderr",
        "A megabyte of standard error first.",
        Trick::FloodsStderr,
    ),
    odd("stdio-exit-3", "Exits with code 3 at once.", Trick::Exits(3)),
    odd("stdio-exit-0", "Exits with code 0 at once.", Trick::Exits(0)),
    odd(
        "stdio-dies-of-probe",
        "Exits when it is asked by server/discover.",
        Trick::ExitsOn("server/discover"),
    ),
    odd(
        "stdio-dies-of-initialize",
        "Exits when it is asked by initialize.",
        Trick::ExitsOn("initialize"),
    ),
    odd(
        "stdio-dies-of-anything",
        "Exits when it is asked anything.",
        Trick::ExitsOn(ANYTHING),
    ),
    odd(
        "stdio-dies-of-call",
        "Exits when a tool is called.",
        Trick::ExitsOn("tools/call"),
    ),
    odd("stdio-killed", "Is killed by a signal at once.", Trick::KillsItself),
    odd("stdio-silent", "Never answers.", Trick::Silent),
    odd("stdio-deaf", "Never reads.", Trick::Deaf),
    odd(
        "stdio-silent-probe",
        "Does not answer server/discover.",
        Trick::SilentProbe,
    ),
    odd("stdio-slow", "Takes a second to begin.", Trick::Slow),
    Oddity {
        name: "stdio-slow-2026",
        about: "The same, of revision 2026-07-28.",
        script: Script::modern,
        trick: Trick::Slow,
    },
    odd(
        "stdio-endless-line",
        "A line without end answers a call.",
        Trick::EndlessLine,
    ),
    odd(
        "stdio-endless-noise",
        "A line without end comes first.",
        Trick::EndlessNoise,
    ),
    odd(
        "stdio-long-answer",
        "A line above the limit answers a call.",
        Trick::LongAnswer,
    ),
    odd(
        "stdio-long-answer-id-last",
        "The same, its id at the end.",
        Trick::LongAnswerIdLast,
    ),
    odd("stdio-torn-answer", "Half a message answers a call.", Trick::TornAnswer),
    odd("stdio-double-answer", "Result and error in one.", Trick::DoubleAnswer),
    odd(
        "stdio-bad-utf8",
        "Bytes that are not UTF-8 answer a call.",
        Trick::BadUtf8,
    ),
    odd(
        "stdio-null-error",
        "An error of no request answers a call.",
        Trick::NullError,
    ),
    odd(
        "stdio-tells-all",
        "A call answers what it was started with.",
        Trick::TellsAll,
    ),
    odd(
        "stdio-leaks-and-exits",
        "Says what it was started with on standard error and exits.",
        Trick::LeaksAndExits,
    ),
    odd(
        "stdio-leaks-in-errors",
        "Says what it was started with wherever it can.",
        Trick::LeaksInErrors,
    ),
    odd(
        "stdio-closes-output",
        "Closes its output when a tool is called.",
        Trick::ClosesOutput,
    ),
    odd(
        "stdio-stubborn",
        "Ends neither with its input nor by SIGTERM.",
        Trick::Stubborn,
    ),
    odd("stdio-family", "Has stubborn descendants of every kind.", Trick::Family),
    odd(
        "stdio-family-silent-list",
        "The same, and its tools are not listed.",
        Trick::SilentFamily,
    ),
    odd(
        "stdio-leaves-family",
        "Ends in order and leaves such behind.",
        Trick::LeavesFamily,
    ),
];

/// What happens after a message.
pub(super) enum Then {
    GoOn,
    Exit(u8),
}

/// What the trick does before anything is read; an exit code ends the server.
pub(super) fn at_start(trick: Trick) -> io::Result<Option<u8>> {
    match trick {
        Trick::Exits(code) => return Ok(Some(code)),
        Trick::FloodsStderr => {
            let line = "x".repeat(1023) + "\n";
            for _ in 0..1024 {
                io::stderr().write_all(line.as_bytes())?;
            }
        }
        Trick::KillsItself => family::kill_itself()?,
        Trick::LeaksAndExits => {
            io::stderr().write_all(all().to_string().as_bytes())?;
            return Ok(Some(5));
        }
        Trick::LeaksInErrors => io::stderr().write_all(all().to_string().as_bytes())?,
        Trick::EndlessNoise => endless()?,
        Trick::Slow => std::thread::sleep(Duration::from_secs(1)),
        Trick::Stubborn => family::ignore_terminate()?,
        Trick::Family | Trick::SilentFamily => {
            family::ignore_terminate()?;
            family::have()?;
        }
        Trick::LeavesFamily => family::have()?,
        _ => {}
    }
    Ok(None)
}

/// What the trick does about a message; `answer` is what a good server says.
pub(super) fn at(trick: Trick, request: &Received, answer: Option<String>) -> io::Result<Then> {
    let rpc = request.rpc();
    let is_call = rpc == "tools/call";
    let id = request.json().get("id").unwrap_or(&Value::Null).clone();
    match trick {
        Trick::ExitsOn(method) if rpc == method || method == ANYTHING => return Ok(Then::Exit(4)),
        Trick::Silent => return Ok(Then::GoOn),
        Trick::SilentFamily if rpc == "tools/list" => return Ok(Then::GoOn),
        Trick::SilentProbe if rpc == "server/discover" => return Ok(Then::GoOn),
        Trick::Noise => {
            let noise = [
                "starting up...",
                "",
                "{\"level\":\"info\",\"id\":1,\"msg\":\"hello\"}",
                "{not json",
                "[1,2,3]",
                "\"text\"",
                "\u{1b}[32mready\u{1b}[0m",
            ];
            for line in noise {
                say(line.as_bytes())?;
            }
            say(b"\xff\xfe not UTF-8")?;
        }
        Trick::EndlessLine if is_call => endless()?,
        Trick::LongAnswer if is_call => {
            let long = "x".repeat(5 << 20);
            say(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"x":"{long}"}}}}"#).as_bytes())?;
            return Ok(Then::GoOn);
        }
        Trick::LongAnswerIdLast if is_call => {
            let long = "x".repeat(5 << 20);
            say(format!(r#"{{"jsonrpc":"2.0","result":{{"x":"{long}"}},"id":{id}}}"#).as_bytes())?;
            return Ok(Then::GoOn);
        }
        Trick::TornAnswer if is_call => {
            say(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":["#).as_bytes())?;
            return Ok(Then::GoOn);
        }
        Trick::DoubleAnswer if is_call => {
            say(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}},"error":{{"code":1}}}}"#).as_bytes())?;
            return Ok(Then::GoOn);
        }
        Trick::BadUtf8 if is_call => {
            let mut line = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"x":""#).into_bytes();
            line.extend_from_slice(b"\xff\"}}");
            say(&line)?;
            return Ok(Then::GoOn);
        }
        Trick::NullError if is_call => {
            say(br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"remote text"}}"#)?;
            return Ok(Then::GoOn);
        }
        Trick::TellsAll if is_call => {
            let text = Value::from(all().to_string());
            say(
                format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":{text}}}]}}}}"#)
                    .as_bytes(),
            )?;
            return Ok(Then::GoOn);
        }
        Trick::LeaksInErrors if rpc == "tools/list" => {
            let error = json!({"code": -32603, "message": all().to_string(), "data": all()});
            say(format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#).as_bytes())?;
            return Ok(Then::GoOn);
        }
        Trick::ClosesOutput if is_call => {
            family::close_output()?;
            return Ok(Then::GoOn);
        }
        _ => {}
    }
    if let Some(answer) = answer {
        say(answer.as_bytes())?;
    }
    Ok(Then::GoOn)
}

/// Everything the server was started with.
fn all() -> Value {
    let env: Vec<_> = std::env::vars().collect();
    let args: Vec<_> = std::env::args().collect();
    let cwd = std::env::current_dir().unwrap_or_default();
    json!({"env": env, "args": args, "cwd": cwd.display().to_string()})
}

/// Writes until nobody reads any more.
fn endless() -> io::Result<()> {
    let piece = [b'x'; 16 * 1024];
    let mut out = io::stdout().lock();
    loop {
        out.write_all(&piece)?;
    }
}
