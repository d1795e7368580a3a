//! What a turn offers, what it does not, and when its revision is another.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;

use crate::support::checks::with_held_check;
use crate::support::{Bench, page};
use crate::{URL, call, grant, granted, offered, open, outcome, partner, refresh, refused, revoke, said, serve, turn};

#[tokio::test]
async fn a_tool_that_is_new_is_offered_in_the_next_turn_and_not_in_this_one() {
    let mut bench = Bench::new();
    let (server, _, session) = granted(&mut bench, &["search"], "all").await;
    let first = turn(&bench, &session).await;
    assert_eq!(offered(&first), ["search"]);
    assert_eq!(first["changed"], true);
    refresh(&mut bench, &server, page(&["search", "write"])).await;
    assert_eq!(
        refused(&mut bench, &session, "mcp__Docs__write").await,
        "mcp.partner_tool_not_offered"
    );
    let second = turn(&bench, &session).await;
    assert_eq!(offered(&second), ["search", "write"]);
    assert_eq!(second["changed"], true);
    assert_ne!(second["revision"], first["revision"]);
    let running = call(&bench, &session, "mcp__Docs__write");
    let mut server = serve(&mut bench).await;
    server.call().await.say("written");
    assert_eq!(outcome(running).await["content"], "written");
}

#[tokio::test]
async fn a_refresh_that_changes_nothing_changes_no_revision() {
    let mut bench = Bench::new();
    let (server, _, session) = granted(&mut bench, &["search"], "all").await;
    let first = turn(&bench, &session).await;
    refresh(&mut bench, &server, page(&["search"])).await;
    let second = turn(&bench, &session).await;
    assert_eq!(second["changed"], false);
    assert_eq!(second["revision"], first["revision"]);
    assert_eq!(second["tools"], first["tools"]);
}

#[tokio::test]
async fn everything_that_counts_changes_the_revision_and_taking_it_back_brings_back_the_old_one() {
    let mut bench = Bench::new();
    let (server, partner, session) = granted(&mut bench, &["search", "write"], "permitted").await;
    let other = bench.active_server(URL).await;
    let first = turn(&bench, &session).await;
    let there_and_back = [
        (
            "partners.setEnabled",
            json!({"partnerId": partner, "enabled": false}),
            json!({"partnerId": partner, "enabled": true}),
        ),
        (
            "partners.grant",
            json!({"partnerId": partner, "serverId": server, "scope": "all"}),
            json!({"partnerId": partner, "serverId": server, "scope": "permitted"}),
        ),
        (
            "servers.setState",
            json!({"id": server, "state": "paused"}),
            json!({"id": server, "state": "active"}),
        ),
        (
            "tools.setPermission",
            json!({"id": server, "nativeName": "search", "permission": "ask"}),
            json!({"id": server, "nativeName": "search", "permission": "off"}),
        ),
    ];
    for (method, there, back) in there_and_back {
        bench.ok(method, there).await;
        let changed = turn(&bench, &session).await;
        assert_eq!(changed["changed"], true, "{method}");
        assert_ne!(changed["revision"], first["revision"], "{method}");
        bench.ok(method, back).await;
        let again = turn(&bench, &session).await;
        assert_eq!(again["changed"], true, "{method}");
        assert_eq!(again["revision"], first["revision"], "{method}");
    }
    grant(&bench, &partner, &other, "all").await;
    assert_ne!(turn(&bench, &session).await["revision"], first["revision"]);
    revoke(&bench, &partner, &other).await;
    assert_eq!(turn(&bench, &session).await["revision"], first["revision"]);
    // The order of grants is nothing that counts, and neither is what nobody is offered.
    revoke(&bench, &partner, &server).await;
    grant(&bench, &partner, &server, "permitted").await;
    let params = json!({"id": server, "nativeName": "write", "override": {"description": "Mine."}});
    bench.ok("tools.setDescriptionOverride", params).await;
    assert_eq!(turn(&bench, &session).await["revision"], first["revision"]);
}

#[tokio::test]
async fn ask_and_allow_are_the_same_offer() {
    let mut bench = Bench::new();
    let (server, _, session) = granted(&mut bench, &["search"], "permitted").await;
    let decide = |permission: &str| json!({"id": server, "nativeName": "search", "permission": permission});
    bench.ok("tools.setPermission", decide("ask")).await;
    let ask = turn(&bench, &session).await;
    bench.ok("tools.setPermission", decide("allow")).await;
    let allow = turn(&bench, &session).await;
    assert_eq!(
        (&allow["revision"], &allow["changed"]),
        (&ask["revision"], &json!(false))
    );
}

#[tokio::test]
async fn all_is_every_tool_and_permitted_those_at_ask_or_allow() {
    let mut bench = Bench::new();
    let (server, partner, session) = granted(&mut bench, &["off", "ask", "allow"], "all").await;
    let changes = json!({"id": server, "changes": {"ask": "ask", "allow": "allow"}});
    bench.ok("tools.setPermissions", changes).await;
    assert_eq!(offered(&turn(&bench, &session).await), ["off", "ask", "allow"]);
    grant(&bench, &partner, &server, "permitted").await;
    let permitted = turn(&bench, &session).await;
    assert_eq!(offered(&permitted), ["ask", "allow"]);
    assert_eq!(permitted["diagnostics"], json!([]));
}

#[tokio::test]
async fn a_turn_has_the_registrations_descriptions() {
    let mut bench = Bench::new();
    let (server, _, session) = granted(&mut bench, &["search"], "all").await;
    let first = turn(&bench, &session).await;
    let layer = json!({"description": "Mine.", "properties": {"gone": "x"}});
    let params = json!({"id": server, "nativeName": "search", "override": layer});
    bench.ok("tools.setDescriptionOverride", params).await;
    let second = turn(&bench, &session).await;
    assert_eq!(second["tools"][0]["description"], "Mine.");
    assert_ne!(second["revision"], first["revision"]);
    assert_eq!(
        said(&second["diagnostics"]),
        [("mcp.description_property_missing", "search")]
    );
}

#[tokio::test]
async fn an_applications_own_names_stay_and_aliases_make_way() {
    let mut bench = Bench::new();
    let (server, _, session) = granted(&mut bench, &["search"], "all").await;
    let first = turn(&bench, &session).await;
    assert_eq!(
        first["tools"][0],
        json!({
            "alias": "mcp__Docs__search",
            "toolId": format!("mcp/{server}:search"),
            "description": "",
            "inputSchemaJson": "{\"type\":\"object\"}",
        })
    );
    let params = json!({"sessionId": session, "localNames": ["mcp__Docs__search", "read_file"]});
    let second = bench.ok("partners.turn", params).await;
    let alias = second["tools"][0]["alias"].as_str().unwrap();
    assert!(alias.starts_with("mcp__Docs__search_"), "{alias}");
    assert_eq!(second["revision"], first["revision"]);
    assert_eq!(second["changed"], true);
    assert_eq!(
        refused(&mut bench, &session, "mcp__Docs__search").await,
        "mcp.partner_tool_not_offered"
    );
}

#[tokio::test]
async fn what_is_missing_is_said() {
    let mut bench = Bench::new();
    let (server, partner, session) = granted(&mut bench, &["search"], "all").await;
    let unread = bench.active_server(URL).await;
    grant(&bench, &partner, &unread, "all").await;
    let list = json!({"tools": [
        {"name": "search", "inputSchema": {"type": "object"}},
        {"name": "list", "inputSchema": {}},
    ]});
    refresh(&mut bench, &server, list.to_string()).await;
    let first = turn(&bench, &session).await;
    assert_eq!(offered(&first), ["search"]);
    let mut missing = said(&first["diagnostics"]);
    missing.sort_unstable();
    assert_eq!(
        missing,
        [
            ("mcp.tool_catalog_missing", ""),
            ("mcp.tool_root_type_not_object", "list")
        ]
    );
    bench
        .ok("servers.setState", json!({"id": server, "state": "paused"}))
        .await;
    let second = turn(&bench, &session).await;
    assert!(offered(&second).is_empty());
    assert!(said(&second["diagnostics"]).contains(&("mcp.tool_server_paused", "")));
    let off = json!({"partnerId": partner, "enabled": false});
    bench.ok("partners.setEnabled", off).await;
    let third = turn(&bench, &session).await;
    assert!(offered(&third).is_empty());
    assert_eq!(said(&third["diagnostics"]), [("mcp.partner_mcp_off", "")]);
}

#[tokio::test]
async fn nobody_but_the_partner_that_was_granted_a_server_is_offered_it() {
    let mut bench = Bench::new();
    let (_, _, mine) = granted(&mut bench, &["search"], "all").await;
    let stranger = partner(&bench).await;
    let theirs = open(&bench, &stranger).await;
    assert_eq!(offered(&turn(&bench, &mine).await), ["search"]);
    let nothing = turn(&bench, &theirs).await;
    assert!(offered(&nothing).is_empty());
    assert_eq!(nothing["diagnostics"], json!([]));
    assert_eq!(
        refused(&mut bench, &theirs, "mcp__Docs__search").await,
        "mcp.partner_tool_not_offered"
    );
}

#[tokio::test]
async fn a_turn_connects_with_nobody() {
    let mut bench = Bench::new();
    let server = bench.active_server(URL).await;
    let partner = partner(&bench).await;
    grant(&bench, &partner, &server, "all").await;
    let session = open(&bench, &partner).await;
    assert!(offered(&turn(&bench, &session).await).is_empty());
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn a_removed_partner_has_no_next_turn() {
    let mut bench = Bench::new();
    let (_, partner, session) = granted(&mut bench, &["search"], "all").await;
    turn(&bench, &session).await;
    bench.ok("partners.remove", json!({"partnerId": partner})).await;
    let code = bench.code("partners.turn", json!({"sessionId": session})).await;
    assert_eq!(code, "mcp.partner_not_found");
    assert_eq!(
        refused(&mut bench, &session, "mcp__Docs__search").await,
        "mcp.partner_grant_withdrawn"
    );
}

#[tokio::test]
#[expect(clippy::await_holding_lock, reason = "the check is to wait for as long as the test")]
async fn turns_of_a_session_begin_one_after_the_other() {
    let mut bench = Bench::new();
    let (_, partner, _) = granted(&mut bench, &["search"], "all").await;
    bench.host.shutdown().await;
    let held = Arc::new(Mutex::new(()));
    let holding = held.lock().unwrap();
    let (bench, mut begins) = with_held_check(bench.files, &held, 1, Duration::from_hours(1));
    let (session, other) = (open(&bench, &partner).await, open(&bench, &partner).await);
    let first = bench.start("partners.turn", json!({"sessionId": session}));
    begins.recv().await.unwrap();
    let second = bench.start("partners.turn", json!({"sessionId": session}));
    // Those of another session do not wait.
    for _ in 0..20 {
        assert_eq!(offered(&turn(&bench, &other).await), ["search"]);
    }
    assert!(!second.is_finished(), "the later turn is the present one");
    drop(holding);
    assert_eq!(first.await.unwrap().unwrap()["changed"], true);
    assert_eq!(second.await.unwrap().unwrap()["changed"], false);
}
