//! Servers that are child processes through the bridge: made, looked at, saved, discovered, called, paused, removed.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::time::Duration;
use toolgate_host::host::Budgets;
use toolgate_host::store::MemoryFiles;
use toolgate_host::{Bridge, Host, HostOptions};

use crate::kit::{self, Processes};
use crate::support;

/// A host on files in memory that starts real processes.
pub struct Bench {
    pub files: MemoryFiles,
    pub host: Host,
    pub bridge: Bridge,
}

impl Bench {
    pub fn new() -> Self {
        Self::with(Budgets::default())
    }

    pub fn with(budgets: Budgets) -> Self {
        let files = MemoryFiles::new();
        let mut options = HostOptions::new(support::ROOT);
        options.files = Arc::new(files.clone());
        options.budgets = budgets;
        let connector = kit::connector(kit::limits(), Some(kit::guard()));
        let host = Host::open(options, Arc::new(connector)).unwrap();
        let bridge = host.bridge();
        Self { files, host, bridge }
    }

    pub async fn call(&self, method: &str, params: Value) -> Result<Value, Value> {
        support::call(&self.bridge, method, params).await
    }

    pub async fn ok(&self, method: &str, params: Value) -> Value {
        match self.call(method, params).await {
            Ok(result) => result,
            Err(error) => panic!("{method} failed: {error}"),
        }
    }

    /// Begins a request; it runs while the test goes on.
    pub fn start(&self, method: &'static str, params: Value) -> tokio::task::JoinHandle<Result<Value, Value>> {
        let bridge = self.bridge.clone();
        tokio::spawn(async move { support::call(&bridge, method, params).await })
    }

    /// Makes a server of a configuration and activates it; its id.
    pub async fn active(&self, config: &Value) -> String {
        let created = self
            .ok("servers.create", json!({"displayName": "Local", "config": config}))
            .await;
        assert_eq!(created["state"], "paused");
        let id = created["id"].as_str().unwrap().to_owned();
        self.ok("servers.setState", json!({"id": id, "state": "active"})).await;
        id
    }
}

/// A server of the kit as the bridge has it.
pub fn config(name: &str, processes: &Processes) -> Value {
    json!({
        "type": "stdio", "command": kit::program(), "args": [name, "--stdio"],
        "env": {"KIT_PIDS": processes.file(), "KIT_ASKED": processes.asked_file()},
    })
}

#[tokio::test]
async fn the_whole_way() {
    let bench = Bench::new();
    let info = bench.ok("host.info", json!({})).await;
    assert_eq!(info["transports"], json!(["http", "stdio"]));
    let processes = Processes::new();
    let config = config("good-2026", &processes);
    bench
        .ok("servers.review", json!({"displayName": "Local", "config": config}))
        .await;
    let id = bench.active(&config).await;
    assert_eq!(processes.ids(), [0_u32; 0], "looking at it starts nothing");

    let found = bench.ok("servers.discover", json!({"id": id})).await;
    assert_eq!(support::names(&found), ["first", "second"]);
    assert_eq!(found["protocolVersion"], "2026-07-28");
    processes.gone().await;
    bench.ok("servers.discover", json!({"id": id})).await;
    assert_eq!(processes.ids().len(), 1, "it is saved");
    bench.ok("servers.refresh", json!({"id": id})).await;
    assert_eq!(processes.ids().len(), 2);

    let params = json!({"id": id, "nativeName": "first", "argumentsJson": "{\"n\":9007199254740993}"});
    let outcome = bench.ok("tools.testCall", params).await;
    assert_eq!(
        outcome["response"]["structuredJson"], "{\"n\":9007199254740993}",
        "{outcome}"
    );
    processes.gone().await;

    let list = bench.ok("servers.list", json!({})).await;
    let summary = &list["servers"][0];
    assert_eq!(
        (&summary["target"], &summary["toolCount"]),
        (&json!("toolgate-testkit"), &json!(2))
    );
    bench.ok("servers.remove", json!({"id": id})).await;
}

#[tokio::test]
async fn a_failure_is_told_and_kept_until_it_mends() {
    let bench = Bench::new();
    let processes = Processes::new();
    let id = bench.active(&config("stdio-exit-3", &processes)).await;
    let error = bench.call("servers.discover", json!({"id": id})).await.unwrap_err();
    assert_eq!(error["data"]["code"], "mcp.connection_exited");
    assert!(error["message"].as_str().unwrap().contains("exit code 3"), "{error}");
    let list = bench.ok("servers.list", json!({})).await;
    assert_eq!(list["servers"][0]["lastFailure"]["code"], "mcp.connection_exited");
    let params = json!({"id": id, "nativeName": "first", "argumentsJson": "{}"});
    let outcome = bench.ok("tools.testCall", params).await;
    assert_eq!(outcome["outcome"], "not_sent", "{outcome}");
}

#[tokio::test]
async fn a_silent_server_costs_the_budget_and_no_more() {
    let bench = Bench::with(Budgets {
        discovery: Duration::from_secs(2),
        ..Budgets::default()
    });
    let processes = Processes::new();
    let id = bench.active(&config("stdio-silent", &processes)).await;
    let error = bench.call("servers.discover", json!({"id": id})).await.unwrap_err();
    assert_eq!(error["data"]["code"], "mcp.connection_timeout");
    assert!(error["message"].as_str().unwrap().contains("first request"), "{error}");
    processes.gone().await;
}

#[tokio::test]
async fn paused_or_removed_while_it_works_on_a_call() {
    for (method, params) in [
        ("servers.setState", json!({"state": "paused"})),
        ("servers.remove", json!({})),
    ] {
        let bench = Bench::new();
        let processes = Processes::new();
        let id = bench.active(&config("call-silent", &processes)).await;
        let call = json!({"id": id, "nativeName": "first", "argumentsJson": "{}"});
        let running = bench.start("tools.testCall", call);
        processes.asked("tools/call").await;
        let mut params = params.clone();
        params["id"] = json!(id);
        bench.ok(method, params).await;
        let outcome = running.await.unwrap().unwrap();
        assert_eq!(outcome["outcome"], "outcome_unknown", "{outcome}");
        processes.gone().await;
    }
}

#[tokio::test]
async fn models_share_one_process_that_is_replaced_when_it_ended() {
    let bench = Bench::new();
    let processes = Processes::new();
    let id = bench.active(&config("good", &processes)).await;
    bench.ok("servers.discover", json!({"id": id})).await;
    bench
        .ok(
            "tools.setPermission",
            json!({"id": id, "nativeName": "first", "permission": "allow"}),
        )
        .await;
    model_calls(&bench, &id).await;
    model_calls(&bench, &id).await;
    assert_eq!(processes.ids().len(), 2, "one for the discovery, one for both calls");
    kit::kill(processes.ids()[1], "KILL");
    processes.gone().await;
    // Until the host has taken note of the end a call may still go out to nobody; then it is not made again.
    let deadline = tokio::time::Instant::now() + Duration::from_secs(15);
    while !model_calls(&bench, &id).await {
        assert!(tokio::time::Instant::now() < deadline);
    }
    assert_eq!(processes.ids().len(), 3);
    bench.ok("servers.setState", json!({"id": id, "state": "paused"})).await;
    processes.gone().await;
    bench.host.shutdown().await;
}

/// A model's call, in an invocation of its own; whether it was answered.
async fn model_calls(bench: &Bench, id: &str) -> bool {
    let profile = json!({"tools": {"allow": [format!("mcp/{id}:first")]}});
    let prepared = bench.ok("agent.prepare", json!({"profile": profile})).await;
    let alias = &prepared["bindings"][0]["alias"];
    let invocation = &prepared["invocationId"];
    let params = json!({"invocationId": invocation, "alias": alias, "argumentsJson": "{}"});
    let outcome = bench.ok("agent.call", params).await;
    bench.ok("agent.end", json!({"invocationId": invocation})).await;
    outcome["outcome"] != "outcome_unknown"
}

#[tokio::test]
async fn a_shutdown_waits_until_nothing_is_left() {
    let bench = Bench::new();
    let processes = Processes::new();
    let id = bench.active(&config("stdio-family-silent-list", &processes)).await;
    let running = bench.start("servers.discover", json!({"id": id}));
    processes.started(4).await;
    bench.host.shutdown().await;
    assert_eq!(processes.alive(), [0_u32; 0]);
    running.await.unwrap().unwrap_err();
}
