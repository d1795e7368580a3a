//! Any form opens under any provider, and moves to the one in force at its next save.

use serde_json::{Value, json};
use toolgate_host::store::{CredentialProvider, Disk, MemoryFiles};

use super::support::{Bench, ID, ROOT, catalog_file, credential_file, registration_file};
use super::{create, hidden_but_in, http, revealed, save_unchanged, stdio, under};

async fn info(bench: &Bench) -> Value {
    bench.ok("host.info", json!({})).await["credentials"].clone()
}

#[tokio::test]
async fn a_directory_that_tauritavern_made_opens_as_it_is_and_is_changed_by_no_more_than_a_save() {
    let mut made = under(CredentialProvider::Inline, MemoryFiles::new());
    let docs = create(&made, "Docs", http()).await;
    let other = create(&made, "Other", http()).await;
    made.ok("servers.setState", json!({"id": docs, "state": "active"}))
        .await;
    made.discover(&docs, &["t"]).await;
    let files = made.files.after_losing_unflushed();
    let before = |files: &MemoryFiles| -> Vec<_> { files.paths().iter().map(|path| files.get(path)).collect() };
    let as_made = before(&files);

    let mut bench = under(CredentialProvider::File, files);
    assert_eq!(info(&bench).await, json!({"provider": "file", "otherForm": 2}));
    bench.ok("servers.list", json!({"reveal": true})).await;
    bench.ok("servers.discover", json!({"id": docs})).await;
    assert!(bench.no_attempt(), "the catalog fits");
    assert_eq!(revealed(&bench, &docs).await, http());
    assert_eq!(before(&bench.files), as_made);
    // A decision is no save: the connection stays where it is.
    bench
        .ok(
            "tools.setPermission",
            json!({"id": docs, "nativeName": "t", "permission": "ask"}),
        )
        .await;
    assert!(bench.file(credential_file()).is_none());
    assert_eq!(revealed(&bench, &docs).await, http());

    save_unchanged(&bench, &docs).await;
    assert_eq!(info(&bench).await, json!({"provider": "file", "otherForm": 1}));
    assert_eq!(revealed(&bench, &docs).await, http());
    let summary = bench.summary(&docs).await;
    assert_eq!(
        (&summary["toolCount"], &summary["toolPermissions"]),
        (&json!(1), &json!({"t": "ask"}))
    );
    // The catalog too names the endpoint no longer.
    assert!(bench.file(catalog_file(&docs)).unwrap().contains("connectionRevision"));
    save_unchanged(&bench, &other).await;
    assert_eq!(info(&bench).await, json!({"provider": "file", "otherForm": 0}));
    hidden_but_in(&bench.files, &[credential_file()]);
}

#[tokio::test]
async fn back_to_the_registrations_leaves_nothing_in_the_record() {
    let apart = under(CredentialProvider::File, MemoryFiles::new());
    let docs = create(&apart, "Docs", http()).await;
    let files = create(&apart, "Files", stdio()).await;
    let mut bench = under(CredentialProvider::Inline, apart.files.after_losing_unflushed());
    assert_eq!(info(&bench).await, json!({"provider": "inline", "otherForm": 2}));
    bench
        .ok("servers.setState", json!({"id": docs, "state": "active"}))
        .await;
    bench.discover(&docs, &["t"]).await;
    save_unchanged(&bench, &docs).await;
    assert_eq!(bench.summary(&docs).await["toolCount"], 1);
    let record = bench.file(credential_file()).unwrap();
    assert!(!record.contains(&docs) && record.contains(&files), "{record}");
    assert_eq!(info(&bench).await, json!({"provider": "inline", "otherForm": 1}));
    save_unchanged(&bench, &files).await;
    assert!(bench.file(credential_file()).is_none(), "the last one took it away");
    assert_eq!(revealed(&bench, &docs).await, http());
    assert_eq!(revealed(&bench, &files).await, stdio());
    assert_eq!(info(&bench).await, json!({"provider": "inline", "otherForm": 0}));
}

#[tokio::test]
async fn a_program_without_arguments_has_nothing_to_move() {
    let bare = json!({"type": "stdio", "command": "run"});
    for (from, to) in [
        (CredentialProvider::Inline, CredentialProvider::File),
        (CredentialProvider::File, CredentialProvider::Inline),
    ] {
        let made = under(from, MemoryFiles::new());
        let id = create(&made, "Run", bare.clone()).await;
        for provider in [from, to] {
            let bench = under(provider, made.files.after_losing_unflushed());
            assert_eq!(info(&bench).await["otherForm"], 0);
            save_unchanged(&bench, &id).await;
            assert_eq!(revealed(&bench, &id).await["command"], "run");
        }
    }
}

fn usual(files: &MemoryFiles) -> CredentialProvider {
    CredentialProvider::usual(files, ROOT.as_ref())
}

#[tokio::test]
async fn the_program_goes_on_where_the_connections_are() {
    let files = MemoryFiles::new();
    assert_eq!(usual(&files), CredentialProvider::File, "a new directory");
    files.put(registration_file(ID), "torn");
    assert_eq!(usual(&files), CredentialProvider::File, "nothing that says otherwise");

    let inline = under(CredentialProvider::Inline, MemoryFiles::new());
    create(&inline, "Docs", http()).await;
    assert_eq!(usual(&inline.files), CredentialProvider::Inline);
    let inline = inline.restart().await;
    assert_eq!(usual(&inline.files), CredentialProvider::Inline, "at each start");

    let apart = under(CredentialProvider::File, inline.files.after_losing_unflushed());
    create(&apart, "More", http()).await;
    assert_eq!(
        usual(&apart.files),
        CredentialProvider::File,
        "once something was saved there"
    );
    apart.files.put(credential_file(), "torn");
    assert_eq!(
        usual(&apart.files),
        CredentialProvider::File,
        "whatever has become of it"
    );

    let empty = tempfile::tempdir().unwrap();
    assert_eq!(CredentialProvider::usual(&Disk, empty.path()), CredentialProvider::File);
}
