//! A `pending.json` that is damaged or cannot be read.

use serde_json::{Value, json};
use toolgate_host::store::{CredentialProvider, FileStep};

use super::support::{ID, pending_file, registration_file};
use super::{TWO, config, ground, under};

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
            with("files", json!([{"file": "host.json", "content": "x"}])),
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
