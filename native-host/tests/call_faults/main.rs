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
use tokio::task::JoinHandle;
use toolgate_host::mcp::{NetLimits, ProxySettings, RmcpConnector};
use toolgate_host::{Budgets, Host, HostOptions};
use toolgate_testkit::{HttpServer, Received, Script, behaviours};

/// One for all hosts: reading the platform's certificates takes a while.
static CONNECTOR: LazyLock<Arc<RmcpConnector>> = LazyLock::new(|| connector(NetLimits::default()));

fn connector(limits: NetLimits) -> Arc<RmcpConnector> {
    Arc::new(RmcpConnector::new(limits, &ProxySettings::none()).expect("a connector"))
}

/// A host on a folder of its own, and a server that is registered with it and active.
struct World {
    host: Host,
    server: HttpServer,
    id: String,
    _folder: TempDir,
}

/// What a world is made with.
struct Setup {
    connector: Arc<RmcpConnector>,
    budgets: Budgets,
    headers: Value,
    /// Where the server is said to be, if not where it is.
    url: Option<String>,
}

impl World {
    async fn new(script: Script) -> Self {
        Self::with(script, |_| {}).await
    }

    async fn with(script: Script, adjust: impl FnOnce(&mut Setup)) -> Self {
        let mut setup = Setup {
            connector: Arc::clone(&CONNECTOR),
            budgets: Budgets::default(),
            headers: json!({"X-Key": "secret"}),
            url: None,
        };
        adjust(&mut setup);
        let folder = TempDir::new().expect("a folder");
        let mut options = HostOptions::new(folder.path());
        options.budgets = setup.budgets;
        let host = Host::open(options, setup.connector).expect("a host");
        let server = HttpServer::play(script).await.expect("a server");

        let url = setup.url.unwrap_or_else(|| server.url());
        let config = json!({"type": "http", "url": url, "headers": setup.headers, "protocolVersion": "auto"});
        let params = json!({"displayName": "Kit", "config": config});
        let created = request(&host, "servers.create", params).await.expect("created");
        let id = created["id"].as_str().expect("an id").to_owned();
        let active = json!({"id": id, "state": "active"});
        request(&host, "servers.setState", active).await.expect("activated");
        Self {
            host,
            server,
            id,
            _folder: folder,
        }
    }

    async fn request(&self, method: &str, params: Value) -> Result<Value, Value> {
        request(&self.host, method, params).await
    }

    /// Announces a call under the id `c` and asks for it; it runs while the test goes on.
    async fn begin(&self, tool: &str, arguments: &str) -> Running {
        self.request("tools.startTestCall", json!({"callId": "c"}))
            .await
            .expect("announced");
        let params = json!({"callId": "c", "id": self.id, "nativeName": tool, "argumentsJson": arguments});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools.testCall", "params": params});
        let answer = self.host.bridge().handle(message.to_string());
        Running(tokio::spawn(async move { read(&answer.await) }))
    }

    /// The same, until the server has received what fits.
    async fn begin_until(&mut self, tool: &str, fits: impl Fn(&Received) -> bool) -> Running {
        let running = self.begin(tool, "{}").await;
        self.server.wait_for(fits).await.expect("a request");
        running
    }

    async fn cancel(&self) {
        let params = json!({"callId": "c"});
        self.request("tools.cancelTestCall", params).await.expect("cancelled");
    }

    /// Ends the host: whatever is left to do with the server is done, and could be a second call.
    async fn end(self) -> HttpServer {
        self.host.shutdown().await;
        self.server
    }
}

/// A call under way.
struct Running(JoinHandle<Result<Value, Value>>);

impl Running {
    async fn outcome(self) -> Value {
        let outcome = self.0.await.expect("a task").expect("an outcome");
        assert_clean(&outcome);
        outcome
    }

    /// Its outcome in one word: see [`word`].
    async fn word(self) -> String {
        word(&self.outcome().await)
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

/// The server of a behaviour in the older revisions and in the newest.
fn both_eras(behaviour: &str) -> [(&'static str, Script); 2] {
    [("2025", script(behaviour)), ("2026", script(behaviour).in_2026())]
}

fn is_call(request: &Received) -> bool {
    request.rpc() == "tools/call"
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
async fn play(script: Script, tool: &str, arguments: &str, adjust: impl FnOnce(&mut Setup)) -> (String, HttpServer) {
    let world = World::with(script, adjust).await;
    let word = world.begin(tool, arguments).await.word().await;
    (word, world.end().await)
}
