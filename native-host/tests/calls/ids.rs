//! Call ids: each is good for one call, and is remembered long enough.

use std::time::Duration;

use serde_json::json;
use tokio::time::advance;
use toolgate_host::store::MemoryFiles;

use crate::support::Bench;
use crate::{KNOWN, URL, announce, begin, cancel, kind, outcome, params};

const REFUSED: &str = "mcp.call_already_dispatched";
const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn an_id_is_good_for_one_call_while_it_runs_and_after() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let other = bench.active_server("https://other.example/").await;
    let running = begin(&bench, &id, "c").await;
    let mut server = bench.attempt().await.serve("2025-06-18");
    let call = server.call().await;
    for params in [params(&id, "c"), params(&other, "c")] {
        let error = bench.call("tools.testCall", params).await.unwrap_err();
        assert_eq!(error["data"]["code"], REFUSED);
        assert_eq!(error["data"]["path"], "callId");
    }
    assert_eq!(bench.code("tools.startTestCall", json!({"callId": "c"})).await, REFUSED);
    call.say("done");
    assert_eq!(kind(&outcome(running).await), KNOWN);
    assert_eq!(bench.code("tools.testCall", params(&id, "c")).await, REFUSED);
    assert_eq!(bench.code("tools.startTestCall", json!({"callId": "c"})).await, REFUSED);
    assert_eq!(server.calls_left().await, 0);
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn two_requests_at_the_same_moment_make_one_call() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    announce(&bench, "c").await;
    let both = [(), ()].map(|()| bench.start("tools.testCall", params(&id, "c")));
    let mut server = bench.attempt().await.serve("2025-06-18");
    server.call().await.say("done");
    let mut codes = Vec::new();
    for running in both {
        codes.push(match running.await.unwrap() {
            Ok(outcome) => outcome["outcome"].as_str().unwrap().to_owned(),
            Err(error) => error["data"]["code"].as_str().unwrap().to_owned(),
        });
    }
    codes.sort();
    assert_eq!(codes, ["known_response", REFUSED]);
    assert_eq!(server.calls_left().await, 0);
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn an_announcement_may_come_twice() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    announce(&bench, "c").await;
    let running = begin(&bench, &id, "c").await;
    let mut server = bench.attempt().await.serve("2025-06-18");
    server.call().await.say("done");
    assert_eq!(kind(&outcome(running).await), KNOWN);
}

#[tokio::test]
async fn an_id_that_was_not_announced_makes_no_call_now_or_later() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let outcome = bench.ok("tools.testCall", params(&id, "c")).await;
    assert_eq!(kind(&outcome), ("not_sent", "mcp.call_not_started"));
    assert_eq!(bench.code("tools.startTestCall", json!({"callId": "c"})).await, REFUSED);
    assert_eq!(bench.code("tools.testCall", params(&id, "c")).await, REFUSED);
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn a_call_without_an_id_is_made_too() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    for _ in 0..2 {
        let params = json!({"id": id, "nativeName": "search", "argumentsJson": "{}"});
        let running = bench.start("tools.testCall", params);
        let mut server = bench.attempt().await.serve("2025-06-18");
        server.call().await.say("done");
        assert_eq!(kind(&outcome(running).await), KNOWN);
    }
}

#[tokio::test]
async fn an_id_that_cannot_be_one_is_refused() {
    let bench = Bench::new();
    let id = bench.active_server(URL).await;
    for call_id in ["", "a b", "é", "a\n", &"x".repeat(129)] {
        for (method, params) in [
            ("tools.startTestCall", json!({"callId": call_id})),
            ("tools.cancelTestCall", json!({"callId": call_id})),
            ("tools.testCall", params(&id, call_id)),
        ] {
            let error = bench.call(method, params).await.unwrap_err();
            assert_eq!(
                error["data"]["code"], "mcp.bridge_params_invalid",
                "{method} {call_id:?}"
            );
            assert_eq!(error["data"]["path"], "callId");
        }
    }
    announce(&bench, &"x".repeat(128)).await;
}

#[tokio::test(start_paused = true)]
async fn what_is_never_asked_for_expires() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    announce(&bench, "announced").await;
    cancel(&bench, "cancelled").await;
    advance(9 * MINUTE).await;
    // What is said again counts again.
    announce(&bench, "renewed").await;
    advance(2 * MINUTE).await;
    let late = bench.ok("tools.testCall", params(&id, "announced")).await;
    assert_eq!(kind(&late), ("not_sent", "mcp.call_not_started"));
    let running = bench.start("tools.testCall", params(&id, "renewed"));
    let mut server = bench.attempt().await.serve("2025-06-18");
    server.call().await.say("done");
    assert_eq!(kind(&outcome(running).await), KNOWN);
    // The cancellation is forgotten, so this is a new call.
    let running = begin(&bench, &id, "cancelled").await;
    let mut server = bench.attempt().await.serve("2025-06-18");
    server.call().await.say("done");
    assert_eq!(kind(&outcome(running).await), KNOWN);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_made_is_remembered_ten_minutes_and_never_made_again_after() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = begin(&bench, &id, "c").await;
    let mut server = bench.attempt().await.serve("2025-06-18");
    server.call().await.say("done");
    outcome(running).await;
    advance(9 * MINUTE).await;
    assert_eq!(bench.code("tools.testCall", params(&id, "c")).await, REFUSED);
    advance(2 * MINUTE).await;
    // Sent again so late it was not announced.
    let late = bench.ok("tools.testCall", params(&id, "c")).await;
    assert_eq!(kind(&late), ("not_sent", "mcp.call_not_started"));
    assert!(bench.no_attempt());
}

#[tokio::test(start_paused = true)]
async fn a_call_that_runs_is_never_forgotten() {
    let mut bench = Bench::with(MemoryFiles::new(), |options| {
        options.budgets.call_ids = Duration::from_secs(1);
    });
    let id = bench.active_server(URL).await;
    let running = begin(&bench, &id, "c").await;
    let mut server = bench.attempt().await.serve("2025-06-18");
    let call = server.call().await;
    advance(Duration::from_secs(30)).await;
    assert_eq!(bench.code("tools.testCall", params(&id, "c")).await, REFUSED);
    cancel(&bench, "c").await;
    assert_eq!(kind(&outcome(running).await), crate::CANCELLED);
    call.cancelled().await;
}
