//! The list: cached, decided, with the registrations' descriptions; one bad server costs no other anything.

use serde_json::{Value, json};

use crate::URL;
use crate::support::models::tool_id;
use crate::support::{Bench, catalog_file, registration_file};

fn codes(list: &Value) -> Vec<(&str, &str)> {
    let diagnostics = list["diagnostics"].as_array().unwrap();
    diagnostics
        .iter()
        .map(|found| {
            (
                found["registrationId"].as_str().unwrap(),
                found["code"].as_str().unwrap(),
            )
        })
        .collect()
}

#[tokio::test]
async fn one_bad_server_is_a_diagnostic_and_nothing_connects() {
    let mut bench = Bench::new();
    let good = bench.allowed_server(URL, &["a", "off", "b"]).await;
    let permit =
        |id: &str, name: &str, permission: &str| json!({"id": id, "nativeName": name, "permission": permission});
    bench.ok("tools.setPermission", permit(&good, "off", "off")).await;
    let layer = json!({"id": good, "nativeName": "b", "override": {"description": "B.", "properties": {"x": "gone"}}});
    bench.ok("tools.setDescriptionOverride", layer).await;
    let damaged = bench.allowed_server("https://example.com/damaged", &["t"]).await;
    let unread = bench.active_server("https://example.com/unread").await;
    bench.ok("tools.setPermission", permit(&unread, "t", "ask")).await;
    let paused = bench.allowed_server("https://example.com/paused", &["t"]).await;
    bench
        .ok("servers.setState", json!({"id": paused, "state": "paused"}))
        .await;
    // Of what nobody decided anything nothing is said.
    bench.active_server("https://example.com/undecided").await;
    let torn = bench.allowed_server("https://example.com/torn", &["t"]).await;
    let mut bench = bench.restart().await;
    bench.files.put(catalog_file(&damaged), "{torn");
    bench.files.put(registration_file(&torn), "{torn");
    let list = bench.ok("legacy.listTools", json!({})).await;
    let tools = list["tools"].as_array().unwrap();
    let ids: Vec<_> = tools.iter().map(|tool| tool["toolId"].as_str().unwrap()).collect();
    assert_eq!(ids, [tool_id(&good, "a"), tool_id(&good, "b")]);
    assert_eq!(tools[1]["description"], "B.");
    assert_eq!(tools[1]["serverName"], "Docs");
    let mut expected = [
        (good.as_str(), "mcp.description_property_missing"),
        (damaged.as_str(), "mcp.catalog_damaged"),
        (unread.as_str(), "mcp.tool_catalog_missing"),
        (paused.as_str(), "mcp.tool_server_paused"),
        (torn.as_str(), "mcp.storage_invalid"),
    ];
    expected.sort_unstable();
    let mut found = codes(&list);
    found.sort_unstable();
    assert_eq!(found, expected);
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn without_servers_there_are_no_tools() {
    let bench = Bench::new();
    let list = bench.ok("legacy.listTools", json!({})).await;
    assert_eq!(list, json!({"tools": [], "diagnostics": []}));
}
