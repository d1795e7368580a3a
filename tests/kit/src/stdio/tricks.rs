//! What a child process of the kit does when it starts, and about each message.

use std::io::{self, Write as _};
use std::time::Duration;

use serde_json::{Value, json};

use super::oddities::{ANYTHING, Trick};
use super::{family, say, says};
use crate::conversation::asked;
use crate::script::Script;
use crate::wire::Received;

/// What happens after a message.
pub(super) enum Then {
    GoOn,
    Exit(u8),
    /// Nothing more is read.
    Stay,
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
        Trick::FloodsStderrForEver => {
            std::thread::spawn(|| {
                let line = "x".repeat(1023) + "\n";
                while io::stderr().write_all(line.as_bytes()).is_ok() {}
            });
        }
        Trick::ClosesOutputFirst => family::close_output()?,
        Trick::AnswersFirst => {
            // Not the first ones: whether those were given by then is a matter of luck.
            for id in 1000..1008 {
                say(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":[]}}}}"#).as_bytes())?;
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
pub(super) fn at(trick: Trick, script: &Script, request: &Received, answer: Option<String>) -> io::Result<Then> {
    let rpc = request.rpc();
    let is_call = rpc == "tools/call";
    let id = request.json().get("id").unwrap_or(&Value::Null).clone();
    match trick {
        Trick::Says(says) if says.is_about(&rpc) => return says.say(&asked(script, request, &rpc)),
        Trick::ClosesInput => {
            family::close_input()?;
            return Ok(Then::Stay);
        }
        Trick::Drips => {
            if let Some(answer) = answer {
                says::drip(answer.as_bytes())?;
            }
            return Ok(Then::GoOn);
        }
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
