//! The kit's servers as child processes, and what the tests ask of them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use tempfile::TempDir;
use toolgate_core::json::JsonText;
use toolgate_core::named_values::NamedValues;
use toolgate_core::server::{ProtocolVersion, ServerConfig, StdioConfig};
use toolgate_host::guard::Guard;
use toolgate_host::mcp::{
    CallAnswer, Connection, Connector, Failure, FailureClass, NetLimits, ProxySettings, RmcpConnector, ToolCall,
};

/// Small limits, so that what takes too long does so soon.
pub fn limits() -> NetLimits {
    NetLimits {
        discover: Duration::from_millis(700),
        close: Duration::from_millis(1200),
        ..NetLimits::default()
    }
}

/// The guard of these tests: the program itself, as for its users.
pub fn guard() -> Guard {
    Guard::program(env!("CARGO_BIN_EXE_toolgate"))
}

/// The kit's program, built by the Cargo that built this test.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let built = Command::new(env!("CARGO"))
            .args([
                "build",
                "--quiet",
                "-p",
                "toolgate-testkit",
                "--bin",
                "toolgate-testkit",
            ])
            .args(["--message-format", "json"])
            .output()
            .unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let messages = String::from_utf8(built.stdout).unwrap();
        let paths = messages.lines().filter_map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).ok()?;
            Some(PathBuf::from(message["executable"].as_str()?))
        });
        paths.last().unwrap()
    })
}

/// A connector with and one without a guard: what a server says is the same either way.
pub fn connectors() -> [RmcpConnector; 2] {
    [connector(limits(), Some(guard())), connector(limits(), None)]
}

pub fn connector(limits: NetLimits, guard: Option<Guard>) -> RmcpConnector {
    RmcpConnector::new(limits, &ProxySettings::default())
        .unwrap()
        .with_guard(guard)
}

/// A configuration of any command.
pub fn command(command: impl AsRef<Path>, args: &[&str]) -> StdioConfig {
    StdioConfig {
        command: command.as_ref().to_str().unwrap().to_owned(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        env: NamedValues::default(),
        cwd: None,
        protocol_version: ProtocolVersion::Auto,
    }
}

/// A server of the kit.
pub fn server(name: &str) -> StdioConfig {
    command(program(), &[name, "--stdio"])
}

pub fn with_env(mut config: StdioConfig, pairs: &[(&str, &str)]) -> StdioConfig {
    for (name, value) in pairs {
        assert!(config.env.insert((*name).to_owned(), (*value).to_owned()));
    }
    config
}

pub async fn connect(connector: &RmcpConnector, config: StdioConfig) -> Result<Box<dyn Connection>, Failure> {
    let config = ServerConfig::Stdio(config);
    tokio::time::timeout(Duration::from_secs(20), connector.connect(&config))
        .await
        .expect("the start hangs")
}

/// Why no connection comes about.
pub async fn refusal(connector: &RmcpConnector, config: StdioConfig) -> Failure {
    match connect(connector, config).await {
        Ok(_) => panic!("a connection came about"),
        Err(failure) => failure,
    }
}

/// The class of a failure and what is known beside it.
pub fn class(failure: &Failure) -> (FailureClass, &str) {
    (failure.class, failure.detail.as_deref().unwrap_or_default())
}

pub async fn list(connection: &dyn Connection) -> Result<String, Failure> {
    tokio::time::timeout(Duration::from_secs(20), connection.list_tools(None))
        .await
        .expect("the list hangs")
}

/// The answer to a call.
pub async fn call(connection: &dyn Connection, arguments: &str) -> Result<CallAnswer, Failure> {
    let call = ToolCall {
        name: "first".to_owned(),
        arguments: JsonText::parse(arguments).unwrap(),
        mirrored: Vec::new(),
    };
    let mut pending = connection.call_tool(call).await.unwrap();
    tokio::time::timeout(Duration::from_secs(20), pending.answer())
        .await
        .expect("the call hangs")
}

/// The processes of one server, by the file their ids are noted in.
pub struct Processes {
    folder: TempDir,
}

impl Processes {
    pub fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    pub fn file(&self) -> PathBuf {
        self.folder.path().join("pids")
    }

    /// The file that notes what the servers were asked.
    pub fn asked_file(&self) -> PathBuf {
        self.folder.path().join("asked")
    }

    /// Waits until a server was asked by this method.
    pub async fn asked(&self, method: &str) {
        let file = self.asked_file();
        let was_asked = || {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            text.lines().any(|line| line == method)
        };
        eventually(method, was_asked).await;
    }

    /// The configuration, told where to note its processes.
    pub fn note(&self, config: StdioConfig) -> StdioConfig {
        with_env(config, &[("KIT_PIDS", self.file().to_str().unwrap())])
    }

    /// Every process so far.
    pub fn ids(&self) -> Vec<u32> {
        let text = std::fs::read_to_string(self.file()).unwrap_or_default();
        text.lines().map(|line| line.parse().unwrap()).collect()
    }

    /// Waits until so many processes have started.
    pub async fn started(&self, count: usize) -> Vec<u32> {
        eventually(&format!("{count} processes"), || self.ids().len() >= count).await;
        self.ids()
    }

    /// Those that live.
    pub fn alive(&self) -> Vec<u32> {
        self.ids().into_iter().filter(|id| is_alive(*id)).collect()
    }

    /// Waits until none lives.
    pub async fn gone(&self) {
        eventually("every process is gone", || self.alive().is_empty()).await;
    }
}

impl Drop for Processes {
    /// A failing test leaves nothing behind either.
    fn drop(&mut self) {
        for id in self.alive() {
            kill(id, "KILL");
        }
    }
}

/// Whether a process is there and is no mere remainder of one.
pub fn is_alive(id: u32) -> bool {
    let listed = Command::new("ps")
        .args(["-o", "stat=", "-p", &id.to_string()])
        .output()
        .unwrap();
    let state = String::from_utf8(listed.stdout).unwrap();
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

pub fn kill(id: u32, signal: &str) {
    let sent = Command::new("kill")
        .args([&format!("-{signal}"), &id.to_string()])
        .status();
    assert!(sent.is_ok());
}

/// Looks until it is so. There is no event to wait for where the system is asked about processes of others.
pub async fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(15);
    while !is_so() {
        assert!(tokio::time::Instant::now() < deadline, "it never came about: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
