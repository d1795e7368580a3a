//! On a real disk: who may read what, and that nothing is left over.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use toolgate_host::store::{CredentialProvider, Disk, MemoryFiles};

use super::support::Bench;
use super::{CANARY, http, revealed};

#[tokio::test]
async fn the_record_is_the_owners_alone_and_no_pending_change_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("data");
    let bench = Bench::with(MemoryFiles::new(), |options| {
        options.data_dir.clone_from(&root);
        options.files = Arc::new(Disk);
        options.credentials = CredentialProvider::File;
    });
    let text = json!({"mcpServers": {"a": {"url": "https://example.com/", "headers": {"X": CANARY}}, "b": http()}});
    let imported = bench.ok("servers.import", json!({"text": text.to_string()})).await;
    let id = imported["servers"][1]["id"].as_str().unwrap();
    assert_eq!(revealed(&bench, id).await, http());
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&root.join("credentials")), 0o700);
    assert_eq!(mode(&root.join("credentials/dsh-partner-mcp.json")), 0o600);
    let registrations = root.join("_tauritavern/mcp/registrations");
    for entry in std::fs::read_dir(&registrations).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600);
        let text = std::fs::read_to_string(path).unwrap();
        assert!(!text.contains(CANARY), "{text}");
    }
    let mut names: Vec<_> = [root.clone(), root.join("credentials")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["_tauritavern", "credentials", "dsh-partner-mcp.json", "settings.json"]
    );
}
