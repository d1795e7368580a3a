//! Changes of several files, with a failure or a loss of power at every step: all of the old or all of the new, and what
//! the host answers is what the next start finds.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

mod support;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use support::{Bench, ID, catalog_file, credential_file, pending_file, registration_file, registrations};
use toolgate_core::server::TransportKind;
use toolgate_host::store::{CredentialProvider, FileStep, MemoryFiles};

fn under(provider: CredentialProvider, files: MemoryFiles) -> Bench {
    Bench::with(files, |options| {
        options.credentials = provider;
        options.transports = vec![TransportKind::Http, TransportKind::Stdio];
    })
}

fn config(secret: &str) -> Value {
    json!({"type": "http", "url": format!("https://example.com/mcp?key={secret}"), "headers": {"X": secret}})
}

/// A directory with one server under this provider, "Docs" with the secret "old", and a catalog of it.
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
    bench.host.shutdown().await;
    (bench.files.after_losing_unflushed(), id)
}

/// Everything that a person can see of the servers, ids of new ones aside.
async fn seen(bench: &Bench) -> Value {
    let list = bench.ok("servers.list", json!({"reveal": true})).await;
    let servers = list["servers"].as_array().unwrap().iter().map(|server| {
        json!({
            "name": server["displayName"], "config": server["config"], "state": server["state"],
            "tools": server.get("toolCount"), "permissions": server["toolPermissions"],
        })
    });
    Value::Array(servers.collect())
}

/// How a step fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failing {
    /// It alone.
    Once,
    /// It and every later one, until the disk is mended.
    FromThen,
    /// It and every later one, and the process ends there.
    Death,
}

fn fail_at(files: &MemoryFiles, number: usize, failing: Failing) -> Arc<AtomicUsize> {
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

/// Nothing is left over of a change.
fn nothing_left_over(files: &MemoryFiles) {
    for path in files.paths() {
        let name = path.to_string_lossy().into_owned();
        assert!(!name.ends_with(".tmp") && path != pending_file(), "{name} is left over");
    }
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

const TWO: &str = r#"{"mcpServers": {"one": {"url": "https://example.com/1", "headers": {"A": "secret"}},
    "two": {"command": "run", "args": ["secret"], "env": {"E": "secret"}}}}"#;

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

async fn saving(bench: &Bench, id: &str, config: Value) -> Value {
    let read = bench.ok("servers.readConfig", json!({"id": id})).await;
    json!({"id": id, "displayName": "Renamed", "config": config, "revision": read["revision"]})
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
                    let server = seen(&restarted).await[0].clone();
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
    assert_eq!(seen(&bench).await[0]["config"], {
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
    let server = seen(&restarted).await[0].clone();
    assert_eq!(server["state"], "paused");
    assert_eq!(server["name"], "Renamed");
}

#[tokio::test]
async fn the_next_start_finishes_what_was_decided() {
    let (bench, _) = stuck(credential_file().parent().unwrap()).await;
    bench.files.heal();
    let restarted = under(CredentialProvider::File, bench.files.after_losing_unflushed());
    assert_eq!(seen(&restarted).await[0]["name"], "Renamed");
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

#[tokio::test]
async fn a_damaged_pending_change_is_neither_dropped_nor_half_made() {
    let (files, id) = ground(CredentialProvider::File).await;
    let good = json!({
        "schemaVersion": 1,
        "kind": "toolgate.pendingChange",
        "files": [
            {"file": format!("_tauritavern/mcp/registrations/{ID}.json"), "content": "never"},
            {"file": "partners.json", "content": null},
        ],
    });
    let with = |field: &str, value: Value| {
        let mut record = good.clone();
        record[field] = value;
        record.to_string()
    };
    let text = good.to_string();
    for (bad, code) in [
        (text[..text.len() / 2].to_owned(), "mcp.storage_invalid"),
        (String::new(), "mcp.storage_invalid"),
        (with("kind", json!("other")), "mcp.storage_kind_unknown"),
        (with("schemaVersion", json!(2)), "mcp.storage_schema_unknown"),
        (with("extra", json!(1)), "mcp.storage_invalid"),
        (
            with("files", json!([{"file": "../../evil", "content": "x"}])),
            "mcp.storage_invalid",
        ),
        (
            with("files", json!([{"file": "settings.json", "content": "x"}])),
            "mcp.storage_invalid",
        ),
        (with("files", json!([{"file": "partners.json"}])), "mcp.storage_invalid"),
        (
            with(
                "files",
                json!([{"file": "partners.json", "content": "a"}, {"file": "partners.json", "content": "b"}]),
            ),
            "mcp.storage_invalid",
        ),
    ] {
        let files = files.after_losing_unflushed();
        files.put(pending_file(), bad.clone());
        let before = files.paths();
        let bench = under(CredentialProvider::File, files);
        let list = bench.ok("servers.list", json!({})).await;
        assert_eq!(
            list["servers"].as_array().unwrap().len(),
            1,
            "healthy servers are there"
        );
        assert_eq!(list["storageIssues"][0]["fileName"], "pending.json");
        assert_eq!(list["storageIssues"][0]["code"], code, "{bad}");
        for (method, params) in [
            ("servers.create", json!({"displayName": "A", "config": config("a")})),
            ("servers.import", json!({"text": TWO})),
            ("servers.setState", json!({"id": id, "state": "paused"})),
            ("servers.remove", json!({"id": id})),
            ("servers.offerRecommended", json!({})),
        ] {
            assert_eq!(bench.code(method, params).await, code, "{method}");
        }
        assert_eq!(bench.files.paths(), before);
        assert_eq!(bench.file(pending_file()).unwrap(), bad);
        assert!(bench.file(registration_file(ID)).is_none());
        bench.ok("storage.remove", json!({"fileName": "pending.json"})).await;
        bench.ok("servers.setState", json!({"id": id, "state": "paused"})).await;
        assert_eq!(bench.ok("servers.list", json!({})).await["storageIssues"], json!([]));
    }
}

#[tokio::test]
async fn a_pending_change_that_cannot_be_read_holds_changes_up() {
    let (files, id) = ground(CredentialProvider::File).await;
    files.put(pending_file(), "whatever");
    let pending = pending_file();
    files.fail_when(move |step, path| step == FileStep::Read && path == pending);
    let bench = under(CredentialProvider::File, files);
    let list = bench.ok("servers.list", json!({})).await;
    assert_eq!(list["storageIssues"][0]["code"], "mcp.storage_unreadable");
    assert_eq!(
        bench
            .code("servers.setState", json!({"id": id, "state": "paused"}))
            .await,
        "mcp.storage_unreadable"
    );
}

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
        let mut saved = Vec::new();
        for (name, save) in running {
            match save.await.unwrap() {
                Ok(_) => saved.push(name),
                Err(error) => assert_eq!(error["data"]["code"], "mcp.config_conflict"),
            }
        }
        created.await.unwrap().unwrap();
        let [saved] = saved.as_slice() else {
            panic!("one of them saves, the others are told: {saved:?}")
        };
        let servers = seen(&under(provider, bench.files.after_losing_unflushed())).await;
        assert_eq!(servers.as_array().unwrap().len(), 2, "{servers}");
        let server = servers
            .as_array()
            .unwrap()
            .iter()
            .find(|server| server["name"] == *saved)
            .unwrap();
        assert_eq!(server["config"]["headers"]["X"], *saved);
        assert!(bench.file(catalog_file(&id)).is_none());
    }
}
