//! Calls that are given up, and connections that do not close.

use std::time::Duration;

use toolgate_host::mcp::NetLimits;
use toolgate_testkit::{Ending, HttpServer};

use crate::{Setup, World, both_eras, connector, is_call, play, script};

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
    let short = |setup: &mut Setup| setup.budgets.call = Duration::from_millis(200);
    for behaviour in NEVER_ANSWERED {
        for (era, script) in both_eras(behaviour) {
            let (word, mut server) = play(script, "first", "{}", short).await;
            assert_eq!(word, "unknown mcp.call_timeout", "{behaviour}, {era}");
            assert_told(&mut server, era, behaviour).await;
        }
    }
}

#[tokio::test]
async fn a_call_cancelled_under_way_is_unknown_and_the_server_is_told() {
    for behaviour in NEVER_ANSWERED {
        for (era, script) in both_eras(behaviour) {
            let mut world = World::new(script).await;
            let running = world.begin_until("first", is_call).await;
            world.cancel().await;
            assert_eq!(running.word().await, "unknown mcp.call_cancelled", "{behaviour}, {era}");
            assert_told(&mut world.end().await, era, behaviour).await;
        }
    }
}

#[tokio::test]
async fn a_call_of_which_half_was_read_is_unknown_when_it_is_given_up() {
    let arguments = format!(r#"{{"a":"{}"}}"#, "x".repeat(200 * 1024));
    for (era, mut script) in both_eras("call-cut") {
        script.cut = Ending::Hold;
        let short = |setup: &mut Setup| setup.budgets.call = Duration::from_millis(200);
        let (word, server) = play(script.clone(), "first", &arguments, short).await;
        assert_eq!(
            (word.as_str(), server.calls()),
            ("unknown mcp.call_timeout", 1),
            "{era}"
        );

        let mut world = World::new(script).await;
        let running = world.begin("first", &arguments).await;
        world
            .server
            .wait_for(|request| request.is_cut)
            .await
            .expect("half a call");
        world.cancel().await;
        assert_eq!(running.word().await, "unknown mcp.call_cancelled", "{era}");
        world.server.wait_for_abandoned(1).await.expect("the request ended");
        assert_eq!(world.end().await.calls(), 1, "{era}");
    }
}

#[tokio::test]
async fn a_host_that_shuts_down_tells_the_server_too() {
    for (era, script) in both_eras("call-silent") {
        let mut world = World::new(script).await;
        let running = world.begin_until("first", is_call).await;
        let mut server = world.end().await;
        assert_eq!(running.word().await, "unknown mcp.call_cancelled", "{era}");
        assert_told(&mut server, era, "call-silent").await;
    }
}

/// A setup whose connections may take so long to close.
fn closing_within(close: Duration) -> impl FnOnce(&mut Setup) {
    move |setup| {
        setup.connector = connector(NetLimits {
            close,
            ..NetLimits::default()
        });
    }
}

#[tokio::test]
async fn the_outcome_is_there_before_the_close_is_answered() {
    // Long enough that a test which waited for the close would be noticed.
    let mut world = World::with(script("no-delete"), closing_within(Duration::from_mins(10))).await;
    let word = world.begin("first", "{}").await.word();
    let word = tokio::time::timeout(Duration::from_mins(1), word).await;
    assert_eq!(word.expect("in time"), "tool_result");
    // The session is being given back all the same.
    let is_delete = |request: &toolgate_testkit::Received| request.method == "DELETE";
    world.server.wait_for(is_delete).await.expect("a DELETE");
}

#[tokio::test]
async fn a_close_that_is_never_answered_is_abandoned_and_changes_nothing() {
    let mut world = World::with(script("no-delete"), closing_within(Duration::from_millis(100))).await;
    assert_eq!(world.begin("first", "{}").await.word().await, "tool_result");
    world.server.wait_for_abandoned(1).await.expect("abandoned");
    world.end().await;
}
