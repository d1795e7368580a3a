//! What is sent of a call, what the model reads of an answer, and what is looked at again before anything is sent.

use serde_json::json;
use toolgate_host::mcp::CallAnswer;

use crate::URL;
use crate::support::models::{came_of, searching, tool_id};

#[tokio::test]
async fn the_arguments_go_out_as_the_model_wrote_them_and_the_answer_is_markdown() {
    let (mut bench, _, invocation) = searching(URL).await;
    let arguments = r#"{"z":9007199254740993,"a":1e400,"z":"again"}"#;
    let running = bench.agent_call_with(&invocation, json!({"argumentsJson": arguments}));
    let mut server = bench.attempt().await.serve("2025-06-18");
    let call = server.call().await;
    assert_eq!(call.call.name, "search");
    assert_eq!(call.call.arguments.as_str(), arguments);
    let answer = r#"{"content":[{"type":"text","text":"two\nlines"},{"type":"image","data":"AA==","mimeType":"image/png"},
        {"type":"resource_link","uri":"file:///a","name":"a"}],"structuredContent":{"n":12345678901234567890},"_meta":{"x":1}}"#;
    call.answer(CallAnswer::Result(answer.to_owned()));
    let result = running.await.unwrap().unwrap();
    assert_eq!(result["kind"], "tool_result");
    assert_eq!(result["isError"], false);
    assert_eq!(result["structuredJson"], r#"{"n":12345678901234567890}"#);
    assert_eq!(result["resourceRefs"], json!(["file:///a"]));
    let content = result["content"].as_str().unwrap();
    assert!(
        content.starts_with("two\nlines\n\n## Details\n\n- `n`: `12345678901234567890`\n\n## Notes\n\n- "),
        "{content}"
    );
    assert!(!content.contains("_meta"));
    assert!(result.get("file").is_none());
}

#[tokio::test]
async fn what_cannot_be_sent_is_a_result_that_tells_the_model() {
    let (mut bench, id, invocation) = searching(URL).await;
    let large = format!("{{\"a\":\"{}\"}}", "x".repeat(256 * 1024));
    for (more, code) in [
        (json!({"argumentsJson": "{"}), "mcp.call_arguments_invalid_json"),
        (json!({"argumentsJson": "[]"}), "mcp.call_arguments_not_object"),
        (json!({"argumentsJson": large}), "mcp.call_arguments_size_limit"),
        (json!({"alias": "search"}), "mcp.agent_tool_not_bound"),
        (json!({"alias": tool_id(&id, "search")}), "mcp.agent_tool_not_bound"),
    ] {
        let result = bench.agent_call_with(&invocation, more).await.unwrap().unwrap();
        assert_eq!(result["kind"], "tool_result");
        assert_eq!(result["errorCode"], code);
        assert_eq!(result["isError"], true);
        let content = result["content"].as_str().unwrap();
        assert!(content.contains("not sent") && content.contains(code), "{content}");
    }
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn the_server_is_looked_at_again_right_before() {
    for (change, code) in [
        ("off", "mcp.call_permission_off"),
        ("paused", "mcp.call_server_paused"),
        ("removed", "mcp.call_registration_not_found"),
    ] {
        let (mut bench, id, invocation) = searching(URL).await;
        match change {
            "off" => {
                let permit = json!({"id": id, "nativeName": "search", "permission": "off"});
                bench.ok("tools.setPermission", permit).await
            }
            "paused" => bench.ok("servers.setState", json!({"id": id, "state": "paused"})).await,
            _ => bench.ok("servers.remove", json!({"id": id})).await,
        };
        assert_eq!(
            came_of(bench.agent_call(&invocation)).await,
            ("result", code.to_owned())
        );
        assert!(bench.no_attempt(), "{change}");
        // It says so to the model, and the run goes on.
        assert_eq!(came_of(bench.agent_call(&invocation)).await.0, "result");
    }
}

#[tokio::test]
async fn an_id_is_good_for_one_call_and_an_early_cancellation_is_remembered() {
    let (mut bench, _, invocation) = searching(URL).await;
    bench.ok("agent.cancel", json!({"callId": "early"})).await;
    let early = bench.agent_call_with(&invocation, json!({"callId": "early"}));
    assert_eq!(
        came_of(early).await,
        ("result", "mcp.call_cancelled_before_send".to_owned())
    );
    assert!(bench.no_attempt());

    let running = bench.agent_call_with(&invocation, json!({"callId": "c"}));
    let mut server = bench.attempt().await.serve("2025-06-18");
    let call = server.call().await;
    let params = json!({"invocationId": invocation, "alias": "x", "argumentsJson": "{}", "callId": "c"});
    assert_eq!(
        bench.code("agent.call", params.clone()).await,
        "mcp.call_already_dispatched"
    );
    call.say("done");
    assert_eq!(came_of(running).await, ("result", String::new()));
    assert_eq!(bench.code("agent.call", params).await, "mcp.call_already_dispatched");
    // A person's calls have ids of their own.
    bench.ok("tools.startTestCall", json!({"callId": "c"})).await;
    for bad in ["", "two words", &"x".repeat(129)] {
        assert_eq!(
            bench.code("agent.cancel", json!({"callId": bad})).await,
            "mcp.bridge_params_invalid"
        );
    }
}
