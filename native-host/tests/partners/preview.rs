//! What a person sees before the next turn.

use serde_json::json;

use crate::support::{Bench, page};
use crate::{URL, grant, granted, offered, partner, preview, refresh, said, turn};

#[tokio::test]
async fn a_preview_is_what_the_next_turn_offers() {
    let mut bench = Bench::new();
    let (server, partner, session) = granted(&mut bench, &["search", "write", "read"], "all").await;
    let changes = json!({"id": server, "changes": {"search": "ask", "read": "allow"}});
    bench.ok("tools.setPermissions", changes).await;
    let shown = preview(&bench, &partner).await;
    assert_eq!(shown["toolCount"], 3);
    assert_eq!(shown["diagnostics"], json!([]));
    assert_eq!(
        shown["servers"],
        json!([{
            "serverId": server,
            "scope": "all",
            "displayName": "Docs",
            "state": "active",
            "tools": [
                {"nativeName": "search", "alias": "mcp__Docs__search", "permission": "ask"},
                {"nativeName": "write", "alias": "mcp__Docs__write", "permission": "off"},
                {"nativeName": "read", "alias": "mcp__Docs__read", "permission": "allow"},
            ],
            "offTools": 1,
            "diagnostics": [],
        }])
    );
    let next = turn(&bench, &session).await;
    assert_eq!(offered(&next), ["search", "write", "read"]);
    assert_eq!(next["revision"], shown["revision"]);
    grant(&bench, &partner, &server, "permitted").await;
    let shown = preview(&bench, &partner).await;
    assert_eq!(shown["toolCount"], 2);
    assert_eq!(shown["servers"][0]["offTools"], 1);
    assert_eq!(
        said(&shown["servers"][0]["diagnostics"]),
        [("mcp.tool_permission_off", "write")]
    );
}

#[tokio::test]
async fn while_the_switch_is_off_a_preview_says_what_would_be_offered() {
    let mut bench = Bench::new();
    let (_, partner, _) = granted(&mut bench, &["search"], "all").await;
    let off = json!({"partnerId": partner, "enabled": false});
    bench.ok("partners.setEnabled", off).await;
    let shown = preview(&bench, &partner).await;
    assert_eq!(shown["toolCount"], 0);
    assert_eq!(said(&shown["diagnostics"]), [("mcp.partner_mcp_off", "")]);
    assert_eq!(shown["servers"][0]["tools"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn every_reason_is_said_at_its_server() {
    let mut bench = Bench::new();
    let (paused, partner, _) = granted(&mut bench, &["search"], "all").await;
    let unread = bench.active_server(URL).await;
    let odd = bench.active_server(URL).await;
    refresh(
        &mut bench,
        &odd,
        json!({"tools": [{"name": "t", "inputSchema": {"type": ["object"]}}]}).to_string(),
    )
    .await;
    for server in [&unread, &odd] {
        grant(&bench, &partner, server, "all").await;
    }
    bench
        .ok("servers.setState", json!({"id": paused, "state": "paused"}))
        .await;
    let shown = preview(&bench, &partner).await;
    assert_eq!(shown["toolCount"], 0);
    let servers = shown["servers"].as_array().unwrap();
    assert_eq!(servers.len(), 3);
    for (server, expected) in [
        (&paused, ("mcp.tool_server_paused", "")),
        (&unread, ("mcp.tool_catalog_missing", "")),
        (&odd, ("mcp.tool_root_type_not_object", "t")),
    ] {
        let found = servers
            .iter()
            .find(|found| found["serverId"] == server.as_str())
            .unwrap();
        assert_eq!(said(&found["diagnostics"]), [expected]);
        assert_eq!(found["diagnostics"][0]["registrationId"], server.as_str());
    }
    assert!(bench.no_attempt());
}

#[tokio::test]
async fn servers_are_previewed_by_name() {
    let bench = Bench::new();
    let partner = partner(&bench).await;
    for name in ["b", "c", "a"] {
        let params = json!({"displayName": name, "config": {"type": "http", "url": URL}});
        let made = bench.ok("servers.create", params).await;
        grant(&bench, &partner, made["id"].as_str().unwrap(), "all").await;
    }
    let shown = preview(&bench, &partner).await;
    let servers = shown["servers"].as_array().unwrap();
    let names: Vec<_> = servers
        .iter()
        .map(|server| server["displayName"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["a", "b", "c"]);
}

#[tokio::test]
async fn a_failed_refresh_is_shown_and_the_last_tools_stay() {
    use toolgate_host::mcp::{Failure, FailureClass, Step};

    let mut bench = Bench::new();
    let (server, partner, session) = granted(&mut bench, &["search"], "all").await;
    let first = turn(&bench, &session).await;
    let running = bench.start("servers.refresh", json!({"id": server}));
    let failure = Failure::new(FailureClass::ConnectionRefused, Step::Connect);
    bench.attempt().await.fail(failure);
    running.await.unwrap().unwrap_err();
    let second = turn(&bench, &session).await;
    assert_eq!(
        (offered(&second), &second["revision"]),
        (vec!["search"], &first["revision"])
    );
    let shown = preview(&bench, &partner).await;
    assert_eq!(
        shown["servers"][0]["lastFailure"]["code"],
        "mcp.connection_connection_refused"
    );
    // A second try by hand clears it.
    refresh(&mut bench, &server, page(&["search"])).await;
    assert!(
        preview(&bench, &partner).await["servers"][0]
            .get("lastFailure")
            .is_none()
    );
}
