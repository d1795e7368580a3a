//! No secret of a configuration is in a list, an error, an event or a Debug output, and none in a settings or catalog
//! file.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

mod support;

use std::path::Path;

use futures_util::{FutureExt, StreamExt};
use serde_json::{Value, json};
use support::{Bench, ID, ROOT, pending_file, registration_file};
use toolgate_host::store::{CredentialProvider, FileStep, MemoryFiles};

const CANARY: &str = "canary-5f2c";

fn hides(text: impl std::fmt::Display) {
    let text = text.to_string();
    assert!(!text.contains(CANARY), "{text}");
}

fn config() -> Value {
    json!({
        "type": "http",
        "url": format!("https://{CANARY}:{CANARY}@example.com/{CANARY}?key={CANARY}"),
        "headers": {"Authorization": format!("Bearer {CANARY}"), "X": CANARY},
    })
}

#[tokio::test]
async fn in_no_answer_that_did_not_ask_for_it() {
    for provider in [CredentialProvider::Inline, CredentialProvider::File] {
        in_no_answer(Bench::with(MemoryFiles::new(), |options| {
            options.credentials = provider;
        }))
        .await;
    }
}

async fn in_no_answer(mut bench: Bench) {
    let mut events = Box::pin(bench.bridge.events());
    let params = json!({"displayName": "Docs", "config": config()});
    hides(bench.ok("servers.review", params.clone()).await);
    let created = bench.ok("servers.create", params).await;
    hides(&created);
    let id = created["id"].as_str().unwrap().to_owned();
    let read = bench.ok("servers.readConfig", json!({"id": id})).await;
    hides(&read);
    hides(bench.ok("servers.setState", json!({"id": id, "state": "active"})).await);
    let running = bench.start("servers.discover", json!({"id": id}));
    let attempt = bench.attempt().await;
    hides(format!("{:?}", attempt.config));
    attempt.offer(&["t"]);
    hides(running.await.unwrap().unwrap());
    hides(bench.ok("servers.list", json!({})).await);
    let saving = json!({"id": id, "displayName": "D", "config": read["config"], "revision": read["revision"]});
    hides(bench.ok("servers.saveConfig", saving).await);
    let text = json!({"mcpServers": {"imported": config()}}).to_string();
    hides(bench.ok("servers.import", json!({"text": text})).await);
    hides(bench.call("servers.import", json!({"text": text})).await.unwrap_err());
    hides(bench.ok("host.info", json!({})).await);
    while let Some(Some(event)) = events.next().now_or_never() {
        hides(event);
    }
    let revealed = bench.ok("servers.list", json!({"reveal": true})).await;
    assert_eq!(revealed["servers"][0]["config"]["headers"]["X"], CANARY);
    assert!(bench.file(pending_file()).is_none());
    let settings = bench.file(Path::new(ROOT).join("settings.json")).unwrap();
    hides(settings);
}

#[tokio::test]
async fn in_no_error_about_a_value_at_the_wrong_place() {
    let bench = Bench::new();
    let id = bench.active_server("https://example.com/mcp").await;
    for config in [
        json!(CANARY),
        json!({"type": CANARY}),
        json!({"type": "http", "url": {"x": CANARY}}),
        json!({"type": "http", "url": CANARY}),
        json!({"type": "http", "url": format!("ftp://{CANARY}@example.com/{CANARY}")}),
        json!({"type": "http", "url": format!("https://example.com/#{CANARY}")}),
        json!({"type": "http", "url": "https://example.com/", "headers": CANARY}),
        json!({"type": "http", "url": "https://example.com/", "headers": [CANARY]}),
        json!({"type": "http", "url": "https://example.com/", "headers": {"X": [CANARY]}}),
        json!({"type": "http", "url": "https://example.com/", "headers": {"X": format!(", expected {CANARY}")}, "protocolVersion": CANARY}),
        json!({"type": "http", "url": "https://example.com/", "protocolVersion": format!("`, expected {CANARY}")}),
        json!({"type": "http", "url": "https://example.com/", "headers": {"X": format!("{{{{DSH_MCP_SAVED:{CANARY}}}}}")}}),
        json!({"type": "stdio", "command": CANARY, "args": CANARY}),
        json!({"type": "stdio", "command": CANARY, "args": [CANARY], "env": {"X": [CANARY]}}),
        json!({"type": "stdio", "command": CANARY, "env": CANARY}),
    ] {
        let created = bench
            .call("servers.create", json!({"displayName": "A", "config": config}))
            .await;
        hides(created.unwrap_err());
        let read = bench.ok("servers.readConfig", json!({"id": id})).await;
        let saving = json!({"id": id, "displayName": "A", "config": config, "revision": read["revision"]});
        hides(bench.call("servers.saveConfig", saving).await.unwrap_err());
    }
    let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"servers.create","params":"{CANARY}"}}"#);
    hides(bench.bridge.handle(message).await);
    hides(
        bench
            .bridge
            .handle(format!(r#"{{"jsonrpc":"{CANARY}","id":1,"params":"{CANARY}""#))
            .await,
    );
}

#[tokio::test]
async fn in_no_storage_issue_and_no_error_about_a_file() {
    let good = json!({
        "schemaVersion": 1,
        "kind": "tauritavern.mcpServerRegistration",
        "id": ID,
        "displayName": "Docs",
        "endpoint": format!("https://example.com/{CANARY}"),
        "headers": {"X": CANARY},
        "protocolVersion": "auto",
        "state": "active",
    });
    let text = good.to_string();
    let with = |field: &str, value: Value| {
        let mut record = good.clone();
        record[field] = value;
        record.to_string()
    };
    for bad in [
        text[..text.len() - 20].to_owned(),
        with("endpoint", json!(format!("ftp://example.com/{CANARY}"))),
        with("endpoint", json!([CANARY])),
        with("headers", json!(CANARY)),
        with("headers", json!({"X": [CANARY]})),
        with("protocolVersion", json!(CANARY)),
        with("state", json!(CANARY)),
        with("kind", json!(CANARY)),
        with("schemaVersion", json!(CANARY)),
        with("id", json!(CANARY)),
    ] {
        let files = MemoryFiles::new();
        files.put(registration_file(ID), bad);
        let bench = Bench::on(files);
        let list = bench.ok("servers.list", json!({})).await;
        assert_eq!(list["storageIssues"].as_array().unwrap().len(), 1);
        hides(list);
        hides(bench.call("servers.discover", json!({"id": ID})).await.unwrap_err());
    }
    let files = MemoryFiles::new();
    files.put(registration_file(ID), text);
    let bench = Bench::on(files);
    bench.files.fail_when(|step, _| step == FileStep::Write);
    hides(
        bench
            .call("servers.setState", json!({"id": ID, "state": "paused"}))
            .await
            .unwrap_err(),
    );
}
