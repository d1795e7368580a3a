//! Long results on a real disk: who may read them.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use serde_json::json;
use tempfile::TempDir;
use toolgate_host::mcp::CallAnswer;
use toolgate_host::store::{Disk, MemoryFiles};

use crate::URL;
use crate::support::Bench;
use crate::support::models::tool_id;

#[tokio::test]
async fn only_their_owner() {
    let folder = TempDir::new().unwrap();
    let mut bench = Bench::with(MemoryFiles::new(), |options| {
        options.data_dir = folder.path().join("data");
        options.files = Arc::new(Disk);
    });
    let id = bench.allowed_server(URL, &["search"]).await;
    let profile = json!({"tools": {"allow": [tool_id(&id, "search")], "mcpResultInlineCharLimit": 5}});
    let prepared = bench.ok("agent.prepare", json!({ "profile": profile })).await;
    let invocation = prepared["invocationId"].as_str().unwrap();
    let running = bench.agent_call(invocation);
    let answer = json!({"content": [{"type": "text", "text": "longer than five"}]});
    let mut server = bench.attempt().await.serve("2025-06-18");
    server.call().await.answer(CallAnswer::Result(answer.to_string()));
    let result = running.await.unwrap().unwrap();
    let results = folder.path().join("data/tool-results");
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&results), 0o700);
    let files: Vec<_> = std::fs::read_dir(&results)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(files.len(), 2, "{files:?}");
    assert!(files.iter().all(|file| mode(file) == 0o600));
    let view = folder
        .path()
        .join("data")
        .join(result["file"]["path"].as_str().unwrap());
    assert_eq!(std::fs::read_to_string(view).unwrap(), "longer than five");
}
