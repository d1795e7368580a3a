//! The recommended server: added once, paused, by the rules of creating, and not again after it was removed (manager
//! contract §4).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

mod support;

use std::path::{Path, PathBuf};

use futures_util::{FutureExt, StreamExt};
use serde_json::{Value, json};
use support::{Bench, ROOT};
use toolgate_host::store::{CredentialProvider, FileStep, MemoryFiles};

const EXA: &str = "https://mcp.exa.ai/mcp";

fn settings() -> PathBuf {
    Path::new(ROOT).join("settings.json")
}

async fn offer(bench: &Bench) -> Value {
    bench.ok("servers.offerRecommended", json!({})).await
}

async fn servers(bench: &Bench) -> Vec<Value> {
    let list = bench.ok("servers.list", json!({"reveal": true})).await;
    list["servers"].as_array().unwrap().clone()
}

#[tokio::test]
async fn it_is_added_once_paused_and_nothing_connects() {
    let mut bench = Bench::new();
    let events = bench.bridge.events();
    let added = offer(&bench).await["added"].clone();
    assert_eq!(added["displayName"], "Exa Search");
    assert_eq!(added["state"], "paused");
    assert_eq!(added["target"], "https://mcp.exa.ai");
    let all = servers(&bench).await;
    assert_eq!(all.len(), 1);
    assert_eq!(all[0]["id"], added["id"]);
    assert_eq!(
        all[0]["config"],
        json!({"type": "http", "url": EXA, "headers": {}, "protocolVersion": "auto"})
    );
    let mut events = std::pin::pin!(events);
    let event: Value = serde_json::from_str(&events.next().await.unwrap()).unwrap();
    assert_eq!(event["params"], json!({"area": "servers", "id": added["id"]}));
    for _ in 0..2 {
        assert_eq!(offer(&bench).await, json!({}));
    }
    assert_eq!(servers(&bench).await.len(), 1);
    assert!(events.next().now_or_never().is_none());
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn removed_it_stays_away_also_after_a_restart() {
    let bench = Bench::new();
    let id = offer(&bench).await["added"]["id"].clone();
    bench.ok("servers.remove", json!({"id": id})).await;
    assert_eq!(offer(&bench).await, json!({}));
    let bench = bench.restart().await;
    assert_eq!(offer(&bench).await, json!({}));
    assert!(servers(&bench).await.is_empty());
}

#[tokio::test]
async fn two_pages_at_once_get_one() {
    let bench = Bench::new();
    let both = [(), ()].map(|()| bench.start("servers.offerRecommended", json!({})));
    let mut added = 0;
    for running in both {
        added += usize::from(running.await.unwrap().unwrap().get("added").is_some());
    }
    assert_eq!((added, servers(&bench).await.len()), (1, 1));
}

#[tokio::test]
async fn the_mark_keeps_the_salt() {
    let bench = Bench::new();
    let id = bench.active_server("https://example.com/").await;
    let revision = |read: Value| read["revision"].clone();
    let before = revision(bench.ok("servers.readConfig", json!({"id": id})).await);
    offer(&bench).await;
    let text: Value = serde_json::from_str(&bench.file(settings()).unwrap()).unwrap();
    assert_eq!(text["recommendedOffered"], true);
    let bench = bench.restart().await;
    assert_eq!(
        revision(bench.ok("servers.readConfig", json!({"id": id})).await),
        before
    );
}

#[tokio::test]
async fn somebody_who_has_it_is_offered_nothing_more() {
    let bench = Bench::new();
    let config = json!({"type": "http", "url": "https://MCP.exa.ai:443/mcp"});
    let created = bench
        .ok("servers.create", json!({"displayName": "Mine", "config": config}))
        .await;
    assert_eq!(offer(&bench).await, json!({}));
    bench.ok("servers.remove", json!({"id": created["id"]})).await;
    assert_eq!(offer(&bench).await, json!({}));
}

#[tokio::test]
async fn a_full_registry_refuses_and_leaves_the_offer_for_later() {
    let bench = Bench::with(MemoryFiles::new(), |options| options.limits.servers = 1);
    let id = bench.active_server("https://example.com/").await;
    assert_eq!(
        bench.code("servers.offerRecommended", json!({})).await,
        "mcp.server_limit"
    );
    bench.ok("servers.remove", json!({"id": id})).await;
    assert_eq!(offer(&bench).await["added"]["displayName"], "Exa Search");
}

#[tokio::test]
async fn settings_that_cannot_be_used_refuse_and_stay_as_they_are() {
    for (content, code) in [
        ("{torn", "mcp.storage_invalid"),
        (
            r#"{"schemaVersion": 2, "kind": "toolgate.settings"}"#,
            "mcp.storage_schema_unknown",
        ),
        (r#"{"schemaVersion": 1, "kind": "other"}"#, "mcp.storage_kind_unknown"),
    ] {
        let files = MemoryFiles::new();
        files.put(settings(), content);
        let bench = Bench::on(files);
        assert_eq!(bench.code("servers.offerRecommended", json!({})).await, code);
        assert!(servers(&bench).await.is_empty());
        assert_eq!(bench.file(settings()).unwrap(), content);
        bench.ok("storage.remove", json!({"fileName": "settings.json"})).await;
        assert!(offer(&bench).await.get("added").is_some());
    }
}

#[tokio::test]
async fn what_cannot_be_written_leaves_the_offer_for_later() {
    for failing in ["settings.json", "registrations"] {
        let bench = Bench::new();
        bench.files.fail_when(move |step, path| {
            let name = path.to_string_lossy();
            match failing {
                // Renamed into place from a name of its own.
                "settings.json" => step == FileStep::Rename && path.parent() == Some(Path::new(ROOT)),
                _ => step == FileStep::Create && name.contains("registrations"),
            }
        });
        assert_eq!(
            bench.code("servers.offerRecommended", json!({})).await,
            "mcp.storage_write_failed",
            "{failing}"
        );
        bench.files.heal();
        assert!(servers(&bench).await.is_empty(), "{failing}");
        assert!(offer(&bench).await.get("added").is_some(), "{failing}");
    }
}

#[tokio::test]
async fn a_crash_in_between_neither_loses_it_nor_makes_two() {
    for provider in [CredentialProvider::Inline, CredentialProvider::File] {
        let on = |files| Bench::with(files, |options| options.credentials = provider);
        for steps in 0.. {
            let bench = on(MemoryFiles::new());
            let mut left = steps;
            let crashed = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
            let noticed = std::sync::Arc::clone(&crashed);
            bench.files.fail_when(move |step, _| {
                if !step.changes() {
                    return false;
                }
                // From the step at which the power goes nothing more is done, no tidying up either.
                if left == 0 {
                    noticed.store(true, std::sync::atomic::Ordering::SeqCst);
                    return true;
                }
                left -= 1;
                false
            });
            let offered = bench.call("servers.offerRecommended", json!({})).await;
            let crashed = crashed.load(std::sync::atomic::Ordering::SeqCst);
            for files in [
                bench.files.after_losing_unflushed(),
                bench.files.after_keeping_unflushed(),
            ] {
                let after = on(files);
                let found = servers(&after).await.len();
                if offered.is_ok() {
                    assert_eq!(found, 1, "step {steps}: what was answered as done is done");
                }
                let added = offer(&after).await.get("added").is_some();
                assert_eq!(added, found == 0, "step {steps}: {found} were there");
                let now = servers(&after).await;
                assert_eq!(now.len(), 1, "step {steps}: {now:?}");
                // It was offered now, whichever offer it was.
                after.ok("servers.remove", json!({"id": now[0]["id"]})).await;
                assert_eq!(offer(&after).await, json!({}), "step {steps}");
            }
            if !crashed {
                assert!(steps > 5, "it has several steps");
                break;
            }
        }
    }
}
