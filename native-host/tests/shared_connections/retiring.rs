//! What ends a connection for the calls to come, and what does not.

use serde_json::json;
use toolgate_host::mcp::{CallAnswer, Failure, FailureClass, Step};

use crate::support::models::{came_of, searching};
use crate::support::{Bench, page};
use crate::{URL, ended, failed, good};

#[tokio::test]
async fn no_answer_whatever_it_says() {
    let (mut bench, _, invocation) = searching(URL).await;
    let running = bench.agent_call(&invocation);
    let mut server = bench.attempt().await.serve("2025-06-18");
    let answers = [
        (r#"{"content":[],"isError":true}"#, "mcp.model_tool_error"),
        (r#"{"resultType":"task"}"#, "mcp.model_response_unsupported"),
        ("{}", ""),
    ];
    server
        .call()
        .await
        .answer(CallAnswer::Error(r#"{"code":-32603,"message":"broken"}"#.to_owned()));
    assert_eq!(came_of(running).await, failed("mcp.model_server_error"));
    for (answer, code) in answers {
        let running = bench.agent_call(&invocation);
        server.call().await.answer(CallAnswer::Result(answer.to_owned()));
        assert_eq!(came_of(running).await, failed(code), "{answer}");
    }
    assert!(bench.no_attempt());
    assert!(!server.is_closing());
}

#[tokio::test]
async fn no_cancellation_and_no_time_limit() {
    for code in ["mcp.call_cancelled", "mcp.call_timeout"] {
        let (mut bench, id, invocation) = searching(URL).await;
        tokio::time::pause();
        let running = bench.agent_call_with(&invocation, json!({"callId": "a"}));
        let mut server = bench.attempt().await.serve("2025-06-18");
        let call = server.call().await;
        if code == "mcp.call_cancelled" {
            bench.ok("agent.cancel", json!({"callId": "a"})).await;
        }
        assert_eq!(came_of(running).await, ended(code));
        call.cancelled().await;
        let next = bench.agent_call(&bench.invocation(&id, "search").await);
        server.call().await.say("done");
        assert_eq!(came_of(next).await, good());
        assert!(bench.no_attempt());
        tokio::time::resume();
    }
}

#[tokio::test]
async fn an_error_of_the_connection_does_and_other_calls_on_it_go_on() {
    // A 404 to the call itself is one: the session is gone.
    for class in [
        FailureClass::NotFound,
        FailureClass::ConnectionReset,
        FailureClass::ServerError,
    ] {
        let mut bench = Bench::new();
        let id = bench.allowed_server(URL, &["search"]).await;
        let (one, other) = (
            bench.invocation(&id, "search").await,
            bench.invocation(&id, "search").await,
        );
        let lost = bench.agent_call(&one);
        let mut server = bench.attempt().await.serve("2025-06-18");
        let losing = server.call().await;
        let slow = bench.agent_call(&other);
        let going_on = server.call().await;
        losing.fail(Failure::new(class, Step::Call));
        assert_eq!(came_of(lost).await, ended("mcp.call_response_failed"), "{class:?}");

        let next = bench.agent_call(&other);
        let mut fresh = bench.attempt().await.serve("2025-06-18");
        fresh.call().await.say("done");
        assert_eq!(came_of(next).await, good());

        assert!(!server.is_closing());
        going_on.say("done");
        assert_eq!(came_of(slow).await, good());
        drop(server.closing().await);
        assert_eq!(server.calls_left().await, 0, "nothing was sent again");
    }
}

#[tokio::test]
async fn one_that_is_known_to_be_closed_is_replaced_before_the_call() {
    let (mut bench, _, invocation) = searching(URL).await;
    let first = bench.agent_call(&invocation);
    let mut server = bench.attempt().await.serve("2025-06-18");
    server.call().await.say("done");
    assert_eq!(came_of(first).await, good());
    server.hang_up();
    let second = bench.agent_call(&invocation);
    let mut fresh = bench.attempt().await.serve("2025-06-18");
    fresh.call().await.say("done");
    assert_eq!(came_of(second).await, good());
    drop(server.closing().await);
    assert_eq!(server.calls_left().await, 0);
}

#[tokio::test]
async fn one_that_closes_between_is_replaced_once_and_no_more() {
    let (mut bench, _, invocation) = searching(URL).await;
    let running = bench.agent_call(&invocation);
    for _ in 0..2 {
        // Each is closed by the time that the call is to go out.
        let server = bench.attempt().await.serve_hanging_up();
        drop(server);
    }
    assert_eq!(came_of(running).await, failed("mcp.call_not_queued"));
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn one_that_takes_no_call_but_is_open_is_not_replaced() {
    let (mut bench, _, invocation) = searching(URL).await;
    let running = bench.agent_call(&invocation);
    let _server = bench.attempt().await.serve_without_calls();
    assert_eq!(came_of(running).await, failed("mcp.call_not_queued"));
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn a_persons_call_and_a_refresh_have_connections_of_their_own() {
    let (mut bench, id, invocation) = searching(URL).await;
    let running = bench.agent_call(&invocation);
    let mut shared = bench.attempt().await.serve("2025-06-18");
    shared.call().await.say("done");
    came_of(running).await;

    let params = json!({"id": id, "nativeName": "search", "argumentsJson": "{}"});
    let test_call = bench.start("tools.testCall", params);
    let mut own = bench.attempt().await.serve("2025-06-18");
    own.call().await.say("done");
    test_call.await.unwrap().unwrap();
    drop(own.closing().await);

    let refresh = bench.start("servers.refresh", json!({"id": id}));
    let server = bench.attempt().await.serve("2025-06-18");
    server.pages.send(Ok(page(&["search"]))).unwrap();
    refresh.await.unwrap().unwrap();
    assert!(!shared.is_closing());
}
