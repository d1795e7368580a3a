//! Changes of several files, with a failure or a loss of power at every step: all of the old or all of the new, and what
//! the host answers is what the next start finds.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

#[path = "../support/mod.rs"]
mod support;

mod bad_files;
mod damaged;
mod steps;
mod stuck;

use serde_json::{Value, json};
use support::{Bench, catalog_file, pending_file};
use toolgate_core::server::TransportKind;
use toolgate_host::store::{CredentialProvider, MemoryFiles};

fn under(provider: CredentialProvider, files: MemoryFiles) -> Bench {
    Bench::with(files, |options| {
        options.credentials = provider;
        options.transports = vec![TransportKind::Http, TransportKind::Stdio];
    })
}

fn config(secret: &str) -> Value {
    json!({"type": "http", "url": format!("https://example.com/mcp?key={secret}"), "headers": {"X": secret}})
}

/// A directory with one server under this provider, "Docs" with the secret "old", a catalog of it, and a partner who is
/// granted it.
async fn ground(provider: CredentialProvider) -> (MemoryFiles, String) {
    let mut bench = under(provider, MemoryFiles::new());
    let created = bench
        .ok(
            "servers.create",
            json!({"displayName": "Docs", "config": config("old")}),
        )
        .await;
    let id = created["id"].as_str().unwrap().to_owned();
    bench.ok("servers.setState", json!({"id": id, "state": "active"})).await;
    bench.discover(&id, &["t"]).await;
    let partner = bench.ok("partners.create", json!({"name": "Mika"})).await;
    let grant = json!({"partnerId": partner["id"], "serverId": id, "scope": "all"});
    bench.ok("partners.grant", grant).await;
    bench.host.shutdown().await;
    (bench.files.after_losing_unflushed(), id)
}

/// Everything that a person can see of the servers, ids of new ones aside, and of what partners are granted.
async fn seen(bench: &Bench) -> Value {
    let list = bench.ok("servers.list", json!({"reveal": true})).await;
    let servers = list["servers"].as_array().unwrap().iter().map(|server| {
        // What was to be removed and could not be is paused as long as the host runs, and saved as it was.
        let state = match server.get("pauseUnsaved") {
            Some(_) => json!("active"),
            None => server["state"].clone(),
        };
        json!({
            "name": server["displayName"], "config": server["config"], "state": state,
            "tools": server.get("toolCount"), "permissions": server["toolPermissions"],
        })
    });
    let servers: Vec<_> = servers.collect();
    let partners = bench.ok("partners.list", json!({})).await;
    json!({"servers": servers, "grants": partners["partners"][0]["grants"]})
}

/// Nothing is left over of a change.
fn nothing_left_over(files: &MemoryFiles) {
    for path in files.paths() {
        let name = path.to_string_lossy().into_owned();
        assert!(
            !name.contains("/.toolgate-") && path != pending_file(),
            "{name} is left over"
        );
    }
}

async fn saving(bench: &Bench, id: &str, config: Value) -> Value {
    let read = bench.ok("servers.readConfig", json!({"id": id})).await;
    json!({"id": id, "displayName": "Renamed", "config": config, "revision": read["revision"]})
}

const TWO: &str = r#"{"mcpServers": {"one": {"url": "https://example.com/1", "headers": {"A": "secret"}},
    "two": {"command": "run", "args": ["secret"], "env": {"E": "secret"}}}}"#;

#[tokio::test]
async fn two_edits_at_once_lose_nothing() {
    for provider in [CredentialProvider::Inline, CredentialProvider::File] {
        let (files, id) = ground(provider).await;
        let bench = under(provider, files);
        let saves: Vec<_> = ["a", "b", "c", "d"]
            .map(|secret| (secret, config(secret)))
            .into_iter()
            .collect();
        let mut running = Vec::new();
        let read = bench.ok("servers.readConfig", json!({"id": id})).await;
        for (name, config) in saves {
            let params = json!({"id": id, "displayName": name, "config": config, "revision": read["revision"]});
            running.push((name, bench.start("servers.saveConfig", params)));
        }
        let created = bench.start("servers.create", json!({"displayName": "New", "config": config("new")}));
        let mut winners = Vec::new();
        for (name, save) in running {
            match save.await.unwrap() {
                Ok(_) => winners.push(name),
                Err(error) => assert_eq!(error["data"]["code"], "mcp.config_conflict"),
            }
        }
        created.await.unwrap().unwrap();
        let [winner] = winners.as_slice() else {
            panic!("one of them saves, the others are told: {winners:?}")
        };
        let servers = seen(&under(provider, bench.files.after_losing_unflushed())).await["servers"].clone();
        assert_eq!(servers.as_array().unwrap().len(), 2, "{servers}");
        let server = servers
            .as_array()
            .unwrap()
            .iter()
            .find(|server| server["name"] == *winner)
            .unwrap();
        assert_eq!(server["config"]["headers"]["X"], *winner);
        assert!(bench.file(catalog_file(&id)).is_none());
    }
}
