//! What is not sent, and why: found before anything connects, or when the connection does not come about.

use serde_json::{Value, json};
use toolgate_core::server::TransportKind;
use toolgate_host::mcp::{Failure, FailureClass, Step};
use toolgate_host::store::MemoryFiles;

use crate::support::{Bench, ID, registration_file};
use crate::{URL, announce, begin, kind, outcome, params};

#[tokio::test]
async fn what_the_call_is_asked_with_is_looked_at_first() {
    let mut bench = Bench::new();
    let active = bench.active_server(URL).await;
    let created = bench
        .ok(
            "servers.create",
            json!({"displayName": "Paused", "config": {"type": "http", "url": URL}}),
        )
        .await;
    let paused = created["id"].as_str().unwrap();
    bench.files.put(registration_file(ID), "{torn");
    let unknown = "11111111-1111-4111-8111-111111111111";
    let upper = active.to_uppercase();
    let long = "x".repeat(257);
    let just_too_large = format!("{{\"a\":\"{}\"}}", "x".repeat(256 * 1024 - 7));
    let cases = [
        ("no-id", "search", "{}", "mcp.call_registration_invalid"),
        (&upper, "search", "{}", "mcp.call_registration_invalid"),
        (&active, "", "{}", "mcp.call_tool_name_invalid"),
        (&active, &long, "{}", "mcp.call_tool_name_invalid"),
        (&active, "search", &just_too_large, "mcp.call_arguments_size_limit"),
        (&active, "search", "{\"a\":}", "mcp.call_arguments_invalid_json"),
        (&active, "search", "", "mcp.call_arguments_invalid_json"),
        (&active, "search", "[]", "mcp.call_arguments_not_object"),
        (&active, "search", "null", "mcp.call_arguments_not_object"),
        (unknown, "search", "{}", "mcp.call_registration_not_found"),
        (ID, "search", "{}", "mcp.call_registration_unavailable"),
        (paused, "search", "{}", "mcp.call_server_paused"),
    ];
    for (number, (id, name, arguments, code)) in cases.into_iter().enumerate() {
        let call_id = format!("c{number}");
        announce(&bench, &call_id).await;
        let params = json!({"callId": call_id, "id": id, "nativeName": name, "argumentsJson": arguments});
        let outcome = bench.ok("tools.testCall", params.clone()).await;
        assert_eq!(kind(&outcome), ("not_sent", code));
        // Also an id of a call that was not sent is used up.
        assert_eq!(
            bench.code("tools.testCall", params).await,
            "mcp.call_already_dispatched",
            "{code}"
        );
    }
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn the_largest_arguments_are_sent() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    announce(&bench, "c").await;
    let arguments = format!("{{\"a\":\"{}\"}}", "x".repeat(256 * 1024 - 8));
    assert_eq!(arguments.len(), 256 * 1024);
    let running = bench.start(
        "tools.testCall",
        json!({"callId": "c", "id": id, "nativeName": "search", "argumentsJson": arguments}),
    );
    let mut server = bench.attempt().await.serve("2025-06-18");
    let call = server.call().await;
    assert_eq!(call.call.arguments.as_str(), arguments);
    call.say("done");
    outcome(running).await;
}

#[tokio::test]
async fn a_connection_that_does_not_come_about_means_not_sent() {
    for (class, code) in [
        (FailureClass::HeadersInvalid, "mcp.call_headers_invalid"),
        (FailureClass::Timeout, "mcp.call_initialize_timeout"),
        (
            FailureClass::ToolsCapabilityMissing,
            "mcp.call_tools_capability_missing",
        ),
        (FailureClass::Dns, "mcp.call_initialize_failed"),
        (FailureClass::ConnectionRefused, "mcp.call_initialize_failed"),
        (FailureClass::ConnectionReset, "mcp.call_initialize_failed"),
        (FailureClass::TlsCertificate, "mcp.call_initialize_failed"),
        (FailureClass::Unauthorized, "mcp.call_initialize_failed"),
        (FailureClass::ServerError, "mcp.call_initialize_failed"),
        (FailureClass::Redirect, "mcp.call_initialize_failed"),
        (FailureClass::ProtocolVersion, "mcp.call_initialize_failed"),
        (FailureClass::MalformedResponse, "mcp.call_initialize_failed"),
        (FailureClass::TransportUnsupported, "mcp.call_initialize_failed"),
    ] {
        let mut bench = Bench::new();
        let id = bench.active_server(URL).await;
        let running = begin(&bench, &id, "c").await;
        bench.attempt().await.fail(Failure::new(class, Step::Start));
        assert_eq!(kind(&outcome(running).await), ("not_sent", code), "{class:?}");
        assert!(bench.no_attempt(), "nothing is tried twice");
        // A failed call says nothing about the server's catalog.
        assert!(bench.summary(&id).await.get("lastFailure").is_none());
    }
}

#[tokio::test]
async fn a_server_without_tools_is_not_called() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = begin(&bench, &id, "c").await;
    let server = bench.attempt().await.serve_without_tools();
    let outcome = outcome(running).await;
    assert_eq!(kind(&outcome), ("not_sent", "mcp.call_tools_capability_missing"));
    assert_eq!(server.calls_left().await, 0);
}

#[tokio::test]
async fn a_connection_that_takes_no_call_means_not_sent() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = begin(&bench, &id, "c").await;
    let mut server = bench.attempt().await.serve_without_calls();
    assert_eq!(kind(&outcome(running).await), ("not_sent", "mcp.call_not_queued"));
    drop(server.closing().await);
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn a_server_this_host_cannot_reach_is_not_called() {
    let mut bench = Bench::with(MemoryFiles::new(), |options| {
        options.transports = vec![TransportKind::Http];
    });
    let record = json!({
        "schemaVersion": 1, "kind": "toolgate.stdioServerRegistration", "id": ID, "displayName": "Local",
        "command": "local", "args": [], "env": {}, "protocolVersion": "auto", "state": "active"
    });
    bench.files.put(registration_file(ID), record.to_string());
    announce(&bench, "c").await;
    let outcome = bench.ok("tools.testCall", params(ID, "c")).await;
    assert_eq!(kind(&outcome), ("not_sent", "mcp.call_initialize_failed"));
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn the_parameters_must_fit() {
    let bench = Bench::new();
    for (params, path) in [
        (json!({"id": ID, "nativeName": "a"}), "argumentsJson"),
        (
            json!({"id": ID, "nativeName": "a", "argumentsJson": {}}),
            "argumentsJson",
        ),
        (json!({"id": ID, "nativeName": "a", "argumentsJson": "{}", "x": 1}), "x"),
    ] {
        let error: Value = bench.call("tools.testCall", params).await.unwrap_err();
        assert_eq!(error["data"]["code"], "mcp.bridge_params_invalid");
        assert_eq!(error["data"]["path"], path);
    }
}
