//! The registration files: our exact form, files written by hand, and bad files beside good ones.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

mod support;

use std::path::Path;

use futures_util::{FutureExt, StreamExt};
use serde_json::{Value, json};
use support::{Bench, ID, ROOT, registration_file, registrations};
use toolgate_host::store::{FileStep, MemoryFiles};

/// Our form of a server with everything there is to say of one.
const FULL: &str = r#"{
  "schemaVersion": 1,
  "kind": "tauritavern.mcpServerRegistration",
  "id": "8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a",
  "displayName": "Docs",
  "endpoint": "https://example.com/mcp",
  "headers": {
    "X-Second": "2",
    "Authorization": "Bearer a"
  },
  "protocolVersion": "2025-06-18",
  "state": "active",
  "toolPermissions": {
    "read/all": "allow",
    "搜索": "ask"
  },
  "toolDescriptionOverrides": {
    "read/all": {
      "description": " verbatim ",
      "properties": {
        "path": "Where"
      }
    },
    "搜索": {
      "description": "",
      "properties": {}
    }
  }
}
"#;

/// Our form of a server of which there is nothing more to say than must be.
const BARE: &str = r#"{
  "schemaVersion": 1,
  "kind": "tauritavern.mcpServerRegistration",
  "id": "8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a",
  "displayName": "Docs",
  "endpoint": "https://example.com/mcp",
  "protocolVersion": "auto",
  "state": "paused"
}
"#;

const STDIO: &str = r#"{
  "schemaVersion": 1,
  "kind": "toolgate.stdioServerRegistration",
  "id": "8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a",
  "displayName": "Files",
  "command": "/usr/bin/npx",
  "args": [
    "-y",
    "files"
  ],
  "env": {
    "TOKEN": "t"
  },
  "cwd": "/srv",
  "protocolVersion": "auto",
  "state": "paused"
}
"#;

fn with_file(content: impl Into<Vec<u8>>) -> Bench {
    let files = MemoryFiles::new();
    files.put(registration_file(ID), content);
    Bench::on(files)
}

/// Changes the state there and back, so that the file is written anew.
async fn rewritten(bench: &Bench) -> String {
    let state = bench.summary(ID).await["state"].clone();
    for state in [json!("active"), json!("paused"), state] {
        bench.ok("servers.setState", json!({"id": ID, "state": state})).await;
    }
    bench.file(registration_file(ID)).unwrap()
}

#[tokio::test]
async fn our_own_form_is_stable() {
    for text in [FULL, BARE, STDIO] {
        assert_eq!(rewritten(&with_file(text)).await, text);
    }
}

#[tokio::test]
async fn a_record_written_by_hand_opens_and_is_rewritten_in_our_form() {
    let by_hand = r#"{"kind":"tauritavern.mcpServerRegistration","schemaVersion":1,"state":"paused","headers":{},
        "protocolVersion":"auto","endpoint":"  HTTPS://Example.com:443/mcp ","displayName":" Docs ",
        "id":"8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a","toolPermissions":{},"toolDescriptionOverrides":{}}"#;
    let bench = with_file(by_hand);
    let config = bench.ok("servers.readConfig", json!({"id": ID, "reveal": true})).await;
    assert_eq!(config["config"]["url"], "https://example.com/mcp");
    assert_eq!(rewritten(&bench).await, BARE);
}

#[tokio::test]
async fn a_created_server_is_a_paused_record_in_our_form() {
    let bench = Bench::new();
    let created = bench
        .ok(
            "servers.create",
            json!({"displayName": "  Docs\t ", "config": {"type": "http", "url": "https://EXAMPLE.com/mcp"}}),
        )
        .await;
    let id = created["id"].as_str().unwrap();
    assert_eq!(bench.file(registration_file(id)).unwrap(), BARE.replace(ID, id));
    assert_eq!(created["state"], "paused");
    assert_eq!(created["displayName"], "Docs");
}

#[tokio::test]
async fn a_decision_that_is_off_leaves_no_trace() {
    let bench = with_file(BARE);
    for permission in ["ask", "allow", "off"] {
        let params = json!({"id": ID, "nativeName": "read", "permission": permission});
        bench.ok("tools.setPermission", params).await;
    }
    let override_of = |value: Value| json!({"id": ID, "nativeName": "read", "override": value});
    bench
        .ok(
            "tools.setDescriptionOverride",
            override_of(json!({"properties": {"p": " as is "}})),
        )
        .await;
    assert!(bench.file(registration_file(ID)).unwrap().contains(r#""p": " as is ""#));
    bench.ok("tools.setDescriptionOverride", override_of(json!(null))).await;
    assert_eq!(bench.file(registration_file(ID)).unwrap(), BARE);
}

/// Opens a data directory with one bad file beside a good one, and checks the issue.
async fn issue(name: &str, content: impl Into<Vec<u8>>, code: &str, id: Option<&str>) -> Value {
    let good = "3f2a1c5d-7b6e-4a90-8d21-0c9e8f7a6b5c";
    let files = MemoryFiles::new();
    let content: Vec<u8> = content.into();
    files.put(registrations().join(name), content.clone());
    files.put(registration_file(good), BARE.replace(ID, good));
    let bench = Bench::on(files);
    let list = bench.ok("servers.list", json!({})).await;
    assert_eq!(list["servers"].as_array().unwrap().len(), 1, "{list}");
    let issues = list["storageIssues"].as_array().unwrap();
    assert_eq!(issues.len(), 1, "{list}");
    assert_eq!(issues[0]["fileName"], name);
    assert_eq!(issues[0]["code"], code, "{list}");
    assert_eq!(issues[0].get("registrationId").and_then(Value::as_str), id);
    let message = issues[0]["message"].as_str().unwrap();
    assert!(message.ends_with("remove it."), "what to do is missing: {message}");
    if let Some(id) = id {
        assert_eq!(
            bench
                .code("servers.setState", json!({"id": id, "state": "active"}))
                .await,
            code
        );
        assert_eq!(bench.code("servers.remove", json!({"id": id})).await, code);
        assert_eq!(bench.code("servers.discover", json!({"id": id})).await, code);
    }
    assert_eq!(
        bench.files.get(registrations().join(name)).unwrap(),
        content,
        "the bad file is left as it is"
    );
    bench.ok("storage.remove", json!({"fileName": name})).await;
    assert!(bench.files.get(registrations().join(name)).is_none());
    let list = bench.ok("servers.list", json!({})).await;
    assert_eq!(list["storageIssues"], json!([]));
    assert_eq!(list["servers"].as_array().unwrap().len(), 1);
    issues[0].clone()
}

#[tokio::test]
async fn each_way_of_being_bad_has_its_code() {
    let name = format!("{ID}.json");
    let upper = format!("{}.json", ID.to_uppercase());
    let torn = &FULL[..FULL.len() / 2];
    issue(&name, torn, "mcp.storage_invalid", Some(ID)).await;
    issue(&name, "", "mcp.storage_invalid", Some(ID)).await;
    issue(&name, "[]", "mcp.storage_invalid", Some(ID)).await;
    issue(&name, b"\xff\xfe".to_vec(), "mcp.storage_invalid", Some(ID)).await;
    issue(&name, format!("{BARE}{BARE}"), "mcp.storage_invalid", Some(ID)).await;
    let kind = BARE.replace("tauritavern.mcpServerRegistration", "tauritavern.character");
    issue(&name, kind, "mcp.storage_kind_unknown", Some(ID)).await;
    let schema = BARE.replace("\"schemaVersion\": 1", "\"schemaVersion\": 2");
    issue(&name, schema, "mcp.storage_schema_unknown", Some(ID)).await;
    let other = BARE.replace(ID, "3f2a1c5d-7b6e-4a90-8d21-0c9e8f7a6b5d");
    issue(&name, other, "mcp.storage_id_mismatch", Some(ID)).await;
    issue(
        &name,
        BARE.replace(ID, &ID.to_uppercase()),
        "mcp.storage_id_mismatch",
        Some(ID),
    )
    .await;
    issue(&upper, BARE, "mcp.storage_name_noncanonical", None).await;
    issue("notes.txt", "hello", "mcp.storage_foreign_file", None).await;
    issue("server.json", BARE, "mcp.storage_foreign_file", None).await;
    // Version 1, not 4.
    issue(
        "8c0a7f0e-31bb-1c6e-9f58-5d5e1c6d2b1a.json",
        BARE,
        "mcp.storage_foreign_file",
        None,
    )
    .await;
}

#[tokio::test]
async fn nothing_unknown_or_invalid_is_passed_over_at_any_level() {
    let name = format!("{ID}.json");
    for (from, to, place) in [
        ("\"id\"", "\"extra\": 1, \"id\"", "extra"),
        (
            "\"description\": \" verbatim \"",
            "\"extra\": 1",
            "toolDescriptionOverrides.read/all.extra",
        ),
        ("\"allow\"", "\"off\"", "toolPermissions.read/all"),
        ("\"X-Second\": \"2\"", "\"X-Second\": 2", "headers.X-Second"),
        ("\"X-Second\"", "\"Authorization\"", "headers"),
        ("\"搜索\": \"ask\"", "\"read/all\": \"ask\"", "toolPermissions"),
        ("\"2025-06-18\"", "\"2024-11-05\"", "protocolVersion"),
        ("\"active\"", "\"on\"", "state"),
        ("  \"state\": \"active\",\n", "", "state"),
        ("https://example.com/mcp", "ftp://example.com/mcp", "url"),
        ("\"Docs\"", "\"  \"", "displayName"),
        ("\"description\": \"\",", "", "toolDescriptionOverrides"),
        ("\"displayName\"", "\"id\": \"x\", \"displayName\"", "id"),
        (
            "{\n      \"description\": \"\",\n      \"properties\": {}\n    }",
            "[\"\", {}]",
            "toolDescriptionOverrides.搜索 must be an object",
        ),
    ] {
        let text = FULL.replacen(from, to, 1);
        assert_ne!(text, FULL, "{from}");
        let issue = issue(&name, text, "mcp.storage_invalid", Some(ID)).await;
        let message = issue["message"].as_str().unwrap();
        assert!(message.contains(place), "{message} does not name {place}");
        assert!(!message.contains("Bearer"), "{message}");
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_neither_overwritten_nor_taken_for_absent() {
    let bench = with_file(BARE);
    let file = registration_file(ID);
    let unreadable = file.clone();
    bench
        .files
        .fail_when(move |step, path| step == FileStep::Read && path == unreadable);
    let list = bench.ok("servers.list", json!({})).await;
    assert_eq!(list["storageIssues"][0]["code"], "mcp.storage_unreadable");
    let params = json!({"id": ID, "nativeName": "t", "permission": "ask"});
    assert_eq!(
        bench.code("tools.setPermission", params.clone()).await,
        "mcp.storage_unreadable"
    );
    assert_eq!(
        bench.code("servers.discover", json!({"id": ID})).await,
        "mcp.storage_unreadable"
    );
    bench.files.heal();
    assert_eq!(bench.file(file).unwrap(), BARE);
    bench.ok("tools.setPermission", params).await;
}

#[tokio::test]
async fn a_folder_that_cannot_be_listed_fails_the_list() {
    let bench = with_file(BARE);
    bench.files.fail_when(|step, _| step == FileStep::List);
    assert_eq!(
        bench.code("servers.list", json!({})).await,
        "mcp.storage_folder_unreadable"
    );
    let create = json!({"displayName": "A", "config": {"type": "http", "url": "https://example.com/"}});
    assert_eq!(
        bench.code("servers.create", create).await,
        "mcp.storage_folder_unreadable"
    );
}

#[tokio::test]
async fn only_what_is_in_the_present_list_of_issues_can_be_removed() {
    let bench = with_file(BARE);
    for name in [
        format!("{ID}.json"),
        "../../../settings.json".to_owned(),
        String::new(),
        "settings.json".to_owned(),
    ] {
        let code = bench.code("storage.remove", json!({"fileName": name})).await;
        assert_eq!(code, "mcp.storage_issue_not_found");
    }
    assert_eq!(bench.file(registration_file(ID)).unwrap(), BARE);
}

#[tokio::test]
async fn settings_that_cannot_be_used_are_an_issue_and_stay_until_they_are_removed() {
    let settings = Path::new(ROOT).join("settings.json");
    let files = MemoryFiles::new();
    files.put(&settings, "{torn");
    let bench = Bench::on(files);
    let list = bench.ok("servers.list", json!({})).await;
    assert_eq!(list["storageIssues"][0]["fileName"], "settings.json");
    assert_eq!(bench.file(settings.clone()).unwrap(), "{torn");
    bench.ok("storage.remove", json!({"fileName": "settings.json"})).await;
    let bench = bench.restart().await;
    assert!(bench.file(settings).unwrap().contains("\"toolgate.settings\""));
    assert_eq!(bench.ok("servers.list", json!({})).await["storageIssues"], json!([]));
}

#[tokio::test]
async fn pages_are_told_when_a_list_finds_other_issues_than_the_last_one() {
    let bench = with_file(BARE);
    bench.ok("servers.list", json!({})).await;
    let mut events = Box::pin(bench.bridge.events());
    bench.ok("servers.list", json!({})).await;
    assert!(events.next().now_or_never().is_none());
    bench.files.put(registrations().join("stray"), "");
    bench.ok("servers.list", json!({})).await;
    assert!(events.next().await.unwrap().contains("storage"));
    bench.ok("servers.list", json!({})).await;
    assert!(events.next().now_or_never().is_none());
}

#[cfg(unix)]
#[tokio::test]
async fn on_a_real_disk_files_and_folders_are_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    use std::sync::Arc;

    use toolgate_host::store::Disk;

    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("data");
    let bench = Bench::with(MemoryFiles::new(), |options| {
        options.data_dir = root.clone();
        options.files = Arc::new(Disk);
    });
    let created = bench
        .ok(
            "servers.create",
            json!({"displayName": "Docs", "config": {"type": "http", "url": "https://example.com/mcp"}}),
        )
        .await;
    let id = created["id"].as_str().unwrap();
    let folder = root.join("_tauritavern/mcp/registrations");
    let file = folder.join(format!("{id}.json"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), BARE.replace(ID, id));
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for private in [
        &root,
        &root.join("_tauritavern"),
        &root.join("_tauritavern/mcp"),
        &folder,
    ] {
        assert_eq!(mode(private), 0o700);
    }
    assert_eq!(mode(&file), 0o600);
    assert_eq!(mode(&root.join("settings.json")), 0o600);
    let names: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, [format!("{id}.json").as_str()]);

    // A folder where a file should be is an issue, and a pipe is not waited for.
    std::fs::create_dir(folder.join("old")).unwrap();
    std::fs::create_dir(folder.join(format!("{ID}.json"))).unwrap();
    let list = bench.ok("servers.list", json!({})).await;
    let codes: Vec<_> = list["storageIssues"]
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| issue["code"].clone())
        .collect();
    assert_eq!(
        codes,
        [json!("mcp.storage_unreadable"), json!("mcp.storage_foreign_file")]
    );
}
