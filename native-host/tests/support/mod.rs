//! What the tests of the host share: a host on files in memory, and a connector whose every step a test decides.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing, and no test file uses all of this"
)]

pub mod checks;
pub mod logs;
pub mod models;
pub mod played;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolgate_host::clock::Clock;
use toolgate_host::store::MemoryFiles;
use toolgate_host::{Bridge, Host, HostOptions};

use played::{Attempt, connector};

/// The data directory of hosts in memory.
pub const ROOT: &str = "/data";

/// An id that files written by hand use.
pub const ID: &str = "8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a";

/// The address of a server that a test plays, where it does not matter which.
pub const URL: &str = "https://example.com/mcp";

/// A page at which the connection panics.
pub const BREAK_OFF: &str = "break off";

/// The time it always is.
pub const NOW_MS: u64 = 1_790_000_000_000;

/// A host on files in memory, whose servers the test plays.
pub struct Bench {
    pub files: MemoryFiles,
    pub host: Host,
    pub bridge: Bridge,
    pub attempts: mpsc::UnboundedReceiver<Attempt>,
}

impl Bench {
    pub fn new() -> Self {
        Self::on(MemoryFiles::new())
    }

    pub fn on(files: MemoryFiles) -> Self {
        Self::with(files, |_| {})
    }

    pub fn with(files: MemoryFiles, adjust: impl FnOnce(&mut HostOptions)) -> Self {
        let (connector, attempts) = connector();
        let mut options = HostOptions::new(ROOT);
        options.files = Arc::new(files.clone());
        options.clock = Arc::new(StoppedClock);
        adjust(&mut options);
        let host = Host::open(options, Arc::new(connector)).unwrap();
        let bridge = host.bridge();
        Self {
            files,
            host,
            bridge,
            attempts,
        }
    }

    /// The same files under a new host: a restart.
    pub async fn restart(self) -> Self {
        self.host.shutdown().await;
        Self::on(self.files)
    }

    /// The result of a method, or its error object.
    pub async fn call(&self, method: &str, params: Value) -> Result<Value, Value> {
        call(&self.bridge, method, params).await
    }

    pub async fn ok(&self, method: &str, params: Value) -> Value {
        match self.call(method, params).await {
            Ok(result) => result,
            Err(error) => panic!("{method} failed: {error}"),
        }
    }

    /// The code in the data of a method's error.
    pub async fn code(&self, method: &str, params: Value) -> String {
        match self.call(method, params).await {
            Ok(result) => panic!("{method} did not fail: {result}"),
            Err(error) => error["data"]["code"].as_str().unwrap().to_owned(),
        }
    }

    /// Begins a request; it runs while the test goes on.
    pub fn start(&self, method: &str, params: Value) -> tokio::task::JoinHandle<Result<Value, Value>> {
        let bridge = self.bridge.clone();
        let method = method.to_owned();
        tokio::spawn(async move { call(&bridge, &method, params).await })
    }

    /// Makes a server and activates it; its id.
    pub async fn active_server(&self, url: &str) -> String {
        let created = self
            .ok(
                "servers.create",
                json!({"displayName": "Docs", "config": {"type": "http", "url": url}}),
            )
            .await;
        let id = created["id"].as_str().unwrap().to_owned();
        self.ok("servers.setState", json!({"id": id, "state": "active"})).await;
        id
    }

    /// The next attempt to connect.
    pub async fn attempt(&mut self) -> Attempt {
        self.attempts.recv().await.unwrap()
    }

    /// Whether no attempt to connect has been made that the test has not taken.
    pub fn no_attempt(&mut self) -> bool {
        self.attempts.try_recv().is_err()
    }

    /// Discovers while the server offers these tools.
    pub async fn discover(&mut self, id: &str, tools: &[&str]) -> Value {
        let running = self.start("servers.discover", json!({"id": id}));
        self.attempt().await.offer(tools);
        running.await.unwrap().unwrap()
    }

    pub async fn summary(&self, id: &str) -> Value {
        let list = self.ok("servers.list", json!({})).await;
        let servers = list["servers"].as_array().unwrap();
        servers.iter().find(|server| server["id"] == id).unwrap().clone()
    }

    pub fn file(&self, path: PathBuf) -> Option<String> {
        self.files.get(path).map(|content| String::from_utf8(content).unwrap())
    }
}

pub fn registrations() -> PathBuf {
    Path::new(ROOT).join("_tauritavern/mcp/registrations")
}

pub fn registration_file(id: &str) -> PathBuf {
    registrations().join(format!("{id}.json"))
}

pub fn catalog_file(id: &str) -> PathBuf {
    Path::new(ROOT)
        .join("_tauritavern/mcp/catalogs")
        .join(format!("{id}.json"))
}

pub fn checked_file() -> PathBuf {
    Path::new(ROOT).join("checked-catalogs.txt")
}

pub fn credential_file() -> PathBuf {
    Path::new(ROOT).join("credentials/dsh-partner-mcp.json")
}

pub fn pending_file() -> PathBuf {
    Path::new(ROOT).join("pending.json")
}

pub async fn call(bridge: &Bridge, method: &str, params: Value) -> Result<Value, Value> {
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let answer: Value = serde_json::from_str(&bridge.handle(request.to_string()).await).unwrap();
    assert_eq!(answer["jsonrpc"], "2.0");
    assert_eq!(answer["id"], 1);
    match answer.get("error") {
        Some(error) => Err(error.clone()),
        None => Ok(answer["result"].clone()),
    }
}

/// The names of the tools of a discovery result.
pub fn names(result: &Value) -> Vec<&str> {
    let tools = result["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["nativeName"].as_str().unwrap()).collect()
}

/// A page of `tools/list` that offers these tools and is the last one.
pub fn page(tools: &[&str]) -> String {
    let tools: Vec<Value> = tools
        .iter()
        .map(|name| json!({"name": name, "inputSchema": {"type": "object"}}))
        .collect();
    json!({"tools": tools}).to_string()
}

pub struct StoppedClock;

impl Clock for StoppedClock {
    fn now_ms(&self) -> u64 {
        NOW_MS
    }
}
