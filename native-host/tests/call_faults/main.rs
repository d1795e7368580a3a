//! Test calls through the bridge, over real sockets, with a fault at every step: what the caller is told, and how often
//! the server received the call.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A test may fail loudly.

mod after;
mod before;
mod ending;
mod text;

use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};
use tempfile::TempDir;
use toolgate_host::mcp::{NetLimits, ProxySettings, RmcpConnector};
use toolgate_host::{Budgets, Host, HostOptions};
use toolgate_testkit::{HttpServer, Script, behaviours};

/// One for all hosts: reading the platform's certificates takes a while.
static CONNECTOR: LazyLock<Arc<RmcpConnector>> = LazyLock::new(|| connector(NetLimits::default()));

fn connector(limits: NetLimits) -> Arc<RmcpConnector> {
    Arc::new(RmcpConnector::new(limits, &ProxySettings::none()).expect("a connector"))
}

/// A host on a folder of its own.
struct World {
    host: Host,
    _folder: TempDir,
}

/// A call to be made.
struct Call<'a> {
    id: &'a str,
    tool: &'a str,
    arguments: &'a str,
}

impl World {
    fn new() -> Self {
        Self::with(Arc::clone(&CONNECTOR), |_| {})
    }

    fn with(connector: Arc<RmcpConnector>, adjust: impl FnOnce(&mut Budgets)) -> Self {
        let folder = TempDir::new().expect("a folder");
        let mut options = HostOptions::new(folder.path());
        adjust(&mut options.budgets);
        let host = Host::open(options, connector).expect("a host");
        Self { host, _folder: folder }
    }

    async fn request(&self, method: &str, params: Value) -> Result<Value, Value> {
        request(&self.host, method, params).await
    }

    /// Registers a server and activates it; its id.
    async fn add(&self, server: &HttpServer, headers: Value) -> String {
        self.add_at(&server.url(), headers).await
    }

    async fn add_at(&self, url: &str, headers: Value) -> String {
        let config = json!({"type": "http", "url": url, "headers": headers, "protocolVersion": "auto"});
        let params = json!({"displayName": "Kit", "config": config});
        let created = self.request("servers.create", params).await.expect("created");
        let id = created["id"].as_str().expect("an id").to_owned();
        let active = json!({"id": id, "state": "active"});
        self.request("servers.setState", active).await.expect("activated");
        id
    }

    /// Announces a call under the id `c` and asks for it; it runs while the test goes on.
    async fn begin(&self, call: &Call<'_>) -> tokio::task::JoinHandle<Result<Value, Value>> {
        self.request("tools.startTestCall", json!({"callId": "c"}))
            .await
            .expect("announced");
        let params = json!({"callId": "c", "id": call.id, "nativeName": call.tool, "argumentsJson": call.arguments});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools.testCall", "params": params});
        let answer = self.host.bridge().handle(message.to_string());
        tokio::spawn(async move { read(&answer.await) })
    }

    async fn cancel(&self) {
        let params = json!({"callId": "c"});
        self.request("tools.cancelTestCall", params).await.expect("cancelled");
    }
}

async fn request(host: &Host, method: &str, params: Value) -> Result<Value, Value> {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    read(&host.bridge().handle(message.to_string()).await)
}

fn read(answer: &str) -> Result<Value, Value> {
    let answer: Value = serde_json::from_str(answer).expect("JSON");
    match answer.get("error") {
        Some(error) => Err(error["data"].clone()),
        None => Ok(answer["result"].clone()),
    }
}

fn script(behaviour: &str) -> Script {
    (behaviours::find(behaviour).expect("a behaviour").script)()
}

/// What an outcome is in one word: a code, or the kind of the answer.
fn word(outcome: &Value) -> String {
    let response = &outcome["response"];
    let word = match outcome["outcome"].as_str().expect("an outcome") {
        "known_response" => match response["kind"].as_str().expect("a kind") {
            "tool_result" => "tool_result",
            "server_error" => "server_error",
            _ => response["responseType"].as_str().expect("a type"),
        },
        "not_sent" => outcome["code"].as_str().expect("a code"),
        _ => return format!("unknown {}", outcome["code"].as_str().expect("a code")),
    };
    word.to_owned()
}

/// Nothing that a server said beside its answer, or a configuration holds, may be in what a person gets to see.
fn assert_clean(outcome: &Value) {
    let message = outcome["message"].as_str().unwrap_or_default();
    for secret in ["remote text", "secret", "/mcp?", "html>"] {
        assert!(!message.contains(secret), "{secret:?} in {message}");
    }
}

/// Makes one call of a server and says what it came to; the server's record beside it.
async fn play(script: Script, tool: &str, arguments: &str, adjust: impl FnOnce(&mut Budgets)) -> (String, HttpServer) {
    let world = World::with(Arc::clone(&CONNECTOR), adjust);
    let server = HttpServer::play(script).await.expect("a server");
    let id = world.add(&server, json!({"X-Key": "secret"})).await;
    let call = Call {
        id: &id,
        tool,
        arguments,
    };
    let outcome = world.begin(&call).await.await.expect("a task").expect("an outcome");
    assert_clean(&outcome);
    // Whatever is left to do with the server is done, and could be a second call.
    world.host.shutdown().await;
    (word(&outcome), server)
}
