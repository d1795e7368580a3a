//! What runs at the same time: who joins which discovery, and what a discovery may still publish when it ends.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

mod support;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::{Value, json};
use support::{BREAK_OFF, Bench, URL, catalog_file, names, registration_file};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use toolgate_host::mcp::{Failure, FailureClass, Step};
use toolgate_host::store::{FileStep, MemoryFiles};
use toolgate_host::threads::{SystemThreads, Threads, Work};

/// Begins requests while a discovery is held up, and waits until each has joined it or lined up behind it.
async fn start_all(bench: &Bench, id: &str, methods: &[&str]) -> Vec<JoinHandle<Result<Value, Value>>> {
    let (read, mut reads) = mpsc::unbounded_channel();
    let file = registration_file(id);
    bench.files.fail_when(move |step, path| {
        if step == FileStep::Read && path == file {
            read.send(()).unwrap();
        }
        false
    });
    let running = methods
        .iter()
        .map(|method| bench.start(method, json!({"id": id})))
        .collect();
    for _ in methods {
        reads.recv().await.unwrap();
    }
    bench.files.heal();
    // A change has to wait until those who read the registration have done with it.
    bench
        .ok(
            "tools.setPermission",
            json!({"id": id, "nativeName": "none", "permission": "off"}),
        )
        .await;
    running
}

async fn save(bench: &Bench, id: &str, config: Value) -> Value {
    let read = bench.ok("servers.readConfig", json!({"id": id})).await;
    let params = json!({"id": id, "displayName": "Docs", "config": config, "revision": read["revision"]});
    bench.ok("servers.saveConfig", params).await
}

#[tokio::test]
async fn cold_discovers_share_one_connection() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let first = bench.start("servers.discover", json!({"id": id}));
    let attempt = bench.attempt().await;
    let others = start_all(&bench, &id, &["servers.discover", "servers.discover"]).await;
    attempt.offer(&["search"]);
    let result = first.await.unwrap().unwrap();
    for other in others {
        assert_eq!(other.await.unwrap().unwrap(), result);
    }
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn a_failure_is_shared_too_and_the_next_discover_tries_again() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let first = bench.start("servers.discover", json!({"id": id}));
    let attempt = bench.attempt().await;
    let others = start_all(&bench, &id, &["servers.discover"]).await;
    attempt.fail(Failure::new(FailureClass::Dns, Step::Connect));
    let failed = first.await.unwrap();
    assert_eq!(failed.as_ref().unwrap_err()["data"]["code"], "mcp.connection_dns");
    for other in others {
        assert_eq!(other.await.unwrap(), failed);
    }
    assert_eq!(names(&bench.discover(&id, &["search"]).await), ["search"]);
}

#[tokio::test]
async fn a_refresh_never_joins_what_began_before_it_and_waiting_ones_share_the_next() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let discover = bench.start("servers.discover", json!({"id": id}));
    let first = bench.attempt().await;
    let refreshes = start_all(&bench, &id, &["servers.refresh", "servers.refresh"]).await;
    assert!(
        bench.no_attempt(),
        "the waiting ones begin when the running one has ended"
    );
    first.offer(&["old"]);
    assert_eq!(names(&discover.await.unwrap().unwrap()), ["old"]);
    let second = bench.attempt().await;
    // This one comes while theirs runs, so it is not theirs.
    let late = start_all(&bench, &id, &["servers.refresh"]).await;
    second.offer(&["new"]);
    for refresh in refreshes {
        assert_eq!(names(&refresh.await.unwrap().unwrap()), ["new"]);
    }
    bench.attempt().await.offer(&["newest"]);
    for refresh in late {
        assert_eq!(names(&refresh.await.unwrap().unwrap()), ["newest"]);
    }
    assert_eq!(
        names(&bench.ok("servers.discover", json!({"id": id})).await),
        ["newest"]
    );
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn servers_do_not_wait_for_each_other() {
    let mut bench = Bench::new();
    let one = bench.active_server("https://one.example/").await;
    let two = bench.active_server("https://two.example/").await;
    let slow = bench.start("servers.discover", json!({"id": one}));
    let held = bench.attempt().await;
    bench.discover(&two, &["t"]).await;
    held.offer(&["o"]);
    assert_eq!(names(&slow.await.unwrap().unwrap()), ["o"]);
}

#[tokio::test]
async fn a_change_of_the_connection_ends_what_runs_and_publishes_nothing_of_it() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = bench.start("servers.discover", json!({"id": id}));
    let attempt = bench.attempt().await;
    let waiting = start_all(&bench, &id, &["servers.refresh"]).await;
    save(&bench, &id, json!({"type": "http", "url": "https://example.com/other"})).await;
    assert_eq!(
        running.await.unwrap().unwrap_err()["data"]["code"],
        "mcp.discovery_superseded"
    );
    attempt.abandoned().await;
    assert!(bench.summary(&id).await.get("lastFailure").is_none());

    // The refresh that waited begins on the new connection.
    let next = bench.attempt().await;
    assert_eq!(next.config.target(), "https://example.com");
    next.offer(&["new"]);
    for refresh in waiting {
        assert_eq!(names(&refresh.await.unwrap().unwrap()), ["new"]);
    }
    assert!(
        bench
            .file(catalog_file(&id))
            .unwrap()
            .contains("https://example.com/other")
    );
}

#[tokio::test]
async fn a_connection_that_is_open_is_closed_when_it_is_superseded() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    for (method, params, code) in [
        (
            "servers.setState",
            json!({"id": id, "state": "paused"}),
            "mcp.server_paused",
        ),
        ("servers.remove", json!({"id": id}), "mcp.registration_not_found"),
    ] {
        bench.ok("servers.setState", json!({"id": id, "state": "active"})).await;
        let running = bench.start("servers.refresh", json!({"id": id}));
        let (pages, closed) = bench.attempt().await.connect();
        pages.send(Ok(r#"{"tools":[],"nextCursor":"2"}"#.to_owned())).unwrap();
        bench.ok(method, params).await;
        assert_eq!(running.await.unwrap().unwrap_err()["data"]["code"], code);
        closed.await.unwrap();
        assert!(bench.file(catalog_file(&id)).is_none());
    }
}

#[tokio::test]
async fn paused_and_activated_again_is_not_the_same_server_to_what_ran() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = bench.start("servers.discover", json!({"id": id}));
    let attempt = bench.attempt().await;
    for state in ["paused", "active"] {
        bench.ok("servers.setState", json!({"id": id, "state": state})).await;
    }
    // It may have found the server paused still, or active again; either way it is over.
    let code = running.await.unwrap().unwrap_err()["data"]["code"].clone();
    assert!(
        code == "mcp.discovery_superseded" || code == "mcp.server_paused",
        "{code}"
    );
    attempt.abandoned().await;
    assert!(bench.file(catalog_file(&id)).is_none());
}

#[tokio::test]
async fn a_pause_that_cannot_be_saved_ends_what_waits_too() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let mut running = start_all(&bench, &id, &["servers.refresh"]).await;
    let attempt = bench.attempt().await;
    running.extend(start_all(&bench, &id, &["servers.refresh"]).await);
    bench.files.fail_when(|step, _| step.changes());
    let pause = json!({"id": id, "state": "paused"});
    bench.call("servers.setState", pause).await.unwrap_err();
    attempt.abandoned().await;
    for refresh in running {
        refresh.await.unwrap().unwrap_err();
    }
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn decisions_made_while_the_network_is_waited_for_count() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = bench.start("servers.discover", json!({"id": id}));
    let attempt = bench.attempt().await;
    bench
        .ok(
            "tools.setPermission",
            json!({"id": id, "nativeName": "search", "permission": "allow"}),
        )
        .await;
    let config = json!({"type": "http", "url": URL});
    save(&bench, &id, config).await;
    attempt.offer(&["search"]);
    let result = running.await.unwrap().unwrap();
    assert_eq!(result["tools"][0]["permission"], "allow");
}

#[tokio::test]
async fn how_another_connection_failed_is_of_no_interest() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = bench.start("servers.discover", json!({"id": id}));
    let failure = Failure::new(FailureClass::Dns, Step::Connect);
    bench.attempt().await.fail(failure);
    running.await.unwrap().unwrap_err();
    let failed = bench.summary(&id).await;
    assert_eq!(failed["lastFailure"]["code"], "mcp.connection_dns");
    save(&bench, &id, json!({"type": "http", "url": "https://example.com/other"})).await;
    assert!(bench.summary(&id).await.get("lastFailure").is_none());
}

#[tokio::test(start_paused = true)]
async fn a_change_that_is_in_place_and_failed_afterwards_ends_what_ran() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = bench.start("servers.discover", json!({"id": id}));
    let attempt = bench.attempt().await;
    let read = bench.ok("servers.readConfig", json!({"id": id})).await;
    let other = json!({"type": "http", "url": "https://example.com/other"});
    let params = json!({"id": id, "displayName": "Docs", "config": other, "revision": read["revision"]});
    let folder = support::registrations();
    bench
        .files
        .fail_when(move |step, path| step == FileStep::SyncFolder && path == folder);
    let began = Instant::now();
    let refused = bench.code("servers.saveConfig", params).await;
    assert_eq!(refused, "mcp.storage_write_failed");
    bench.files.heal();
    assert_eq!(
        running.await.unwrap().unwrap_err()["data"]["code"],
        "mcp.discovery_superseded"
    );
    attempt.abandoned().await;
    // It did not end by its time limit.
    assert!(began.elapsed() < Duration::from_secs(1));
    let config = bench.ok("servers.readConfig", json!({"id": id, "reveal": true})).await;
    assert_eq!(config["config"]["url"], "https://example.com/other");
}

#[tokio::test]
async fn an_endpoint_changed_by_hand_is_noticed() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = bench.start("servers.discover", json!({"id": id}));
    let attempt = bench.attempt().await;
    let file = registration_file(&id);
    let text = bench.file(file.clone()).unwrap();
    bench
        .files
        .put(&file, text.replace("example.com/mcp", "example.com/moved"));
    attempt.offer(&["search"]);
    assert_eq!(
        running.await.unwrap().unwrap_err()["data"]["code"],
        "mcp.discovery_superseded"
    );
    assert!(bench.file(catalog_file(&id)).is_none());
    let again = bench.start("servers.discover", json!({"id": id}));
    bench.attempt().await.offer(&["moved"]);
    assert_eq!(names(&again.await.unwrap().unwrap()), ["moved"]);
    bench.files.put(&file, text);
    let moved_back = bench.start("servers.discover", json!({"id": id}));
    assert_eq!(
        moved_back.await.unwrap().unwrap_err()["data"]["code"],
        "mcp.catalog_mismatch",
        "the snapshot in memory is of another connection too"
    );
    assert!(bench.attempts.recv().now_or_never().is_none());
}

/// The system's threads; right before the first piece of work on files after a catalog was put in place the server's file
/// is changed by hand.
struct MovedInBetween {
    files: MemoryFiles,
    is_published: Arc<AtomicBool>,
    moved: Arc<Mutex<Option<(PathBuf, String)>>>,
}

impl Threads for MovedInBetween {
    fn on_files(&self, runtime: &Handle, work: Work) -> JoinHandle<()> {
        if self.is_published.load(Ordering::SeqCst)
            && let Some((file, text)) = self.moved.lock().unwrap().take()
        {
            self.files.put(file, text);
        }
        SystemThreads.on_files(runtime, work)
    }

    fn apart(&self, runtime: &Handle, work: Work) -> io::Result<()> {
        SystemThreads.apart(runtime, work)
    }
}

#[tokio::test]
async fn what_was_published_is_no_answer_for_a_server_that_has_moved_since() {
    let files = MemoryFiles::new();
    let (is_published, moved) = (Arc::<AtomicBool>::default(), Arc::<Mutex<_>>::default());
    let threads = MovedInBetween {
        files: files.clone(),
        is_published: Arc::clone(&is_published),
        moved: Arc::clone(&moved),
    };
    let mut bench = Bench::with(files, |options| options.threads = Arc::new(threads));
    let id = bench.active_server(URL).await;
    let text = bench.file(registration_file(&id)).unwrap();
    let elsewhere = text.replace("example.com/mcp", "example.com/moved");
    assert_ne!(elsewhere, text);
    *moved.lock().unwrap() = Some((registration_file(&id), elsewhere));
    let catalogs = catalog_file(&id).parent().unwrap().to_path_buf();
    let published = Arc::clone(&is_published);
    bench.files.fail_when(move |step, path| {
        if step == FileStep::Rename && path.parent() == Some(&catalogs) {
            published.store(true, Ordering::SeqCst);
        }
        false
    });
    let running = bench.start("servers.refresh", json!({"id": id}));
    bench.attempt().await.offer(&["search"]);
    assert_eq!(
        running.await.unwrap().unwrap_err()["data"]["code"],
        "mcp.discovery_superseded"
    );
    assert!(moved.lock().unwrap().is_none());
}

#[tokio::test]
async fn a_mistake_in_one_discovery_does_not_block_the_next() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = bench.start("servers.discover", json!({"id": id}));
    let attempt = bench.attempt().await;
    let waiting = start_all(&bench, &id, &["servers.refresh"]).await;
    let (pages, _closed) = attempt.connect();
    pages.send(Ok(BREAK_OFF.to_owned())).unwrap();
    let error = running.await.unwrap().unwrap_err();
    assert_eq!(error["data"]["code"], "mcp.bridge_internal_error");
    bench.attempt().await.offer(&["search"]);
    for refresh in waiting {
        assert_eq!(names(&refresh.await.unwrap().unwrap()), ["search"]);
    }
}
