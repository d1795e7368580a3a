//! How an invocation ends: by an unknown outcome, by its agent, or because nobody uses it; and how many there may be.

use std::time::Duration;

use serde_json::json;
use tokio::time::advance;
use toolgate_host::mcp::{CallAnswer, Failure, FailureClass, Step};
use toolgate_host::store::MemoryFiles;

use crate::URL;
use crate::support::Bench;
use crate::support::models::{came_of, searching, tool_id};

fn params(invocation: &str) -> serde_json::Value {
    json!({"invocationId": invocation, "alias": "mcp__Docs__search", "argumentsJson": "{}"})
}

#[tokio::test]
async fn by_an_unknown_outcome_and_every_later_call_says_why() {
    let (mut bench, id, invocation) = searching(URL).await;
    let running = bench.agent_call(&invocation);
    let mut server = bench.attempt().await.serve("2025-06-18");
    server
        .call()
        .await
        .fail(Failure::new(FailureClass::ConnectionReset, Step::Call));
    let result = running.await.unwrap().unwrap();
    assert_eq!(result["kind"], "invocation_ended");
    assert_eq!(result["code"], "mcp.call_response_failed");
    assert!(result.get("content").is_none(), "no result is made up");
    for _ in 0..2 {
        let error = bench.call("agent.call", params(&invocation)).await.unwrap_err();
        assert_eq!(error["data"]["code"], "mcp.agent_invocation_ended");
        let message = error["data"]["message"].as_str().unwrap();
        assert!(
            message.contains("mcp__Docs__search") && message.contains("mcp.call_response_failed"),
            "{message}"
        );
    }
    assert!(bench.no_attempt());
    // Another run is not concerned.
    let next = bench.agent_call(&bench.invocation(&id, "search").await);
    bench.attempt().await.serve("2025-06-18").call().await.say("done");
    assert_eq!(came_of(next).await, ("result", String::new()));
}

#[tokio::test]
async fn an_answer_that_is_no_json_is_an_unknown_outcome() {
    let (mut bench, _, invocation) = searching(URL).await;
    let running = bench.agent_call(&invocation);
    let mut server = bench.attempt().await.serve("2025-06-18");
    server.call().await.answer(CallAnswer::Result("{".to_owned()));
    assert_eq!(came_of(running).await, ("ended", "mcp.call_response_failed".to_owned()));
}

#[tokio::test]
async fn calls_beside_the_unknown_one_have_their_answers_and_none_is_sent_after_it() {
    let mut bench = Bench::new();
    let id = bench.allowed_server(URL, &["search"]).await;
    let slow_id = bench.active_server("https://example.com/slow").await;
    bench.discover(&slow_id, &["wait"]).await;
    let permit = json!({"id": slow_id, "nativeName": "wait", "permission": "allow"});
    bench.ok("tools.setPermission", permit).await;
    let prepared = bench
        .prepare(&[tool_id(&id, "search"), tool_id(&slow_id, "wait")])
        .await;
    let invocation = prepared["invocationId"].as_str().unwrap();
    let lost = bench.agent_call(invocation);
    let mut server = bench.attempt().await.serve("2025-06-18");
    let losing = server.call().await;
    let beside = bench.agent_call(invocation);
    let answering = server.call().await;
    let unsent = bench.agent_call_with(invocation, json!({"alias": "mcp__Docs__wait"}));
    let attempt = bench.attempt().await;
    losing.fail(Failure::new(FailureClass::ConnectionReset, Step::Call));
    assert_eq!(came_of(lost).await.0, "ended");
    let slow = attempt.serve("2025-06-18");
    assert_eq!(
        came_of(unsent).await,
        ("result", "mcp.call_cancelled_before_send".to_owned())
    );
    answering.say("done");
    assert_eq!(came_of(beside).await, ("result", String::new()));
    drop(server);
    let stopping = tokio::spawn(bench.host.shutdown());
    assert_eq!(slow.calls_left().await, 0);
    stopping.await.unwrap();
}

#[tokio::test]
async fn by_its_agent() {
    let (mut bench, _, invocation) = searching(URL).await;
    let running = bench.agent_call(&invocation);
    let mut server = bench.attempt().await.serve("2025-06-18");
    let under_way = server.call().await;
    bench.ok("agent.end", json!({"invocationId": invocation})).await;
    for (method, params) in [
        ("agent.call", params(&invocation)),
        ("agent.end", json!({"invocationId": invocation})),
        (
            "agent.readResult",
            json!({"invocationId": invocation, "path": "x", "startLine": 1, "lineCount": 1}),
        ),
    ] {
        assert_eq!(
            bench.code(method, params).await,
            "mcp.agent_invocation_not_found",
            "{method}"
        );
    }
    // What was under way is answered all the same.
    under_way.say("done");
    assert_eq!(came_of(running).await, ("result", String::new()));
}

#[tokio::test]
async fn by_an_hour_without_use() {
    let (mut bench, id, invocation) = searching(URL).await;
    let unused = bench.invocation(&id, "search").await;
    tokio::time::pause();
    advance(Duration::from_mins(59)).await;
    let running = bench.agent_call(&invocation);
    bench.attempt().await.serve("2025-06-18").call().await.say("done");
    assert_eq!(came_of(running).await, ("result", String::new()));
    advance(Duration::from_mins(2)).await;
    assert_eq!(
        bench.code("agent.call", params(&unused)).await,
        "mcp.agent_invocation_not_found"
    );
    let running = bench.agent_call(&invocation);
    bench.attempt().await.serve("2025-06-18").call().await.say("done");
    assert_eq!(came_of(running).await, ("result", String::new()));
}

#[tokio::test]
async fn so_many_may_be_open_and_ended_or_unused_ones_do_not_count() {
    let mut bench = Bench::with(MemoryFiles::new(), |options| options.limits.agent_invocations = 2);
    let id = bench.allowed_server(URL, &["search"]).await;
    let first = bench.invocation(&id, "search").await;
    bench.invocation(&id, "search").await;
    let profile = json!({"profile": {"tools": {"allow": []}}});
    assert_eq!(
        bench.code("agent.prepare", profile.clone()).await,
        "mcp.agent_invocation_limit"
    );
    bench.ok("agent.end", json!({"invocationId": first})).await;
    bench.ok("agent.prepare", profile.clone()).await;
    assert_eq!(
        bench.code("agent.prepare", profile.clone()).await,
        "mcp.agent_invocation_limit"
    );
    tokio::time::pause();
    advance(Duration::from_mins(61)).await;
    bench.ok("agent.prepare", profile).await;
}
