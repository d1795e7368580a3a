//! A decision about a tool that the server's catalog does not have is kept, and its answer says so.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A test may fail loudly.

mod support;

use serde_json::{Value, json};

use self::support::Bench;

/// The tools that the notes of an answer are about; their code is checked on the way.
fn noted(answer: &Value) -> Vec<&str> {
    let Some(notes) = answer.get("notes") else {
        return Vec::new();
    };
    let notes = notes.as_array().unwrap();
    assert!(!notes.is_empty(), "an empty list is left out");
    notes
        .iter()
        .map(|note| {
            assert_eq!(note["code"], "mcp.tool_not_in_catalog");
            note["nativeName"].as_str().unwrap()
        })
        .collect()
}

#[tokio::test]
async fn a_misspelled_tool_is_kept_and_named() {
    let mut bench = Bench::new();
    let id = bench.active_server("https://example.com/mcp").await;
    let permit = |name: &str, permission: &str| json!({"id": id, "nativeName": name, "permission": permission});

    // Without a catalog nothing is known about names.
    assert_eq!(
        noted(&bench.ok("tools.setPermission", permit("eccho", "allow")).await),
        [""; 0]
    );
    bench.discover(&id, &["echo", "add"]).await;

    let answer = bench.ok("tools.setPermission", permit("eccho", "allow")).await;
    assert_eq!(noted(&answer), ["eccho"]);
    assert_eq!(answer["toolPermissions"], json!({"eccho": "allow"}));
    assert_eq!(
        noted(&bench.ok("tools.setPermission", permit("echo", "ask")).await),
        [""; 0]
    );
    // Taking a mistake back is none.
    assert_eq!(
        noted(&bench.ok("tools.setPermission", permit("eccho", "off")).await),
        [""; 0]
    );

    let changes = json!({"add": "allow", "Echo": "ask", "gone": "off", "ad d": "allow"});
    let answer = bench
        .ok("tools.setPermissions", json!({"id": id, "changes": changes}))
        .await;
    assert_eq!(noted(&answer), ["Echo", "ad d"]);

    let describe = |name: &str, text: Value| json!({"id": id, "nativeName": name, "override": text});
    let own = json!({"description": "Mine."});
    let answer = bench
        .ok("tools.setDescriptionOverride", describe("eccho", own.clone()))
        .await;
    assert_eq!(noted(&answer), ["eccho"]);
    assert_eq!(
        answer["toolDescriptionOverrides"],
        json!({"eccho": {"description": "Mine."}})
    );
    let answer = bench
        .ok("tools.setDescriptionOverride", describe("eccho", Value::Null))
        .await;
    assert_eq!(noted(&answer), [""; 0]);
    assert_eq!(
        noted(&bench.ok("tools.setDescriptionOverride", describe("echo", own)).await),
        [""; 0]
    );

    // A paused server's catalog is known as well; nothing connects to find out.
    bench.ok("servers.setState", json!({"id": id, "state": "paused"})).await;
    assert_eq!(
        noted(&bench.ok("tools.setPermission", permit("eccho", "allow")).await),
        ["eccho"]
    );
    assert!(bench.no_attempt());
}
