//! Calls: their ids, what is refused, and what a root makes of their outcomes.

use serde_json::{Value, json};
use toolgate_core::layers::ToolDescriptor;
use toolgate_core::legacy_round::{LegacyRoot, Settlement};
use toolgate_core::outcome::CallOutcome;
use toolgate_host::mcp::{Failure, FailureClass, Step};

use crate::URL;
use crate::support::models::{Running, tool_id};
use crate::support::{Bench, catalog_file};

/// An id for the calls of a test, which has one digit to tell them apart.
fn execution(digit: u32) -> String {
    format!("8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1{digit:x}")
}

async fn announce(bench: &Bench, id: &str) {
    bench.ok("legacy.startCall", json!({"executionCallId": id})).await;
}

fn params(id: &str, tool: &str) -> Value {
    json!({"executionCallId": id, "toolId": tool, "argumentsJson": "{\"n\":1e2}"})
}

async fn begin(bench: &Bench, id: &str, tool: &str) -> Running {
    announce(bench, id).await;
    bench.start("legacy.call", params(id, tool))
}

fn kind(outcome: &Value) -> (&str, &str) {
    (
        outcome["outcome"].as_str().unwrap(),
        outcome["code"].as_str().unwrap_or_default(),
    )
}

#[tokio::test]
async fn a_round_from_the_list_to_the_messages_that_are_kept() {
    let mut bench = Bench::new();
    let id = bench.allowed_server(URL, &["search"]).await;
    let list = bench.ok("legacy.listTools", json!({})).await;
    let tools: Vec<ToolDescriptor> = serde_json::from_str(&list["tools"].to_string()).unwrap();
    let mut root = LegacyRoot::new(tools);

    let offered = root.begin_round(None, &[]).unwrap();
    assert_eq!(root.finalize(offered.as_deref()), ["mcp__Docs__search"]);
    let tool = root.resolve("mcp__Docs__search").unwrap().to_string();
    assert_eq!(tool, tool_id(&id, "search"));
    let running = begin(&bench, &execution(1), &tool).await;
    let mut server = bench.attempt().await.serve("2025-06-18");
    let call = server.call().await;
    assert_eq!(call.call.arguments.as_str(), "{\"n\":1e2}");
    call.say("found");
    let outcome = CallOutcome::from_bridge(&running.await.unwrap().unwrap().to_string());
    let Settlement::Results(results) = root.settle(&[outcome]) else {
        panic!("a known outcome is a result")
    };
    assert_eq!(results[0].content, "found");

    // One unknown outcome ends the root, and nothing of its batch is kept.
    let offered = root.begin_round(None, &[]).unwrap();
    root.finalize(offered.as_deref());
    let good = begin(&bench, &execution(2), &tool).await;
    server.call().await.say("found");
    let unknown = begin(&bench, &execution(3), &tool).await;
    let losing = server.call().await;
    losing.fail(Failure::new(FailureClass::ConnectionReset, Step::Call));
    let outcomes =
        [good.await, unknown.await].map(|outcome| CallOutcome::from_bridge(&outcome.unwrap().unwrap().to_string()));
    assert!(matches!(root.settle(&outcomes), Settlement::Ended(_)));
    assert!(root.has_ended());
    drop(server.closing().await);
    assert_eq!(server.calls_left().await, 0);
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn what_is_not_sent_and_why() {
    let mut bench = Bench::new();
    let id = bench.allowed_server(URL, &["search", "off"]).await;
    let permit = |name: &str, permission: &str| json!({"id": id, "nativeName": name, "permission": permission});
    bench.ok("tools.setPermission", permit("off", "off")).await;
    bench.ok("tools.setPermission", permit("gone", "allow")).await;
    let unread = bench.active_server("https://example.com/unread").await;
    let permit = json!({"id": unread, "nativeName": "t", "permission": "allow"});
    bench.ok("tools.setPermission", permit).await;
    let paused = bench.allowed_server("https://example.com/paused", &["t"]).await;
    bench
        .ok("servers.setState", json!({"id": paused, "state": "paused"}))
        .await;
    let unknown = "11111111-1111-4111-8111-111111111111";
    for (digit, (tool, code)) in [
        (tool_id(&id, "off"), "mcp.call_permission_off"),
        (tool_id(&id, "gone"), "mcp.legacy_tool_not_advertised"),
        (tool_id(&unread, "t"), "mcp.legacy_tool_not_advertised"),
        (tool_id(&paused, "t"), "mcp.call_server_paused"),
        (tool_id(unknown, "t"), "mcp.call_registration_not_found"),
        (tool_id(&id, ""), "mcp.call_tool_name_invalid"),
        (tool_id("no-id", "t"), "mcp.call_registration_invalid"),
        ("mcp__Docs__search".to_owned(), "mcp.call_registration_invalid"),
    ]
    .into_iter()
    .enumerate()
    {
        let call = execution(u32::try_from(digit).unwrap());
        let outcome = begin(&bench, &call, &tool).await.await.unwrap().unwrap();
        assert_eq!(kind(&outcome), ("not_sent", code), "{tool}");
    }
    let call = execution(15);
    announce(&bench, &call).await;
    let arguments = json!({"executionCallId": call, "toolId": tool_id(&id, "search"), "argumentsJson": "[]"});
    let outcome = bench.ok("legacy.call", arguments).await;
    assert_eq!(kind(&outcome), ("not_sent", "mcp.call_arguments_not_object"));
    assert!(bench.no_attempt());

    // A list that cannot be used is said to be so, and not to lack the tool.
    let mut bench = bench.restart().await;
    bench.files.put(catalog_file(&id), "{torn");
    let outcome = begin(&bench, &execution(1), &tool_id(&id, "search")).await;
    let outcome = outcome.await.unwrap().unwrap();
    assert_eq!(kind(&outcome), ("not_sent", "mcp.legacy_tool_not_advertised"));
    let message = outcome["message"].as_str().unwrap();
    assert!(message.starts_with("The call was not sent. "), "{message}");
    assert!(
        message.contains("cannot be used") && message.contains("Refresh"),
        "{message}"
    );
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn an_id_is_a_uuid_announced_once_and_used_once() {
    let mut bench = Bench::new();
    let id = bench.allowed_server(URL, &["search"]).await;
    let tool = tool_id(&id, "search");
    let call = execution(1);
    let outcome = bench.ok("legacy.call", params(&call, &tool)).await;
    assert_eq!(kind(&outcome), ("not_sent", "mcp.call_not_started"));
    assert!(outcome["message"].as_str().unwrap().contains("legacy.startCall"));

    let call = execution(2);
    bench.ok("legacy.cancel", json!({"executionCallId": call})).await;
    // Capital letters are the same id.
    announce(&bench, &call.to_uppercase()).await;
    let outcome = bench.ok("legacy.call", params(&call, &tool)).await;
    assert_eq!(kind(&outcome), ("not_sent", "mcp.call_cancelled_before_send"));
    assert!(bench.no_attempt());
    assert_eq!(
        bench.code("legacy.call", params(&call, &tool)).await,
        "mcp.call_already_dispatched"
    );
    assert_eq!(
        bench.code("legacy.startCall", json!({"executionCallId": call})).await,
        "mcp.call_already_dispatched"
    );

    let call = execution(3);
    let running = begin(&bench, &call, &tool).await;
    let mut server = bench.attempt().await.serve("2025-06-18");
    let under_way = server.call().await;
    bench.ok("legacy.cancel", json!({"executionCallId": call})).await;
    let outcome = running.await.unwrap().unwrap();
    assert_eq!(kind(&outcome), ("outcome_unknown", "mcp.call_cancelled"));
    under_way.cancelled().await;

    for bad in [
        "",
        "c",
        "8c0a7f0e31bb4c6e9f585d5e1c6d2b1a",
        "{8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a}",
    ] {
        let error = bench
            .call("legacy.startCall", json!({"executionCallId": bad}))
            .await
            .unwrap_err();
        assert_eq!(error["data"]["code"], "mcp.bridge_params_invalid");
        assert_eq!(error["data"]["path"], "executionCallId");
    }
}

#[tokio::test]
async fn off_is_asked_again_right_before_the_call() {
    let mut bench = Bench::new();
    let id = bench.allowed_server(URL, &["search"]).await;
    let running = begin(&bench, &execution(1), &tool_id(&id, "search")).await;
    let attempt = bench.attempt().await;
    let permit = json!({"id": id, "nativeName": "search", "permission": "off"});
    bench.ok("tools.setPermission", permit).await;
    let server = attempt.serve("2025-06-18");
    assert_eq!(
        kind(&running.await.unwrap().unwrap()),
        ("not_sent", "mcp.call_permission_off")
    );
    let stopping = tokio::spawn(bench.host.shutdown());
    assert_eq!(server.calls_left().await, 0);
    stopping.await.unwrap();
}
