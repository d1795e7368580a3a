//! A connection is made by the first call that needs it, once for all that wait, and whoever goes on waiting.

use serde_json::json;
use tokio::time::Instant;
use toolgate_host::mcp::{Failure, FailureClass, Step};

use crate::support::Bench;
use crate::support::models::{came_of, searching, tool_id};
use crate::{URL, failed, good, settled};

#[tokio::test]
async fn first_calls_share_one_attempt_and_later_ones_the_connection() {
    let mut bench = Bench::new();
    let id = bench.allowed_server(URL, &["search"]).await;
    let (one, other) = (
        bench.invocation(&id, "search").await,
        bench.invocation(&id, "search").await,
    );
    tokio::time::pause();
    let first = bench.agent_call(&one);
    let attempt = bench.attempt().await;
    let second = bench.agent_call(&other);
    let third = bench.agent_call(&other);
    settled().await;
    let mut server = attempt.serve("2025-06-18");
    // All three are under way at once.
    let calls = [server.call().await, server.call().await, server.call().await];
    for call in calls {
        call.say("done");
    }
    for running in [first, second, third] {
        assert_eq!(came_of(running).await, good());
    }
    let execution = "8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a";
    bench
        .ok("legacy.startCall", json!({"executionCallId": execution}))
        .await;
    let legacy = bench.start(
        "legacy.call",
        json!({"executionCallId": execution, "toolId": tool_id(&id, "search"), "argumentsJson": "{}"}),
    );
    server.call().await.say("done");
    assert_eq!(legacy.await.unwrap().unwrap()["outcome"], "known_response");
    assert!(bench.no_attempt());
    assert!(!server.is_closing());
}

#[tokio::test]
async fn who_cancels_while_it_is_made_cancels_for_nobody_else() {
    let (mut bench, _, invocation) = searching(URL).await;
    tokio::time::pause();
    let first = bench.agent_call_with(&invocation, json!({"callId": "a"}));
    let attempt = bench.attempt().await;
    let second = bench.agent_call_with(&invocation, json!({"callId": "b"}));
    settled().await;
    bench.ok("agent.cancel", json!({"callId": "a"})).await;
    assert_eq!(came_of(first).await, failed("mcp.call_cancelled_before_send"));
    let mut server = attempt.serve("2025-06-18");
    server.call().await.say("done");
    assert_eq!(came_of(second).await, good());
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn where_everybody_cancelled_it_is_made_all_the_same_and_the_next_call_has_it() {
    let (mut bench, _, invocation) = searching(URL).await;
    let first = bench.agent_call_with(&invocation, json!({"callId": "a"}));
    let attempt = bench.attempt().await;
    bench.ok("agent.cancel", json!({"callId": "a"})).await;
    assert_eq!(came_of(first).await, failed("mcp.call_cancelled_before_send"));
    let mut server = attempt.serve("2025-06-18");
    let second = bench.agent_call(&invocation);
    server.call().await.say("done");
    assert_eq!(came_of(second).await, good());
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn a_failed_attempt_is_everybodys_and_the_next_call_tries_anew() {
    let (mut bench, _, invocation) = searching(URL).await;
    tokio::time::pause();
    let first = bench.agent_call(&invocation);
    let second = bench.agent_call(&invocation);
    let attempt = bench.attempt().await;
    settled().await;
    attempt.fail(Failure::new(FailureClass::ConnectionRefused, Step::Connect));
    assert_eq!(came_of(first).await, failed("mcp.call_initialize_failed"));
    assert_eq!(came_of(second).await, failed("mcp.call_initialize_failed"));
    assert!(bench.no_attempt());
    let third = bench.agent_call(&invocation);
    bench.attempt().await.serve("2025-06-18").call().await.say("done");
    assert_eq!(came_of(third).await, good());
}

#[tokio::test]
async fn it_may_take_thirty_seconds() {
    let (mut bench, _, invocation) = searching(URL).await;
    tokio::time::pause();
    let began = Instant::now();
    let running = bench.agent_call(&invocation);
    let attempt = bench.attempt().await;
    assert_eq!(came_of(running).await, failed("mcp.call_initialize_timeout"));
    assert_eq!(began.elapsed().as_secs(), 30);
    attempt.abandoned().await;
    let next = bench.agent_call(&invocation);
    bench.attempt().await.serve("2025-06-18").call().await.say("done");
    assert_eq!(came_of(next).await, good());
}

#[tokio::test]
async fn a_server_without_tools_is_not_called() {
    let (mut bench, _, invocation) = searching(URL).await;
    let running = bench.agent_call(&invocation);
    let _server = bench.attempt().await.serve_without_tools();
    assert_eq!(came_of(running).await, failed("mcp.call_tools_capability_missing"));
}

#[tokio::test]
async fn what_may_not_be_called_connects_nothing() {
    let (mut bench, id, invocation) = searching(URL).await;
    bench
        .ok(
            "tools.setPermission",
            json!({"id": id, "nativeName": "search", "permission": "off"}),
        )
        .await;
    let running = bench.agent_call(&invocation);
    assert_eq!(came_of(running).await, failed("mcp.call_permission_off"));
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn what_is_withdrawn_while_it_is_made_is_not_sent_and_the_connection_stays() {
    let (mut bench, id, invocation) = searching(URL).await;
    let running = bench.agent_call(&invocation);
    let attempt = bench.attempt().await;
    let permit = |permission| json!({"id": id, "nativeName": "search", "permission": permission});
    bench.ok("tools.setPermission", permit("off")).await;
    let mut server = attempt.serve("2025-06-18");
    assert_eq!(came_of(running).await, failed("mcp.call_permission_off"));
    bench.ok("tools.setPermission", permit("ask")).await;
    let next = bench.agent_call(&invocation);
    server.call().await.say("done");
    assert_eq!(came_of(next).await, good());
    assert!(bench.no_attempt());
}
