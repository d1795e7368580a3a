//! The bridge as JSON-RPC 2.0: what is a request, how each mistake is answered, what is echoed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

mod support;

use futures_util::StreamExt;
use serde_json::{Value, json};
use support::{Bench, names};
use toolgate_host::store::MemoryFiles;

async fn answer(bench: &Bench, message: &str) -> Value {
    serde_json::from_str(&bench.bridge.handle(message.to_owned()).await).unwrap()
}

/// Sends a message and checks the error's number, code and place, and the id of the answer.
async fn refused(message: &str, number: i64, code: &str, path: &str, id: Value) -> Value {
    let answer = answer(&Bench::new(), message).await;
    let error = &answer["error"];
    assert_eq!(error["code"], number, "{answer}");
    assert_eq!(error["data"]["code"], code, "{answer}");
    assert_eq!(error["data"]["path"].as_str().unwrap_or_default(), path, "{answer}");
    assert_eq!(error["message"], error["data"]["message"]);
    assert_eq!(answer["id"], id, "{answer}");
    assert!(answer.get("result").is_none());
    answer
}

#[tokio::test]
async fn a_message_that_is_not_json_is_a_parse_error() {
    let answer = refused(
        "{\"jsonrpc\":\n  oops",
        -32700,
        "mcp.bridge_parse_error",
        "",
        json!(null),
    )
    .await;
    assert_eq!(answer["error"]["data"]["line"], 2);
    refused("", -32700, "mcp.bridge_parse_error", "", json!(null)).await;
    refused("{}{}", -32700, "mcp.bridge_parse_error", "", json!(null)).await;
}

#[tokio::test]
async fn a_message_that_is_no_request_is_invalid() {
    let invalid = "mcp.bridge_invalid_request";
    refused("[]", -32600, invalid, "", json!(null)).await;
    refused("7", -32600, invalid, "", json!(null)).await;
    refused(
        r#"{"jsonrpc":"2.0","method":"host.info"}"#,
        -32600,
        invalid,
        "id",
        json!(null),
    )
    .await;
    refused(
        r#"{"jsonrpc":"2.0","id":{},"method":"host.info"}"#,
        -32600,
        invalid,
        "id",
        json!(null),
    )
    .await;
    refused(
        r#"{"jsonrpc":"2.0","id":true,"method":"host.info"}"#,
        -32600,
        invalid,
        "id",
        json!(null),
    )
    .await;
    refused(r#"{"id":4,"method":"host.info"}"#, -32600, invalid, "jsonrpc", json!(4)).await;
    refused(
        r#"{"jsonrpc":"1.0","id":4,"method":"host.info"}"#,
        -32600,
        invalid,
        "jsonrpc",
        json!(4),
    )
    .await;
    refused(r#"{"jsonrpc":"2.0","id":4}"#, -32600, invalid, "method", json!(4)).await;
    refused(
        r#"{"jsonrpc":"2.0","id":4,"method":5}"#,
        -32600,
        invalid,
        "method",
        json!(4),
    )
    .await;
    refused(
        r#"{"jsonrpc":"2.0","id":4,"id":5,"method":"host.info"}"#,
        -32600,
        invalid,
        "",
        json!(null),
    )
    .await;
}

#[tokio::test]
async fn an_unknown_method_is_named() {
    let message = r#"{"jsonrpc":"2.0","id":"a","method":"servers.fly"}"#;
    let answer = refused(message, -32601, "mcp.bridge_method_unknown", "method", json!("a")).await;
    assert!(answer["error"]["message"].as_str().unwrap().contains("servers.fly"));
}

#[tokio::test]
async fn parameters_that_do_not_fit_are_named_by_their_place() {
    for (method, params, path) in [
        ("host.info", r#"{"x":1}"#, "x"),
        ("host.info", "[]", "params"),
        ("host.info", "null", "params"),
        ("servers.list", r#"{"reveal":"yes"}"#, "reveal"),
        ("servers.remove", "{}", "id"),
        ("servers.remove", r#"{"id":5}"#, "id"),
        (
            "servers.create",
            r#"{"displayName":"A","config":{"type":"http","url":5}}"#,
            "config.url",
        ),
        (
            "servers.create",
            r#"{"displayName":"A","config":{"type":"http","url":"u","headers":{"X":1}}}"#,
            "config.headers.X",
        ),
        (
            "servers.create",
            r#"{"displayName":"A","config":{"type":"http","url":"u","headers":{"X":"1","X":"2"}}}"#,
            "config.headers",
        ),
        (
            "servers.create",
            r#"{"displayName":"A","config":{"type":"http","url":"u","wrong":1}}"#,
            "config.wrong",
        ),
        (
            "servers.create",
            r#"{"displayName":"A","config":{"type":"sse","url":"u"}}"#,
            "config.type",
        ),
        (
            "servers.create",
            r#"{"displayName":"A","config":{"type":"stdio","command":"c","args":["a",2]}}"#,
            "config.args[1]",
        ),
        ("servers.create", r#"{"displayName":"A","config":7}"#, "config"),
        (
            "tools.setPermission",
            r#"{"id":"i","nativeName":"n","permission":"maybe"}"#,
            "permission",
        ),
        (
            "tools.setPermissions",
            r#"{"id":"i","changes":{"n":"maybe"}}"#,
            "changes.n",
        ),
        (
            "tools.setPermissions",
            r#"{"id":"i","changes":{"a":"off","a":"allow"}}"#,
            "changes",
        ),
        (
            "servers.create",
            r#"{"displayName":"A","config":["http",{"url":"https://example.com/mcp"}]}"#,
            "config",
        ),
        (
            "tools.setDescriptionOverride",
            r#"{"id":"i","nativeName":"n"}"#,
            "override",
        ),
        ("servers.remove", r#"{"id":"i","id":"j"}"#, "id"),
        ("servers.create", r#"{"displayName":"A"}"#, "config"),
        ("servers.create", r#"{"displayName":"A","config":{}}"#, "config.type"),
        (
            "servers.create",
            r#"{"displayName":"A","config":{"type":"http"}}"#,
            "config.url",
        ),
        (
            "servers.create",
            r#"{"displayName":"A","config":{"type":"stdio","args":[]}}"#,
            "config.command",
        ),
        (
            "servers.create",
            r#"{"displayName":"A","config":{"type":"http","url":"u","url":"v"}}"#,
            "config.url",
        ),
        ("agent.prepare", r#"{"profile":{"tools":{}}}"#, "profile.tools.allow"),
    ] {
        let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
        refused(&message, -32602, "mcp.bridge_params_invalid", path, json!(1)).await;
    }
}

#[tokio::test]
async fn everything_else_that_goes_wrong_has_the_domains_code() {
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"servers.remove","params":{"id":"nobody"}}"#;
    refused(message, -32000, "mcp.registration_id_invalid", "id", json!(1)).await;
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"servers.remove","params":{{"id":"{}"}}}}"#,
        support::ID
    );
    refused(&message, -32000, "mcp.registration_not_found", "", json!(1)).await;
}

#[tokio::test]
async fn an_id_is_echoed_as_it_was_spelled() {
    let bench = Bench::new();
    for id in [
        "1",
        "-0",
        "1E5",
        "12345678901234567890123",
        "1.50",
        "\"\\u0061\"",
        "null",
        "\"\"",
    ] {
        let message = format!(r#" {{"id" : {id} ,"method":"host.info","jsonrpc":"2.0"}} "#);
        let answer = bench.bridge.handle(message).await;
        assert!(answer.contains(&format!(r#""id":{id},"result":"#)), "{id}: {answer}");
    }
}

#[tokio::test]
async fn a_message_above_the_bound_is_refused_unread() {
    let bench = Bench::with(MemoryFiles::new(), |options| options.message_bytes = 64);
    let largest = format!("{:<64}", r#"{"jsonrpc":"2.0","id":1,"method":"host.info"}"#);
    assert!(answer(&bench, &largest).await.get("result").is_some());
    let larger = format!("{largest} ");
    let refused = answer(&bench, &larger).await;
    assert_eq!(refused["error"]["code"], -32600);
    assert_eq!(refused["error"]["data"]["code"], "mcp.bridge_message_too_large");
}

#[tokio::test]
async fn losing_the_caller_neither_cancels_nor_repeats_a_request() {
    let mut bench = Bench::new();
    let id = bench.active_server("https://example.com/mcp").await;
    let mut events = Box::pin(bench.bridge.events());
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "servers.discover", "params": {"id": id}});
    drop(bench.bridge.handle(message.to_string()));
    bench.attempt().await.offer(&["search"]);
    assert_eq!(
        serde_json::from_str::<Value>(&events.next().await.unwrap()).unwrap(),
        json!({"jsonrpc": "2.0", "method": "host.changed", "params": {"area": "catalog", "id": id}})
    );
    assert_eq!(
        names(&bench.ok("servers.discover", json!({"id": id})).await),
        ["search"]
    );
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn every_page_is_told_of_every_change() {
    let bench = Bench::new();
    let mut pages = [Box::pin(bench.bridge.events()), Box::pin(bench.bridge.events())];
    let id = bench.active_server("https://example.com/mcp").await;
    bench
        .ok(
            "tools.setPermission",
            json!({"id": id, "nativeName": "t", "permission": "ask"}),
        )
        .await;
    bench.ok("servers.remove", json!({"id": id})).await;
    for page in &mut pages {
        for _ in 0..4 {
            let event: Value = serde_json::from_str(&page.next().await.unwrap()).unwrap();
            assert_eq!(event["params"], json!({"area": "servers", "id": id}));
        }
    }
    bench.host.shutdown().await;
    for page in &mut pages {
        assert_eq!(page.next().await, None);
    }
}

#[tokio::test]
async fn a_page_that_falls_behind_is_told_that_everything_changed() {
    let bench = Bench::new();
    let mut page = Box::pin(bench.bridge.events());
    let id = bench.active_server("https://example.com/mcp").await;
    for _ in 0..300 {
        bench
            .ok(
                "tools.setPermission",
                json!({"id": id, "nativeName": "t", "permission": "ask"}),
            )
            .await;
    }
    let mut areas = Vec::new();
    for _ in 0..4 {
        let event: Value = serde_json::from_str(&page.next().await.unwrap()).unwrap();
        assert!(event["params"].get("id").is_none());
        areas.push(event["params"]["area"].as_str().unwrap().to_owned());
    }
    areas.sort();
    assert_eq!(areas, ["catalog", "partners", "servers", "storage"]);
}

#[tokio::test]
async fn a_host_that_shut_down_takes_nothing_more() {
    let mut bench = Bench::new();
    let id = bench.active_server("https://example.com/mcp").await;
    let running = bench.start("servers.discover", json!({"id": id}));
    let attempt = bench.attempt().await;
    let bridge = bench.bridge.clone();
    bench.host.shutdown().await;
    assert_eq!(running.await.unwrap().unwrap_err()["data"]["code"], "mcp.host_stopping");
    attempt.abandoned().await;
    let refused = support::call(&bridge, "host.info", json!({})).await.unwrap_err();
    assert_eq!(refused["data"]["code"], "mcp.host_stopping");
}

#[tokio::test]
async fn a_member_whose_name_is_no_text_hides_no_other() {
    let bench = Bench::new();
    let message = r#"{"\ud800":1,"jsonrpc":"2.0","id":5,"method":"host.info","params":{}}"#;
    let answer = answer(&bench, message).await;
    assert_eq!(answer["id"], 5);
    assert!(answer["result"].is_object(), "{answer}");
    refused(
        r#"{"\ud800":1,"jsonrpc":"2.0","id":6,"params":{}}"#,
        -32600,
        "mcp.bridge_invalid_request",
        "method",
        json!(6),
    )
    .await;
}
