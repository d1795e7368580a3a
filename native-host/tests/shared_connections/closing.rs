//! A server that is paused, changed or removed has its connection closed at once, and so has a host that ends.

use serde_json::json;

use crate::support::models::{came_of, searching, tool_id};
use crate::support::{Bench, pending_file, registration_file};
use crate::{URL, ended, failed, good};

/// Changes the server, as another page would.
async fn change(bench: &Bench, id: &str, how: &str) {
    match how {
        "pause" => {
            bench.ok("servers.setState", json!({"id": id, "state": "paused"})).await;
        }
        "remove" => {
            bench.ok("servers.remove", json!({"id": id})).await;
        }
        _ => save(bench, id, "Docs", &format!("{URL}/other")).await,
    }
}

async fn save(bench: &Bench, id: &str, name: &str, url: &str) {
    let read = bench.ok("servers.readConfig", json!({"id": id})).await;
    let config = json!({"type": "http", "url": url});
    let params = json!({"id": id, "displayName": name, "config": config, "revision": read["revision"]});
    bench.ok("servers.saveConfig", params).await;
}

const CHANGES: [(&str, &str); 3] = [
    ("pause", "mcp.call_server_paused"),
    ("remove", "mcp.call_registration_not_found"),
    ("save", "mcp.call_registration_unavailable"),
];

#[tokio::test]
async fn an_unused_one() {
    for (how, _) in CHANGES {
        let (mut bench, id, invocation) = searching(URL).await;
        let running = bench.agent_call(&invocation);
        let mut server = bench.attempt().await.serve("2025-06-18");
        server.call().await.say("done");
        assert_eq!(came_of(running).await, good());
        change(&bench, &id, how).await;
        drop(server.closing().await);
    }
}

#[tokio::test]
async fn one_that_is_being_made() {
    for (how, code) in CHANGES {
        let (mut bench, id, invocation) = searching(URL).await;
        let running = bench.agent_call(&invocation);
        let attempt = bench.attempt().await;
        change(&bench, &id, how).await;
        assert_eq!(came_of(running).await, failed(code), "{how}");
        attempt.abandoned().await;
        assert!(bench.no_attempt());
    }
}

#[tokio::test]
async fn one_with_a_call_under_way_whose_outcome_is_unknown_then() {
    for (how, _) in CHANGES {
        let (mut bench, id, invocation) = searching(URL).await;
        let running = bench.agent_call(&invocation);
        let mut server = bench.attempt().await.serve("2025-06-18");
        let call = server.call().await;
        change(&bench, &id, how).await;
        assert_eq!(came_of(running).await, ended("mcp.call_cancelled"), "{how}");
        // The server is told first.
        call.cancelled().await;
        drop(server.closing().await);
        assert_eq!(server.calls_left().await, 0);
    }
}

#[tokio::test]
async fn that_of_a_server_whose_bad_file_is_removed() {
    let (mut bench, id, invocation) = searching(URL).await;
    let running = bench.agent_call(&invocation);
    let mut server = bench.attempt().await.serve("2025-06-18");
    let call = server.call().await;
    bench.files.put(registration_file(&id), "{");
    let params = json!({"fileName": format!("{id}.json")});
    bench.ok("storage.remove", params).await;
    assert_eq!(came_of(running).await, ended("mcp.call_cancelled"));
    call.cancelled().await;
    drop(server.closing().await);
    assert_eq!(server.calls_left().await, 0);
    assert_eq!(bench.ok("servers.list", json!({})).await["storageIssues"], json!([]));
}

#[tokio::test]
async fn also_where_that_cannot_be_saved() {
    for (method, fault) in [
        ("servers.setState", "the folder cannot be written to"),
        ("servers.setState", "a pending change is damaged"),
        ("servers.setState", "the server's file is damaged"),
        ("servers.remove", "the folder cannot be written to"),
        ("servers.remove", "a pending change is damaged"),
        ("servers.remove", "the server's file is damaged"),
        ("storage.remove", "the folder cannot be written to"),
        ("storage.remove", "a pending change is damaged"),
    ] {
        let at = format!("{method}, {fault}");
        let (mut bench, id, invocation) = searching(URL).await;
        let running = bench.agent_call(&invocation);
        let mut server = bench.attempt().await.serve("2025-06-18");
        let call = server.call().await;
        let refreshing = bench.start("servers.refresh", json!({"id": id}));
        let attempt = bench.attempt().await;

        let file = registration_file(&id);
        let whole = bench.file(file.clone()).unwrap();
        if method == "storage.remove" || fault == "the server's file is damaged" {
            bench.files.put(file.clone(), "{");
        }
        match fault {
            "the folder cannot be written to" => bench.files.fail_when(|step, _| step.changes()),
            "a pending change is damaged" => bench.files.put(pending_file(), "{"),
            _ => {}
        }
        let before = bench.file(file.clone());
        let params = match method {
            "servers.setState" => json!({"id": id, "state": "paused"}),
            "servers.remove" => json!({"id": id}),
            _ => json!({"fileName": format!("{id}.json")}),
        };
        let refused = bench.call(method, params).await.unwrap_err();
        let message = refused["message"].as_str().unwrap();
        assert!(message.contains("Nothing was saved"), "{at}: {message}");
        assert!(message.contains("was ended"), "{at}: {message}");
        assert!(message.contains("paused until Toolgate ends"), "{at}: {message}");
        assert_eq!(bench.file(file.clone()), before, "{at}");

        assert_eq!(came_of(running).await, ended("mcp.call_cancelled"), "{at}");
        call.cancelled().await;
        drop(server.closing().await);
        assert_eq!(server.calls_left().await, 0, "{at}");
        attempt.abandoned().await;
        refreshing.await.unwrap().unwrap_err();
        assert!(bench.no_attempt(), "nothing connects again by itself: {at}");

        // It stays paused, whatever its file says, until somebody activates it.
        bench.files.heal();
        bench.files.put(file, whole);
        if fault == "a pending change is damaged" {
            bench.ok("storage.remove", json!({"fileName": "pending.json"})).await;
        }
        let summary = bench.summary(&id).await;
        assert_eq!(summary["state"], "paused", "{at}");
        assert_eq!(summary["pauseUnsaved"], true, "{at}");
        let refused = bench.code("servers.refresh", json!({"id": id})).await;
        assert_eq!(refused, "mcp.server_paused", "{at}");
        let offered = bench.prepare(&[tool_id(&id, "search")]).await;
        assert_eq!(offered["bindings"], json!([]), "{at}");
        assert!(bench.no_attempt(), "{at}");
        bench.ok("servers.setState", json!({"id": id, "state": "active"})).await;
        assert_eq!(bench.summary(&id).await.get("pauseUnsaved"), None, "{at}");
        let invocation = bench.invocation(&id, "search").await;
        let next = bench.agent_call(&invocation);
        bench.attempt().await.serve("2025-06-18").call().await.say("done");
        assert_eq!(came_of(next).await, good(), "{at}");
    }
}

/// A server whose pause could not be saved, because the folder cannot be written to; it can again now.
async fn paused_in_vain() -> (Bench, String) {
    let mut bench = Bench::new();
    let id = bench.allowed_server(URL, &["search"]).await;
    bench.files.fail_when(|step, _| step.changes());
    let pause = json!({"id": id, "state": "paused"});
    for _ in 0..2 {
        let code = bench.code("servers.setState", pause.clone()).await;
        assert_eq!(code, "mcp.storage_write_failed");
    }
    bench.files.heal();
    assert_eq!(bench.summary(&id).await["pauseUnsaved"], true);
    (bench, id)
}

#[tokio::test]
async fn a_pause_that_could_not_be_saved_is_saved_with_the_next_change_and_ends_with_the_host() {
    let (bench, id) = paused_in_vain().await;
    let bench = bench.restart().await;
    let summary = bench.summary(&id).await;
    assert_eq!(
        (&summary["state"], summary.get("pauseUnsaved")),
        (&json!("active"), None)
    );

    for (method, params) in [
        ("servers.setState", json!({"state": "paused"})),
        (
            "tools.setPermission",
            json!({"nativeName": "search", "permission": "ask"}),
        ),
        (
            "servers.saveConfig",
            json!({"displayName": "Docs", "config": {"type": "http", "url": URL}}),
        ),
    ] {
        let (bench, id) = paused_in_vain().await;
        let mut params = params;
        params["id"] = json!(id);
        if method == "servers.saveConfig" {
            params["revision"] = bench.ok("servers.readConfig", json!({"id": id})).await["revision"].clone();
        }
        bench.ok(method, params).await;
        assert_eq!(bench.summary(&id).await.get("pauseUnsaved"), None, "{method}");
        let bench = bench.restart().await;
        assert_eq!(bench.summary(&id).await["state"], "paused", "{method}");
    }
}

#[tokio::test]
async fn a_changed_server_is_called_where_it_is_now() {
    let (mut bench, id, invocation) = searching(URL).await;
    let running = bench.agent_call(&invocation);
    let mut before = bench.attempt().await.serve("2025-06-18");
    before.call().await.say("done");
    came_of(running).await;
    change(&bench, &id, "save").await;
    let next = bench.agent_call(&invocation);
    let attempt = bench.attempt().await;
    assert_eq!(attempt.config.target(), "https://example.com");
    let toolgate_core::server::ServerConfig::Http(config) = &attempt.config else {
        panic!("http")
    };
    assert_eq!(config.url, format!("{URL}/other"));
    attempt.serve("2025-06-18").call().await.say("done");
    assert_eq!(came_of(next).await, good());
}

#[tokio::test]
async fn a_file_changed_by_hand_leads_no_call_to_where_it_led_before() {
    let (mut bench, id, invocation) = searching(URL).await;
    let running = bench.agent_call(&invocation);
    let mut before = bench.attempt().await.serve("2025-06-18");
    before.call().await.say("done");
    came_of(running).await;
    let file = registration_file(&id);
    let text = bench.file(file.clone()).unwrap();
    bench.files.put(file, text.replace(URL, "https://example.org/mcp"));
    let next = bench.agent_call(&invocation);
    let mut now = bench.attempt().await.serve("2025-06-18");
    now.call().await.say("done");
    assert_eq!(came_of(next).await, good());
    drop(before.closing().await);
    assert_eq!(before.calls_left().await, 0);
}

#[tokio::test]
async fn a_name_or_a_permission_of_another_tool_closes_nothing() {
    let (mut bench, id, invocation) = searching(URL).await;
    let running = bench.agent_call(&invocation);
    let mut server = bench.attempt().await.serve("2025-06-18");
    let call = server.call().await;
    save(&bench, &id, "Other", URL).await;
    let params = json!({"id": id, "nativeName": "other", "permission": "allow"});
    bench.ok("tools.setPermission", params).await;
    call.say("done");
    assert_eq!(came_of(running).await, good());
    // The alias is the one that was frozen.
    let next = bench.agent_call(&invocation);
    server.call().await.say("done");
    assert_eq!(came_of(next).await, good());
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn a_host_that_ends_waits_until_every_connection_is_closed() {
    let (mut bench, _, invocation) = searching(URL).await;
    let running = bench.agent_call(&invocation);
    let mut server = bench.attempt().await.serve("2025-06-18");
    server.call().await.say("done");
    came_of(running).await;
    let stopping = tokio::spawn(bench.host.shutdown());
    let closing = server.closing().await;
    assert!(!stopping.is_finished());
    drop(closing);
    stopping.await.unwrap();
}

#[tokio::test]
async fn a_host_that_ends_leaves_calls_under_way_unknown_and_tells_the_server() {
    let (mut bench, _, invocation) = searching(URL).await;
    let running = bench.agent_call(&invocation);
    let mut server = bench.attempt().await.serve("2025-06-18");
    let call = server.call().await;
    let stopping = tokio::spawn(bench.host.shutdown());
    assert_eq!(came_of(running).await, ended("mcp.call_cancelled"));
    call.cancelled().await;
    drop(server.closing().await);
    stopping.await.unwrap();
}
