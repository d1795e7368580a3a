//! Calls that are given up, and connections that do not close.

use std::time::Duration;

use serde_json::json;
use toolgate_host::Budgets;
use toolgate_host::mcp::NetLimits;
use toolgate_testkit::HttpServer;

use crate::{Call, World, connector, play, script, word};

const NEVER_ANSWERED: [&str; 3] = ["call-silent", "call-quiet-stream", "call-stalled-body"];

/// After the call was given up: an older server is told by a notification that names the call, a newer one by nothing
/// but the end of the request; both see the request end.
async fn assert_told(server: &mut HttpServer, era: &str, behaviour: &str) {
    server.wait_for_abandoned(1).await.expect("the request ended");
    let received = server.received();
    let call = received
        .iter()
        .find(|request| request.rpc() == "tools/call")
        .expect("a call");
    let told: Vec<_> = received
        .iter()
        .filter(|request| request.rpc() == "notifications/cancelled")
        .map(|request| request.json()["params"]["requestId"].clone())
        .collect();
    let expected = if era == "2025" {
        vec![call.json()["id"].clone()]
    } else {
        Vec::new()
    };
    assert_eq!(told, expected, "{behaviour}, {era}");
    assert_eq!(server.calls(), 1, "{behaviour}, {era}");
}

#[tokio::test]
async fn an_answer_that_does_not_come_in_time_is_unknown_and_the_server_is_told() {
    let short = |budgets: &mut Budgets| budgets.call = Duration::from_millis(200);
    for behaviour in NEVER_ANSWERED {
        for (era, script) in [("2025", script(behaviour)), ("2026", script(behaviour).in_2026())] {
            let (word, mut server) = play(script, "first", "{}", short).await;
            assert_eq!(word, "unknown mcp.call_timeout", "{behaviour}, {era}");
            assert_told(&mut server, era, behaviour).await;
        }
    }
}

#[tokio::test]
async fn a_call_cancelled_under_way_is_unknown_and_the_server_is_told() {
    for behaviour in NEVER_ANSWERED {
        for (era, script) in [("2025", script(behaviour)), ("2026", script(behaviour).in_2026())] {
            let world = World::new();
            let mut server = HttpServer::play(script).await.expect("a server");
            let id = world.add(&server, json!({})).await;
            let call = Call {
                id: &id,
                tool: "first",
                arguments: "{}",
            };
            let running = world.begin(&call).await;
            server
                .wait_for(|request| request.rpc() == "tools/call")
                .await
                .expect("a call");
            world.cancel().await;
            let outcome = running.await.expect("a task").expect("an outcome");
            assert_eq!(word(&outcome), "unknown mcp.call_cancelled", "{behaviour}, {era}");
            world.host.shutdown().await;
            assert_told(&mut server, era, behaviour).await;
        }
    }
}

#[tokio::test]
async fn a_host_that_shuts_down_tells_the_server_too() {
    for (era, script) in [
        ("2025", script("call-silent")),
        ("2026", script("call-silent").in_2026()),
    ] {
        let world = World::new();
        let mut server = HttpServer::play(script).await.expect("a server");
        let id = world.add(&server, json!({})).await;
        let call = Call {
            id: &id,
            tool: "first",
            arguments: "{}",
        };
        let running = world.begin(&call).await;
        server
            .wait_for(|request| request.rpc() == "tools/call")
            .await
            .expect("a call");
        world.host.shutdown().await;
        let outcome = running.await.expect("a task").expect("an outcome");
        assert_eq!(word(&outcome), "unknown mcp.call_cancelled", "{era}");
        assert_told(&mut server, era, "call-silent").await;
    }
}

#[tokio::test]
async fn the_outcome_is_there_before_the_close_is_answered() {
    // Long enough that a test which waited for the close would be noticed.
    let limits = NetLimits {
        close: Duration::from_mins(10),
        ..NetLimits::default()
    };
    let world = World::with(connector(limits), |_| {});
    let mut server = HttpServer::start("no-delete").await.expect("a server");
    let id = world.add(&server, json!({})).await;
    let call = Call {
        id: &id,
        tool: "first",
        arguments: "{}",
    };
    let running = world.begin(&call).await;
    let outcome = tokio::time::timeout(Duration::from_mins(1), running).await;
    let outcome = outcome.expect("in time").expect("a task").expect("an outcome");
    assert_eq!(word(&outcome), "tool_result");
    // The session is being given back all the same.
    server
        .wait_for(|request| request.method == "DELETE")
        .await
        .expect("a DELETE");
}

#[tokio::test]
async fn a_close_that_is_never_answered_is_abandoned_and_changes_nothing() {
    let limits = NetLimits {
        close: Duration::from_millis(100),
        ..NetLimits::default()
    };
    let world = World::with(connector(limits), |_| {});
    let mut server = HttpServer::start("no-delete").await.expect("a server");
    let id = world.add(&server, json!({})).await;
    let call = Call {
        id: &id,
        tool: "first",
        arguments: "{}",
    };
    let outcome = world.begin(&call).await.await.expect("a task").expect("an outcome");
    assert_eq!(word(&outcome), "tool_result");
    server.wait_for_abandoned(1).await.expect("abandoned");
    world.host.shutdown().await;
}
