//! What is offered, what is left out and why, and that nothing connects for it.

use serde_json::{Value, json};
use toolgate_host::store::MemoryFiles;

use crate::URL;
use crate::support::models::{searching, tool_id};
use crate::support::{Bench, ID, catalog_file, registration_file};

/// Codes with the tool or the place they are about.
fn reasons(prepared: &Value) -> Vec<(String, String)> {
    let diagnostics = prepared["diagnostics"].as_array().unwrap();
    diagnostics
        .iter()
        .map(|found| {
            let about = found["path"]
                .as_str()
                .or(found["nativeName"].as_str())
                .unwrap_or_default();
            assert!(!found["message"].as_str().unwrap().is_empty());
            (found["code"].as_str().unwrap().to_owned(), about.to_owned())
        })
        .collect()
}

fn aliases(prepared: &Value) -> Vec<&str> {
    let bindings = prepared["bindings"].as_array().unwrap();
    bindings
        .iter()
        .map(|binding| binding["alias"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn everything_left_out_has_its_reason_and_costs_nothing_else_anything() {
    let mut bench = Bench::new();
    let good = bench.allowed_server(URL, &["search", "off"]).await;
    let permit = json!({"id": good, "nativeName": "off", "permission": "off"});
    bench.ok("tools.setPermission", permit).await;
    let unread = bench.active_server("https://example.com/unread").await;
    let paused = bench.allowed_server("https://example.com/paused", &["t"]).await;
    bench
        .ok("servers.setState", json!({"id": paused, "state": "paused"}))
        .await;
    let damaged = bench.active_server("https://example.com/damaged").await;
    bench.files.put(catalog_file(&damaged), "{torn");
    bench.files.put(registration_file(ID), "{torn");
    let gone = "11111111-1111-4111-8111-111111111111";
    let allow = [
        tool_id(&good, "search"),
        tool_id(&good, "off"),
        tool_id(&good, "never"),
        tool_id(&unread, "t"),
        tool_id(&paused, "t"),
        tool_id(&damaged, "t"),
        tool_id(ID, "t"),
        tool_id(gone, "t"),
        "search".to_owned(),
        tool_id(&good, "search"),
    ];
    let prepared = bench.prepare(&allow).await;
    assert_eq!(aliases(&prepared), ["mcp__Docs__search"]);
    let expected = [
        ("mcp.tool_id_invalid", "tools.allow[8]"),
        ("mcp.tool_allowed_twice", "tools.allow[9]"),
        ("mcp.storage_invalid", "t"),
        ("mcp.tool_permission_off", "off"),
        ("mcp.tool_not_in_catalog", "never"),
        ("mcp.tool_catalog_missing", "t"),
        ("mcp.tool_server_paused", "t"),
        ("mcp.catalog_damaged", "t"),
        ("mcp.registration_not_found", "t"),
    ];
    let mut found = reasons(&prepared);
    // How a torn file is called is the store's business.
    found[2].1 = "t".to_owned();
    assert_eq!(
        found.iter().map(|(code, _)| code.as_str()).collect::<Vec<_>>(),
        expected.map(|(code, _)| code),
        "{found:?}"
    );
    for ((_, about), (code, expected)) in found.iter().zip(expected) {
        assert_eq!(about, expected, "{code}");
    }
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn after_a_restart_the_saved_catalog_is_enough() {
    let mut bench = Bench::new();
    let id = bench.allowed_server(URL, &["search"]).await;
    let mut bench = bench.restart().await;
    let prepared = bench.prepare(&[tool_id(&id, "search")]).await;
    assert_eq!(aliases(&prepared), ["mcp__Docs__search"]);
    assert_eq!(prepared["diagnostics"], json!([]));
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn descriptions_come_in_three_layers_and_one_without_a_place_is_named() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "string", "description": "A of the server"},
        "b": {"type": "string", "description": "B of the server"},
        "c": {"type": "string"}
    }});
    let tools: Vec<Value> = ["one", "two"]
        .iter()
        .map(|name| json!({"name": name, "description": "of the server", "inputSchema": schema}))
        .collect();
    let running = bench.start("servers.discover", json!({"id": id}));
    let (pages, _closing) = bench.attempt().await.connect();
    pages.send(Ok(json!({ "tools": tools }).to_string())).unwrap();
    running.await.unwrap().unwrap();
    for name in ["one", "two"] {
        bench
            .ok(
                "tools.setPermission",
                json!({"id": id, "nativeName": name, "permission": "ask"}),
            )
            .await;
        let layer = json!({"description": "of the person", "properties": {"a": "A of the person", "x": "gone"}});
        bench
            .ok(
                "tools.setDescriptionOverride",
                json!({"id": id, "nativeName": name, "override": layer}),
            )
            .await;
    }
    let one = tool_id(&id, "one");
    let profile = json!({"tools": {
        "allow": [one, tool_id(&id, "two")],
        "toolDescriptions": {one.clone(): {"description": "of the profile", "properties": {"c": "C of the profile", "y": "gone"}}}
    }});
    let prepared = bench
        .ok(
            "agent.prepare",
            json!({"profile": profile, "localNames": ["mcp__Docs__two"]}),
        )
        .await;
    let bindings = &prepared["bindings"];
    assert_eq!(bindings[0]["description"], "of the profile");
    assert_eq!(bindings[1]["description"], "of the person");
    let described: Value = serde_json::from_str(bindings[0]["inputSchemaJson"].as_str().unwrap()).unwrap();
    let properties = &described["properties"];
    let texts = ["a", "b", "c"].map(|name| properties[name]["description"].as_str().unwrap());
    assert_eq!(texts, ["A of the person", "B of the server", "C of the profile"]);
    // The local name stays, and the tool makes way.
    assert!(aliases(&prepared)[1].starts_with("mcp__Docs__two_"), "{prepared}");
    let missing = ("mcp.description_property_missing".to_owned(), "properties.x".to_owned());
    let of_profile = ("mcp.description_property_missing".to_owned(), "properties.y".to_owned());
    assert_eq!(reasons(&prepared), [missing.clone(), of_profile, missing]);
}

#[tokio::test]
async fn what_was_frozen_stays_and_the_next_invocation_sees_what_is_new() {
    let (mut bench, id, first) = searching(URL).await;
    let layer = json!({"description": "another"});
    bench
        .ok(
            "tools.setDescriptionOverride",
            json!({"id": id, "nativeName": "search", "override": layer}),
        )
        .await;
    let running = bench.start("servers.refresh", json!({"id": id}));
    bench.attempt().await.offer(&["found", "search"]);
    running.await.unwrap().unwrap();
    bench
        .ok(
            "tools.setPermission",
            json!({"id": id, "nativeName": "found", "permission": "allow"}),
        )
        .await;
    let tools = [tool_id(&id, "found"), tool_id(&id, "search")];
    let child = bench.prepare(&tools).await;
    assert_eq!(aliases(&child), ["mcp__Docs__found", "mcp__Docs__search"]);
    assert_eq!(child["bindings"][1]["description"], "another");
    assert_ne!(child["invocationId"], first.as_str());
    // The first has no tool of that name, whatever was found since.
    let params = json!({"invocationId": first, "alias": "mcp__Docs__found", "argumentsJson": "{}"});
    let result = bench.ok("agent.call", params).await;
    assert_eq!(result["errorCode"], "mcp.agent_tool_not_bound");
    assert_eq!(result["isError"], true);
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn a_profile_that_is_none_is_refused_at_the_field() {
    let bench = Bench::on(MemoryFiles::new());
    for (profile, code, path) in [
        (json!({}), "mcp.bridge_params_invalid", "profile.tools"),
        (json!({"tools": {}}), "mcp.bridge_params_invalid", "profile.tools.allow"),
        (
            json!({"tools": {"allow": [1]}}),
            "mcp.bridge_params_invalid",
            "profile.tools.allow[0]",
        ),
        (
            json!({"tools": {"allow": [], "deny": []}}),
            "mcp.bridge_params_invalid",
            "profile.tools.deny",
        ),
        (
            json!({"tools": {"allow": [], "mcpResultInlineCharLimit": 0}}),
            "mcp.inline_char_limit_invalid",
            "profile.tools.mcpResultInlineCharLimit",
        ),
        (
            json!({"tools": {"allow": [], "mcpResultInlineCharLimit": -1}}),
            "mcp.bridge_params_invalid",
            "profile.tools.mcpResultInlineCharLimit",
        ),
    ] {
        let error = bench
            .call("agent.prepare", json!({ "profile": profile }))
            .await
            .unwrap_err();
        assert_eq!(error["data"]["code"], code, "{error}");
        assert_eq!(error["data"]["path"], path, "{error}");
    }
}
