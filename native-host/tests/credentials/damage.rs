//! A record that is missing or damaged is shown, never overwritten, and takes nothing healthy with it.

use serde_json::{Value, json};
use toolgate_host::store::{CredentialProvider, FileStep, Files as _, MemoryFiles};

use super::support::{Bench, credential_file, registration_file};
use super::{CANARY, create, http, revealed, stdio, under};

/// A server whose connection is kept apart, and one whose connection is in its registration.
async fn two() -> (Bench, String, String) {
    let inline = under(CredentialProvider::Inline, MemoryFiles::new());
    let open = create(&inline, "Open", http()).await;
    let bench = under(CredentialProvider::File, inline.files.after_losing_unflushed());
    let apart = create(&bench, "My docs", http()).await;
    (bench, apart, open)
}

async fn issues(bench: &Bench) -> Vec<(String, String, String)> {
    let list = bench.ok("servers.list", json!({})).await;
    assert!(!list.to_string().contains(CANARY), "{list}");
    let text = |issue: &Value, field: &str| issue[field].as_str().unwrap().to_owned();
    list["storageIssues"]
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| (text(issue, "fileName"), text(issue, "code"), text(issue, "message")))
        .collect()
}

#[tokio::test]
async fn a_registration_that_was_removed_by_hand_leaves_an_issue_until_what_is_left_is_removed_too() {
    let (bench, apart, open) = two().await;
    let partner = bench.ok("partners.create", json!({"name": "Mika"})).await;
    let grant = json!({"partnerId": partner["id"], "serverId": apart, "scope": "all"});
    bench.ok("partners.grant", grant).await;
    let file = bench.file(registration_file(&apart)).unwrap();
    bench.files.remove(&registration_file(&apart)).unwrap();
    for bench in [&bench, &under(CredentialProvider::File, bench.files.clone())] {
        let found = issues(bench).await;
        assert_eq!(found.len(), 1, "{found:?}");
        let (file_name, code, message) = &found[0];
        assert_eq!(
            (file_name, code.as_str()),
            (&format!("{apart}.json"), "mcp.storage_registration_missing")
        );
        assert!(message.contains("credentials/dsh-partner-mcp.json"), "{message}");
        assert!(
            bench.file(credential_file()).unwrap().contains(CANARY),
            "nothing is removed by itself"
        );
    }
    // Put back, under whatever spelling, it is there again.
    bench.files.put(registration_file(&apart), file);
    assert_eq!(issues(&bench).await, []);
    assert_eq!(revealed(&bench, &apart).await, http());
    bench.files.remove(&registration_file(&apart)).unwrap();

    bench
        .ok("storage.remove", json!({"fileName": format!("{apart}.json")}))
        .await;
    assert_eq!(issues(&bench).await, []);
    assert!(!bench.file(credential_file()).unwrap().contains(CANARY));
    let partners = bench.ok("partners.list", json!({})).await;
    assert_eq!(partners["partners"][0]["grants"], json!([]));
    assert_eq!(bench.summary(&open).await["displayName"], "Open");
}

#[tokio::test]
async fn a_missing_record_is_an_issue_that_names_the_server() {
    let (bench, apart, open) = two().await;
    let record = bench.file(credential_file()).unwrap();
    let files = MemoryFiles::new();
    for path in bench
        .files
        .paths()
        .into_iter()
        .filter(|path| *path != credential_file())
    {
        files.put(path.clone(), bench.files.get(&path).unwrap());
    }
    let bench = under(CredentialProvider::File, files);
    let found = issues(&bench).await;
    assert_eq!(found.len(), 1, "{found:?}");
    let (file_name, code, message) = &found[0];
    assert_eq!(*file_name, format!("{apart}.json"));
    assert_eq!(code, "mcp.storage_credentials_missing");
    assert!(
        message.contains("My docs") && message.contains("credentials/dsh-partner-mcp.json"),
        "{message}"
    );
    for method in ["servers.readConfig", "servers.discover", "servers.remove"] {
        assert_eq!(
            bench.code(method, json!({"id": apart})).await,
            "mcp.storage_credentials_missing"
        );
    }
    let registration = bench.file(registration_file(&apart));
    // The other one goes on, and a new record is made for a new server.
    assert_eq!(revealed(&bench, &open).await, http());
    create(&bench, "New", stdio()).await;
    assert_eq!(bench.file(registration_file(&apart)), registration);
    // Put back from a copy, it is used at once.
    bench.files.put(credential_file(), record);
    assert_eq!(revealed(&bench, &apart).await, http());
}

#[tokio::test]
async fn a_value_that_is_missing_is_an_issue_too() {
    let (bench, apart, _) = two().await;
    let record = bench.file(credential_file()).unwrap();
    bench
        .files
        .put(credential_file(), record.replace("Authorization", "Other"));
    let found = issues(&bench).await;
    assert_eq!(found[0].0, format!("{apart}.json"));
    assert_eq!(found[0].1, "mcp.storage_credentials_missing");
    assert!(found[0].2.contains("headers.Authorization"), "{found:?}");
}

#[tokio::test]
async fn a_damaged_record_is_left_as_it_is_until_it_is_removed() {
    let (bench, apart, open) = two().await;
    let good = bench.file(credential_file()).unwrap();
    for (bad, code) in [
        (good[..good.len() - 30].to_owned(), "mcp.storage_invalid"),
        (String::new(), "mcp.storage_invalid"),
        (good.replace("toolgate.credentials", CANARY), "mcp.storage_kind_unknown"),
        (
            good.replace("\"schemaVersion\": 1", "\"schemaVersion\": 2"),
            "mcp.storage_schema_unknown",
        ),
        (good.replacen('{', "{\"extra\": 1,", 1), "mcp.storage_invalid"),
        (
            good.replace("\"toolgate.credentials\"", "\"toolgate.sealedCredentials\""),
            "mcp.storage_invalid",
        ),
    ] {
        let bench = under(CredentialProvider::File, bench.files.after_losing_unflushed());
        bench.files.put(credential_file(), bad.clone());
        let found = issues(&bench).await;
        let codes: Vec<_> = found
            .iter()
            .map(|(file, code, _)| (file.as_str(), code.as_str()))
            .collect();
        assert_eq!(
            codes,
            [
                (format!("{apart}.json").as_str(), "mcp.storage_credentials_unreadable"),
                ("dsh-partner-mcp.json", code)
            ],
            "{bad}"
        );
        assert!(found[0].2.contains("My docs"), "{found:?}");
        // What needs the record is refused; what does not is done.
        let new = json!({"displayName": "New", "config": http()});
        assert_eq!(bench.code("servers.create", new.clone()).await, code);
        let text = r#"{"mcpServers": {"a": {"url": "https://example.com/"}}}"#;
        assert_eq!(bench.code("servers.import", json!({"text": text})).await, code);
        assert_eq!(
            bench
                .code("servers.setState", json!({"id": apart, "state": "active"}))
                .await,
            "mcp.storage_credentials_unreadable"
        );
        bench
            .ok("servers.setState", json!({"id": open, "state": "active"}))
            .await;
        let read = bench.ok("servers.readConfig", json!({"id": open})).await;
        let save = json!({"id": open, "displayName": "O", "config": read["config"], "revision": read["revision"]});
        assert_eq!(bench.code("servers.saveConfig", save).await, code);
        assert_eq!(bench.file(credential_file()).unwrap(), bad);
        bench.ok("servers.remove", json!({"id": open})).await;
        assert_eq!(bench.file(credential_file()).unwrap(), bad);
        // Given up by name.
        bench
            .ok("storage.remove", json!({"fileName": "dsh-partner-mcp.json"}))
            .await;
        bench.ok("servers.create", new).await;
        assert_eq!(issues(&bench).await[0].1, "mcp.storage_credentials_missing");
        bench
            .ok("storage.remove", json!({"fileName": format!("{apart}.json")}))
            .await;
        assert_eq!(issues(&bench).await, []);
    }
}

#[tokio::test]
async fn one_damaged_connection_takes_no_other_with_it() {
    let (bench, apart, _) = two().await;
    let other = create(&bench, "Files", stdio()).await;
    let good = bench.file(credential_file()).unwrap();
    bench
        .files
        .put(credential_file(), good.replacen("\"url\"", "\"uri\"", 1));
    let found = issues(&bench).await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].1, "mcp.storage_credentials_unreadable");
    assert_eq!(revealed(&bench, &other).await, stdio());
    // It is kept through a save of another one, and mended by hand it is used.
    create(&bench, "New", http()).await;
    let now = bench.file(credential_file()).unwrap();
    bench
        .files
        .put(credential_file(), now.replacen("\"uri\"", "\"url\"", 1));
    assert_eq!(revealed(&bench, &apart).await, http());
}

#[tokio::test]
async fn a_record_that_cannot_be_read_is_not_taken_for_absent() {
    let (bench, apart, _) = two().await;
    let before = bench.file(credential_file()).unwrap();
    bench
        .files
        .fail_when(|step, path| step == FileStep::Read && path == credential_file());
    let found = issues(&bench).await;
    assert_eq!(found[1].1, "mcp.storage_unreadable");
    let new = json!({"displayName": "New", "config": http()});
    assert_eq!(bench.code("servers.create", new).await, "mcp.storage_unreadable");
    bench.files.heal();
    assert_eq!(bench.file(credential_file()).unwrap(), before);
    assert_eq!(revealed(&bench, &apart).await, http());
}

#[tokio::test]
async fn removing_a_bad_registration_takes_its_connection_along() {
    let (bench, apart, _) = two().await;
    bench.files.put(registration_file(&apart), "torn");
    bench
        .ok("storage.remove", json!({"fileName": format!("{apart}.json")}))
        .await;
    assert!(!bench.file(credential_file()).unwrap().contains(CANARY));
}
