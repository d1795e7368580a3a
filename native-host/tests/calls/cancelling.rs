//! A cancellation at every step: before the announcement, before the call, while connecting, while reading what headers
//! need, under way, with the answer, after it.

use serde_json::json;

use crate::support::{Bench, page};
use crate::{CANCELLED, CANCELLED_BEFORE, KNOWN, URL, announce, begin, cancel, kind, outcome, params};

#[tokio::test]
async fn before_the_call_it_is_remembered_and_nothing_connects() {
    for steps in [["cancel", "announce"], ["announce", "cancel"], ["cancel", "cancel"]] {
        let mut bench = Bench::new();
        let id = bench.active_server(URL).await;
        for step in steps {
            match step {
                "cancel" => cancel(&bench, "c").await,
                _ => announce(&bench, "c").await,
            }
        }
        let outcome = bench.ok("tools.testCall", params(&id, "c")).await;
        assert_eq!(kind(&outcome), CANCELLED_BEFORE, "{steps:?}");
        assert!(bench.no_attempt(), "{steps:?}");
    }
}

#[tokio::test]
async fn of_another_call_it_means_nothing() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    cancel(&bench, "other").await;
    let running = begin(&bench, &id, "c").await;
    let mut server = bench.attempt().await.serve("2025-06-18");
    server.call().await.say("done");
    assert_eq!(kind(&outcome(running).await), KNOWN);
}

#[tokio::test]
async fn while_connecting_it_abandons_the_attempt() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = begin(&bench, &id, "c").await;
    let attempt = bench.attempt().await;
    cancel(&bench, "c").await;
    assert_eq!(kind(&outcome(running).await), CANCELLED_BEFORE);
    attempt.abandoned().await;
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn while_reading_what_headers_need_nothing_is_handed_over() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = begin(&bench, &id, "c").await;
    let server = bench.attempt().await.serve("2026-07-28");
    server
        .pages
        .send(Ok(json!({"tools": [], "nextCursor": "2"}).to_string()))
        .unwrap();
    cancel(&bench, "c").await;
    assert_eq!(kind(&outcome(running).await), CANCELLED_BEFORE);
    assert_eq!(server.calls_left().await, 0);
}

#[tokio::test]
async fn under_way_the_outcome_is_unknown_at_once_and_then_the_server_is_told() {
    for version in ["2025-06-18", "2026-07-28"] {
        let mut bench = Bench::new();
        let id = bench.active_server(URL).await;
        let running = begin(&bench, &id, "c").await;
        let mut server = bench.attempt().await.serve(version);
        if version == "2026-07-28" {
            server.pages.send(Ok(page(&["search"]))).unwrap();
        }
        let call = server.call().await;
        cancel(&bench, "c").await;
        assert_eq!(kind(&outcome(running).await), CANCELLED);
        call.cancelled().await;
        // The connection ends after that, and nobody waited for it.
        drop(server.closing().await);
        assert_eq!(server.calls_left().await, 0);
    }
}

#[tokio::test]
async fn an_answer_that_is_there_counts_whatever_came_with_it() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = begin(&bench, &id, "c").await;
    let mut server = bench.attempt().await.serve("2025-06-18");
    let call = server.call().await;
    // Both are there before the call's task is woken: this test's runtime has one thread.
    let cancelling = bench.start("tools.cancelTestCall", json!({"callId": "c"}));
    call.say("done");
    assert_eq!(kind(&outcome(running).await), KNOWN);
    cancelling.await.unwrap().unwrap();
}

#[tokio::test]
async fn after_the_answer_it_changes_nothing() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = begin(&bench, &id, "c").await;
    let mut server = bench.attempt().await.serve("2025-06-18");
    server.call().await.say("done");
    let outcome = outcome(running).await;
    assert_eq!(outcome["response"]["textBlocks"][0]["text"], "done");
    cancel(&bench, "c").await;
    assert_eq!(
        bench.code("tools.testCall", params(&id, "c")).await,
        "mcp.call_already_dispatched"
    );
    assert_eq!(server.calls_left().await, 0);
}

#[tokio::test]
async fn a_caller_who_is_gone_neither_cancels_nor_repeats() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    announce(&bench, "c").await;
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools.testCall", "params": params(&id, "c")});
    drop(bench.bridge.handle(request.to_string()));
    let mut server = bench.attempt().await.serve("2025-06-18");
    let call = server.call().await;
    assert_eq!(
        bench.code("tools.testCall", params(&id, "c")).await,
        "mcp.call_already_dispatched"
    );
    call.say("done");
    drop(server.closing().await);
    assert_eq!(server.calls_left().await, 0);
    assert!(bench.no_attempt());
}
