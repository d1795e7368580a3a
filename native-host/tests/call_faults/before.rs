//! What fails before the call is sent: the server has not seen it.

use std::time::Duration;

use serde_json::json;
use toolgate_host::Budgets;
use toolgate_testkit::HttpServer;

use crate::{Call, World, assert_clean, play, script, word};

#[tokio::test]
async fn nothing_is_sent_where_the_start_fails() {
    let failed = "mcp.call_initialize_failed";
    for (behaviour, expected) in [
        ("closed-port", failed),
        ("reset", failed),
        ("not-http", failed),
        ("html", failed),
        ("gzip", failed),
        ("redirect", failed),
        ("401", failed),
        ("403", failed),
        ("404", failed),
        ("429", failed),
        ("503", failed),
        ("legacy-sse", failed),
        ("old-version", failed),
        ("initialized-500", failed),
        ("no-tools-capability", "mcp.call_tools_capability_missing"),
    ] {
        let (word, server) = play(script(behaviour), "first", "{}", |_| {}).await;
        assert_eq!((word.as_str(), server.calls()), (expected, 0), "{behaviour}");
    }
    let short = |budgets: &mut Budgets| budgets.call_start = Duration::from_millis(100);
    for behaviour in ["silent", "stalled-stream"] {
        let (word, mut server) = play(script(behaviour), "first", "{}", short).await;
        assert_eq!(word, "mcp.call_initialize_timeout", "{behaviour}");
        server.wait_for_abandoned(1).await.expect("the request ended");
        assert_eq!(server.calls(), 0, "{behaviour}");
    }
}

#[tokio::test]
async fn nothing_is_sent_where_tls_fails() {
    let world = World::new();
    let server = HttpServer::start("good").await.expect("a server");
    let id = world.add_at(&server.url().replace("http:", "https:"), json!({})).await;
    let params = json!({"id": id, "nativeName": "first", "argumentsJson": "{}"});
    let outcome = world.request("tools.testCall", params).await.expect("an outcome");
    assert_eq!(word(&outcome), "mcp.call_initialize_failed");
    assert_eq!(server.calls(), 0);
}

#[tokio::test]
async fn nothing_is_sent_where_what_headers_need_cannot_be_read() {
    let failed = "mcp.call_metadata_failed";
    for (behaviour, tool, expected) in [
        ("list-refused", "first", failed),
        ("202-list", "first", failed),
        ("malformed-json", "first", failed),
        ("foreign-id", "first", failed),
        ("reset-body", "first", failed),
        ("short-body", "first", failed),
        ("5-mib-body", "first", failed),
        ("stream-without-answer", "first", failed),
        ("600-tools", "first", failed),
        ("duplicates", "twice", failed),
        ("cursor-loop", "absent", failed),
        ("two-pages", "absent", "mcp.call_tool_unavailable"),
    ] {
        let (word, server) = play(script(behaviour).in_2026(), tool, "{}", |_| {}).await;
        assert_eq!((word.as_str(), server.calls()), (expected, 0), "{behaviour}");
        // The older revisions read no list, so the same servers are called.
        let (word, server) = play(script(behaviour), tool, "{}", |_| {}).await;
        assert_eq!((word.as_str(), server.calls()), ("tool_result", 1), "{behaviour}");
    }
    let short = |budgets: &mut Budgets| budgets.call_start = Duration::from_secs(1);
    let (word, mut server) = play(script("silent-list").in_2026(), "first", "{}", short).await;
    assert_eq!(word, "mcp.call_metadata_timeout");
    server.wait_for_abandoned(1).await.expect("the request ended");
    assert_eq!(server.calls(), 0);
}

#[tokio::test]
async fn a_header_that_cannot_be_sent_ends_before_anything_is() {
    let world = World::new();
    let server = HttpServer::start("good").await.expect("a server");
    for headers in [json!({"Content-Length": "1"}), json!({"X-Key": "secret\r\n"})] {
        let id = world.add(&server, headers).await;
        let params = json!({"id": id, "nativeName": "first", "argumentsJson": "{}"});
        let outcome = world.request("tools.testCall", params).await.expect("an outcome");
        assert_eq!(word(&outcome), "mcp.call_headers_invalid");
        assert_clean(&outcome);
    }
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn a_call_cancelled_before_it_is_sent_is_never_received() {
    for (script, last) in [
        (script("silent"), "POST server/discover"),
        (script("silent-list").in_2026(), "POST tools/list"),
    ] {
        let world = World::new();
        let mut server = HttpServer::play(script).await.expect("a server");
        let id = world.add(&server, json!({})).await;
        let call = Call {
            id: &id,
            tool: "first",
            arguments: "{}",
        };
        let running = world.begin(&call).await;
        server.wait_for(|request| request.what() == last).await.expect(last);
        world.cancel().await;
        let outcome = running.await.expect("a task").expect("an outcome");
        assert_eq!(word(&outcome), "mcp.call_cancelled_before_send");
        server.wait_for_abandoned(1).await.expect("the request ended");
        world.host.shutdown().await;
        assert_eq!(server.calls(), 0);
    }
}
