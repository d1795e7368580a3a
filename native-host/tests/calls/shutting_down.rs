//! A host that shuts down ends its calls: what is not handed over is not sent, what is under way is unknown.

use serde_json::json;

use crate::support::{Bench, call};
use crate::{CANCELLED, CANCELLED_BEFORE, URL, announce, begin, kind, outcome, params};

#[tokio::test]
async fn a_call_that_is_prepared_is_not_sent() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = begin(&bench, &id, "c").await;
    let attempt = bench.attempt().await;
    bench.host.shutdown().await;
    assert_eq!(kind(&outcome(running).await), CANCELLED_BEFORE);
    attempt.abandoned().await;
}

#[tokio::test]
async fn a_call_under_way_is_unknown_and_the_server_is_told_before_the_host_is_gone() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = begin(&bench, &id, "c").await;
    let mut server = bench.attempt().await.serve("2025-06-18");
    let under_way = server.call().await;
    let stopping = tokio::spawn(bench.host.shutdown());
    assert_eq!(kind(&outcome(running).await), CANCELLED);
    under_way.cancelled().await;
    let closing = server.closing().await;
    assert!(!stopping.is_finished(), "the close belongs to the shutdown");
    drop(closing);
    stopping.await.unwrap();
}

#[tokio::test]
async fn nothing_new_is_taken() {
    let bench = Bench::new();
    let id = bench.active_server(URL).await;
    announce(&bench, "c").await;
    bench.host.shutdown().await;
    for (method, params) in [
        ("tools.testCall", params(&id, "c")),
        ("tools.startTestCall", json!({"callId": "d"})),
    ] {
        let error = call(&bench.bridge, method, params).await.unwrap_err();
        assert_eq!(error["data"]["code"], "mcp.host_stopping");
    }
}
