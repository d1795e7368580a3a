//! `partners.json`: its form, what is done with a bad one, and that a crash leaves all of a change or nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use toolgate_host::store::MemoryFiles;

use crate::support::{Bench, ID, ROOT, registration_file};
use crate::{URL, grant, granted, offered, open, partner, preview, refused, said, turn};

const OTHER: &str = "0b8f3d3e-6f0a-4f7c-8a58-2f3f5d9c1e11";

fn file() -> PathBuf {
    Path::new(ROOT).join("partners.json")
}

/// A file that holds these partners.
fn record(partners: &Value) -> String {
    json!({"schemaVersion": 1, "kind": "toolgate.partners", "partners": partners}).to_string()
}

#[tokio::test]
async fn the_file_has_our_form() {
    let bench = Bench::new();
    assert!(bench.file(file()).is_none());
    let server = bench.active_server(URL).await;
    let id = partner(&bench).await;
    grant(&bench, &id, &server, "permitted").await;
    let expected = format!(
        r#"{{
  "schemaVersion": 1,
  "kind": "toolgate.partners",
  "partners": [
    {{
      "id": "{id}",
      "name": "Mia",
      "mcpEnabled": true,
      "grants": [
        {{
          "serverId": "{server}",
          "scope": "permitted"
        }}
      ]
    }}
  ]
}}
"#
    );
    assert_eq!(bench.file(file()).unwrap(), expected);
}

#[tokio::test]
async fn a_good_file_is_read_and_a_bad_one_is_an_issue_and_never_overwritten() {
    let one = json!({"id": OTHER, "name": "Mia", "mcpEnabled": true, "grants": [{"serverId": ID, "scope": "all"}]});
    let with = |field: &str, value: Value| {
        let mut partner = one.clone();
        partner[field] = value;
        record(&json!([partner]))
    };
    let good = record(&json!([one]));
    let cases = [
        (good.clone(), None),
        (good.replace("\"Mia\"", "\" Mia  Rose \""), None),
        (good[..good.len() - 1].to_owned(), Some("mcp.storage_invalid")),
        (
            good.replace("toolgate.partners", "other"),
            Some("mcp.storage_kind_unknown"),
        ),
        (
            good.replace("\"schemaVersion\":1", "\"schemaVersion\":2"),
            Some("mcp.storage_schema_unknown"),
        ),
        (record(&json!([one, one])), Some("mcp.storage_invalid")),
        (record(&json!({})), Some("mcp.storage_invalid")),
        (record(&json!([[]])), Some("mcp.storage_invalid")),
        (with("id", json!("x")), Some("mcp.storage_invalid")),
        (with("name", json!(" ")), Some("mcp.storage_invalid")),
        (with("mcpEnabled", json!("yes")), Some("mcp.storage_invalid")),
        (with("more", json!(1)), Some("mcp.storage_invalid")),
        (with("grants", json!([{"serverId": ID}])), Some("mcp.storage_invalid")),
        (
            with("grants", json!([{"serverId": ID, "scope": "some"}])),
            Some("mcp.storage_invalid"),
        ),
        (
            with("grants", json!([{"serverId": "x", "scope": "all"}])),
            Some("mcp.storage_invalid"),
        ),
        (
            with(
                "grants",
                json!([{"serverId": ID, "scope": "all"}, {"serverId": ID, "scope": "permitted"}]),
            ),
            Some("mcp.storage_invalid"),
        ),
    ];
    for (content, code) in cases {
        let files = MemoryFiles::new();
        files.put(file(), content.clone());
        let bench = Bench::on(files);
        let issues = bench.ok("servers.list", json!({})).await["storageIssues"].clone();
        let Some(code) = code else {
            assert_eq!(issues, json!([]));
            let list = bench.ok("partners.list", json!({})).await;
            assert_eq!(list["partners"][0]["grants"], one["grants"]);
            continue;
        };
        assert_eq!(issues[0]["fileName"], "partners.json", "{content}");
        assert_eq!(issues[0]["code"], code, "{content}");
        for (method, params) in [
            ("partners.list", json!({})),
            ("partners.create", json!({"name": "n"})),
            ("partners.rename", json!({"partnerId": OTHER, "name": "n"})),
            ("partners.remove", json!({"partnerId": OTHER})),
            ("partners.revoke", json!({"partnerId": OTHER, "serverId": ID})),
            ("partners.preview", json!({"partnerId": OTHER})),
            ("partners.openSession", json!({"kind": "partner", "partnerId": OTHER})),
        ] {
            assert_eq!(bench.code(method, params).await, code, "{method}");
        }
        assert_eq!(bench.file(file()).unwrap(), content);
        bench.ok("storage.remove", json!({"fileName": "partners.json"})).await;
        assert_eq!(bench.ok("partners.list", json!({})).await["partners"], json!([]));
    }
}

#[tokio::test]
async fn a_file_that_is_bad_all_of_a_sudden_grants_nothing_and_takes_nothing_away() {
    let mut bench = Bench::new();
    let (server, partner, session) = granted(&mut bench, &["search"], "all").await;
    turn(&bench, &session).await;
    let good = bench.file(file()).unwrap();
    bench.files.put(file(), "{");
    assert_eq!(
        refused(&mut bench, &session, "mcp__Docs__search").await,
        "mcp.partner_grant_withdrawn"
    );
    let code = bench.code("partners.turn", json!({"sessionId": session})).await;
    assert_eq!(code, "mcp.storage_invalid");
    // A server can be removed meanwhile; what is granted of it is found to lead nowhere later.
    bench.ok("servers.remove", json!({"id": server})).await;
    assert_eq!(bench.file(file()).unwrap(), "{");
    bench.files.put(file(), good);
    let nothing = turn(&bench, &session).await;
    assert!(offered(&nothing).is_empty());
    assert_eq!(said(&nothing["diagnostics"]), [("mcp.registration_not_found", "")]);
    crate::revoke(&bench, &partner, &server).await;
    assert_eq!(turn(&bench, &session).await["diagnostics"], json!([]));
}

#[tokio::test]
async fn a_server_whose_file_is_bad_is_said_at_its_grant() {
    let mut bench = Bench::new();
    let (server, partner, _) = granted(&mut bench, &["search"], "all").await;
    bench.files.put(registration_file(&server), "{");
    let shown = preview(&bench, &partner).await;
    assert_eq!(said(&shown["servers"][0]["diagnostics"]), [("mcp.storage_invalid", "")]);
    assert!(shown["servers"][0].get("displayName").is_none());
    // Who removes the file removes what is granted of the server.
    bench
        .ok("storage.remove", json!({"fileName": format!("{server}.json")}))
        .await;
    assert_eq!(preview(&bench, &partner).await["servers"], json!([]));
}

#[tokio::test]
async fn a_change_that_cannot_be_written_changes_nothing() {
    let bench = Bench::new();
    let id = partner(&bench).await;
    let before = bench.ok("partners.list", json!({})).await;
    bench
        .files
        .fail_when(|step, path| step.changes() && path.to_string_lossy().contains("/data"));
    let params = json!({"partnerId": id, "enabled": false});
    assert_eq!(
        bench.code("partners.setEnabled", params).await,
        "mcp.storage_write_failed"
    );
    bench.files.heal();
    assert_eq!(bench.ok("partners.list", json!({})).await, before);
}

#[tokio::test]
async fn wherever_the_power_goes_a_removed_server_and_its_grants_are_gone_together() {
    for step in 0.. {
        let mut bench = Bench::new();
        let (server, partner, _) = granted(&mut bench, &["search"], "all").await;
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        bench
            .files
            .fail_when(move |kind, _| kind.changes() && counted.fetch_add(1, Ordering::SeqCst) >= step);
        let _ = bench.call("servers.remove", json!({"id": server})).await;
        let is_over = count.load(Ordering::SeqCst) <= step;
        for files in [
            bench.files.after_losing_unflushed(),
            bench.files.after_keeping_unflushed(),
        ] {
            files.heal();
            let after = Bench::on(files);
            let list = after.ok("servers.list", json!({})).await;
            assert_eq!(list["storageIssues"], json!([]), "step {step}");
            let is_there = !list["servers"].as_array().unwrap().is_empty();
            let partners = after.ok("partners.list", json!({})).await;
            let is_granted = !partners["partners"][0]["grants"].as_array().unwrap().is_empty();
            assert_eq!(is_there, is_granted, "step {step}");
            assert_eq!(partners["partners"][0]["id"], partner.as_str());
        }
        if is_over {
            assert!(step > 5, "too few steps to tell");
            return;
        }
    }
}

#[tokio::test]
async fn a_file_changed_by_hand_counts_at_once() {
    let mut bench = Bench::new();
    let (_, partner, session) = granted(&mut bench, &["search"], "all").await;
    let other = open(&bench, &partner).await;
    turn(&bench, &session).await;
    let off = bench
        .file(file())
        .unwrap()
        .replace("\"mcpEnabled\": true", "\"mcpEnabled\": false");
    bench.files.put(file(), off);
    assert_eq!(
        refused(&mut bench, &session, "mcp__Docs__search").await,
        "mcp.partner_grant_withdrawn"
    );
    assert!(offered(&turn(&bench, &other).await).is_empty());
}

#[cfg(unix)]
#[tokio::test]
async fn only_its_owner_can_read_the_file() {
    use std::os::unix::fs::PermissionsExt;

    use toolgate_host::{Host, HostOptions};

    let folder = tempfile::tempdir().unwrap();
    let (connector, _attempts) = crate::support::played::connector();
    let host = Host::open(HostOptions::new(folder.path()), Arc::new(connector)).unwrap();
    crate::support::call(&host.bridge(), "partners.create", json!({"name": "Mia"}))
        .await
        .unwrap();
    let mode = std::fs::metadata(folder.path().join("partners.json"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}
