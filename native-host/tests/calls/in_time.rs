//! The time limits of a call, by a clock that the test moves.

use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, advance};

use crate::support::{Bench, page};
use crate::{KNOWN, URL, begin, kind, outcome};

const ALMOST: Duration = Duration::from_millis(1);

#[tokio::test(start_paused = true)]
async fn the_start_may_take_thirty_seconds() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let began = Instant::now();
    let running = begin(&bench, &id, "c").await;
    let attempt = bench.attempt().await;
    let outcome = outcome(running).await;
    assert_eq!(kind(&outcome), ("not_sent", "mcp.call_initialize_timeout"));
    assert_eq!(began.elapsed().as_secs(), 30);
    attempt.abandoned().await;
}

#[tokio::test(start_paused = true)]
async fn what_headers_need_comes_out_of_the_same_thirty_seconds() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let began = Instant::now();
    let running = begin(&bench, &id, "c").await;
    let attempt = bench.attempt().await;
    advance(Duration::from_secs(20)).await;
    let server = attempt.serve("2026-07-28");
    server
        .pages
        .send(Ok(json!({"tools": [], "nextCursor": "2"}).to_string()))
        .unwrap();
    let outcome = outcome(running).await;
    assert_eq!(kind(&outcome), ("not_sent", "mcp.call_metadata_timeout"));
    assert_eq!(began.elapsed().as_secs(), 30);
    assert_eq!(server.calls_left().await, 0);
}

#[tokio::test(start_paused = true)]
async fn the_answer_may_take_sixty_seconds_from_when_the_call_was_handed_over() {
    for version in ["2025-06-18", "2026-07-28"] {
        let mut bench = Bench::new();
        let id = bench.active_server(URL).await;
        let running = begin(&bench, &id, "c").await;
        let attempt = bench.attempt().await;
        advance(Duration::from_secs(29)).await;
        let mut server = attempt.serve(version);
        if version == "2026-07-28" {
            server.pages.send(Ok(page(&["search"]))).unwrap();
        }
        let call = server.call().await;
        let handed_over = Instant::now();
        let outcome = outcome(running).await;
        assert_eq!(kind(&outcome), ("outcome_unknown", "mcp.call_timeout"));
        assert_eq!(handed_over.elapsed().as_secs(), 60);
        call.cancelled().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_late_answer_is_in_time_until_then() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = begin(&bench, &id, "c").await;
    let mut server = bench.attempt().await.serve("2025-06-18");
    let call = server.call().await;
    advance(Duration::from_secs(60).checked_sub(ALMOST).unwrap()).await;
    call.say("done");
    assert_eq!(kind(&outcome(running).await), KNOWN);
}

#[tokio::test]
async fn the_outcome_does_not_wait_for_the_close() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = begin(&bench, &id, "c").await;
    let mut server = bench.attempt().await.serve("2025-06-18");
    server.call().await.say("done");
    assert_eq!(kind(&outcome(running).await), KNOWN);
    // The close has begun or will, and has not ended: only now it may.
    drop(server.closing().await);
}
