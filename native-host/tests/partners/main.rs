//! Partners (partner contract): who may use what, the tools of each turn, and calls that are checked once more when they
//! are made; on files in memory and against servers that the test plays, and once over real sockets.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

#[path = "../support/mod.rs"]
mod support;

mod calls;
mod catalogs;
mod document;
mod editing;
mod files;
mod preview;
mod recheck;
mod rust_api;
mod secrets;
mod sessions;
mod sockets;
mod tasks;
mod turns;

use serde_json::{Value, json};
use support::played::PlayedServer;
use support::{Bench, URL};
use tokio::task::JoinHandle;

/// A request that runs.
type Running = JoinHandle<Result<Value, Value>>;

/// A partner whose MCP switch is on.
async fn partner(bench: &Bench) -> String {
    let made = bench.ok("partners.create", json!({"name": "Mia"})).await;
    let id = made["id"].as_str().unwrap().to_owned();
    bench
        .ok("partners.setEnabled", json!({"partnerId": id, "enabled": true}))
        .await;
    id
}

async fn grant(bench: &Bench, partner: &str, server: &str, scope: &str) -> Value {
    let params = json!({"partnerId": partner, "serverId": server, "scope": scope});
    bench.ok("partners.grant", params).await
}

async fn revoke(bench: &Bench, partner: &str, server: &str) {
    let params = json!({"partnerId": partner, "serverId": server});
    bench.ok("partners.revoke", params).await;
}

async fn open(bench: &Bench, partner: &str) -> String {
    let params = json!({"kind": "partner", "partnerId": partner});
    session(&bench.ok("partners.openSession", params).await)
}

fn session(opened: &Value) -> String {
    opened["sessionId"].as_str().unwrap().to_owned()
}

async fn turn(bench: &Bench, session: &str) -> Value {
    bench.ok("partners.turn", json!({"sessionId": session})).await
}

async fn preview(bench: &Bench, partner: &str) -> Value {
    bench.ok("partners.preview", json!({"partnerId": partner})).await
}

/// An active server with these tools, a partner that is granted it, and a session of the partner.
async fn granted(bench: &mut Bench, tools: &[&str], scope: &str) -> (String, String, String) {
    let server = bench.active_server(URL).await;
    bench.discover(&server, tools).await;
    let partner = partner(bench).await;
    grant(bench, &partner, &server, scope).await;
    let session = open(bench, &partner).await;
    (server, partner, session)
}

/// The native names of the tools of a turn.
fn offered(turn: &Value) -> Vec<&str> {
    let tools = turn["tools"].as_array().unwrap();
    tools
        .iter()
        .map(|tool| tool["toolId"].as_str().unwrap().split_once(':').unwrap().1)
        .collect()
}

/// The codes of diagnostics, each with the tool it is about.
fn said(diagnostics: &Value) -> Vec<(&str, &str)> {
    let diagnostics = diagnostics.as_array().unwrap();
    diagnostics
        .iter()
        .map(|diagnostic| {
            assert!(!diagnostic["message"].as_str().unwrap().is_empty());
            (
                diagnostic["code"].as_str().unwrap(),
                diagnostic["nativeName"].as_str().unwrap_or_default(),
            )
        })
        .collect()
}

/// Reads the tools of a server again, while it offers this page.
async fn refresh(bench: &mut Bench, server: &str, page: String) {
    let running = bench.start("servers.refresh", json!({"id": server}));
    let (pages, _closing) = bench.attempt().await.connect();
    pages.send(Ok(page)).unwrap();
    running.await.unwrap().unwrap();
}

fn call_params(session: &str, alias: &str) -> Value {
    json!({"sessionId": session, "alias": alias, "argumentsJson": "{}"})
}

fn call(bench: &Bench, session: &str, alias: &str) -> Running {
    bench.start("partners.call", call_params(session, alias))
}

/// The connection that the next call is made on; its closing is held up by nobody.
async fn serve(bench: &mut Bench) -> PlayedServer {
    bench.attempt().await.serve("2025-06-18")
}

async fn outcome(running: Running) -> Value {
    running.await.unwrap().unwrap()
}

/// Calls a tool that must not be called, and answers why it was not: nothing may connect for it.
async fn refused(bench: &mut Bench, session: &str, alias: &str) -> String {
    let outcome = bench.ok("partners.call", call_params(session, alias)).await;
    assert_eq!(outcome["kind"], "tool_result");
    assert_eq!(outcome["isError"], true);
    let code = outcome["errorCode"].as_str().unwrap();
    let content = outcome["content"].as_str().unwrap();
    assert!(
        content.starts_with(&format!("The call was not sent ({code})")),
        "{content}"
    );
    assert!(bench.no_attempt(), "{code}: a connection was made for it");
    code.to_owned()
}
