//! What a call of 2026-07-28 over HTTP reads from the server's list first (SEP-2243), and that others do not.

use serde_json::json;
use toolgate_core::server::ServerConfig;
use toolgate_host::mcp::{Failure, FailureClass, Step};
use toolgate_host::store::MemoryFiles;

use crate::support::{Bench, ID, page, registration_file};
use crate::{KNOWN, URL, announce, begin, kind, outcome};

fn annotated() -> String {
    let schema = json!({"type": "object", "properties": {
        "n": {"type": "integer", "x-mcp-header": "Count"},
        "where": {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
    }});
    json!({"tools": [{"name": "search", "inputSchema": schema}]}).to_string()
}

#[tokio::test]
async fn the_list_is_read_until_the_tool_is_found_and_the_arguments_named_there_go_out_as_headers() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    announce(&bench, "c").await;
    let arguments = r#"{"where":{"region":"eu"},"n":9007199254740993}"#;
    let running = bench.start(
        "tools.testCall",
        json!({"callId": "c", "id": id, "nativeName": "search", "argumentsJson": arguments}),
    );
    let mut server = bench.attempt().await.serve("2026-07-28");
    let first = json!({"tools": [{"name": "other", "inputSchema": {"type": "object"}}], "nextCursor": "2"});
    server.pages.send(Ok(first.to_string())).unwrap();
    let second = annotated().replace("\"tools\":", "\"nextCursor\":\"3\",\"tools\":");
    // The third is never asked for.
    server.pages.send(Ok(second)).unwrap();
    let call = server.call().await;
    assert_eq!(call.call.arguments.as_str(), arguments);
    let mirrored = [("Count", "9007199254740993"), ("Region", "eu")];
    assert_eq!(
        call.call.mirrored,
        mirrored.map(|(name, text)| (name.to_owned(), text.to_owned()))
    );
    call.say("done");
    assert_eq!(kind(&outcome(running).await), KNOWN);
    // Nothing of it became the server's catalog.
    assert!(bench.summary(&id).await.get("toolCount").is_none());
}

#[tokio::test]
async fn an_older_server_is_not_asked_for_its_list() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = begin(&bench, &id, "c").await;
    let mut server = bench.attempt().await.serve("2025-11-25");
    let call = server.call().await;
    assert!(call.call.mirrored.is_empty());
    call.say("done");
    assert_eq!(kind(&outcome(running).await), KNOWN);
}

#[tokio::test]
async fn a_child_process_is_not_asked_either() {
    let files = MemoryFiles::new();
    let record = json!({
        "schemaVersion": 1, "kind": "toolgate.stdioServerRegistration", "id": ID, "displayName": "Local",
        "command": "local", "args": [], "env": {}, "protocolVersion": "auto", "state": "active"
    });
    files.put(registration_file(ID), record.to_string());
    let mut bench = Bench::on(files);
    let running = begin(&bench, ID, "c").await;
    let attempt = bench.attempt().await;
    assert!(matches!(attempt.config, ServerConfig::Stdio(_)));
    let mut server = attempt.serve("2026-07-28");
    server.call().await.say("done");
    assert_eq!(kind(&outcome(running).await), KNOWN);
}

#[tokio::test]
async fn where_it_cannot_be_read_nothing_is_sent() {
    let invalid = annotated().replace("\"integer\"", "\"number\"");
    let failure = |class| Err(Failure::new(class, Step::ListTools));
    for (pages, code) in [
        (vec![Ok(page(&["other"]))], "mcp.call_tool_unavailable"),
        (vec![Ok("{}".to_owned())], "mcp.call_metadata_failed"),
        (vec![Ok(invalid)], "mcp.call_metadata_failed"),
        (vec![Ok(page(&["search", "search"]))], "mcp.call_metadata_failed"),
        (
            vec![
                Ok(r#"{"tools":[],"nextCursor":"a"}"#.to_owned()),
                Ok(r#"{"tools":[],"nextCursor":"a"}"#.to_owned()),
            ],
            "mcp.call_metadata_failed",
        ),
        (vec![failure(FailureClass::ServerError)], "mcp.call_metadata_failed"),
        (vec![failure(FailureClass::Timeout)], "mcp.call_metadata_timeout"),
        (
            vec![failure(FailureClass::ToolsCapabilityMissing)],
            "mcp.call_tools_capability_missing",
        ),
    ] {
        let mut bench = Bench::new();
        let id = bench.active_server(URL).await;
        let running = begin(&bench, &id, "c").await;
        let server = bench.attempt().await.serve("2026-07-28");
        for page in pages {
            server.pages.send(page).unwrap();
        }
        assert_eq!(kind(&outcome(running).await), ("not_sent", code));
        assert_eq!(server.calls_left().await, 0, "{code}");
        assert!(bench.no_attempt());
    }
}
