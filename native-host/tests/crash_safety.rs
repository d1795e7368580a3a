//! Whatever step of a write fails, and wherever the power goes, the files are the old ones or the new ones, whole.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

mod support;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use support::{Bench, ID, ROOT, catalog_file, registration_file};
use toolgate_host::store::{FileStep, MemoryFiles};

const OLD: &str = r#"{
  "schemaVersion": 1,
  "kind": "tauritavern.mcpServerRegistration",
  "id": "8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a",
  "displayName": "Docs",
  "endpoint": "https://example.com/mcp",
  "protocolVersion": "auto",
  "state": "active"
}
"#;

const CATALOG: &str = r#"{
  "schemaVersion": 1,
  "kind": "tauritavern.mcpCatalogSnapshot",
  "registrationId": "8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a",
  "endpoint": "https://example.com/mcp",
  "catalog": {
    "protocolVersion": "2025-06-18",
    "serverName": null,
    "serverVersion": null,
    "tools": [],
    "diagnostics": []
  }
}
"#;

/// A host on one server with a catalog. The settings are there already, so that opening writes nothing.
async fn ground() -> Bench {
    let files = MemoryFiles::new();
    files.put(registration_file(ID), OLD);
    files.put(catalog_file(ID), CATALOG);
    Bench::on(files).restart().await
}

/// Makes the changing step of this number fail, and every later one where the process is to die there.
fn fail_at(files: &MemoryFiles, number: usize, dies: bool) -> Arc<AtomicUsize> {
    let count = Arc::new(AtomicUsize::new(0));
    let steps = Arc::clone(&count);
    files.fail_when(move |step, _| {
        if !step.changes() {
            return false;
        }
        let at = steps.fetch_add(1, Ordering::SeqCst);
        at == number || (dies && at > number)
    });
    count
}

/// Does a thing with a failure at each of its steps in turn, until it gets through; answers how many steps it has.
async fn at_each_step(
    dies: bool,
    method: &str,
    params: Value,
    check: impl AsyncFn(&Bench, &Result<Value, Value>),
) -> usize {
    for number in 0.. {
        let bench = ground().await;
        let steps = fail_at(&bench.files, number, dies);
        let result = bench.call(method, params.clone()).await;
        let reached = steps.load(Ordering::SeqCst) > number;
        if !dies {
            bench.files.heal();
        }
        check(&bench, &result).await;
        if !reached {
            assert!(result.is_ok(), "{result:?}");
            return number;
        }
    }
    unreachable!()
}

fn text(files: &MemoryFiles, path: PathBuf) -> Option<String> {
    files.get(path).map(|content| String::from_utf8(content).unwrap())
}

#[tokio::test]
async fn a_failing_step_leaves_the_old_file_or_the_new_one() {
    let new = OLD.replace(
        "\"active\"",
        "\"active\",\n  \"toolPermissions\": {\n    \"t\": \"ask\"\n  }",
    );
    let params = json!({"id": ID, "nativeName": "t", "permission": "ask"});
    let steps = at_each_step(false, "tools.setPermission", params, async |bench, result| {
        let now = bench.file(registration_file(ID)).unwrap();
        match result {
            Ok(_) => assert_eq!(now, new),
            Err(error) => {
                assert_eq!(error["data"]["code"], "mcp.storage_write_failed");
                assert!(now == OLD || now == new, "{now}");
            }
        }
        assert_eq!(bench.file(catalog_file(ID)).unwrap(), CATALOG);
        let stray: Vec<_> = bench
            .files
            .paths()
            .into_iter()
            .filter(|path| path.to_string_lossy().ends_with(".tmp") || path.ends_with("pending.json"))
            .collect();
        assert!(stray.is_empty(), "{stray:?}");
        // Whatever failed, the next attempt gets through.
        bench
            .ok(
                "tools.setPermission",
                json!({"id": ID, "nativeName": "t", "permission": "ask"}),
            )
            .await;
        assert_eq!(bench.file(registration_file(ID)).unwrap(), new);
    })
    .await;
    assert_eq!(steps, 5, "create, write, flush, rename, flush the folder");
}

#[tokio::test]
async fn a_crash_at_any_step_leaves_all_of_the_old_or_all_of_the_new() {
    let params = json!({"id": ID, "nativeName": "t", "permission": "ask"});
    let new_permissions = OLD.replace(
        "\"active\"",
        "\"active\",\n  \"toolPermissions\": {\n    \"t\": \"ask\"\n  }",
    );
    at_each_step(true, "tools.setPermission", params, async |bench, result| {
        for left in [
            bench.files.after_losing_unflushed(),
            bench.files.after_keeping_unflushed(),
        ] {
            let now = text(&left, registration_file(ID)).unwrap();
            assert!(now == OLD || now == new_permissions, "{now}");
            if result.is_ok() {
                assert_eq!(now, new_permissions, "what was answered as done is done");
            }
            let restarted = Bench::on(left);
            let list = restarted.ok("servers.list", json!({})).await;
            assert_eq!(list["storageIssues"], json!([]));
            assert_eq!(list["servers"][0]["toolCount"], 0);
            let stray: Vec<_> = restarted
                .files
                .paths()
                .into_iter()
                .filter(|path| path.to_string_lossy().ends_with(".tmp"))
                .collect();
            assert!(stray.is_empty(), "swept at the start: {stray:?}");
        }
    })
    .await;
}

/// Saves another endpoint with a failure at each step in turn.
async fn reconnect_at_each_step(dies: bool, check: impl AsyncFn(&MemoryFiles, bool)) {
    for number in 0.. {
        let bench = ground().await;
        let read = bench.ok("servers.readConfig", json!({"id": ID})).await;
        let steps = fail_at(&bench.files, number, dies);
        let config = json!({"type": "http", "url": "https://example.com/mcp", "headers": {"X": "new"}});
        let params = json!({"id": ID, "displayName": "Docs", "config": config, "revision": read["revision"]});
        let result = bench.call("servers.saveConfig", params).await;
        let reached = steps.load(Ordering::SeqCst) > number;
        bench.files.heal();
        if dies {
            for left in [
                bench.files.after_losing_unflushed(),
                bench.files.after_keeping_unflushed(),
            ] {
                // The next start finishes what was decided.
                check(&Bench::on(left).files, result.is_ok()).await;
            }
        } else {
            check(&bench.files, result.is_ok()).await;
        }
        if !reached {
            assert!(result.is_ok(), "{result:?}");
            return;
        }
    }
}

fn is_reconnected(files: &MemoryFiles) -> bool {
    let now = text(files, registration_file(ID)).unwrap();
    let new = OLD.replace("/mcp\",", "/mcp\",\n  \"headers\": {\n    \"X\": \"new\"\n  },");
    assert!(now == OLD || now == new, "{now}");
    now == new
}

#[tokio::test]
async fn a_catalog_is_never_taken_for_one_of_a_new_connection() {
    // The endpoint is the same and only a header differs, so that nothing but its absence tells the catalog apart.
    reconnect_at_each_step(true, async |files, saved| {
        if saved {
            assert!(is_reconnected(files));
        }
        if is_reconnected(files) {
            assert_eq!(text(files, catalog_file(ID)), None);
        }
    })
    .await;
    // Where the process lives on, one failure changes nothing or is made good at once.
    reconnect_at_each_step(false, async |files, saved| {
        if saved {
            assert!(is_reconnected(files));
        }
        if is_reconnected(files) {
            assert_eq!(text(files, catalog_file(ID)), None);
        } else {
            assert_eq!(text(files, catalog_file(ID)).unwrap(), CATALOG);
        }
    })
    .await;
}

#[tokio::test]
async fn a_server_whose_catalog_cannot_be_removed_is_removed() {
    let bench = ground().await;
    bench
        .files
        .fail_when(|step, path| step == FileStep::Remove && path == catalog_file(ID));
    bench.ok("servers.remove", json!({"id": ID})).await;
    assert_eq!(bench.ok("servers.list", json!({})).await["servers"], json!([]));
    assert!(bench.file(catalog_file(ID)).is_some());
}

#[tokio::test]
async fn a_server_that_cannot_be_removed_stays_whole() {
    let bench = ground().await;
    bench
        .files
        .fail_when(|step, path| step == FileStep::Remove && path == registration_file(ID));
    assert_eq!(
        bench.code("servers.remove", json!({"id": ID})).await,
        "mcp.storage_write_failed"
    );
    assert_eq!(bench.summary(ID).await["toolCount"], 0);
    assert_eq!(bench.file(catalog_file(ID)).unwrap(), CATALOG);
}

#[tokio::test]
async fn a_crash_while_removing_leaves_no_catalog_without_its_server() {
    at_each_step(true, "servers.remove", json!({"id": ID}), async |bench, _| {
        for left in [
            bench.files.after_losing_unflushed(),
            bench.files.after_keeping_unflushed(),
        ] {
            let restarted = Bench::on(left);
            let there = restarted.file(registration_file(ID));
            let catalog = restarted.file(catalog_file(ID));
            assert_eq!(there.is_some(), catalog.is_some());
        }
    })
    .await;
}

#[tokio::test]
async fn only_catalogs_of_servers_that_are_gone_are_swept() {
    let other = "0e0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a";
    let folder = registration_file(ID).parent().unwrap().to_path_buf();
    // A bad file, and one whose name is to be mended, are servers still.
    for name in [format!("{ID}.json"), format!("{}.json", ID.to_uppercase())] {
        let files = MemoryFiles::new();
        files.put(folder.join(name), "torn");
        files.put(catalog_file(ID), CATALOG);
        files.put(catalog_file(other), "whatever");
        files.put(catalog_file("notes"), "mine");
        let bench = Bench::on(files);
        assert!(bench.file(catalog_file(ID)).is_some());
        assert!(bench.file(catalog_file(other)).is_none());
        assert!(bench.file(catalog_file("notes")).is_some());
    }
    // A folder that is not there, or cannot be read, says nothing of what servers there are.
    let missing = MemoryFiles::new();
    missing.put(catalog_file(ID), CATALOG);
    assert!(Bench::on(missing).file(catalog_file(ID)).is_some());
    let unreadable = MemoryFiles::new();
    unreadable.put(folder.join(format!("{other}.json")), "torn");
    unreadable.put(catalog_file(ID), CATALOG);
    unreadable.fail_when(move |step, path| step == FileStep::List && path == folder);
    assert!(Bench::on(unreadable).file(catalog_file(ID)).is_some());
}

#[tokio::test]
async fn what_could_not_be_read_again_is_not_written() {
    let bench = Bench::with(MemoryFiles::new(), |options| options.message_bytes = 64 * 1024 * 1024);
    let large =
        json!({"type": "http", "url": "https://example.com/mcp", "headers": {"X": "x".repeat(33 * 1024 * 1024)}});
    let create = json!({"displayName": "Docs", "config": large});
    assert_eq!(
        bench.code("servers.create", create).await,
        "mcp.registration_size_limit"
    );
    assert_eq!(bench.ok("servers.list", json!({})).await["servers"], json!([]));

    let id = bench.active_server("https://example.com/mcp").await;
    bench.files.put(catalog_file(&id), "a catalog");
    let before = bench.file(registration_file(&id));
    let read = bench.ok("servers.readConfig", json!({"id": id})).await;
    let save = json!({"id": id, "displayName": "Docs", "config": large, "revision": read["revision"]});
    assert_eq!(
        bench.code("servers.saveConfig", save).await,
        "mcp.registration_size_limit"
    );
    assert_eq!(bench.file(registration_file(&id)), before);
    assert_eq!(bench.file(catalog_file(&id)).unwrap(), "a catalog");
}

#[tokio::test]
async fn only_our_own_temporary_files_are_swept() {
    let files = MemoryFiles::new();
    let folder = registration_file(ID).parent().unwrap().to_path_buf();
    let ours = folder.join(".toolgate-0123456789abcdef0123456789abcdef.tmp");
    let others = [
        folder.join(".toolgate-notes.tmp"),
        folder.join("x.tmp"),
        Path::new(ROOT).join("my.tmp"),
    ];
    files.put(&ours, "torn");
    for other in &others {
        files.put(other, "mine");
    }
    let bench = Bench::on(files);
    assert!(bench.files.get(&ours).is_none());
    for other in &others {
        assert!(bench.files.get(other).is_some());
    }
}
