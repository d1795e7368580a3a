//! Runs the program on a data directory of its own.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A data directory and the program on it.
pub(crate) struct Data(tempfile::TempDir);

impl Data {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> PathBuf {
        // Made by the program.
        self.0.path().join("data")
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolgate"));
        command
            .args(arguments)
            .env("TOOLGATE_DATA_DIR", self.path())
            .env_remove("TOOLGATE_TOKEN")
            .env_remove("TOOLGATE_LOG")
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("BROWSER")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// `toolgate rpc`, which must succeed.
    pub(crate) fn rpc(&self, arguments: &[&str]) -> Value {
        let mut all = vec!["rpc"];
        all.extend_from_slice(arguments);
        result(&self.run(&all))
    }

    /// `toolgate serve --port 0`, answering.
    pub(crate) fn serve(&self, arguments: &[&str]) -> Serve {
        let mut all = vec!["serve", "--port", "0"];
        all.extend_from_slice(arguments);
        Serve::start(&mut self.command(&all))
    }

    pub(crate) fn host_json(&self) -> PathBuf {
        self.path().join("host.json")
    }

    pub(crate) fn write_host_json(&self, text: &str) {
        std::fs::create_dir_all(self.path()).unwrap();
        std::fs::write(self.host_json(), text).unwrap();
    }
}

/// The result on standard output of a program that must have succeeded.
pub(crate) fn result(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    assert!(output.stdout.ends_with(b"\n"), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The error on standard error of a program that must have failed.
pub(crate) fn error(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    serde_json::from_slice(&output.stderr).unwrap_or_else(|_| panic!("{output:?}"))
}

pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// A `toolgate serve` that has printed its address.
pub(crate) struct Serve {
    child: Child,
    stdout: BufReader<ChildStdout>,
    pub(crate) line: String,
}

impl Serve {
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        Self { child, stdout, line }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What comes after `Toolgate: `.
    pub(crate) fn address(&self) -> &str {
        self.line
            .strip_prefix("Toolgate: ")
            .and_then(|line| line.strip_suffix('\n'))
            .unwrap()
    }

    pub(crate) fn token(&self) -> &str {
        self.address().split_once("?token=").unwrap().1
    }

    pub(crate) fn port(&self) -> u16 {
        let (_, rest) = self.address().split_once("://127.0.0.1:").unwrap();
        rest.split_once('/').unwrap().0.parse().unwrap()
    }

    pub(crate) fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port())).unwrap();
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n",
            self.port()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Sends a signal; answers how it ended, how long that took, and what it wrote beyond the first line.
    #[cfg(unix)]
    pub(crate) fn signal(mut self, signal: &str) -> Ended {
        let began = Instant::now();
        send(signal, self.pid());
        let status = self.child.wait().unwrap();
        let took = began.elapsed();
        let (mut stdout, mut stderr) = (String::new(), String::new());
        self.stdout.read_to_string(&mut stdout).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        Ended {
            status,
            took,
            stdout,
            stderr,
        }
    }
}

impl Drop for Serve {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) took: Duration,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

#[cfg(unix)]
pub(crate) fn send(signal: &str, pid: u32) {
    let status = Command::new("kill")
        .args([format!("-{signal}"), pid.to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

/// `servers.create` parameters with a secret in a header.
pub(crate) fn server(name: &str) -> String {
    serde_json::json!({
        "displayName": name,
        "config": {
            "type": "http",
            "url": "http://127.0.0.1:1/mcp",
            "headers": {"X-Key": "very-secret-header"},
            "protocolVersion": "auto",
        },
    })
    .to_string()
}

/// Waits for what another process is about to do; fails after ten seconds.
pub(crate) fn wait_for(what: &str, done: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !done() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub(crate) fn mode(path: &Path) -> u32 {
    #[cfg(unix)]
    return std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path).unwrap().permissions()) & 0o777;
    #[cfg(not(unix))]
    return if path.is_dir() { 0o700 } else { 0o600 };
}
