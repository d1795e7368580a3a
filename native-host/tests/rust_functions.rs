//! The host's methods as functions of Rust (`docs/rust.md`): they do what the bridge's methods of the same name do, on the
//! same files, with errors of the same codes.
#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

mod support;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use support::Bench;
use toolgate_host::bridge::messages::{
    AgentCallParams, AgentCallResult, AgentProfile, AgentProfileTools, AgentReadResultParams,
};
use toolgate_host::toolgate_core::identity::RegistrationId;
use toolgate_host::toolgate_core::projection::DiscoveryResult;
use toolgate_host::toolgate_core::server::{DescriptionOverride, Permission, ServerConfig, ServerState};
use toolgate_host::toolgate_core::{Code, Refusal};

const URL: &str = "https://example.com/mcp?team=blue";

fn config(url: &str) -> ServerConfig {
    serde_json::from_value(json!({"type": "http", "url": url})).unwrap()
}

fn code<T: std::fmt::Debug>(refused: Result<T, Refusal>) -> Code {
    let refusal = refused.unwrap_err();
    refusal.into_iter().next().unwrap().code
}

/// Lets the server that is connected to offer tools, meanwhile.
async fn read(
    bench: &mut Bench,
    reading: impl Future<Output = Result<DiscoveryResult, Refusal>> + Send + 'static,
    tools: &[&str],
) -> Vec<String> {
    let reading = tokio::spawn(reading);
    bench.attempt().await.offer(tools);
    let found = reading.await.unwrap().unwrap();
    found.tools.into_iter().map(|tool| tool.native_name).collect()
}

#[tokio::test]
async fn a_server_is_registered_edited_decided_about_and_removed() {
    let mut bench = Bench::new();
    let servers = bench.host.servers();
    let created = servers.create(" Docs ", config(URL)).await.unwrap();
    let id = created.id;
    assert_eq!(
        (created.display_name.as_str(), created.state),
        ("Docs", ServerState::Paused)
    );
    assert_eq!(code(servers.discover(id).await), Code::ServerPaused);
    assert_eq!(code(servers.create("", config(URL)).await), Code::DisplayNameEmpty);

    // The list and the configuration cover what is secret, unless they are asked not to.
    let listed = servers.list(false).await.unwrap().servers.remove(0);
    assert_eq!((listed.target.as_str(), listed.config), ("https://example.com", None));
    let revealed = servers.list(true).await.unwrap().servers.remove(0);
    assert_eq!(revealed.config, Some(config(URL)));
    let masked = servers.read_config(id, false).await.unwrap();
    assert_eq!(masked.config, config("{{DSH_MCP_SAVED:url}}"));
    assert_eq!(servers.read_config(id, true).await.unwrap().config, config(URL));

    // Saved as it was read, it is what it was; a second save on the same revision is a conflict.
    let saved = servers
        .save_config(id, "Papers", masked.config.clone(), masked.revision.clone())
        .await
        .unwrap();
    assert_eq!(saved.display_name, "Papers");
    assert_eq!(servers.read_config(id, true).await.unwrap().config, config(URL));
    let again = servers.save_config(id, "Other", masked.config, masked.revision).await;
    assert_eq!(code(again), Code::ConfigConflict);

    let active = servers.set_state(id, ServerState::Active).await.unwrap();
    assert_eq!(active.state, ServerState::Active);
    let reading = servers.clone();
    let tools = read(
        &mut bench,
        async move { reading.discover(id).await },
        &["search", "fetch"],
    )
    .await;
    assert_eq!(tools, ["search", "fetch"]);
    // From memory: nothing connects.
    assert_eq!(servers.discover(id).await.unwrap().tools.len(), 2);
    assert!(bench.no_attempt());
    let reading = servers.clone();
    let tools = read(&mut bench, async move { reading.refresh(id).await }, &["search"]).await;
    assert_eq!(tools, ["search"]);

    let decided = servers.set_permission(id, "search", Permission::Allow).await.unwrap();
    assert!(decided.notes.is_none());
    let changes = BTreeMap::from([
        ("search".to_owned(), Permission::Ask),
        ("fetch".to_owned(), Permission::Allow),
    ]);
    let decided = servers.set_permissions(id, changes.clone()).await.unwrap();
    assert_eq!(decided.server.tool_permissions, changes);
    // What is not there any more is decided about, with a note.
    assert_eq!(decided.notes.unwrap()[0].code, Code::ToolNotInCatalog);
    let described: DescriptionOverride = serde_json::from_value(json!({"description": "Looks."})).unwrap();
    let decided = servers
        .set_description_override(id, "search", Some(described.clone()))
        .await
        .unwrap();
    assert_eq!(
        decided.server.tool_description_overrides,
        BTreeMap::from([("search".to_owned(), described)])
    );
    let decided = servers.set_description_override(id, "search", None).await.unwrap();
    assert!(decided.server.tool_description_overrides.is_empty());
    let empty = servers
        .set_description_override(id, "search", Some(DescriptionOverride::default()))
        .await;
    assert_eq!(code(empty), Code::DescriptionOverrideEmpty);

    // The bridge sees the same.
    let seen = bench.summary(&id.to_string()).await;
    assert_eq!(seen["toolPermissions"], json!({"search": "ask", "fetch": "allow"}));
    servers.remove(id).await.unwrap();
    assert_eq!(bench.ok("servers.list", json!({})).await["servers"], json!([]));
    assert_eq!(code(servers.remove(id).await), Code::RegistrationNotFound);
    bench.host.shutdown().await;
    assert_eq!(code(servers.list(false).await), Code::HostStopping);
}

fn profile(id: &str, limit: usize) -> AgentProfile {
    AgentProfile {
        tools: AgentProfileTools {
            allow: vec![format!("mcp/{id}:search")],
            mcp_result_inline_char_limit: Some(limit),
            ..AgentProfileTools::default()
        },
    }
}

#[tokio::test]
async fn an_agent_prepares_calls_reads_on_cancels_and_ends() {
    let mut bench = Bench::new();
    let id = bench.allowed_server(URL, &["search"]).await;
    let agents = bench.host.agents();
    assert_eq!(
        code(agents.prepare(profile(&id, 0), ["own"]).await),
        Code::InlineCharLimitInvalid
    );
    let prepared = agents.prepare(profile(&id, 10), ["own"]).await.unwrap();
    let [tool] = prepared.bindings.as_slice() else {
        panic!("{prepared:?}")
    };
    let call = |call_id: &str| AgentCallParams {
        invocation_id: prepared.invocation_id.clone(),
        call_id: Some(call_id.to_owned()),
        alias: tool.alias.clone(),
        arguments_json: "{}".to_owned(),
    };

    // One that is cancelled before it begins is not sent.
    agents.cancel("early").await.unwrap();
    let AgentCallResult::ToolResult(early) = agents.call(call("early")).await.unwrap() else {
        panic!("a result")
    };
    assert!(early.is_error);
    assert!(bench.no_attempt());

    let (caller, first) = (agents.clone(), call("first"));
    let running = tokio::spawn(async move { caller.call(first).await });
    let mut server = bench.attempt().await.serve("2025-06-18");
    server.call().await.say("one\ntwo\nthree\nfour");
    let AgentCallResult::ToolResult(result) = running.await.unwrap().unwrap() else {
        panic!("a result")
    };
    assert!(!result.is_error);
    let part = AgentReadResultParams {
        invocation_id: prepared.invocation_id.clone(),
        path: result.file.unwrap().path,
        start_line: 2,
        line_count: 2,
    };
    let read = agents.read_result(part.clone()).await.unwrap();
    assert_eq!((read.text.as_str(), read.next_line), ("two\nthree", Some(4)));

    let seen: Value = serde_json::to_value(agents.call(call("first")).await.unwrap_err()).unwrap();
    assert!(seen.to_string().contains("mcp.call_already_dispatched"), "{seen}");
    agents.end(prepared.invocation_id.clone()).await.unwrap();
    assert_eq!(code(agents.call(call("late")).await), Code::AgentInvocationNotFound);
    assert_eq!(code(agents.read_result(part).await), Code::AgentInvocationNotFound);
}

#[tokio::test]
async fn a_server_that_is_none_is_not_found() {
    let bench = Bench::new();
    let servers = bench.host.servers();
    let id = RegistrationId::parse(support::ID).unwrap();
    for refused in [
        code(servers.read_config(id, true).await),
        code(servers.set_state(id, ServerState::Active).await),
        code(servers.discover(id).await),
        code(servers.refresh(id).await),
        code(servers.set_permission(id, "a", Permission::Ask).await),
        code(servers.set_permissions(id, BTreeMap::new()).await),
        code(servers.set_description_override(id, "a", None).await),
        code(servers.save_config(id, "a", config(URL), "0").await),
    ] {
        assert_eq!(refused, Code::RegistrationNotFound);
    }
}
