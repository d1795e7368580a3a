//! A failure or a loss of power at every step of every change of several files.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use toolgate_host::store::{CredentialProvider, MemoryFiles};

use super::support::{Bench, credential_file};
use super::{TWO, config, ground, nothing_left_over, saving, seen, under};

/// How a step fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failing {
    /// It alone.
    Once,
    /// It and every later one, until the disk is mended.
    FromThen,
    /// It and every later one, and the process ends there.
    Death,
}

pub(super) fn fail_at(files: &MemoryFiles, number: usize, failing: Failing) -> Arc<AtomicUsize> {
    let count = Arc::new(AtomicUsize::new(0));
    let steps = Arc::clone(&count);
    files.fail_when(move |step, _| {
        if !step.changes() {
            return false;
        }
        let at = steps.fetch_add(1, Ordering::SeqCst);
        at == number || (failing != Failing::Once && at > number)
    });
    count
}

/// Makes a change with every step failing in turn in every way, and checks what there is to see of it.
async fn at_every_step(provider: CredentialProvider, method: &str, params: impl AsyncFn(&Bench, &str) -> Value) {
    let (files, id) = ground(provider).await;
    let untouched = under(provider, files.after_losing_unflushed());
    let old = seen(&untouched).await;
    let made = untouched.call(method, params(&untouched, &id).await).await;
    assert!(made.is_ok(), "{made:?}");
    let new = seen(&untouched).await;
    assert_ne!(old, new);
    let mut steps = 0;
    for failing in [Failing::Once, Failing::FromThen, Failing::Death] {
        for number in 0.. {
            let at = format!("{method} under {provider:?}, step {number} {failing:?}");
            let bench = under(provider, files.after_losing_unflushed());
            let params = params(&bench, &id).await;
            let count = fail_at(&bench.files, number, failing);
            let result = bench.call(method, params).await;
            let reached = count.load(Ordering::SeqCst) > number;
            if failing == Failing::Once {
                bench.files.heal();
            }
            let answered = seen(&bench).await;
            assert!(answered == old || answered == new, "{at}: {answered}");
            match &result {
                Ok(_) => assert_eq!(answered, new, "{at}"),
                Err(error) => assert_eq!(error["data"]["code"], "mcp.storage_write_failed", "{at}"),
            }
            for (left, flushed) in [
                (bench.files.after_losing_unflushed(), true),
                (bench.files.after_keeping_unflushed(), false),
            ] {
                let restarted = under(provider, left);
                let found = seen(&restarted).await;
                assert!(found == old || found == new, "{at}: {found}");
                if result.is_ok() {
                    assert_eq!(found, new, "{at}: what was answered as done is done");
                }
                if !flushed {
                    assert_eq!(found, answered, "{at}: what is answered is what is there");
                }
                let list = restarted.ok("servers.list", json!({})).await;
                assert_eq!(list["storageIssues"], json!([]), "{at}");
                nothing_left_over(&restarted.files);
            }
            if failing == Failing::FromThen {
                // The disk is mended: the next change makes good what is missing, and is not undone by it.
                bench.files.heal();
                bench
                    .ok("servers.create", json!({"displayName": "Z", "config": config("z")}))
                    .await;
                let answered = seen(&bench).await;
                assert_eq!(
                    bench.ok("servers.list", json!({})).await["storageIssues"],
                    json!([]),
                    "{at}"
                );
                let restarted = under(provider, bench.files.after_losing_unflushed());
                assert_eq!(seen(&restarted).await, answered, "{at}");
                nothing_left_over(&restarted.files);
            }
            if !reached {
                assert!(result.is_ok(), "{at}: {result:?}");
                steps = number;
                break;
            }
        }
    }
    assert!(steps > 5, "{method} has several steps");
}

#[tokio::test]
async fn an_import_is_whole_or_not_at_all() {
    for provider in [CredentialProvider::Inline, CredentialProvider::File] {
        at_every_step(provider, "servers.import", async |_, _| json!({"text": TWO})).await;
    }
}

#[tokio::test]
async fn a_new_server_is_there_with_its_connection_or_not_at_all() {
    let params = json!({"displayName": "New", "config": config("new")});
    at_every_step(CredentialProvider::File, "servers.create", async |_, _| params.clone()).await;
}

#[tokio::test]
async fn a_saved_connection_is_all_new_or_all_old_and_a_catalog_is_never_that_of_another() {
    for provider in [CredentialProvider::Inline, CredentialProvider::File] {
        at_every_step(provider, "servers.saveConfig", async |bench, id| {
            saving(bench, id, config("new")).await
        })
        .await;
    }
}

#[tokio::test]
async fn a_removed_server_takes_its_connection_with_it_or_stays_whole() {
    at_every_step(
        CredentialProvider::File,
        "servers.remove",
        async |_, id| json!({"id": id}),
    )
    .await;
    let (files, id) = ground(CredentialProvider::File).await;
    let bench = under(CredentialProvider::File, files);
    bench.ok("servers.remove", json!({"id": id})).await;
    let record = bench.file(credential_file()).unwrap();
    assert!(!record.contains("old") && !record.contains(&id), "{record}");
}

#[tokio::test]
async fn a_server_that_moves_to_another_provider_is_never_between_them() {
    for (from, to) in [
        (CredentialProvider::Inline, CredentialProvider::File),
        (CredentialProvider::File, CredentialProvider::Inline),
    ] {
        let (files, id) = ground(from).await;
        for failing in [Failing::Once, Failing::Death] {
            for number in 0.. {
                let bench = under(to, files.after_losing_unflushed());
                let params = saving(
                    &bench,
                    &id,
                    bench.ok("servers.readConfig", json!({"id": id})).await["config"].clone(),
                )
                .await;
                let count = fail_at(&bench.files, number, failing);
                let result = bench.call("servers.saveConfig", params).await;
                let reached = count.load(Ordering::SeqCst) > number;
                for left in [
                    bench.files.after_losing_unflushed(),
                    bench.files.after_keeping_unflushed(),
                ] {
                    let restarted = under(to, left);
                    let server = seen(&restarted).await["servers"][0].clone();
                    assert_eq!(server["config"]["url"], config("old")["url"]);
                    assert_eq!(server["config"]["headers"], config("old")["headers"]);
                    assert_eq!(server["tools"], 1, "the catalog is kept");
                    nothing_left_over(&restarted.files);
                }
                if !reached {
                    assert!(result.is_ok(), "{result:?}");
                    break;
                }
            }
        }
    }
}
