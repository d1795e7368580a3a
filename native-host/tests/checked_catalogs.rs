//! The check of schemas: a saved catalog that was checked once is not compiled again at each start, one that was changed is;
//! and nobody waits for it who need not.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

mod support;

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use support::checks::{counting, with_held_check};
use support::{Bench, ROOT, URL, catalog_file, checked_file, names};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinHandle;
use toolgate_host::store::{FileStep, MemoryFiles};

/// Lines of the file, at most.
const MOST_LINES: usize = 100;

/// The files of a host that has ended, and the server whose one tool it saved.
async fn saved_before() -> (MemoryFiles, String) {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    bench.discover(&id, &["saved"]).await;
    bench.host.shutdown().await;
    (bench.files, id)
}

/// A refresh that has got so far that the schemas it found are being checked.
async fn refresh_until_checked(
    bench: &mut Bench,
    id: &str,
    begins: &mut UnboundedReceiver<()>,
) -> JoinHandle<Result<Value, Value>> {
    let running = bench.start("servers.refresh", json!({ "id": id }));
    bench.attempt().await.offer(&["slow"]);
    begins.recv().await.unwrap();
    running
}

/// How many schemas a new host on these files compiles until it shows the two tools that are saved.
async fn compiled_at_start(files: &MemoryFiles, id: &str) -> usize {
    let (mut bench, compiled) = counting(files.clone());
    let shown = bench.ok("servers.discover", json!({ "id": id })).await;
    assert_eq!(names(&shown), ["first", "second"]);
    assert!(bench.no_attempt());
    bench.host.shutdown().await;
    compiled.load(Ordering::SeqCst)
}

/// Files with a catalog of two tools that was found just now, and its server.
async fn found_just_now(files: MemoryFiles) -> (MemoryFiles, String) {
    let (mut bench, compiled) = counting(files);
    let id = bench.active_server(URL).await;
    let found = bench.discover(&id, &["first", "second"]).await;
    assert_eq!(found["diagnostics"], json!([]));
    assert_eq!(compiled.load(Ordering::SeqCst), 2);
    bench.host.shutdown().await;
    (bench.files, id)
}

#[tokio::test]
async fn what_was_found_and_saved_is_not_compiled_again() {
    let (files, id) = found_just_now(MemoryFiles::new()).await;
    assert_eq!(compiled_at_start(&files, &id).await, 0);
    let lines = String::from_utf8(files.get(checked_file()).unwrap()).unwrap();
    assert_eq!(lines.len(), 65, "{lines}");
}

#[tokio::test]
async fn a_catalog_that_was_changed_by_hand_is_checked_again_once() {
    let (files, id) = found_just_now(MemoryFiles::new()).await;
    let catalog = String::from_utf8(files.get(catalog_file(&id)).unwrap()).unwrap();
    files.put(catalog_file(&id), format!("{catalog}\n"));
    assert_eq!(compiled_at_start(&files, &id).await, 2);
    assert_eq!(compiled_at_start(&files, &id).await, 0);

    // What no longer compiles is refused, though it was fine before.
    let broken = catalog.replace(r#""object""#, r#""nonsense""#);
    assert_ne!(broken, catalog);
    files.put(catalog_file(&id), broken);
    let bench = Bench::on(files);
    assert_eq!(
        bench.code("servers.discover", json!({ "id": id })).await,
        "mcp.catalog_damaged"
    );
}

#[tokio::test]
async fn a_file_of_hashes_that_is_gone_or_no_such_file_costs_a_check() {
    let (files, id) = found_just_now(MemoryFiles::new()).await;
    let too_large = "a".repeat(100_000);
    for content in [&b""[..], b"\xff\xfe", b"{}", too_large.as_bytes()] {
        files.put(checked_file(), content);
        assert_eq!(compiled_at_start(&files, &id).await, 2);
        assert_eq!(compiled_at_start(&files, &id).await, 0);
    }
}

#[tokio::test]
async fn a_file_of_hashes_that_cannot_be_written_hides_nothing() {
    let (files, id) = found_just_now(MemoryFiles::new()).await;
    files.put(checked_file(), "");
    // A file gets its name in the data directory.
    files.fail_when(|step, path| step == FileStep::Rename && path.parent() == Some(Path::new(ROOT)));
    assert_eq!(compiled_at_start(&files, &id).await, 2);
    assert_eq!(compiled_at_start(&files, &id).await, 2);
}

#[tokio::test]
async fn the_newest_hashes_stay() {
    let files = MemoryFiles::new();
    let old: Vec<String> = (0..MOST_LINES).map(|number| format!("{number:064}\n")).collect();
    files.put(checked_file(), old.concat());
    let (files, id) = found_just_now(files).await;
    let lines = String::from_utf8(files.get(checked_file()).unwrap()).unwrap();
    assert_eq!(lines.lines().count(), MOST_LINES);
    assert!(lines.starts_with(&old[1]), "the oldest made way");
    assert_eq!(compiled_at_start(&files, &id).await, 0);
}

#[tokio::test]
#[expect(clippy::await_holding_lock, reason = "the check is to wait for as long as the test")]
async fn the_check_of_schemas_ends_with_the_budget() {
    let held = Arc::new(Mutex::new(()));
    let holding = held.lock().unwrap();
    let (mut bench, mut begins) = with_held_check(MemoryFiles::new(), &held, usize::MAX, Duration::from_millis(300));
    let id = bench.active_server(URL).await;
    let running = refresh_until_checked(&mut bench, &id, &mut begins).await;
    let error = running.await.unwrap().unwrap_err();
    assert_eq!(error["data"]["code"], "mcp.connection_timeout");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("checking their schemas"), "{message}");
    assert!(bench.file(catalog_file(&id)).is_none());
    drop(holding);
}

#[tokio::test]
#[expect(clippy::await_holding_lock, reason = "the check is to wait for as long as the test")]
async fn neither_a_pause_nor_a_shutdown_waits_for_the_check_of_schemas() {
    let held = Arc::new(Mutex::new(()));
    let holding = held.lock().unwrap();
    let (mut bench, mut begins) = with_held_check(MemoryFiles::new(), &held, usize::MAX, Duration::from_hours(1));
    let id = bench.active_server(URL).await;
    let running = refresh_until_checked(&mut bench, &id, &mut begins).await;
    bench.ok("servers.setState", json!({"id": id, "state": "paused"})).await;
    let error = running.await.unwrap().unwrap_err();
    assert_eq!(error["data"]["code"], "mcp.server_paused");

    bench.ok("servers.setState", json!({"id": id, "state": "active"})).await;
    let running = refresh_until_checked(&mut bench, &id, &mut begins).await;
    bench.host.shutdown().await;
    let error = running.await.unwrap().unwrap_err();
    assert_eq!(error["data"]["code"], "mcp.host_stopping");
    drop(holding);
}

#[tokio::test]
#[expect(clippy::await_holding_lock, reason = "the check is to wait for as long as the test")]
async fn a_change_does_not_wait_for_the_check_of_a_saved_catalog() {
    let (files, id) = saved_before().await;
    let held = Arc::new(Mutex::new(()));
    let holding = held.lock().unwrap();
    let (mut bench, mut begins) = with_held_check(files, &held, usize::MAX, Duration::from_hours(1));
    let running = bench.start("servers.discover", json!({"id": id}));
    begins.recv().await.unwrap();
    let decision = json!({"id": id, "nativeName": "saved", "permission": "allow"});
    bench.ok("tools.setPermission", decision).await;
    drop(holding);
    let found = running.await.unwrap().unwrap();
    assert_eq!(found["tools"][0]["permission"], "allow", "the decision counts at once");
    assert!(bench.no_attempt());
    // A connection that changes meanwhile makes the saved catalog one of another server.
    bench.host.shutdown().await;
    let holding = held.lock().unwrap();
    let (mut bench, mut begins) = with_held_check(bench.files, &held, usize::MAX, Duration::from_hours(1));
    let running = bench.start("servers.discover", json!({"id": id}));
    begins.recv().await.unwrap();
    let config = bench.ok("servers.readConfig", json!({"id": id})).await;
    let moved = json!({
        "id": id,
        "displayName": "Docs",
        "config": {"type": "http", "url": "https://example.com/moved"},
        "revision": config["revision"],
    });
    bench.ok("servers.saveConfig", moved).await;
    drop(holding);
    bench.attempt().await.offer(&["moved"]);
    assert_eq!(names(&running.await.unwrap().unwrap()), ["moved"]);
}

#[tokio::test]
#[expect(clippy::await_holding_lock, reason = "the check is to wait for as long as the test")]
async fn what_was_read_meanwhile_is_not_replaced_by_what_was_saved_before() {
    let (files, id) = saved_before().await;
    let held = Arc::new(Mutex::new(()));
    let holding = held.lock().unwrap();
    // That of the saved catalog; the one of what is read goes through.
    let (mut bench, mut begins) = with_held_check(files, &held, 1, Duration::from_hours(1));
    let discover = bench.start("servers.discover", json!({"id": id}));
    begins.recv().await.unwrap();
    let refresh = bench.start("servers.refresh", json!({"id": id}));
    bench.attempt().await.offer(&["read"]);
    assert_eq!(names(&refresh.await.unwrap().unwrap()), ["read"]);
    drop(holding);
    assert_eq!(names(&discover.await.unwrap().unwrap()), ["read"]);
    let again = bench.ok("servers.discover", json!({"id": id})).await;
    assert_eq!(names(&again), ["read"]);
}
