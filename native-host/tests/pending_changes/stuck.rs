//! A change that is decided and cannot be made.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use toolgate_host::store::{CredentialProvider, FileStep};

use super::support::{Bench, credential_file, pending_file, registrations};
use super::{config, ground, nothing_left_over, saving, seen, under};

/// A host whose decided change cannot be made in this file, and is not in memory only.
async fn stuck(path: impl AsRef<Path>) -> (Bench, String) {
    let (files, id) = ground(CredentialProvider::File).await;
    let bench = under(CredentialProvider::File, files);
    let params = saving(&bench, &id, config("new")).await;
    let path = path.as_ref().to_path_buf();
    let pending = pending_file();
    let decided = Arc::new(AtomicUsize::new(0));
    bench.files.fail_when(move |step, at| {
        // From the moment the change is decided.
        if step == FileStep::SyncFolder && Some(at) == pending.parent() {
            decided.store(1, Ordering::SeqCst);
        }
        decided.load(Ordering::SeqCst) == 1 && at.starts_with(&path) && step.changes()
    });
    bench.ok("servers.saveConfig", params).await;
    (bench, id)
}

#[tokio::test]
async fn a_decided_change_that_cannot_be_made_is_an_issue_and_holds_everything_else_up_until_it_can() {
    let (bench, id) = stuck(registrations()).await;
    assert!(bench.file(pending_file()).is_some());
    // Seen as made.
    assert_eq!(seen(&bench).await["servers"][0]["config"], {
        let mut config = config("new");
        config["protocolVersion"] = json!("auto");
        config
    });
    let list = bench.ok("servers.list", json!({})).await;
    assert_eq!(list["storageIssues"][0]["fileName"], "pending.json");
    assert_eq!(list["storageIssues"][0]["code"], "mcp.storage_change_pending");
    let pause = json!({"id": id, "state": "paused"});
    assert_eq!(
        bench.code("servers.setState", pause.clone()).await,
        "mcp.storage_change_pending"
    );
    // It is not what can be given up: a part of it is made.
    assert_eq!(
        bench.code("storage.remove", json!({"fileName": "pending.json"})).await,
        "mcp.storage_change_pending"
    );
    assert!(bench.file(pending_file()).is_some());
    bench.files.heal();
    bench.ok("servers.setState", pause).await;
    assert!(bench.file(pending_file()).is_none());
    assert_eq!(bench.ok("servers.list", json!({})).await["storageIssues"], json!([]));
    let restarted = under(CredentialProvider::File, bench.files.after_losing_unflushed());
    nothing_left_over(&restarted.files);
    let server = seen(&restarted).await["servers"][0].clone();
    assert_eq!(server["state"], "paused");
    assert_eq!(server["name"], "Renamed");
}

#[tokio::test]
async fn the_next_start_finishes_what_was_decided() {
    let (bench, _) = stuck(credential_file().parent().unwrap()).await;
    bench.files.heal();
    let restarted = under(CredentialProvider::File, bench.files.after_losing_unflushed());
    assert_eq!(seen(&restarted).await["servers"][0]["name"], "Renamed");
    nothing_left_over(&restarted.files);
}

#[tokio::test]
async fn what_stands_in_the_way_is_found_before_anything_is_decided() {
    let (files, id) = ground(CredentialProvider::File).await;
    // Names in the folder of the registrations cannot be changed.
    let record = files.get(credential_file()).unwrap();
    let bench = under(CredentialProvider::File, files);
    let registrations_folder = registrations();
    bench
        .files
        .fail_when(move |step, at| step == FileStep::Create && at.starts_with(&registrations_folder));
    let before = bench.files.paths();
    assert_eq!(
        bench.code("servers.remove", json!({"id": id})).await,
        "mcp.storage_write_failed"
    );
    assert_eq!(bench.files.paths(), before);
    assert_eq!(bench.files.get(credential_file()).unwrap(), record);
    nothing_left_over(&bench.files);
}
