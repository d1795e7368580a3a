//! Removing the file of a server that is bad: with what is kept apart of it and what is granted of it, or not at all.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use toolgate_host::store::CredentialProvider;

use super::steps::{Failing, fail_at};
use super::support::{Bench, credential_file, registration_file};
use super::{config, ground, nothing_left_over, seen, under};

/// What there is to see of the bad file and of what belongs to it.
async fn shown(bench: &Bench) -> Value {
    let list = bench.ok("servers.list", json!({})).await;
    let issues: Vec<_> = list["storageIssues"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|issue| issue["fileName"] != "pending.json")
        .map(|issue| issue["fileName"].clone())
        .collect();
    json!({"issues": issues, "seen": seen(bench).await})
}

#[tokio::test]
async fn a_bad_server_goes_with_its_connection_and_its_grants_or_stays_with_both() {
    let (files, id) = ground(CredentialProvider::File).await;
    files.put(registration_file(&id), "torn");
    let params = json!({"fileName": format!("{id}.json")});
    let untouched = under(CredentialProvider::File, files.after_keeping_unflushed());
    let old = shown(&untouched).await;
    assert_eq!(old["issues"], json!([format!("{id}.json")]));
    untouched.ok("storage.remove", params.clone()).await;
    let new = shown(&untouched).await;
    assert_eq!(new["issues"], json!([]));
    assert_eq!(new["seen"]["grants"], json!([]));
    for failing in [Failing::Once, Failing::FromThen, Failing::Death] {
        for number in 0.. {
            let at = format!("step {number} {failing:?}");
            let bench = under(CredentialProvider::File, files.after_keeping_unflushed());
            let count = fail_at(&bench.files, number, failing);
            let result = bench.call("storage.remove", params.clone()).await;
            let reached = count.load(Ordering::SeqCst) > number;
            let answered = shown(&bench).await;
            assert!(answered == old || answered == new, "{at}: {answered}");
            match &result {
                Ok(_) => assert_eq!(answered, new, "{at}"),
                Err(error) => assert_eq!(error["data"]["code"], "mcp.storage_write_failed", "{at}"),
            }
            for left in [
                bench.files.after_losing_unflushed(),
                bench.files.after_keeping_unflushed(),
            ] {
                let restarted = under(CredentialProvider::File, left);
                let found = shown(&restarted).await;
                assert!(found == old || found == new, "{at}: {found}");
                if result.is_ok() {
                    assert_eq!(found, new, "{at}: what was answered as done is done");
                }
                let is_there = restarted.file(registration_file(&id)).is_some();
                assert_eq!(is_there, found == old, "{at}");
                let record = restarted.file(credential_file()).unwrap();
                assert_eq!(record.contains(&id), is_there, "{at}: {record}");
                nothing_left_over(&restarted.files);
                // What stayed can be removed still.
                if is_there {
                    restarted.ok("storage.remove", params.clone()).await;
                    assert_eq!(shown(&restarted).await, new, "{at}");
                    assert!(!restarted.file(credential_file()).unwrap().contains(&id), "{at}");
                }
            }
            if failing == Failing::FromThen {
                // The disk is mended, and the next change makes good what is missing.
                bench.files.heal();
                let create = json!({"displayName": "Z", "config": config("z")});
                bench.ok("servers.create", create).await;
                let restarted = under(CredentialProvider::File, bench.files.after_losing_unflushed());
                let is_there = restarted.file(registration_file(&id)).is_some();
                let record = restarted.file(credential_file()).unwrap();
                assert_eq!(record.contains(&id), is_there, "{at}: {record}");
                nothing_left_over(&restarted.files);
            }
            if !reached {
                assert!(result.is_ok(), "{at}: {result:?}");
                assert!(number > 5, "it has several steps");
                break;
            }
        }
    }
}
