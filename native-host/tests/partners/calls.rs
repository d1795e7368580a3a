//! Calls and what a model reads of them.

use serde_json::{Value, json};
use toolgate_host::mcp::{CallAnswer, Failure, FailureClass, Step};
use toolgate_host::store::MemoryFiles;

use crate::support::Bench;
use crate::{call, call_params, granted, outcome, refused, serve, turn};

const SEARCH: &str = "mcp__Docs__search";

/// A bench, and a session in a turn that offers `search`.
async fn ready() -> (Bench, String) {
    ready_on(Bench::new()).await
}

async fn ready_on(mut bench: Bench) -> (Bench, String) {
    let (_, _, session) = granted(&mut bench, &["search"], "all").await;
    turn(&bench, &session).await;
    (bench, session)
}

/// What becomes of a call that is answered so.
async fn answered(answer: CallAnswer) -> Value {
    let (mut bench, session) = ready().await;
    let running = call(&bench, &session, SEARCH);
    serve(&mut bench).await.call().await.answer(answer);
    outcome(running).await
}

#[tokio::test]
async fn arguments_reach_the_server_as_they_are_spelled() {
    let (mut bench, session) = ready().await;
    let arguments = r#"{"z":1.0,"a":12345678901234567890123,"k":"\u00e9"}"#;
    let mut params = call_params(&session, SEARCH);
    params["argumentsJson"] = json!(arguments);
    let running = bench.start("partners.call", params);
    let mut server = serve(&mut bench).await;
    let call = server.call().await;
    assert_eq!(call.call.name, "search");
    assert_eq!(call.call.arguments.as_str(), arguments);
    call.say("found");
    assert_eq!(
        outcome(running).await,
        json!({"kind": "tool_result", "isError": false, "content": "found", "resourceRefs": []})
    );
}

#[tokio::test]
async fn text_structure_resources_and_links_are_kept_and_binary_is_noted() {
    let result = json!({
        "content": [
            {"type": "text", "text": "Found."},
            {"type": "resource", "resource": {"uri": "file:///a", "text": "inside"}},
            {"type": "resource_link", "uri": "https://example.com/b", "name": "b"},
            {"type": "image", "data": "AAAA", "mimeType": "image/png"},
        ],
        "structuredContent": {"count": 2},
    });
    let outcome = answered(CallAnswer::Result(result.to_string())).await;
    let content = outcome["content"].as_str().unwrap();
    for part in [
        "Found.",
        "## Details",
        "count",
        "## Resources",
        "inside",
        "## Notes",
        "https://example.com/b",
        "image/png",
    ] {
        assert!(content.contains(part), "{part} is missing in {content}");
    }
    assert!(!content.contains("AAAA"));
    assert_eq!(outcome["isError"], false);
    assert_eq!(outcome["structuredJson"], "{\"count\":2}");
    assert_eq!(outcome["resourceRefs"], json!(["file:///a", "https://example.com/b"]));
}

#[tokio::test]
async fn failures_of_the_tool_and_of_the_server_are_error_results() {
    let failed = json!({"isError": true, "content": [{"type": "text", "text": "no such page"}]});
    let outcome = answered(CallAnswer::Result(failed.to_string())).await;
    assert_eq!(
        (&outcome["isError"], &outcome["errorCode"], &outcome["content"]),
        (&json!(true), &json!("mcp.model_tool_error"), &json!("no such page"))
    );
    let error = json!({"code": -32602, "message": "bad page"}).to_string();
    let outcome = answered(CallAnswer::Error(error)).await;
    assert_eq!(
        (&outcome["isError"], &outcome["errorCode"]),
        (&json!(true), &json!("mcp.model_server_error"))
    );
    assert!(outcome["content"].as_str().unwrap().contains("bad page"));
}

#[tokio::test]
async fn a_result_above_the_limit_says_first_that_the_call_was_carried_out() {
    for (bytes, is_error) in [(262_144, false), (262_145, true)] {
        let text = "x".repeat(bytes);
        let result = json!({"content": [{"type": "text", "text": text}]});
        let outcome = answered(CallAnswer::Result(result.to_string())).await;
        assert_eq!(outcome["isError"], is_error, "{bytes}");
        if is_error {
            assert_eq!(outcome["errorCode"], "mcp.partner_result_size_limit");
            let content = outcome["content"].as_str().unwrap();
            assert!(content.starts_with("The call was carried out"), "{content}");
            assert!(content.contains("link"), "{content}");
        }
    }
}

#[tokio::test]
async fn a_call_before_the_first_turn_and_one_by_another_name_are_not_sent() {
    let mut bench = Bench::new();
    let (_, _, session) = granted(&mut bench, &["search"], "all").await;
    assert_eq!(
        refused(&mut bench, &session, SEARCH).await,
        "mcp.partner_tool_not_offered"
    );
    turn(&bench, &session).await;
    for alias in ["search", "mcp__docs__search", ""] {
        let code = refused(&mut bench, &session, alias).await;
        assert_eq!(code, "mcp.partner_tool_not_offered", "{alias}");
    }
}

#[tokio::test]
async fn arguments_that_are_none_are_not_sent() {
    let (mut bench, session) = ready().await;
    for (arguments, code) in [
        ("{", "mcp.call_arguments_invalid_json"),
        ("[]", "mcp.call_arguments_not_object"),
        (
            &*format!("{{\"k\":\"{}\"}}", "x".repeat(262_144)),
            "mcp.call_arguments_size_limit",
        ),
    ] {
        let mut params = call_params(&session, SEARCH);
        params["argumentsJson"] = json!(arguments);
        assert_eq!(bench.ok("partners.call", params).await["errorCode"], code);
        assert!(bench.no_attempt());
    }
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_is_an_error_result() {
    let (mut bench, session) = ready().await;
    let running = call(&bench, &session, SEARCH);
    let failure = Failure::new(FailureClass::ConnectionRefused, Step::Connect);
    bench.attempt().await.fail(failure);
    let outcome = outcome(running).await;
    assert_eq!(outcome["kind"], "tool_result");
    assert_eq!(outcome["errorCode"], "mcp.call_initialize_failed");
}

#[tokio::test]
async fn an_unknown_outcome_is_no_result_and_ends_the_turn_and_not_the_session() {
    let (mut bench, session) = ready().await;
    let first = call(&bench, &session, SEARCH);
    let mut server = serve(&mut bench).await;
    let lost = server.call().await;
    let second = call(&bench, &session, SEARCH);
    let kept = server.call().await;
    lost.fail(Failure::new(FailureClass::ConnectionReset, Step::Call));
    let unknown = outcome(first).await;
    assert_eq!(unknown["kind"], "turn_ended");
    assert_eq!(unknown["code"], "mcp.call_response_failed");
    assert!(unknown.get("content").is_none());
    // What was sent already has its own outcome.
    kept.say("kept");
    assert_eq!(outcome(second).await["content"], "kept");
    assert_eq!(refused(&mut bench, &session, SEARCH).await, "mcp.partner_turn_ended");
    let next = turn(&bench, &session).await;
    assert_eq!(next["changed"], false);
    let running = call(&bench, &session, SEARCH);
    serve(&mut bench).await.call().await.say("again");
    assert_eq!(outcome(running).await["content"], "again");
}

#[tokio::test]
async fn a_call_that_connects_is_not_sent_once_its_turn_has_ended() {
    let (mut bench, session) = ready().await;
    let mut params = call_params(&session, SEARCH);
    params["callId"] = json!("lost");
    let lost = bench.start("partners.call", params);
    let mut server = serve(&mut bench).await;
    let pending = server.call().await;
    server.hang_up();
    let late = call(&bench, &session, SEARCH);
    let attempt = bench.attempt().await;
    bench.ok("partners.cancel", json!({"callId": "lost"})).await;
    assert_eq!(outcome(lost).await["code"], "mcp.call_cancelled");
    pending.cancelled().await;
    let other = attempt.serve("2025-06-18");
    assert_eq!(outcome(late).await["errorCode"], "mcp.partner_turn_ended");
    drop(server);
    let (left, ()) = tokio::join!(other.calls_left(), bench.host.shutdown());
    assert_eq!(left, 0);
}

#[tokio::test]
async fn a_call_id_is_good_for_one_call() {
    let (mut bench, session) = ready().await;
    let mut params = call_params(&session, SEARCH);
    params["callId"] = json!("one");
    let running = bench.start("partners.call", params.clone());
    let mut server = serve(&mut bench).await;
    let pending = server.call().await;
    let again = bench.code("partners.call", params.clone()).await;
    assert_eq!(again, "mcp.call_already_dispatched");
    pending.say("done");
    outcome(running).await;
    let again = bench.code("partners.call", params).await;
    assert_eq!(again, "mcp.call_already_dispatched");
}

#[tokio::test]
async fn a_cancellation_may_come_first() {
    let (mut bench, session) = ready().await;
    bench.ok("partners.cancel", json!({"callId": "one"})).await;
    let mut params = call_params(&session, SEARCH);
    params["callId"] = json!("one");
    let outcome = bench.ok("partners.call", params).await;
    assert_eq!(outcome["errorCode"], "mcp.call_cancelled_before_send");
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn a_cancelled_call_is_unknown_and_the_server_is_told() {
    let (mut bench, session) = ready().await;
    let mut params = call_params(&session, SEARCH);
    params["callId"] = json!("one");
    let running = bench.start("partners.call", params);
    let mut server = serve(&mut bench).await;
    let pending = server.call().await;
    bench.ok("partners.cancel", json!({"callId": "one"})).await;
    let outcome = outcome(running).await;
    assert_eq!(
        (&outcome["kind"], &outcome["code"]),
        (&json!("turn_ended"), &json!("mcp.call_cancelled"))
    );
    pending.cancelled().await;
}

#[tokio::test]
async fn a_call_that_is_not_answered_in_time_is_unknown_and_not_repeated() {
    let (mut bench, session) = ready().await;
    tokio::time::pause();
    let running = call(&bench, &session, SEARCH);
    let mut server = serve(&mut bench).await;
    let pending = server.call().await;
    assert_eq!(outcome(running).await["code"], "mcp.call_timeout");
    pending.cancelled().await;
    let (left, ()) = tokio::join!(server.calls_left(), bench.host.shutdown());
    assert_eq!(left, 0);
}

#[tokio::test]
async fn calls_of_all_sessions_share_a_connection() {
    let (mut bench, session) = ready().await;
    let running = call(&bench, &session, SEARCH);
    let mut server = serve(&mut bench).await;
    server.call().await.say("one");
    outcome(running).await;
    let list = bench.ok("partners.list", json!({})).await;
    let other = crate::open(&bench, list["partners"][0]["id"].as_str().unwrap()).await;
    turn(&bench, &other).await;
    let running = call(&bench, &other, SEARCH);
    server.call().await.say("two");
    assert_eq!(outcome(running).await["content"], "two");
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn the_limit_of_a_result_is_the_embedders() {
    let bench = Bench::with(MemoryFiles::new(), |options| options.limits.partner_text_bytes = 3);
    let (mut bench, session) = ready_on(bench).await;
    let running = call(&bench, &session, SEARCH);
    serve(&mut bench).await.call().await.say("four");
    assert_eq!(outcome(running).await["errorCode"], "mcp.partner_result_size_limit");
}
