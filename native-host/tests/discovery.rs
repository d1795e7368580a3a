//! Discovery through the bridge, over a real socket, against each odd server of the test kit: the right value or the
//! right code.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A test may fail loudly.

use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;
use toolgate_host::mcp::{NetLimits, ProxySettings, RmcpConnector};
use toolgate_host::{Bridge, Host, HostOptions};
use toolgate_testkit::HttpServer;

/// A host on a folder of its own, and the servers of one test.
struct World {
    host: Host,
    _folder: TempDir,
}

impl World {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let connector = RmcpConnector::new(NetLimits::default(), &ProxySettings::none()).expect("a connector");
        let host = Host::open(HostOptions::new(folder.path()), Arc::new(connector)).expect("a host");
        Self { host, _folder: folder }
    }

    /// Calls a method; the error is its `data`.
    async fn call(&self, method: &str, params: Value) -> Result<Value, Value> {
        call(&self.host.bridge(), method, params).await
    }

    /// Registers the server of a behaviour and activates it.
    async fn add(&self, behaviour: &str) -> (HttpServer, String) {
        let server = HttpServer::start(behaviour).await.expect("a server");
        let config =
            json!({"type": "http", "url": server.url(), "headers": {"X-Key": "secret"}, "protocolVersion": "auto"});
        let created = self
            .call("servers.create", json!({"displayName": behaviour, "config": config}))
            .await
            .expect("created");
        let id = created["id"].as_str().expect("an id").to_owned();
        self.call("servers.setState", json!({"id": id, "state": "active"}))
            .await
            .expect("activated");
        (server, id)
    }

    async fn discover(&self, behaviour: &str) -> Result<Value, Value> {
        let (_server, id) = self.add(behaviour).await;
        self.call("servers.discover", json!({ "id": id })).await
    }
}

async fn call(bridge: &Bridge, method: &str, params: Value) -> Result<Value, Value> {
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let answer: Value = serde_json::from_str(&bridge.handle(request.to_string()).await).expect("JSON");
    match answer.get("error") {
        Some(error) => Err(error["data"].clone()),
        None => Ok(answer["result"].clone()),
    }
}

fn names(result: &Value) -> Vec<&str> {
    let tools = result["tools"].as_array().expect("tools");
    tools
        .iter()
        .map(|tool| tool["nativeName"].as_str().expect("a name"))
        .collect()
}

fn diagnostics(result: &Value) -> Vec<(&str, Option<&str>)> {
    let diagnostics = result["diagnostics"].as_array().expect("diagnostics");
    diagnostics
        .iter()
        .map(|diagnostic| {
            (
                diagnostic["code"].as_str().expect("a code"),
                diagnostic["nativeName"].as_str(),
            )
        })
        .collect()
}

/// Tools by name, then diagnostics by code and tool.
type Found = (
    &'static str,
    &'static [&'static str],
    &'static [(&'static str, Option<&'static str>)],
);

#[tokio::test]
async fn what_can_be_used_is_offered_and_the_rest_is_named() {
    let world = World::new();
    let both: &[&str] = &["first", "second"];
    let cases: &[Found] = &[
        ("good", both, &[]),
        ("good-2026-sse", both, &[]),
        ("two-pages", both, &[]),
        ("one-bad-tool", both, &[("mcp.tool_input_schema_invalid", Some("bad"))]),
        (
            "duplicates",
            &["once"],
            &[
                ("mcp.tool_duplicate_name", Some("twice")),
                ("mcp.tool_duplicate_name", Some("twice")),
            ],
        ),
        ("cursor-null", &["first"], &[]),
        ("300-kib-tool", &["first"], &[("mcp.tool_size_limit", Some("big"))]),
        (
            "bad-output-schema",
            both,
            &[("mcp.tool_output_schema_invalid", Some("first"))],
        ),
        ("draft-07", &["first"], &[]),
        ("crlf-stream", both, &[]),
        ("cr-stream", both, &[]),
        ("resumed-stream", both, &[]),
        ("odd-spellings", &["first"], &[]),
    ];
    for (behaviour, tools, said) in cases {
        let result = world
            .discover(behaviour)
            .await
            .unwrap_or_else(|error| panic!("{behaviour}: {error}"));
        assert_eq!(names(&result), *tools, "{behaviour}");
        assert_eq!(diagnostics(&result), *said, "{behaviour}");
        assert_eq!(result["serverName"], "kit", "{behaviour}");
    }
}

#[tokio::test]
async fn what_fails_as_a_whole_has_its_code_and_leaves_no_catalog() {
    let world = World::new();
    for (behaviour, code) in [
        ("cursor-loop", "mcp.discovery_cursor_cycle"),
        ("600-tools", "mcp.discovery_tool_limit"),
        ("5-mib-body", "mcp.connection_response_too_large"),
        ("redirect", "mcp.connection_redirect"),
        ("html", "mcp.connection_not_mcp"),
        ("401", "mcp.connection_unauthorized"),
        ("404", "mcp.connection_not_found"),
        ("closed-port", "mcp.connection_connection_refused"),
        ("gzip", "mcp.connection_unsupported_encoding"),
        ("old-version", "mcp.connection_protocol_version"),
        ("legacy-sse", "mcp.connection_legacy_sse"),
        ("stream-without-answer", "mcp.connection_malformed_response"),
        ("list-refused", "mcp.connection_request_refused"),
        ("no-tools-capability", "mcp.connection_tools_capability_missing"),
    ] {
        let (_server, id) = world.add(behaviour).await;
        let error = world
            .call("servers.discover", json!({ "id": id }))
            .await
            .expect_err(behaviour);
        assert_eq!(error["code"], code, "{behaviour}");
        let list = world.call("servers.list", json!({})).await.expect("a list");
        let servers = list["servers"].as_array().expect("servers");
        let server = servers.iter().find(|server| server["id"] == *id).expect("the server");
        assert_eq!(server["lastFailure"]["code"], code, "{behaviour}");
        assert!(server.get("toolCount").is_none(), "{behaviour}");
        let shown = format!("{error}{list}");
        assert!(
            !shown.contains("secret") && !shown.contains("remote text"),
            "{behaviour}: {shown}"
        );
    }
}

#[tokio::test]
async fn schemas_come_as_the_server_wrote_them() {
    let world = World::new();
    let result = world.discover("odd-spellings").await.expect("discovered");
    let tool = &result["tools"][0];
    let schema = r#"{"type":"object","properties":{"b":{"const":123456789012345678901234567890},"a":{"const":1.50}}}"#;
    assert_eq!(tool["inputSchemaJson"], schema);
    assert_eq!(tool["description"], "é/");
    let result = world.discover("bad-output-schema").await.expect("discovered");
    assert!(result["tools"][0].get("outputSchemaJson").is_none());
    assert_eq!(result["tools"][1]["nativeName"], "second");
}

#[tokio::test]
async fn a_found_catalog_is_read_again_without_the_server() {
    let world = World::new();
    let (server, id) = world.add("good").await;
    let found = world
        .call("servers.discover", json!({ "id": id }))
        .await
        .expect("discovered");
    let asked = server.asked().len();
    drop(server);
    let again = world
        .call("servers.discover", json!({ "id": id }))
        .await
        .expect("from memory");
    assert_eq!(found, again);
    assert!(asked > 0);
    let error = world
        .call("servers.refresh", json!({ "id": id }))
        .await
        .expect_err("the server is gone");
    assert_eq!(error["code"], "mcp.connection_connection_refused");
}

#[tokio::test]
async fn a_paused_server_is_not_asked() {
    let world = World::new();
    let (server, id) = world.add("good").await;
    world
        .call("servers.setState", json!({"id": id, "state": "paused"}))
        .await
        .expect("paused");
    let error = world
        .call("servers.discover", json!({ "id": id }))
        .await
        .expect_err("paused");
    assert_eq!(error["code"], "mcp.server_paused");
    assert!(server.received().is_empty());
}
