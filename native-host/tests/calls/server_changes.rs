//! A server that is paused, changed or removed while a call is prepared is not called; a call under way goes on.

use serde_json::{Value, json};
use toolgate_host::mcp::{Failure, FailureClass, Step};

use crate::support::played::PlayedServer;
use crate::support::{Bench, page, registration_file};
use crate::{KNOWN, URL, begin, kind, outcome};

/// Changes the server, as another page would.
async fn change(bench: &Bench, id: &str, how: &str) {
    match how {
        "pause" => {
            bench.ok("servers.setState", json!({"id": id, "state": "paused"})).await;
        }
        "remove" => {
            bench.ok("servers.remove", json!({"id": id})).await;
        }
        _ => {
            let read = bench.ok("servers.readConfig", json!({"id": id})).await;
            let config = json!({"type": "http", "url": "https://example.com/other"});
            let params = json!({"id": id, "displayName": "Docs", "config": config, "revision": read["revision"]});
            bench.ok("servers.saveConfig", params).await;
        }
    }
}

const CHANGES: [(&str, &str); 3] = [
    ("pause", "mcp.call_server_paused"),
    ("remove", "mcp.call_registration_not_found"),
    ("save", "mcp.call_registration_unavailable"),
];

#[tokio::test]
async fn while_connecting() {
    for (how, code) in CHANGES {
        let mut bench = Bench::new();
        let id = bench.active_server(URL).await;
        let running = begin(&bench, &id, "c").await;
        let attempt = bench.attempt().await;
        change(&bench, &id, how).await;
        assert_eq!(kind(&outcome(running).await), ("not_sent", code), "{how}");
        attempt.abandoned().await;
        assert!(bench.no_attempt());
    }
}

#[tokio::test]
async fn while_reading_what_headers_need() {
    for (how, code) in CHANGES {
        let mut bench = Bench::new();
        let id = bench.active_server(URL).await;
        let running = begin(&bench, &id, "c").await;
        let server = bench.attempt().await.serve("2026-07-28");
        change(&bench, &id, how).await;
        assert_eq!(kind(&outcome(running).await), ("not_sent", code), "{how}");
        assert_eq!(server.calls_left().await, 0);
    }
}

#[tokio::test]
async fn paused_and_activated_again_it_is_not_called_either() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = begin(&bench, &id, "c").await;
    let attempt = bench.attempt().await;
    change(&bench, &id, "pause").await;
    bench.ok("servers.setState", json!({"id": id, "state": "active"})).await;
    assert_eq!(kind(&outcome(running).await).0, "not_sent");
    attempt.abandoned().await;
}

#[tokio::test(start_paused = true)]
async fn a_file_changed_by_hand_counts_until_the_call_is_handed_over() {
    for (from, to, code) in [
        ("\"active\"", "\"paused\"", "mcp.call_server_paused"),
        (
            "example.com/mcp",
            "example.com/moved",
            "mcp.call_registration_unavailable",
        ),
    ] {
        let mut bench = Bench::new();
        let id = bench.active_server(URL).await;
        let running = begin(&bench, &id, "c").await;
        let server = bench.attempt().await.serve("2026-07-28");
        let file = registration_file(&id);
        let text = bench.file(file.clone()).unwrap();
        assert!(text.contains(from));
        bench.files.put(file, text.replace(from, to));
        server.pages.send(Ok(page(&["search"]))).unwrap();
        let outcome = outcome(running).await;
        assert_eq!(kind(&outcome), ("not_sent", code));
        assert_eq!(server.calls_left().await, 0);
    }
}

async fn under_way(bench: &mut Bench, id: &str) -> (crate::Running, PlayedServer) {
    let running = begin(bench, id, "c").await;
    (running, bench.attempt().await.serve("2025-06-18"))
}

#[tokio::test]
async fn under_way_a_call_goes_on() {
    for (how, _) in CHANGES {
        let mut bench = Bench::new();
        let id = bench.active_server(URL).await;
        let (running, mut server) = under_way(&mut bench, &id).await;
        let call = server.call().await;
        change(&bench, &id, how).await;
        assert!(!running.is_finished());
        assert!(!server.is_closing());
        call.say("done");
        let outcome: Value = outcome(running).await;
        assert_eq!(kind(&outcome), KNOWN, "{how}");
    }
}

#[tokio::test]
async fn an_answer_from_where_the_server_was_says_nothing_of_where_it_is() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let (running, mut server) = under_way(&mut bench, &id).await;
    let call = server.call().await;
    change(&bench, &id, "save").await;
    let refresh = bench.start("servers.refresh", json!({"id": id}));
    let failure = Failure::new(FailureClass::ConnectionRefused, Step::Connect);
    bench.attempt().await.fail(failure);
    refresh.await.unwrap().unwrap_err();
    call.say("done");
    assert_eq!(kind(&outcome(running).await), KNOWN);
    assert_eq!(
        bench.summary(&id).await["lastFailure"]["code"],
        "mcp.connection_connection_refused"
    );
}

#[tokio::test]
async fn a_rename_or_a_permission_disturbs_no_call() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = begin(&bench, &id, "c").await;
    let attempt = bench.attempt().await;
    let read = bench.ok("servers.readConfig", json!({"id": id})).await;
    let params = json!({"id": id, "displayName": "Other", "config": read["config"], "revision": read["revision"]});
    bench.ok("servers.saveConfig", params).await;
    bench
        .ok(
            "tools.setPermission",
            json!({"id": id, "nativeName": "search", "permission": "allow"}),
        )
        .await;
    let mut server = attempt.serve("2025-06-18");
    server.call().await.say("done");
    assert_eq!(kind(&outcome(running).await), KNOWN);
}
