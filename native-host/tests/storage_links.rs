//! Names in the folder of the registrations that are links: the real file system alone has them.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

mod support;

use std::sync::Arc;

use serde_json::json;
use support::{Bench, ID};
use toolgate_host::store::{Disk, MemoryFiles};

#[tokio::test]
async fn a_link_that_leads_nowhere_is_an_issue() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_path_buf();
    let bench = Bench::with(MemoryFiles::new(), |options| {
        options.data_dir.clone_from(&root);
        options.files = Arc::new(Disk);
    });
    let registrations = root.join("_tauritavern/mcp/registrations");
    std::fs::create_dir_all(&registrations).unwrap();
    let name = format!("{ID}.json");
    std::os::unix::fs::symlink(root.join("nowhere"), registrations.join(&name)).unwrap();
    let list = bench.ok("servers.list", json!({})).await;
    assert_eq!(list["servers"], json!([]));
    let issue = &list["storageIssues"][0];
    assert_eq!(issue["fileName"], name);
    assert_eq!(issue["registrationId"], ID);
    assert_eq!(issue["code"], "mcp.storage_unreadable");
    bench.ok("storage.remove", json!({"fileName": name})).await;
    assert_eq!(bench.ok("servers.list", json!({})).await["storageIssues"], json!([]));
}
