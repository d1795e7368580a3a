//! What goes wrong once the call is sent: it is known or unknown, and was received once.

use serde_json::json;
use toolgate_testkit::Ending;

use crate::{World, both_eras, is_call, play, script};

const UNKNOWN: &str = "unknown mcp.call_response_failed";

#[tokio::test]
async fn once_it_is_sent_the_call_is_known_or_unknown_and_was_received_once() {
    for (behaviour, expected) in [
        ("good", "tool_result"),
        ("good-sse", "tool_result"),
        ("good-stateless", "tool_result"),
        ("crlf-stream", "tool_result"),
        ("chatty-stream", "tool_result"),
        ("call-error", "server_error"),
        ("call-400-error", "server_error"),
        ("call-500-error", "server_error"),
        ("call-null-error", "server_error"),
        ("call-null-error-500", UNKNOWN),
        ("call-input-required", "input_required"),
        ("call-task", "task"),
        ("call-401", UNKNOWN),
        ("call-401-error", UNKNOWN),
        ("call-404", UNKNOWN),
        ("call-429", UNKNOWN),
        ("call-500", UNKNOWN),
        ("call-redirect", UNKNOWN),
        ("call-202", UNKNOWN),
        ("call-html", UNKNOWN),
        ("call-gzip", UNKNOWN),
        ("call-malformed", UNKNOWN),
        ("call-foreign-id", UNKNOWN),
        ("call-foreign-error", UNKNOWN),
        ("call-5-mib", UNKNOWN),
        ("call-5-mib-stream", UNKNOWN),
        ("call-reset", UNKNOWN),
        ("call-close", UNKNOWN),
        ("call-not-http", UNKNOWN),
        ("call-many-headers", UNKNOWN),
        ("call-half-head", UNKNOWN),
        ("call-half-body", UNKNOWN),
        ("call-short-body", UNKNOWN),
        ("call-stream-ends", UNKNOWN),
        ("call-stream-reset", UNKNOWN),
        ("call-stream-noise", UNKNOWN),
    ] {
        for (era, script) in both_eras(behaviour) {
            let (word, server) = play(script, "first", r#"{"a":1}"#, |_| {}).await;
            assert_eq!((word.as_str(), server.calls()), (expected, 1), "{behaviour}, {era}");
        }
    }
}

#[tokio::test]
async fn a_404_with_an_error_is_a_lost_session_in_one_revision_and_an_answer_in_the_other() {
    let (word, server) = play(script("call-404-error"), "first", "{}", |_| {}).await;
    assert_eq!((word.as_str(), server.calls()), (UNKNOWN, 1));
    let starts = server.asked().iter().filter(|what| *what == "POST initialize").count();
    assert_eq!(starts, 1, "no session is begun to send the call again");
    let (word, server) = play(script("call-404-error").in_2026(), "first", "{}", |_| {}).await;
    assert_eq!((word.as_str(), server.calls()), ("server_error", 1));
}

/// Arguments that do not go out in one piece.
fn large() -> String {
    format!(r#"{{"a":"{}"}}"#, "x".repeat(200 * 1024))
}

#[tokio::test]
async fn a_request_that_is_cut_off_while_it_is_sent_is_not_sent_again() {
    for ending in [Ending::Reset, Ending::Close, Ending::ShutDown] {
        for (era, mut script) in both_eras("call-cut") {
            script.cut = ending;
            let (word, server) = play(script, "first", &large(), |_| {}).await;
            assert_eq!((word.as_str(), server.calls()), (UNKNOWN, 1), "{ending:?}, {era}");
        }
    }
}

#[tokio::test]
async fn a_stream_that_is_resumed_answers_the_call_without_a_second_one() {
    let (word, server) = play(script("call-resumed"), "first", "{}", |_| {}).await;
    assert_eq!((word.as_str(), server.calls()), ("tool_result", 1));
    assert!(server.asked().contains(&"GET".to_owned()));
    // Revision 2026-07-28 knows no such thing.
    let mut modern = script("call-resumed").in_2026();
    modern.pages = script("good").pages;
    let (word, server) = play(modern, "first", "{}", |_| {}).await;
    assert!(word.starts_with("mcp.call_metadata_failed"), "{word}");
    assert_eq!(server.calls(), 0);
}

#[tokio::test]
async fn a_server_that_ends_under_way_leaves_the_call_unknown() {
    for behaviour in ["call-silent", "call-quiet-stream", "call-stalled-body"] {
        for (era, script) in both_eras(behaviour) {
            let mut world = World::new(script).await;
            let running = world.begin_until("first", is_call).await;
            let calls = world.server.end().await;
            assert_eq!(
                (running.word().await.as_str(), calls),
                (UNKNOWN, 1),
                "{behaviour}, {era}"
            );
            world.end().await;
        }
    }
}

#[tokio::test]
async fn the_same_request_again_reaches_no_server() {
    let mut world = World::new(script("call-silent")).await;
    let running = world.begin_until("first", is_call).await;
    let again = json!({"callId": "c", "id": world.id, "nativeName": "first", "argumentsJson": "{}"});
    for _ in 0..3 {
        let refused = world
            .request("tools.testCall", again.clone())
            .await
            .expect_err("refused");
        assert_eq!(refused["code"], "mcp.call_already_dispatched");
    }
    world.cancel().await;
    running.outcome().await;
    world.request("tools.testCall", again).await.expect_err("refused");
    assert_eq!(world.end().await.calls(), 1);
}
