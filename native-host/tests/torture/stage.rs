//! Plays one case: a host, a server, what a person does, and what is left when the host has ended.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, timeout};
use toolgate_host::mcp::{NetLimits, ProxySettings, RmcpConnector};
use toolgate_host::store::MemoryFiles;
use toolgate_host::{Bridge, Budgets, Host, HostOptions};
use toolgate_testkit::{HttpServer, Received};

use crate::cases::{Case, SECONDS};
use crate::heard::Heard;
use crate::kit::{self, Processes};
use crate::{answers, support};

/// Bytes of an endless answer that a client has taken which reads no more than it may.
const MOST_ENDLESS_BYTES: usize = 32 << 20;

/// What came of a case.
pub struct Played {
    pub answer: String,
    pub heard: Heard,
    /// What is wrong whatever the case.
    faults: Vec<String>,
}

impl Played {
    /// What is not as the table says.
    pub fn problems(&self, case: &Case) -> Vec<String> {
        let mut problems = self.faults.clone();
        if self.answer != case.answer {
            problems.push(format!("answer   {}\n  expected {}", self.answer, case.answer));
        }
        if !self.heard.fits(&case.heard) {
            problems.push(format!("heard    {}\n  expected {}", self.heard, case.heard));
        }
        problems
    }
}

/// Small ones, for servers that are waited for in vain.
fn net_limits(case: &Case) -> NetLimits {
    let mut limits = NetLimits {
        // On a busy machine a server may be slow to take its end, and is to be seen to get it.
        close: Duration::from_secs(8),
        standing: Duration::from_secs(2),
        ..NetLimits::default()
    };
    if case.waits() {
        limits.discover = Duration::from_secs(2);
        limits.standing = Duration::from_millis(250);
    }
    if case.is_slow {
        limits.close = Duration::from_millis(700);
        limits.answer = Duration::from_millis(700);
    }
    limits
}

fn budgets(gives_up: bool) -> Budgets {
    if gives_up {
        Budgets {
            discovery: Duration::from_secs(8),
            call_start: Duration::from_secs(60),
            call: Duration::from_secs(3),
            ..Budgets::default()
        }
    } else {
        // Never used up: a case that takes as long is wrong.
        Budgets {
            discovery: Duration::from_secs(90),
            call_start: Duration::from_secs(90),
            call: Duration::from_secs(90),
            ..Budgets::default()
        }
    }
}

/// One for all of a kind over HTTP: reading the platform's certificates takes a while.
fn over_http(case: &Case) -> Arc<RmcpConnector> {
    static CONNECTORS: LazyLock<Mutex<HashMap<(bool, bool), Arc<RmcpConnector>>>> = LazyLock::new(Mutex::default);
    let mut connectors = CONNECTORS.lock().unwrap();
    let connector = connectors.entry((case.is_slow, case.gives_up));
    Arc::clone(connector.or_insert_with(|| new_connector(case)))
}

fn new_connector(case: &Case) -> Arc<RmcpConnector> {
    let connector = RmcpConnector::new(net_limits(case), &ProxySettings::none()).unwrap();
    Arc::new(connector.with_guard(Some(kit::guard())))
}

/// Plays a case within its time.
pub async fn play(case: &Case) -> Played {
    let seconds = case.seconds.unwrap_or(SECONDS);
    let start = Instant::now();
    let played = if case.is_process {
        timeout(Duration::from_secs(seconds), play_process(case)).await
    } else {
        timeout(Duration::from_secs(seconds), play_http(case)).await
    };
    if std::env::var_os("TORTURE_TIMES").is_some() {
        println!("{:8.2} {}", start.elapsed().as_secs_f64(), case.server);
    }
    played.unwrap_or_else(|_| Played {
        answer: String::new(),
        heard: Heard::default(),
        faults: vec![format!("it took longer than {seconds} s")],
    })
}

async fn play_http(case: &Case) -> Played {
    let server = HttpServer::start(&case.server).await.unwrap();
    let config = json!({"type": "http", "url": server.url(), "headers": {"X-Key": "secret"}});
    let (answer, mut faults) = use_server(case, &config, over_http(case)).await;
    let received = server.received();
    let answer = answer.replace(&server.address().to_string(), "127.0.0.1:PORT");
    // What the system's buffers hold is not what is kept. A server's own stream is read as long as it stands.
    let is_standing = received
        .iter()
        .any(|request| request.method == "GET" && request.header("last-event-id").is_empty());
    if server.endless_bytes() > MOST_ENDLESS_BYTES && !(is_standing && case.server.starts_with("flood-")) {
        faults.push(format!(
            "{} bytes of an endless answer were read",
            server.endless_bytes()
        ));
    }
    faults.extend(received.iter().filter_map(fault_of));
    Played {
        answer,
        heard: Heard::requests(&received),
        faults,
    }
}

async fn play_process(case: &Case) -> Played {
    let processes = Processes::new();
    let config = json!({
        "type": "stdio", "command": kit::program(), "args": [case.server, "--stdio"],
        "env": {"KIT_PIDS": processes.file(), "KIT_ASKED": processes.asked_file()},
    });
    let (answer, mut faults) = use_server(case, &config, new_connector(case)).await;
    if !processes.alive().is_empty() {
        faults.push("a process is left when the host has ended".to_owned());
    }
    let asked = std::fs::read_to_string(processes.asked_file()).unwrap_or_default();
    Played {
        answer,
        heard: Heard::methods(asked.lines()),
        faults,
    }
}

/// Registers the server, activates it, and lists its tools or calls one. Answers when the host has ended.
async fn use_server(case: &Case, config: &Value, connector: Arc<RmcpConnector>) -> (String, Vec<String>) {
    let mut options = HostOptions::new(support::ROOT);
    options.files = Arc::new(MemoryFiles::new());
    options.budgets = budgets(case.gives_up);
    let host = Host::open(options, connector).unwrap();
    let bridge = host.bridge();
    let created = ok(
        &bridge,
        "servers.create",
        json!({"displayName": "Kit", "config": config}),
    )
    .await;
    let id = created["id"].as_str().unwrap();
    ok(&bridge, "servers.setState", json!({"id": id, "state": "active"})).await;
    let mut faults = Vec::new();
    let answer = if case.calls {
        let params = json!({"id": id, "nativeName": case.tool(), "argumentsJson": case.arguments()});
        answers::of_call(&support::call(&bridge, "tools.testCall", params).await)
    } else {
        let discovered = support::call(&bridge, "servers.discover", json!({"id": id})).await;
        let list = ok(&bridge, "servers.list", json!({})).await;
        let kept = &list["servers"][0];
        let (failed, offers) = match &discovered {
            Ok(found) => (&Value::Null, json!(found["tools"].as_array().unwrap().len())),
            Err(error) => (&error["data"]["code"], Value::Null),
        };
        if kept["lastFailure"]["code"] != *failed || kept["toolCount"] != offers {
            faults.push(format!("the list of servers says otherwise: {kept}"));
        }
        answers::of_discovery(&discovered)
    };
    host.shutdown().await;
    let failed = answer.contains(": The ") || answer.contains(": No ") || answer.contains(": What ");
    for secret in ["remote text", "secret", "/mcp", "html>"] {
        if failed && answer.contains(secret) {
            faults.push(format!("{secret:?} is told"));
        }
    }
    (answer, faults)
}

async fn ok(bridge: &Bridge, method: &str, params: Value) -> Value {
    match support::call(bridge, method, params).await {
        Ok(result) => result,
        Err(error) => panic!("{method} failed: {error}"),
    }
}

/// What is wrong about a request, whatever server it goes to.
fn fault_of(request: &Received) -> Option<String> {
    let fault = |what: &str| Some(format!("{what}: {} {:?}", request.what(), request.headers));
    if request.target != "/mcp" {
        return fault("it goes elsewhere");
    }
    if request.header("x-key") != ["secret"] {
        return fault("the configured header is missing");
    }
    if request.header("accept-encoding") != ["identity"] {
        return fault("it offers compression");
    }
    let accept = match request.method.as_str() {
        "GET" => "text/event-stream",
        _ => "application/json, text/event-stream",
    };
    if request.header("accept") != [accept] {
        return fault("it accepts the wrong things");
    }
    if request.method == "POST" {
        if request.header("content-type") != ["application/json"] {
            return fault("it is of the wrong type");
        }
        if !request.is_cut && request.json()["jsonrpc"] != "2.0" {
            return fault("it is no JSON-RPC");
        }
    }
    let starts = matches!(request.rpc().as_str(), "initialize" | "server/discover") || request.is_cut;
    // By such a GET a server of the 2024 transport is known.
    let probes = request.method == "GET" && request.header("mcp-session-id").is_empty();
    let versions = request.header("mcp-protocol-version");
    if !(starts || probes) && versions.len() != 1 {
        return fault("it does not name its version once");
    }
    None
}
