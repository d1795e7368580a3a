//! What the files hold under each provider.

use serde_json::{Value, json};
use toolgate_host::store::{CredentialProvider, MemoryFiles};

use super::support::{Bench, catalog_file, credential_file, pending_file, registration_file};
use super::{CANARY, create, hidden_but_in, http, revealed, save_unchanged, stdio, under};

#[tokio::test]
async fn kept_in_a_file_of_their_own_connections_are_placeholders_in_the_registrations() {
    let bench = under(CredentialProvider::File, MemoryFiles::new());
    let id = create(&bench, "Docs", http()).await;
    let registration = format!(
        r#"{{
  "schemaVersion": 1,
  "kind": "tauritavern.mcpServerRegistration",
  "id": "{id}",
  "displayName": "Docs",
  "endpoint": "{{{{DSH_MCP_SAVED:url}}}}",
  "headers": {{
    "Authorization": "{{{{DSH_MCP_SAVED:headers%2FAuthorization}}}}",
    "X-搜索": "{{{{DSH_MCP_SAVED:headers%2FX-%E6%90%9C%E7%B4%A2}}}}"
  }},
  "protocolVersion": "2025-06-18",
  "state": "paused"
}}
"#
    );
    assert_eq!(bench.file(registration_file(&id)).unwrap(), registration);
    let record: Value = serde_json::from_str(&bench.file(credential_file()).unwrap()).unwrap();
    assert_eq!(
        record,
        json!({"schemaVersion": 1, "kind": "toolgate.credentials", "servers": {(id): http()}})
    );
    assert!(bench.file(pending_file()).is_none());
    hidden_but_in(&bench.files, &[credential_file()]);
}

#[tokio::test]
async fn so_are_arguments_and_variables_of_a_program() {
    let bench = under(CredentialProvider::File, MemoryFiles::new());
    let id = create(&bench, "Files", stdio()).await;
    let registration: Value = serde_json::from_str(&bench.file(registration_file(&id)).unwrap()).unwrap();
    assert_eq!(registration["kind"], "toolgate.stdioServerRegistration");
    assert_eq!(registration["command"], "/opt/files");
    assert_eq!(registration["cwd"], "/srv");
    assert_eq!(registration["args"][1], "{{DSH_MCP_SAVED:args%2F1}}");
    assert_eq!(registration["env"]["TOKEN"], "{{DSH_MCP_SAVED:env%2FTOKEN}}");
    assert_eq!(revealed(&bench, &id).await, stdio());
    hidden_but_in(&bench.files, &[credential_file()]);
}

#[tokio::test]
async fn an_endpoint_without_a_secret_is_kept_apart_too_and_its_catalog_may_name_it() {
    let mut bench = under(CredentialProvider::File, MemoryFiles::new());
    let plain = json!({"type": "http", "url": "https://example.com/mcp"});
    let id = create(&bench, "Docs", plain).await;
    let registration = bench.file(registration_file(&id)).unwrap();
    assert!(
        registration.contains("\"endpoint\": \"{{DSH_MCP_SAVED:url}}\""),
        "{registration}"
    );
    bench.ok("servers.setState", json!({"id": id, "state": "active"})).await;
    bench.discover(&id, &["t"]).await;
    let catalog: Value = serde_json::from_str(&bench.file(catalog_file(&id)).unwrap()).unwrap();
    assert_eq!(catalog["endpoint"], "https://example.com/mcp");
}

/// Runs a server through everything that is not a save.
async fn live(bench: &mut Bench, id: &str) {
    bench.ok("servers.setState", json!({"id": id, "state": "active"})).await;
    bench.discover(id, &["t"]).await;
    let permission = json!({"id": id, "nativeName": "t", "permission": "allow"});
    bench.ok("tools.setPermission", permission).await;
    let description = json!({"id": id, "nativeName": "t", "override": {"description": "T"}});
    bench.ok("tools.setDescriptionOverride", description).await;
}

#[tokio::test]
async fn with_a_secret_in_the_endpoint_or_a_program_the_catalog_is_bound_by_a_revision() {
    let mut bench = under(CredentialProvider::File, MemoryFiles::new());
    for (name, config) in [("Docs", http()), ("Files", stdio())] {
        let id = create(&bench, name, config).await;
        live(&mut bench, &id).await;
        let catalog: Value = serde_json::from_str(&bench.file(catalog_file(&id)).unwrap()).unwrap();
        assert!(catalog.get("endpoint").is_none());
        assert_eq!(catalog["connectionRevision"].as_str().unwrap().len(), 32);
    }
    hidden_but_in(&bench.files, &[credential_file()]);
    let mut bench = under(CredentialProvider::File, bench.files.after_losing_unflushed());
    let list = bench.ok("servers.list", json!({})).await;
    for server in list["servers"].as_array().unwrap() {
        assert_eq!(server["toolCount"], 1);
        bench.ok("servers.discover", json!({"id": server["id"]})).await;
    }
    assert!(bench.no_attempt(), "the catalogs are those of the connections");
    assert!(!list.to_string().contains(CANARY));
}

#[tokio::test]
async fn what_was_read_masked_and_saved_unchanged_is_the_same_under_every_provider() {
    for provider in [CredentialProvider::Inline, CredentialProvider::File] {
        for config in [http(), stdio()] {
            let mut bench = under(provider, MemoryFiles::new());
            let id = create(&bench, "Docs", config.clone()).await;
            live(&mut bench, &id).await;
            let before: Vec<_> = bench.files.paths().iter().map(|path| bench.files.get(path)).collect();
            save_unchanged(&bench, &id).await;
            let after: Vec<_> = bench.files.paths().iter().map(|path| bench.files.get(path)).collect();
            assert_eq!(before, after, "{provider:?}");
            assert_eq!(revealed(&bench, &id).await, config);
        }
    }
}

#[tokio::test]
async fn an_edit_keeps_what_is_still_masked_and_takes_what_is_written() {
    let bench = under(CredentialProvider::File, MemoryFiles::new());
    let id = create(&bench, "Files", stdio()).await;
    let read = bench.ok("servers.readConfig", json!({"id": id})).await;
    let mut config = read["config"].clone();
    let args = config["args"].as_array_mut().unwrap();
    args.remove(0);
    args.push(json!("--new"));
    config["env"] = json!({"TOKEN": config["env"]["TOKEN"], "NEW": "n"});
    let saving = json!({"id": id, "displayName": "Files", "config": config, "revision": read["revision"]});
    bench.ok("servers.saveConfig", saving).await;
    let now = revealed(&bench, &id).await;
    assert_eq!(now["args"], json!([format!("--token={CANARY}"), "-v", "--new"]));
    assert_eq!(now["env"], json!({"TOKEN": CANARY, "NEW": "n"}));
    // The placeholders in the file are those of what is saved now.
    let registration: Value = serde_json::from_str(&bench.file(registration_file(&id)).unwrap()).unwrap();
    assert_eq!(registration["args"][0], "{{DSH_MCP_SAVED:args%2F0}}");
    assert_eq!(registration["args"][2], "{{DSH_MCP_SAVED:args%2F2}}");
    save_unchanged(&bench, &id).await;
    assert_eq!(revealed(&bench, &id).await, now);
}

#[tokio::test]
async fn what_is_written_into_a_registration_by_hand_goes_before_the_record() {
    let bench = under(CredentialProvider::File, MemoryFiles::new());
    let id = create(&bench, "Docs", http()).await;
    let by_hand = bench
        .file(registration_file(&id))
        .unwrap()
        .replace("{{DSH_MCP_SAVED:url}}", "https://example.org/");
    bench.files.put(registration_file(&id), by_hand);
    let config = revealed(&bench, &id).await;
    assert_eq!(config["url"], "https://example.org/");
    assert_eq!(config["headers"], http()["headers"]);
}

#[tokio::test]
async fn what_is_decided_about_a_server_touches_its_registration_alone() {
    let bench = under(CredentialProvider::File, MemoryFiles::new());
    let id = create(&bench, "Docs", http()).await;
    bench
        .files
        .fail_when(|step, path| step.changes() && !path.starts_with(registration_file("x").parent().unwrap()));
    bench.ok("servers.setState", json!({"id": id, "state": "active"})).await;
    assert_eq!(bench.summary(&id).await["state"], "active");
}
