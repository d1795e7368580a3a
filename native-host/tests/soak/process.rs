//! A running host as its user sees it: requests in, answers out, and its end.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::dying_host::{DEATH, FOLDER, PROVIDER};

/// Far above what any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(2);

/// When a dying host dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Death {
    Never,
    /// After so many steps from its start.
    AtStart(usize),
    /// After so many steps from when it is open.
    AtWork(usize),
}

impl Death {
    pub(crate) fn parse(text: &str) -> Self {
        match text.split_once(' ').map(|(when, steps)| (when, steps.parse().unwrap())) {
            Some(("start", steps)) => Self::AtStart(steps),
            Some(("work", steps)) => Self::AtWork(steps),
            _ => Self::Never,
        }
    }

    fn text(self) -> String {
        match self {
            Self::Never => String::new(),
            Self::AtStart(steps) => format!("start {steps}"),
            Self::AtWork(steps) => format!("work {steps}"),
        }
    }
}

/// Which program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    /// `toolgate bridge`, with the credential provider that the folder has.
    Toolgate,
    /// The same with a provider of our choice, and a death.
    Dying(&'static str, Death),
}

/// A process on a folder. Its end kills it.
pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    next: u64,
    answers: HashMap<u64, Result<Value, Value>>,
}

/// The process has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gone;

impl Process {
    pub(crate) fn start(program: Program, folder: &Path) -> Self {
        let mut command = match program {
            Program::Toolgate => {
                let mut command = Command::new(env!("CARGO_BIN_EXE_toolgate"));
                command.arg("bridge").arg("--data-dir").arg(folder);
                command
            }
            Program::Dying(provider, death) => {
                let mut command = Command::new(std::env::current_exe().unwrap());
                command
                    .env(FOLDER, folder)
                    .env(PROVIDER, provider)
                    .env(DEATH, death.text());
                command
            }
        };
        let mut child = command
            .env("TOOLGATE_LOG", "off")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            // A torn last line is no answer.
            for line in output.split(b'\n').map_while(Result::ok) {
                if let Ok(line) = String::from_utf8(line)
                    && sender.send(line).is_err()
                {
                    break;
                }
            }
        });
        Self {
            input: child.stdin.take().unwrap(),
            child,
            lines,
            next: 0,
            answers: HashMap::new(),
        }
    }

    /// Sends a request; its number. Whether it arrives nobody knows.
    pub(crate) fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.next += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        let _ = self.input.write_all(format!("{request}\n").as_bytes());
        self.next
    }

    /// The answer to a request, once it is there.
    pub(crate) fn answer(&mut self, number: u64) -> Result<Result<Value, Value>, Gone> {
        while !self.answers.contains_key(&number) {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => self.take(&line),
                Err(RecvTimeoutError::Disconnected) => return Err(Gone),
                Err(RecvTimeoutError::Timeout) => panic!("no answer within {PATIENCE:?}"),
            }
        }
        self.answers.remove(&number).ok_or(Gone)
    }

    fn take(&mut self, line: &str) {
        // What is no JSON was torn by the end of the process.
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            return;
        };
        let Some(number) = message["id"].as_u64() else {
            return;
        };
        let answer = match message.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(message["result"].clone()),
        };
        self.answers.insert(number, answer);
    }

    /// Makes a request that is to succeed.
    pub(crate) fn ok(&mut self, method: &str, params: &Value) -> Result<Value, Gone> {
        let number = self.send(method, params);
        self.answer(number)
            .map(|answer| answer.unwrap_or_else(|error| panic!("{method}: {error}")))
    }

    /// Kills it, and takes in what it has answered until then.
    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            self.take(&line);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
