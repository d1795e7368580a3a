//! What servers answer, and what the caller is told of it.

use serde_json::{Value, json};
use toolgate_host::mcp::{CallAnswer, Failure, FailureClass, Step};

use crate::support::Bench;
use crate::{URL, announce, begin, kind, outcome};

async fn answered(answer: CallAnswer) -> Value {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = begin(&bench, &id, "c").await;
    let mut server = bench.attempt().await.serve("2025-06-18");
    server.call().await.answer(answer);
    let outcome = outcome(running).await;
    assert_eq!(server.calls_left().await, 0);
    outcome
}

#[tokio::test]
async fn a_result_is_told_with_its_numbers_as_they_are_spelled() {
    let result = r#"{"content":[{"type":"text","text":"a"},{"type":"image","data":"","mimeType":"image/png"}],"structuredContent":{"n":9007199254740993,"d":1.50},"isError":true}"#;
    let outcome = answered(CallAnswer::Result(result.to_owned())).await;
    let response = &outcome["response"];
    assert_eq!(outcome["outcome"], "known_response");
    assert_eq!(response["kind"], "tool_result");
    assert_eq!(response["isError"], true);
    assert_eq!(response["textBlocks"], json!([{"index": 0, "text": "a"}]));
    assert_eq!(response["structuredJson"], r#"{"n":9007199254740993,"d":1.50}"#);
    assert_eq!(response["diagnostics"][0]["code"], "mcp.call_content_unsupported");
    assert_eq!(response["diagnostics"][0]["contentIndex"], 1);
}

#[tokio::test]
async fn an_error_is_a_known_answer() {
    let error = r#"{"code":-32602,"message":"no such tool","data":{"n":18446744073709551615}}"#;
    let outcome = answered(CallAnswer::Error(error.to_owned())).await;
    assert_eq!(
        outcome,
        json!({"outcome": "known_response", "response": {
            "kind": "server_error", "code": -32602, "message": "no such tool", "dataJson": r#"{"n":18446744073709551615}"#
        }})
    );
}

#[tokio::test]
async fn what_asks_for_more_is_told_and_not_gone_along_with() {
    for (result, kind) in [
        (
            r#"{"resultType":"input_required","inputRequests":{}}"#,
            "input_required",
        ),
        (r#"{"resultType":"task","taskId":"1"}"#, "task"),
        (r#"{"task":{"taskId":"1"}}"#, "task"),
        (r#"{"resultType":"later"}"#, "other"),
    ] {
        let outcome = answered(CallAnswer::Result(result.to_owned())).await;
        assert_eq!(outcome["response"]["kind"], "unsupported_response");
        assert_eq!(outcome["response"]["responseType"], kind);
    }
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_leaves_it_unknown_and_is_not_asked_for_again() {
    for class in [
        FailureClass::ConnectionRefused,
        FailureClass::ConnectionReset,
        FailureClass::Timeout,
        FailureClass::Unauthorized,
        FailureClass::NotFound,
        FailureClass::ServerError,
        FailureClass::NotMcp,
        FailureClass::ResponseTooLarge,
        FailureClass::MalformedResponse,
        FailureClass::UnsupportedEncoding,
        FailureClass::HeadersInvalid,
        FailureClass::Redirect,
    ] {
        let mut bench = Bench::new();
        let id = bench.active_server(URL).await;
        let running = begin(&bench, &id, "c").await;
        let mut server = bench.attempt().await.serve("2025-06-18");
        server.call().await.fail(Failure::new(class, Step::Call));
        let outcome = outcome(running).await;
        assert_eq!(
            kind(&outcome),
            ("outcome_unknown", "mcp.call_response_failed"),
            "{class:?}"
        );
        assert!(!outcome["message"].as_str().unwrap().contains("Try again"), "{outcome}");
        assert_eq!(server.calls_left().await, 0, "{class:?}");
        assert!(bench.no_attempt(), "{class:?}");
    }
}

#[tokio::test]
async fn every_call_has_a_connection_of_its_own() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    for call_id in ["a", "b"] {
        let running = begin(&bench, &id, call_id).await;
        let mut server = bench.attempt().await.serve("2025-06-18");
        server.call().await.say(call_id);
        let outcome = outcome(running).await;
        assert_eq!(outcome["response"]["textBlocks"][0]["text"], call_id);
        drop(server.closing().await);
    }
}

#[tokio::test]
async fn permissions_neither_block_a_call_nor_change_by_it() {
    for permission in ["off", "ask", "allow"] {
        let mut bench = Bench::new();
        let id = bench.active_server(URL).await;
        bench
            .ok(
                "tools.setPermission",
                json!({"id": id, "nativeName": "search", "permission": permission}),
            )
            .await;
        let before = bench.summary(&id).await;
        let running = begin(&bench, &id, "c").await;
        let mut server = bench.attempt().await.serve("2025-06-18");
        server.call().await.say("done");
        outcome(running).await;
        assert_eq!(bench.summary(&id).await, before, "{permission}");
    }
}

#[tokio::test]
async fn the_arguments_and_the_name_are_passed_on_as_they_are() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    announce(&bench, "c").await;
    let arguments = " {\"z\": 9007199254740993, \"a\": [18446744073709551615, -9223372036854775808, 1e400,\n 0.10000000000000000000000000001], \"z\": null} ";
    let running = bench.start(
        "tools.testCall",
        json!({"callId": "c", "id": id, "nativeName": " odd:name/工具 ", "argumentsJson": arguments}),
    );
    let mut server = bench.attempt().await.serve("2025-06-18");
    let call = server.call().await;
    assert_eq!(call.call.name, " odd:name/工具 ");
    assert_eq!(
        call.call.arguments.as_str(),
        r#"{"z":9007199254740993,"a":[18446744073709551615,-9223372036854775808,1e400,0.10000000000000000000000000001],"z":null}"#
    );
    call.say("done");
    outcome(running).await;
}

#[tokio::test]
async fn an_answered_call_ends_a_failure_to_reach_the_server_and_no_other() {
    for (class, is_over) in [
        (FailureClass::ConnectionRefused, true),
        (FailureClass::Exited, true),
        (FailureClass::ResponseTooLarge, false),
    ] {
        let mut bench = Bench::new();
        let id = bench.active_server(URL).await;
        let refresh = bench.start("servers.refresh", json!({"id": id}));
        bench.attempt().await.fail(Failure::new(class, Step::Connect));
        refresh.await.unwrap().unwrap_err();
        let failure = |list: Value| list["servers"][0]["lastFailure"]["code"].clone();
        assert!(failure(bench.ok("servers.list", json!({})).await).is_string());

        let running = begin(&bench, &id, "c").await;
        let mut server = bench.attempt().await.serve("2025-06-18");
        server.call().await.say("done");
        outcome(running).await;
        assert_eq!(
            failure(bench.ok("servers.list", json!({})).await).is_null(),
            is_over,
            "{class:?}"
        );
    }
}

#[tokio::test]
async fn a_server_that_ended_under_a_call_is_said_to_have() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = begin(&bench, &id, "c").await;
    let mut server = bench.attempt().await.serve("2025-06-18");
    server
        .call()
        .await
        .fail(Failure::new(FailureClass::ConnectionRefused, Step::Call));
    let outcome = outcome(running).await;
    let message = outcome["message"].as_str().unwrap();
    assert!(message.contains("it may have ended"), "{message}");
    assert!(!message.contains("refused"), "{message}");
}
