//! What is written to the wire: the arguments as they are spelled, in the body and in headers.

use serde_json::json;

use crate::{World, is_call, script, word};

#[tokio::test]
async fn arguments_reach_the_server_byte_for_byte_and_results_come_back_so() {
    let arguments = concat!(
        r#"{"z":9007199254740993,"a":[18446744073709551615,-9223372036854775808,9223372036854775807],"#,
        r#""long":0.1000000000000000055511151231257827,"big":1e400,"minus":-0,"spelled":1.50E+01,"#,
        r#""text":"\u00e9\/\ud83d\ude00","b":{"y":1,"x":2},"":null}"#
    );
    for script in [
        script("good"),
        script("good-sse"),
        script("good-2026"),
        script("good-2026-sse"),
    ] {
        let world = World::new(script).await;
        let outcome = world.begin("first", arguments).await.outcome().await;
        let received = world.end().await.received();
        let sent = received.iter().find(|request| is_call(request)).expect("a call");
        assert_eq!(sent.arguments(), arguments);
        assert_eq!(sent.json()["params"]["name"], "first");
        assert_eq!(outcome["response"]["structuredJson"], arguments);
        assert_eq!(outcome["response"]["textBlocks"][0]["text"], arguments);
    }
}

#[tokio::test]
async fn arguments_that_the_server_wants_in_headers_go_out_in_them() {
    let headers = json!({"Mcp-Param-Text": "mine"});
    let world = World::with(script("mirroring"), |setup| setup.headers = headers).await;
    let arguments = r#"{"n":9007199254740993,"text":"Hello, 世界","flag":false,"in":{"region":" eu "},"other":"x"}"#;
    let outcome = world.begin("mirrored", arguments).await.outcome().await;
    let server = world.end().await;
    assert_eq!(word(&outcome), "tool_result");
    assert_eq!(
        server.asked(),
        [
            "POST server/discover",
            "POST tools/list",
            "POST tools/list",
            "POST tools/call"
        ],
        "the list is read until the tool is found"
    );
    for request in server.received() {
        let is_call = is_call(&request);
        let expect = |name: &str, value: &'static str| {
            let expected: &[&str] = if is_call { &[value] } else { &[] };
            assert_eq!(request.header(name), expected, "{name} of {}", request.what());
        };
        expect("mcp-param-count", "9007199254740993");
        expect("mcp-param-flag", "false");
        expect("mcp-param-region", "=?base64?IGV1IA==?=");
        expect("mcp-name", "mirrored");
        let text = if is_call {
            "=?base64?SGVsbG8sIOS4lueVjA==?="
        } else {
            "mine"
        };
        assert_eq!(request.header("mcp-param-text"), [text], "{}", request.what());
    }
}
