//! Files on disk: whatever a record holds, the host opens and answers, says of a file that it cannot use that it is so,
//! and never writes anything else into it for that reason.

use std::path::Path;

use serde_json::Value;
use toolgate_host::store::MemoryFiles;

use super::served::{ROOT, Said, with_host};
use crate::parts::Parts;

const ID: &str = "8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a";

/// Requests that only read, and those after which a file that cannot be used must still be as it was.
const REQUESTS: &[(&str, &str)] = &[
    ("servers.list", "{}"),
    ("servers.list", r#"{"reveal":true}"#),
    ("servers.readConfig", r#"{"id":"8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a"}"#),
    ("servers.discover", r#"{"id":"8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a"}"#),
    ("partners.list", "{}"),
    ("legacy.listTools", "{}"),
    ("host.info", "{}"),
    ("servers.setState", r#"{"id":"8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a","state":"paused"}"#),
    ("partners.create", r#"{"name":"A"}"#),
    ("servers.create", r#"{"displayName":"B","config":{"type":"http","url":"https://b.example/?k=v"}}"#),
];

/// The parts are the contents of a registration, its catalog, the record of credentials, the partners, the settings and a
/// change that was broken off; one that is empty is not there.
pub fn check(input: &[u8]) {
    let mut parts = Parts::of(input);
    let files = MemoryFiles::new();
    let names = [
        format!("_tauritavern/mcp/registrations/{ID}.json"),
        format!("_tauritavern/mcp/catalogs/{ID}.json"),
        "credentials/dsh-partner-mcp.json".to_owned(),
        "partners.json".to_owned(),
        "settings.json".to_owned(),
        "pending.json".to_owned(),
    ];
    let mut has_change = false;
    for name in &names {
        let content = parts.bytes();
        if !content.is_empty() {
            files.put(Path::new(ROOT).join(name), content);
            has_change |= name == "pending.json";
        }
    }
    let before: Vec<Option<Vec<u8>>> = names.iter().map(|name| files.get(Path::new(ROOT).join(name))).collect();
    let issues = with_host(&files, &Said::default(), |host| async move {
        let bridge = host.bridge();
        let mut issues = None;
        for (method, params) in REQUESTS {
            let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
            let answer: Value = serde_json::from_str(&bridge.handle(message).await).expect("an answer");
            assert_ne!(answer["error"]["data"]["code"], "mcp.bridge_internal_error", "{method}: {answer}");
            if issues.is_none() {
                issues = Some(answer["result"]["storageIssues"].clone());
            }
        }
        host.shutdown().await;
        issues.unwrap_or_default()
    });
    // A change that was broken off may be finished at the start, and says what the files hold from then on.
    if has_change {
        return;
    }
    let issues = issues.expect("the host opens");
    for (name, before) in names.iter().zip(before) {
        let file = name.rsplit('/').next().unwrap_or(name);
        let is_issue = issues
            .as_array()
            .is_some_and(|issues| issues.iter().any(|issue| issue["fileName"] == file));
        if is_issue && name != "settings.json" {
            assert_eq!(files.get(Path::new(ROOT).join(name)), before, "{name} was overwritten");
        }
    }
}
