//! Where a catalog comes from: memory, then its file, then the server; and what a refresh does (manager contract §5).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

mod support;

use std::time::Duration;

use serde_json::{Value, json};
use support::{Bench, NOW_MS, URL, catalog_file, names, registration_file};
use tokio::time::Instant;
use toolgate_core::server::TransportKind;
use toolgate_host::mcp::{Failure, FailureClass, Step};
use toolgate_host::store::{FileStep, MemoryFiles};

fn failure(class: FailureClass) -> Failure {
    Failure::new(class, Step::Connect)
}

#[tokio::test]
async fn memory_then_file_then_server() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    assert_eq!(
        names(&bench.discover(&id, &["search", "read"]).await),
        ["search", "read"]
    );

    // From memory: the file is gone and nobody connects.
    let saved = bench.files.get(catalog_file(&id)).unwrap();
    bench.files.put(catalog_file(&id), "damaged");
    assert_eq!(
        names(&bench.ok("servers.discover", json!({"id": id})).await),
        ["search", "read"]
    );
    assert!(bench.no_attempt());

    // From the file, after a restart.
    bench.files.put(catalog_file(&id), saved);
    let mut bench = bench.restart().await;
    assert_eq!(bench.summary(&id).await["toolCount"], 2);
    assert_eq!(
        names(&bench.ok("servers.discover", json!({"id": id})).await),
        ["search", "read"]
    );
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn a_paused_server_is_neither_read_from_memory_nor_connected_to() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    bench.discover(&id, &["search"]).await;
    bench.ok("servers.setState", json!({"id": id, "state": "paused"})).await;
    for method in ["servers.discover", "servers.refresh"] {
        assert_eq!(bench.code(method, json!({"id": id})).await, "mcp.server_paused");
    }
    assert!(bench.no_attempt());
    bench.ok("servers.setState", json!({"id": id, "state": "active"})).await;
    assert_eq!(
        names(&bench.ok("servers.discover", json!({"id": id})).await),
        ["search"]
    );
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn a_refresh_connects_anew_and_replaces_what_there_was() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    bench.discover(&id, &["old"]).await;
    let running = bench.start("servers.refresh", json!({"id": id}));
    let closed = bench.attempt().await.offer(&["new"]);
    assert_eq!(names(&running.await.unwrap().unwrap()), ["new"]);
    closed.await.unwrap();
    assert_eq!(names(&bench.ok("servers.discover", json!({"id": id})).await), ["new"]);
    assert_eq!(bench.summary(&id).await["toolCount"], 1);
}

#[tokio::test]
async fn a_failing_refresh_is_an_error_and_keeps_the_old_snapshot() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    bench.discover(&id, &["old"]).await;
    let before = bench.file(catalog_file(&id));

    let running = bench.start("servers.refresh", json!({"id": id}));
    bench.attempt().await.fail(failure(FailureClass::Unauthorized));
    let error = running.await.unwrap().unwrap_err();
    assert_eq!(error["data"]["code"], "mcp.connection_unauthorized");
    assert_eq!(error["data"]["registrationId"], json!(id));
    let summary = bench.summary(&id).await;
    assert_eq!(summary["lastFailure"]["code"], "mcp.connection_unauthorized");
    assert_eq!(summary["lastFailure"]["atMs"], json!(NOW_MS));
    assert_eq!(summary["lastFailure"]["message"], error["message"]);

    // A list that breaks off publishes nothing of what came before.
    let running = bench.start("servers.refresh", json!({"id": id}));
    let (pages, closed) = bench.attempt().await.connect();
    pages
        .send(Ok(
            r#"{"tools":[{"name":"new","inputSchema":{}}],"nextCursor":"2"}"#.to_owned()
        ))
        .unwrap();
    pages.send(Ok(r#"{"tools":[],"nextCursor":"2"}"#.to_owned())).unwrap();
    let error = running.await.unwrap().unwrap_err();
    assert_eq!(error["data"]["code"], "mcp.discovery_cursor_cycle");
    closed.await.unwrap();

    assert_eq!(bench.file(catalog_file(&id)), before);
    assert_eq!(names(&bench.ok("servers.discover", json!({"id": id})).await), ["old"]);
    assert_eq!(
        bench.summary(&id).await["lastFailure"]["code"],
        "mcp.discovery_cursor_cycle"
    );
    let running = bench.start("servers.refresh", json!({"id": id}));
    bench.attempt().await.offer(&["new"]);
    running.await.unwrap().unwrap();
    assert!(bench.summary(&id).await.get("lastFailure").is_none());
}

#[tokio::test]
async fn a_catalog_that_cannot_be_written_is_used_from_memory_and_says_so() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    bench.discover(&id, &["old"]).await;
    let before = bench.file(catalog_file(&id));
    let catalogs = catalog_file(&id).parent().unwrap().to_path_buf();
    bench
        .files
        .fail_when(move |step, path| step == FileStep::Write && path.starts_with(&catalogs));
    let running = bench.start("servers.refresh", json!({"id": id}));
    bench.attempt().await.offer(&["new"]);
    let result = running.await.unwrap().unwrap();
    assert_eq!(names(&result), ["new"]);
    assert_eq!(result["diagnostics"][0]["code"], "mcp.catalog_persistence_failed");
    let again = bench.ok("servers.discover", json!({"id": id})).await;
    assert_eq!(again, result, "as long as it is in memory only, it says so");
    assert_eq!(bench.file(catalog_file(&id)), before);
    bench.files.heal();
    let bench = bench.restart().await;
    assert_eq!(names(&bench.ok("servers.discover", json!({"id": id})).await), ["old"]);
}

#[tokio::test]
async fn permissions_are_projected_at_each_call_and_stored_in_no_catalog() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let changes = json!({"search": "allow", "gone": "ask", "read": "ask"});
    bench
        .ok("tools.setPermissions", json!({"id": id, "changes": changes}))
        .await;
    let result = bench.discover(&id, &["search", "read"]).await;
    assert_eq!(result["tools"][0]["permission"], "allow");
    assert_eq!(
        result["staleTools"],
        json!([{"nativeName": "gone", "permission": "ask"}])
    );
    let file = bench.file(catalog_file(&id));
    let changes = json!({"search": "off", "gone": "off"});
    bench
        .ok("tools.setPermissions", json!({"id": id, "changes": changes}))
        .await;
    let result = bench.ok("servers.discover", json!({"id": id})).await;
    assert_eq!(result["tools"][0]["permission"], "off");
    assert_eq!(result["tools"][1]["permission"], "ask");
    assert_eq!(result["staleTools"], json!([]));
    assert_eq!(bench.file(catalog_file(&id)), file);
    assert!(bench.no_attempt());
}

#[tokio::test(start_paused = true)]
async fn the_budget_is_for_connecting_and_all_pages_together() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;

    let began = Instant::now();
    let running = bench.start("servers.discover", json!({"id": id}));
    let attempt = bench.attempt().await;
    let error = running.await.unwrap().unwrap_err();
    assert_eq!(error["data"]["code"], "mcp.connection_timeout");
    assert_eq!(began.elapsed().as_secs(), 30);
    attempt.abandoned().await;
    let connecting = error["message"].clone();

    let began = Instant::now();
    let running = bench.start("servers.refresh", json!({"id": id}));
    let attempt = bench.attempt().await;
    tokio::time::advance(Duration::from_secs(20)).await;
    let (pages, closed) = attempt.connect();
    pages.send(Ok(r#"{"tools":[],"nextCursor":"2"}"#.to_owned())).unwrap();
    let error = running.await.unwrap().unwrap_err();
    assert_eq!(error["data"]["code"], "mcp.connection_timeout");
    assert_eq!(began.elapsed().as_secs(), 30);
    assert_ne!(error["message"], connecting, "the sentence says what was waited for");
    closed.await.unwrap();
}

#[tokio::test]
async fn without_the_transport_stdio_records_open_and_nothing_is_started_for_them() {
    let files = MemoryFiles::new();
    let text = format!(
        r#"{{"schemaVersion":1,"kind":"toolgate.stdioServerRegistration","id":"{}","displayName":"F","command":"/opt/files","protocolVersion":"auto","state":"active"}}"#,
        support::ID
    );
    files.put(registration_file(support::ID), text);
    let mut bench = Bench::with(files, |options| options.transports = vec![TransportKind::Http]);
    assert_eq!(bench.summary(support::ID).await["target"], "files");
    let code = bench.code("servers.discover", json!({"id": support::ID})).await;
    assert_eq!(code, "mcp.transport_unsupported");
    let config = json!({"type": "stdio", "command": "npx"});
    let error: Value = bench
        .call("servers.create", json!({"displayName": "S", "config": config}))
        .await
        .unwrap_err();
    assert_eq!(error["data"]["code"], "mcp.transport_unsupported");
    assert_eq!(error["data"]["path"], "config.type");
    assert!(bench.no_attempt());
}
