//! The second check: what was withdrawn or changed since the turn began is not called, at once, and nothing is sent.

use serde_json::{Value, json};

use crate::support::{Bench, page};
use crate::{URL, call, grant, granted, offered, outcome, refresh, refused, revoke, serve, turn};

const SEARCH: &str = "mcp__Docs__search";

/// What a person does, and what the call is refused with.
async fn change(bench: &mut Bench, server: &str, partner: &str, how: &str) -> &'static str {
    match how {
        "revoke" => {
            revoke(bench, partner, server).await;
            "mcp.partner_grant_withdrawn"
        }
        "switch off" => {
            let off = json!({"partnerId": partner, "enabled": false});
            bench.ok("partners.setEnabled", off).await;
            "mcp.partner_grant_withdrawn"
        }
        "remove the partner" => {
            bench.ok("partners.remove", json!({"partnerId": partner})).await;
            "mcp.partner_grant_withdrawn"
        }
        "narrow" => {
            grant(bench, partner, server, "permitted").await;
            "mcp.call_permission_off"
        }
        "pause" => {
            bench
                .ok("servers.setState", json!({"id": server, "state": "paused"}))
                .await;
            "mcp.call_server_paused"
        }
        "remove the server" => {
            bench.ok("servers.remove", json!({"id": server})).await;
            "mcp.call_registration_not_found"
        }
        "edit" => {
            edit(bench, server, "https://example.com/other").await;
            "mcp.partner_tool_changed"
        }
        "schema" => {
            let schema = json!({"type": "object", "required": ["query"]});
            let list = json!({"tools": [{"name": "search", "inputSchema": schema}]});
            refresh(bench, server, list.to_string()).await;
            "mcp.partner_tool_changed"
        }
        "gone" => {
            refresh(bench, server, page(&["other"])).await;
            "mcp.partner_tool_changed"
        }
        _ => {
            let names: Vec<String> = (0..200).map(|number| format!("t{number}")).collect();
            let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
            names.push("search");
            refresh(bench, server, page(&names)).await;
            "mcp.partner_tool_changed"
        }
    }
}

const CHANGES: [&str; 10] = [
    "revoke",
    "switch off",
    "remove the partner",
    "narrow",
    "pause",
    "remove the server",
    "edit",
    "schema",
    "gone",
    "too many",
];

async fn edit(bench: &Bench, server: &str, url: &str) {
    let read = bench.ok("servers.readConfig", json!({"id": server})).await;
    let config = json!({"type": "http", "url": url});
    let params = json!({"id": server, "displayName": "Docs", "config": config, "revision": read["revision"]});
    bench.ok("servers.saveConfig", params).await;
}

#[tokio::test]
async fn before_the_call() {
    for how in CHANGES {
        let mut bench = Bench::new();
        let (server, partner, session) = granted(&mut bench, &["search"], "all").await;
        assert_eq!(offered(&turn(&bench, &session).await), ["search"]);
        let code = change(&mut bench, &server, &partner, how).await;
        assert_eq!(refused(&mut bench, &session, SEARCH).await, code, "{how}");
    }
}

#[tokio::test]
async fn while_the_call_connects() {
    // What ends the connecting itself is told by its own code.
    for how in ["revoke", "switch off", "remove the partner", "narrow"] {
        let mut bench = Bench::new();
        let (server, partner, session) = granted(&mut bench, &["search"], "all").await;
        turn(&bench, &session).await;
        let running = call(&bench, &session, SEARCH);
        let attempt = bench.attempt().await;
        let code = change(&mut bench, &server, &partner, how).await;
        let played = attempt.serve("2025-06-18");
        let outcome = outcome(running).await;
        assert_eq!(outcome["errorCode"], code, "{how}");
        bench
            .ok("servers.setState", json!({"id": server, "state": "paused"}))
            .await;
        assert_eq!(played.calls_left().await, 0, "{how}");
    }
}

#[tokio::test]
async fn over_a_connection_that_is_there() {
    for how in CHANGES {
        let mut bench = Bench::new();
        let (server, partner, session) = granted(&mut bench, &["search"], "all").await;
        turn(&bench, &session).await;
        let running = call(&bench, &session, SEARCH);
        let mut played = serve(&mut bench).await;
        played.call().await.say("first");
        outcome(running).await;
        let code = change(&mut bench, &server, &partner, how).await;
        assert_eq!(refused(&mut bench, &session, SEARCH).await, code, "{how}");
        if how != "remove the server" {
            bench
                .ok("servers.setState", json!({"id": server, "state": "paused"}))
                .await;
        }
        assert_eq!(played.calls_left().await, 0, "{how}");
    }
}

#[tokio::test]
async fn a_call_that_was_sent_is_not_undone_by_a_withdrawal() {
    let mut bench = Bench::new();
    let (server, partner, session) = granted(&mut bench, &["search"], "all").await;
    turn(&bench, &session).await;
    let running = call(&bench, &session, SEARCH);
    let mut played = serve(&mut bench).await;
    let pending = played.call().await;
    revoke(&bench, &partner, &server).await;
    pending.say("done");
    assert_eq!(outcome(running).await["content"], "done");
    assert_eq!(
        refused(&mut bench, &session, SEARCH).await,
        "mcp.partner_grant_withdrawn"
    );
}

#[tokio::test]
async fn what_is_granted_again_counts_at_once_for_the_same_tools() {
    let mut bench = Bench::new();
    let (server, partner, session) = granted(&mut bench, &["search"], "all").await;
    turn(&bench, &session).await;
    revoke(&bench, &partner, &server).await;
    assert_eq!(
        refused(&mut bench, &session, SEARCH).await,
        "mcp.partner_grant_withdrawn"
    );
    grant(&bench, &partner, &server, "all").await;
    let running = call(&bench, &session, SEARCH);
    serve(&mut bench).await.call().await.say("done");
    assert_eq!(outcome(running).await["content"], "done");
}

#[tokio::test]
async fn a_changed_tool_is_offered_as_it_is_in_the_next_turn() {
    let mut bench = Bench::new();
    let (server, partner, session) = granted(&mut bench, &["search"], "all").await;
    turn(&bench, &session).await;
    change(&mut bench, &server, &partner, "schema").await;
    assert_eq!(refused(&mut bench, &session, SEARCH).await, "mcp.partner_tool_changed");
    let next = turn(&bench, &session).await;
    assert_eq!(
        next["tools"][0]["inputSchemaJson"],
        "{\"type\":\"object\",\"required\":[\"query\"]}"
    );
    let running = call(&bench, &session, SEARCH);
    serve(&mut bench).await.call().await.say("done");
    assert_eq!(outcome(running).await["content"], "done");
}

#[tokio::test]
async fn a_schema_of_the_same_value_is_the_same_schema() {
    let mut bench = Bench::new();
    let server = bench.active_server(URL).await;
    let list = |schema: &str| format!(r#"{{"tools":[{{"name":"search","inputSchema":{schema}}}]}}"#);
    refresh(&mut bench, &server, list(r#"{"type":"object","maxProperties":10}"#)).await;
    let partner = crate::partner(&bench).await;
    grant(&bench, &partner, &server, "all").await;
    let session = crate::open(&bench, &partner).await;
    turn(&bench, &session).await;
    // Another order and another spelling; a new description of the tool is none of its parameters either.
    refresh(&mut bench, &server, list(r#"{"maxProperties":1e1,"type":"object"}"#)).await;
    let running = call(&bench, &session, SEARCH);
    serve(&mut bench).await.call().await.say("done");
    assert_eq!(outcome(running).await["content"], "done");
}

#[tokio::test]
async fn a_new_name_of_the_server_is_no_change_of_its_tools() {
    let mut bench = Bench::new();
    let (server, _, session) = granted(&mut bench, &["search"], "all").await;
    let first = turn(&bench, &session).await;
    let read = bench.ok("servers.readConfig", json!({"id": server})).await;
    let params = json!({"id": server, "displayName": "Papers", "config": read["config"], "revision": read["revision"]});
    bench.ok("servers.saveConfig", params).await;
    let running = call(&bench, &session, SEARCH);
    let mut played = serve(&mut bench).await;
    played.call().await.say("done");
    assert_eq!(outcome(running).await["content"], "done");
    let next = turn(&bench, &session).await;
    assert_eq!(next["tools"][0]["alias"], "mcp__Papers__search");
    assert_ne!(next["revision"], first["revision"]);
}

#[tokio::test]
async fn an_edited_server_has_no_tools_until_they_are_read_again() {
    let mut bench = Bench::new();
    let (server, _, session) = granted(&mut bench, &["search"], "all").await;
    let first = turn(&bench, &session).await;
    edit(&bench, &server, "https://example.com/other").await;
    let second: Value = turn(&bench, &session).await;
    assert!(offered(&second).is_empty());
    assert_eq!(crate::said(&second["diagnostics"]), [("mcp.tool_catalog_missing", "")]);
    refresh(&mut bench, &server, page(&["search"])).await;
    let third = turn(&bench, &session).await;
    assert_eq!(offered(&third), ["search"]);
    // The same tools at another address are another offer.
    assert_ne!(third["revision"], first["revision"]);
}
