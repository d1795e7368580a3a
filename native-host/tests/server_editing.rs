//! Creating, editing, activating and removing servers (manager contract §4, partner contract).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

mod support;

use serde_json::{Value, json};
use support::{Bench, ID, catalog_file, registration_file};
use toolgate_host::store::MemoryFiles;

fn create(name: &str, url: &str) -> Value {
    json!({"displayName": name, "config": {"type": "http", "url": url, "headers": {"Authorization": "Bearer a", "X": "x"}}})
}

async fn read(bench: &Bench, id: &str) -> Value {
    bench.ok("servers.readConfig", json!({"id": id})).await
}

/// What an editor sends when it saves what it read with another name and configuration.
fn saving(id: &str, read: &Value, name: &str, config: &Value) -> Value {
    json!({"id": id, "displayName": name, "config": config, "revision": read["revision"]})
}

#[tokio::test]
async fn names_may_double_and_are_normalised_and_lists_are_in_order() {
    let bench = Bench::new();
    for name in ["b", " a  x ", "b"] {
        bench
            .ok("servers.create", create(name, "https://example.com/mcp"))
            .await;
    }
    let list = bench.ok("servers.list", json!({})).await;
    let names: Vec<_> = list["servers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|server| &server["displayName"])
        .collect();
    assert_eq!(names, ["a x", "b", "b"]);
    let error = bench
        .call("servers.create", create("  ", "https://example.com/"))
        .await
        .unwrap_err();
    assert_eq!(error["data"]["code"], "mcp.display_name_empty");
    assert_eq!(error["data"]["path"], "displayName");
    let error = bench
        .call("servers.create", create("a", "ftp://example.com/"))
        .await
        .unwrap_err();
    assert_eq!(error["data"]["code"], "mcp.endpoint_scheme_invalid");
    assert_eq!(error["data"]["path"], "config.url");
    let warnings = bench.ok("servers.review", create("b", "https://example.com/")).await;
    assert!(
        !warnings.as_array().unwrap().is_empty(),
        "the doubled name is worth a warning"
    );
}

#[tokio::test]
async fn there_are_at_most_as_many_servers_as_the_limit() {
    let files = MemoryFiles::new();
    // A server whose file is bad is one of them.
    files.put(registration_file(ID), "torn");
    let bench = Bench::with(files, |options| options.limits.servers = 3);
    for name in ["a", "b"] {
        bench.ok("servers.create", create(name, "https://example.com/")).await;
    }
    assert_eq!(
        bench.code("servers.create", create("c", "https://example.com/")).await,
        "mcp.server_limit"
    );
    assert_eq!(
        bench.ok("servers.list", json!({})).await["servers"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    bench
        .ok("storage.remove", json!({"fileName": format!("{ID}.json")}))
        .await;
    bench.ok("servers.create", create("c", "https://example.com/")).await;
}

#[tokio::test]
async fn what_was_read_masked_and_saved_unchanged_is_the_same_and_keeps_the_catalog() {
    let mut bench = Bench::new();
    let created = bench
        .ok("servers.create", create("Docs", "https://u:p@example.com/mcp?key=k"))
        .await;
    let id = created["id"].as_str().unwrap();
    bench.ok("servers.setState", json!({"id": id, "state": "active"})).await;
    bench
        .ok(
            "tools.setPermission",
            json!({"id": id, "nativeName": "t", "permission": "allow"}),
        )
        .await;
    bench.discover(id, &["t"]).await;
    let before = bench.file(registration_file(id)).unwrap();

    let masked = read(&bench, id).await;
    assert_eq!(masked["config"]["headers"]["X"], "{{DSH_MCP_SAVED:headers%2FX}}");
    assert_eq!(masked["config"]["url"], "{{DSH_MCP_SAVED:url}}");
    bench
        .ok("servers.saveConfig", saving(id, &masked, "Docs", &masked["config"]))
        .await;
    assert_eq!(bench.file(registration_file(id)).unwrap(), before);

    // Only the name, and the headers in another order: the connection is as it was.
    let mut config = masked["config"].clone();
    config["headers"] = json!({"X": "x", "Authorization": masked["config"]["headers"]["Authorization"]});
    let saved = bench
        .ok("servers.saveConfig", saving(id, &masked, "Books", &config))
        .await;
    assert_eq!(saved["displayName"], "Books");
    assert_eq!(saved["toolCount"], 1);
    assert_eq!(saved["state"], "active");
    assert_eq!(saved["toolPermissions"], json!({"t": "allow"}));
    bench.ok("servers.discover", json!({"id": id})).await;
    assert!(bench.no_attempt());
    let revealed = bench.ok("servers.readConfig", json!({"id": id, "reveal": true})).await;
    assert_eq!(revealed["config"]["headers"]["Authorization"], "Bearer a");
    assert_eq!(revealed["config"]["url"], "https://u:p@example.com/mcp?key=k");
}

#[tokio::test]
async fn a_changed_connection_costs_the_catalog_and_nothing_else() {
    let mut bench = Bench::new();
    let id = bench.active_server("https://example.com/mcp").await;
    bench
        .ok(
            "tools.setPermission",
            json!({"id": id, "nativeName": "t", "permission": "ask"}),
        )
        .await;
    for config in [
        json!({"type": "http", "url": "https://example.com/mcp", "headers": {"X": "1"}}),
        json!({"type": "http", "url": "https://example.com/mcp", "protocolVersion": "2025-06-18"}),
        json!({"type": "http", "url": "https://example.com/mcp2"}),
    ] {
        bench.discover(&id, &["t"]).await;
        assert!(bench.file(catalog_file(&id)).is_some());
        let masked = read(&bench, &id).await;
        let saved = bench
            .ok("servers.saveConfig", saving(&id, &masked, "Docs", &config))
            .await;
        assert_eq!(saved["id"], json!(id));
        assert_eq!(saved["state"], "active");
        assert_eq!(saved["toolPermissions"], json!({"t": "ask"}));
        assert!(saved.get("toolCount").is_none());
        assert!(bench.file(catalog_file(&id)).is_none());
    }
}

#[tokio::test]
async fn a_save_in_between_is_a_conflict_and_changes_nothing() {
    let bench = Bench::new();
    let id = bench.active_server("https://example.com/mcp").await;
    let mine = read(&bench, &id).await;
    let theirs = read(&bench, &id).await;
    // Decisions about tools and the state are no part of what was read.
    bench
        .ok(
            "tools.setPermission",
            json!({"id": id, "nativeName": "t", "permission": "ask"}),
        )
        .await;
    bench
        .ok("servers.saveConfig", saving(&id, &theirs, "Theirs", &theirs["config"]))
        .await;
    let before = bench.file(registration_file(&id));
    assert_eq!(
        bench
            .code("servers.saveConfig", saving(&id, &mine, "Mine", &mine["config"]))
            .await,
        "mcp.config_conflict"
    );
    let activate = json!({"id": id, "state": "paused", "revision": mine["revision"]});
    assert_eq!(bench.code("servers.setState", activate).await, "mcp.config_conflict");
    assert_eq!(bench.file(registration_file(&id)), before);

    let bench = bench.restart().await;
    let again = read(&bench, &id).await;
    let activate = json!({"id": id, "state": "paused", "revision": again["revision"]});
    assert_eq!(bench.ok("servers.setState", activate).await["state"], "paused");
    assert_eq!(
        read(&bench, &id).await["revision"],
        again["revision"],
        "revisions outlast a restart and a state"
    );
}

#[tokio::test]
async fn a_placeholder_stands_for_nothing_but_its_own_saved_value() {
    let bench = Bench::new();
    let id = bench.active_server("https://example.com/mcp").await;
    let placeholder = "{{DSH_MCP_SAVED:headers%2FX}}";
    let config = json!({"type": "http", "url": "https://example.com/mcp", "headers": {"X": placeholder}});
    let masked = read(&bench, &id).await;
    let error = bench
        .call("servers.saveConfig", saving(&id, &masked, "Docs", &config))
        .await
        .unwrap_err();
    assert_eq!(error["data"]["path"], "config.headers.X");
    let error = bench
        .call("servers.create", json!({"displayName": "A", "config": config}))
        .await
        .unwrap_err();
    assert_eq!(error["data"]["path"], "config.headers.X");
}

#[tokio::test]
async fn a_removed_server_is_gone_with_its_catalog() {
    let mut bench = Bench::new();
    let id = bench.active_server("https://example.com/mcp").await;
    bench.discover(&id, &["t"]).await;
    bench.ok("servers.remove", json!({"id": id})).await;
    assert!(bench.file(registration_file(&id)).is_none());
    assert!(bench.file(catalog_file(&id)).is_none());
    for (method, params) in [
        ("servers.remove", json!({"id": id})),
        ("servers.discover", json!({"id": id})),
        ("servers.readConfig", json!({"id": id})),
        (
            "tools.setPermission",
            json!({"id": id, "nativeName": "t", "permission": "ask"}),
        ),
    ] {
        assert_eq!(bench.code(method, params).await, "mcp.registration_not_found");
    }
}

#[tokio::test]
async fn decisions_about_many_tools_are_all_made_or_none() {
    let bench = Bench::new();
    let id = bench.active_server("https://example.com/mcp").await;
    let long = "x".repeat(257);
    let changes = json!({"a": "allow", (long): "ask"});
    assert_eq!(
        bench
            .code("tools.setPermissions", json!({"id": id, "changes": changes}))
            .await,
        "mcp.tool_name_too_long"
    );
    assert_eq!(bench.summary(&id).await["toolPermissions"], json!({}));
    assert_eq!(
        bench
            .code(
                "tools.setPermission",
                json!({"id": id, "nativeName": "", "permission": "ask"})
            )
            .await,
        "mcp.tool_name_empty"
    );
    let empty = json!({"id": id, "nativeName": "t", "override": {"properties": {}}});
    assert_eq!(
        bench.code("tools.setDescriptionOverride", empty).await,
        "mcp.description_override_empty"
    );
    let kept = json!({"description": "  ", "properties": {"p": ""}});
    bench
        .ok(
            "tools.setDescriptionOverride",
            json!({"id": id, "nativeName": "t", "override": kept}),
        )
        .await;
    assert_eq!(bench.summary(&id).await["toolDescriptionOverrides"], json!({"t": kept}));
}

/// A host with a server that is a child process, as far as its connector is played.
fn with_stdio() -> Bench {
    let files = MemoryFiles::new();
    let record = json!({
        "schemaVersion": 1, "kind": "toolgate.stdioServerRegistration", "id": ID, "displayName": "Files",
        "command": "/opt/files", "args": ["-v"], "env": {"A": "1", "B": "2"}, "protocolVersion": "auto", "state": "active",
    });
    files.put(registration_file(ID), record.to_string());
    Bench::on(files)
}

#[tokio::test]
async fn the_catalog_of_a_child_process_is_bound_to_what_starts_it() {
    let mut bench = with_stdio();
    bench.discover(ID, &["t"]).await;
    let catalog: Value = serde_json::from_str(&bench.file(catalog_file(ID)).unwrap()).unwrap();
    assert!(catalog.get("endpoint").is_none());
    assert_eq!(catalog["connectionRevision"].as_str().unwrap().len(), 32);

    // The order of variables starts nothing else; the order of arguments does.
    let text = bench.file(registration_file(ID)).unwrap();
    let reordered = text.replace(r#""A":"1","B":"2""#, r#""B":"2","A":"1""#);
    assert_ne!(reordered, text);
    bench.host.shutdown().await;
    bench.files.put(registration_file(ID), reordered);
    let mut bench = Bench::on(bench.files);
    assert_eq!(bench.summary(ID).await["toolCount"], 1);
    bench.ok("servers.discover", json!({"id": ID})).await;
    assert!(bench.no_attempt());

    bench.host.shutdown().await;
    bench
        .files
        .put(registration_file(ID), text.replace("[\"-v\"]", "[\"-q\"]"));
    let bench = Bench::on(bench.files);
    assert!(bench.summary(ID).await.get("toolCount").is_none());
    assert_eq!(
        bench.code("servers.discover", json!({"id": ID})).await,
        "mcp.catalog_mismatch"
    );
}
