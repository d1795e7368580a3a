//! Sessions: how long they live, how many there may be, and that one goes on over many turns.

use std::time::Duration;

use serde_json::json;
use toolgate_host::store::MemoryFiles;

use crate::support::Bench;
use crate::{call, grant, granted, offered, open, outcome, partner, serve, turn};

async fn is_open(bench: &Bench, session: &str) -> bool {
    match bench.call("partners.turn", json!({"sessionId": session})).await {
        Ok(_) => true,
        Err(error) => {
            assert_eq!(error["data"]["code"], "mcp.partner_session_not_found");
            assert_eq!(error["data"]["path"], "sessionId");
            false
        }
    }
}

#[tokio::test]
async fn a_closed_session_is_gone_and_closing_it_again_is_no_mistake() {
    let bench = Bench::new();
    let session = open(&bench, &partner(&bench).await).await;
    assert!(is_open(&bench, &session).await);
    for _ in 0..2 {
        bench.ok("partners.closeSession", json!({"sessionId": session})).await;
        assert!(!is_open(&bench, &session).await);
    }
    let params = json!({"sessionId": session, "callId": "c", "alias": "a", "argumentsJson": "{}"});
    let code = bench.code("partners.call", params).await;
    assert_eq!(code, "mcp.partner_session_not_found");
}

#[tokio::test]
async fn a_call_under_way_outlives_its_session() {
    let mut bench = Bench::new();
    let (_, _, session) = granted(&mut bench, &["search"], "all").await;
    turn(&bench, &session).await;
    let running = call(&bench, &session, "mcp__Docs__search");
    let mut server = serve(&mut bench).await;
    let pending = server.call().await;
    bench.ok("partners.closeSession", json!({"sessionId": session})).await;
    pending.say("done");
    assert_eq!(outcome(running).await["content"], "done");
}

#[tokio::test(start_paused = true)]
async fn a_session_that_is_left_alone_is_closed() {
    let bench = Bench::with(MemoryFiles::new(), |options| {
        options.budgets.partner_session_idle = Duration::from_mins(30);
    });
    let session = open(&bench, &partner(&bench).await).await;
    for _ in 0..3 {
        tokio::time::advance(Duration::from_mins(29)).await;
        assert!(is_open(&bench, &session).await);
    }
    tokio::time::advance(Duration::from_mins(30)).await;
    assert!(!is_open(&bench, &session).await);
}

#[tokio::test]
async fn a_session_with_a_call_under_way_is_not_left_alone() {
    let mut bench = Bench::with(MemoryFiles::new(), |options| {
        options.budgets.partner_session_idle = Duration::from_secs(10);
    });
    let (_, _, session) = granted(&mut bench, &["search"], "all").await;
    turn(&bench, &session).await;
    tokio::time::pause();
    let running = call(&bench, &session, "mcp__Docs__search");
    let mut server = serve(&mut bench).await;
    let pending = server.call().await;
    tokio::time::advance(Duration::from_secs(20)).await;
    assert!(is_open(&bench, &session).await);
    pending.say("done");
    assert_eq!(outcome(running).await["content"], "done");
}

#[tokio::test(start_paused = true)]
async fn there_may_be_so_many_sessions() {
    let bench = Bench::with(MemoryFiles::new(), |options| options.limits.partner_sessions = 2);
    let partner = partner(&bench).await;
    let first = open(&bench, &partner).await;
    open(&bench, &partner).await;
    let one_more = json!({"kind": "task", "partnerId": partner});
    let code = bench.code("partners.openSession", one_more.clone()).await;
    assert_eq!(code, "mcp.partner_session_limit");
    bench.ok("partners.closeSession", json!({"sessionId": first})).await;
    bench.ok("partners.openSession", one_more.clone()).await;
    // Those that expire make room.
    tokio::time::advance(Duration::from_hours(24)).await;
    bench.ok("partners.openSession", one_more).await;
}

#[tokio::test]
async fn a_restart_brings_everything_back_in_a_new_session() {
    let mut bench = Bench::new();
    let (server, partner, session) = granted(&mut bench, &["search"], "all").await;
    let layer = json!({"id": server, "nativeName": "search", "override": {"description": "Mine."}});
    bench.ok("tools.setDescriptionOverride", layer).await;
    let before = turn(&bench, &session).await;
    let mut bench = bench.restart().await;
    assert!(!is_open(&bench, &session).await);
    let session = open(&bench, &partner).await;
    let after = turn(&bench, &session).await;
    assert_eq!(after["tools"], before["tools"]);
    assert_eq!(after["revision"], before["revision"]);
    // Nothing connects before it is called.
    assert!(bench.no_attempt());
    let running = call(&bench, &session, "mcp__Docs__search");
    serve(&mut bench).await.call().await.say("done");
    assert_eq!(outcome(running).await["content"], "done");
}

#[tokio::test]
async fn sessions_of_one_partner_have_turns_of_their_own() {
    let mut bench = Bench::new();
    let (_, partner, one) = granted(&mut bench, &["search"], "all").await;
    let other = open(&bench, &partner).await;
    turn(&bench, &one).await;
    let second = bench.active_server(crate::URL).await;
    bench.discover(&second, &["write"]).await;
    grant(&bench, &partner, &second, "all").await;
    assert_eq!(offered(&turn(&bench, &other).await).len(), 2);
    // The turn of the first has not moved on.
    let code = crate::refused(&mut bench, &one, "mcp__Docs__write").await;
    assert_eq!(code, "mcp.partner_tool_not_offered");
}
