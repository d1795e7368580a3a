//! A secret in command, arguments, environment and folder, which the server says again wherever it can, never comes out.

use std::path::Path;

use futures_util::{FutureExt as _, StreamExt as _};
use serde_json::{Value, json};
use tempfile::TempDir;
use toolgate_host::mcp::{CallAnswer, Connector as _};

use crate::kit::{self, call, connect, connector, connectors, guard, limits};
use crate::service::Bench;
use crate::support;
use crate::support::logs::Logs;

const CANARY: &str = "canary-7c41";

fn hides(text: impl std::fmt::Display) {
    let text = text.to_string();
    assert!(!text.contains(CANARY), "{text}");
}

/// A configuration with the canary in every place that can hold one.
fn config(name: &str, folder: &TempDir) -> Value {
    let cwd = folder.path().join(CANARY);
    std::fs::create_dir_all(&cwd).unwrap();
    json!({
        "type": "stdio", "command": kit::program(), "args": [name, "--stdio", CANARY],
        "env": {"TOKEN": CANARY}, "cwd": cwd,
    })
}

#[tokio::test]
async fn nowhere_a_secret_of_a_child_process() {
    let logs = Logs::start();
    let folder = TempDir::new().unwrap();
    let bench = Bench::new();
    let mut events = Box::pin(bench.bridge.events());
    for (name, expected) in [
        ("stdio-leaks-and-exits", Some("mcp.connection_exited")),
        ("stdio-leaks-in-errors", Some("mcp.connection_request_refused")),
        ("stdio-exit-3", Some("mcp.connection_exited")),
        ("good", None),
    ] {
        let config = config(name, &folder);
        hides(
            bench
                .ok("servers.review", json!({"displayName": "Local", "config": config}))
                .await,
        );
        let id = bench.active(&config).await;
        match bench.call("servers.discover", json!({"id": id})).await {
            Ok(found) => hides(found),
            Err(error) => {
                hides(&error);
                assert_eq!(error["data"]["code"].as_str(), expected, "{name}");
            }
        }
        hides(bench.ok("servers.list", json!({})).await);
        let read = bench.ok("servers.readConfig", json!({"id": id})).await;
        // The folder is shown as it is: it is no secret by the rules of masking.
        let mut masked = read["config"].clone();
        masked.as_object_mut().unwrap().remove("cwd");
        hides(&masked);
        // Masked and saved unchanged, it starts the same.
        let params = json!({"id": id, "displayName": "L", "config": read["config"], "revision": read["revision"]});
        hides(bench.ok("servers.saveConfig", params).await);
        let revealed = bench.ok("servers.readConfig", json!({"id": id, "reveal": true})).await;
        assert_eq!(revealed["config"]["env"]["TOKEN"], CANARY);
        let outcome = bench
            .ok(
                "tools.testCall",
                json!({"id": id, "nativeName": "first", "argumentsJson": "{}"}),
            )
            .await;
        hides(outcome);
    }
    while let Some(Some(event)) = events.next().now_or_never() {
        hides(event);
    }
    let registrations = support::registrations();
    for path in bench.files.paths() {
        let content = bench.files.get(&path).unwrap();
        // Its own record is where the configuration is kept.
        if !path.starts_with(&registrations) {
            hides(String::from_utf8_lossy(&content));
        }
    }
    bench.host.shutdown().await;
    let log = logs.text();
    assert!(log.contains("serve finished"), "the SDK's own lines are in it");
    for line in log.lines() {
        hides(line);
    }
}

#[tokio::test]
async fn the_guard_is_told_nothing_that_others_can_read() {
    let processes = kit::Processes::new();
    let connector = connector(limits(), Some(guard()));
    let mut config = processes.note(kit::server("good"));
    config.args.push(CANARY.to_owned());
    assert!(config.env.insert("TOKEN".to_owned(), CANARY.to_owned()));
    hides(format!("{config:?}"));
    let connection = connect(&connector, config).await.unwrap();
    let server = processes.started(1).await[0];
    let of = |id: u32, what: &str| {
        let text = std::fs::read(Path::new("/proc").join(id.to_string()).join(what)).unwrap();
        String::from_utf8_lossy(&text).into_owned()
    };
    let stat = of(server, "stat");
    let guard: u32 = stat
        .rsplit_once(')')
        .unwrap()
        .1
        .split_whitespace()
        .nth(1)
        .unwrap()
        .parse()
        .unwrap();
    assert!(of(guard, "cmdline").starts_with("toolgate-guard"));
    for what in ["cmdline", "environ"] {
        hides(of(guard, what));
        assert!(of(server, what).contains(CANARY), "what is looked for is there: {what}");
    }
    connection.close().await;
    connector.nothing_left().await;
}

#[tokio::test]
async fn of_the_hosts_environment_only_the_allow_list_is_handed_on() {
    for connector in connectors() {
        let config = kit::with_env(kit::server("stdio-tells-all"), &[("OWN", "value"), ("LANG", "xx")]);
        let connection = connect(&connector, config).await.unwrap();
        let CallAnswer::Result(result) = call(connection.as_ref(), "{}").await.unwrap() else {
            panic!("an error")
        };
        let result: Value = serde_json::from_str(&result).unwrap();
        let told: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        let env: Vec<(String, String)> = serde_json::from_value(told["env"].clone()).unwrap();
        let names: Vec<_> = env.iter().map(|(name, _)| name.as_str()).collect();
        // Cargo sets these for this very process.
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
        assert!(!names.iter().any(|name| name.starts_with("CARGO")), "{names:?}");
        assert!(names.contains(&"PATH"), "{names:?}");
        assert!(env.contains(&("OWN".to_owned(), "value".to_owned())));
        assert!(
            env.contains(&("LANG".to_owned(), "xx".to_owned())),
            "what is configured counts"
        );
        connection.close().await;
    }
}
