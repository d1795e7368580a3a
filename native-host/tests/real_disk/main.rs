//! The program on a real disk that fails: a clear refusal with a code, nothing lost, and what it lists after the failure is
//! what it lists after a start.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test stops where its ground is missing"
)]

mod full;
mod odd_files;
mod rights;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

const PROGRAM: &str = env!("CARGO_BIN_EXE_toolgate");

/// `toolgate bridge` on a folder.
struct Bridge {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Bridge {
    fn start(folder: &Path) -> Self {
        Self::by(Command::new(PROGRAM), folder)
    }

    /// The same by a command that runs the program with what follows.
    fn by(mut command: Command, folder: &Path) -> Self {
        let mut child = command
            .args(["bridge", "--data-dir"])
            .arg(folder)
            .env("TOOLGATE_LOG", "off")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    fn call(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        let answer = self.answer(method, params);
        match answer["error"]["data"]["code"].as_str() {
            Some(code) => Err(code.to_owned()),
            None => Ok(answer["result"].clone()),
        }
    }

    /// The error of a request that is to be refused.
    fn refusal(&mut self, method: &str, params: &Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer["error"].is_object(), "{method}: {answer}");
        answer["error"].clone()
    }

    fn answer(&mut self, method: &str, params: &Value) -> Value {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        self.input.write_all(format!("{request}\n").as_bytes()).unwrap();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the program has ended");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == 1 {
                return message;
            }
        }
    }

    fn ok(&mut self, method: &str, params: &Value) -> Value {
        self.call(method, params)
            .unwrap_or_else(|code| panic!("{method}: {code}"))
    }

    /// Everything that is listed.
    fn seen(&mut self) -> Value {
        json!({
            "servers": self.ok("servers.list", &json!({"reveal": true})),
            "partners": self.ok("partners.list", &json!({})),
        })
    }

    /// A server with a connection that is kept apart, and a partner who is granted it; the server's id.
    fn lay_ground(&mut self) -> String {
        let id = self.ok("servers.create", &server("Docs", 1))["id"]
            .as_str()
            .unwrap()
            .to_owned();
        let partner = self.ok("partners.create", &json!({"name": "Mika"}));
        self.ok("partners.grant", &json!({"partnerId": partner["id"], "serverId": id}));
        id
    }

    /// A data folder with that in it, which nothing runs on: the folder around it, itself, the server's id, and
    /// everything that is listed.
    fn laid() -> (tempfile::TempDir, PathBuf, String, Value) {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let mut bridge = Self::start(&data);
        let id = bridge.lay_ground();
        let whole = bridge.seen();
        bridge.end();
        (folder, data, id, whole)
    }

    fn end(mut self) {
        drop(self.input);
        assert!(self.child.wait().unwrap().success());
    }
}

/// Changes of every kind, those of several files and those of one.
fn changes(id: &str, partners: &Value) -> Vec<(&'static str, Value)> {
    let partner = &partners["partners"][0]["id"];
    let text =
        json!({"mcpServers": {"one": {"url": "https://example.com/1"}, "two": {"url": "https://example.com/2"}}});
    vec![
        ("servers.create", server("New", 100)),
        ("servers.import", json!({"text": text.to_string()})),
        ("servers.setState", json!({"id": id, "state": "active"})),
        (
            "tools.setPermission",
            json!({"id": id, "nativeName": "t", "permission": "ask"}),
        ),
        ("partners.setEnabled", json!({"partnerId": partner, "enabled": true})),
        ("partners.create", json!({"name": "Noa"})),
        ("servers.remove", json!({"id": id})),
    ]
}

/// Asks for every kind of change, all of which are refused with this code, and nothing changes.
fn refuses_everything(bridge: &mut Bridge, id: &str, code: &str) {
    let before = bridge.seen();
    for (method, params) in changes(id, &before["partners"]) {
        assert_eq!(bridge.call(method, &params), Err(code.to_owned()), "{method}");
        assert_eq!(bridge.seen(), before, "{method}");
    }
}

/// A server whose header has so many bytes.
fn server(name: &str, bytes: usize) -> Value {
    let config = json!({"type": "http", "url": "https://example.com/?key=1", "headers": {"X": "x".repeat(bytes)}});
    json!({"displayName": name, "config": config})
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut folders: Vec<PathBuf> = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            names.push(path.strip_prefix(folder).unwrap().display().to_string());
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            }
        }
    }
    names
}

/// Nothing is left of a change that failed.
fn nothing_left_over(folder: &Path) {
    let left = |name: &String| name.contains(".toolgate-") || name == "pending.json";
    let left: Vec<String> = names_in(folder).into_iter().filter(left).collect();
    assert!(left.is_empty(), "{left:?}");
}
