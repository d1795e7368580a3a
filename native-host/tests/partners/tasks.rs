//! Temporary tasks: what was granted when they began, less what was withdrawn since and what their filter lacks.

use serde_json::{Value, json};

use crate::support::{Bench, page};
use crate::{URL, grant, granted, offered, partner, refresh, refused, revoke, said, session, turn};

async fn task(bench: &Bench, partner: &str, filter: Option<Vec<String>>) -> String {
    let mut params = json!({"kind": "task", "partnerId": partner});
    if let Some(filter) = filter {
        params["toolFilter"] = json!(filter);
    }
    session(&bench.ok("partners.openSession", params).await)
}

#[tokio::test]
async fn what_is_granted_later_is_not_a_tasks() {
    let mut bench = Bench::new();
    let (server, partner, conversation) = granted(&mut bench, &["search"], "all").await;
    let task = task(&bench, &partner, None).await;
    let other = bench.active_server(URL).await;
    bench.discover(&other, &["write"]).await;
    grant(&bench, &partner, &other, "all").await;
    assert_eq!(offered(&turn(&bench, &task).await), ["search"]);
    assert_eq!(offered(&turn(&bench, &conversation).await).len(), 2);
    // A tool that is new at a server it was granted is its own: the grant is for the server.
    refresh(&mut bench, &server, page(&["search", "read"])).await;
    assert_eq!(offered(&turn(&bench, &task).await), ["search", "read"]);
}

#[tokio::test]
async fn a_wider_scope_later_is_not_a_tasks_and_a_narrower_one_is() {
    let mut bench = Bench::new();
    let (server, partner, _) = granted(&mut bench, &["search", "write"], "permitted").await;
    let allow = json!({"id": server, "nativeName": "search", "permission": "allow"});
    bench.ok("tools.setPermission", allow).await;
    let narrow = task(&bench, &partner, None).await;
    grant(&bench, &partner, &server, "all").await;
    let wide = task(&bench, &partner, None).await;
    assert_eq!(offered(&turn(&bench, &narrow).await), ["search"]);
    assert_eq!(offered(&turn(&bench, &wide).await), ["search", "write"]);
    grant(&bench, &partner, &server, "permitted").await;
    assert_eq!(
        refused(&mut bench, &wide, "mcp__Docs__write").await,
        "mcp.call_permission_off"
    );
    assert_eq!(offered(&turn(&bench, &wide).await), ["search"]);
}

#[tokio::test]
async fn a_withdrawal_is_for_tasks_too_and_a_new_grant_brings_nothing_new() {
    let mut bench = Bench::new();
    let (server, partner, _) = granted(&mut bench, &["search"], "all").await;
    let running = task(&bench, &partner, None).await;
    turn(&bench, &running).await;
    revoke(&bench, &partner, &server).await;
    assert_eq!(
        refused(&mut bench, &running, "mcp__Docs__search").await,
        "mcp.partner_grant_withdrawn"
    );
    assert!(offered(&turn(&bench, &running).await).is_empty());
    let empty = task(&bench, &partner, None).await;
    grant(&bench, &partner, &server, "all").await;
    assert!(offered(&turn(&bench, &empty).await).is_empty());
    assert_eq!(offered(&turn(&bench, &running).await), ["search"]);
}

#[tokio::test]
async fn a_task_of_a_partner_whose_switch_was_off_stays_without_tools() {
    let mut bench = Bench::new();
    let (_, partner, _) = granted(&mut bench, &["search"], "all").await;
    let switch = |enabled: bool| json!({"partnerId": partner, "enabled": enabled});
    bench.ok("partners.setEnabled", switch(false)).await;
    let task = task(&bench, &partner, None).await;
    bench.ok("partners.setEnabled", switch(true)).await;
    let nothing = turn(&bench, &task).await;
    assert!(offered(&nothing).is_empty());
    assert_eq!(said(&nothing["diagnostics"]), [("mcp.partner_mcp_off", "")]);
}

#[tokio::test]
async fn a_filter_takes_away_and_never_adds() {
    let mut bench = Bench::new();
    let (server, partner, _) = granted(&mut bench, &["search", "write"], "all").await;
    let stranger = bench.active_server(URL).await;
    bench.discover(&stranger, &["steal"]).await;
    let filter = vec![
        format!("mcp/{server}:write"),
        format!("mcp/{server}:gone"),
        format!("mcp/{stranger}:steal"),
    ];
    let running = task(&bench, &partner, Some(filter)).await;
    let first = turn(&bench, &running).await;
    assert_eq!(offered(&first), ["write"]);
    let mut missing = said(&first["diagnostics"]);
    missing.sort_unstable();
    assert_eq!(
        missing,
        [
            ("mcp.partner_tool_not_offered", "gone"),
            ("mcp.partner_tool_not_offered", "steal")
        ]
    );
    for alias in ["mcp__Docs__search", "mcp__Docs__steal"] {
        assert_eq!(
            refused(&mut bench, &running, alias).await,
            "mcp.partner_tool_not_offered"
        );
    }
    let nothing = task(&bench, &partner, Some(Vec::new())).await;
    assert!(offered(&turn(&bench, &nothing).await).is_empty());
}

#[tokio::test]
async fn a_filter_is_read_whole_or_refused() {
    let bench = Bench::new();
    let partner = partner(&bench).await;
    let filter = json!(["mcp/x:y", "tool", "mcp/8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a:ok"]);
    let params = json!({"kind": "task", "partnerId": partner, "toolFilter": filter});
    let error: Value = bench.call("partners.openSession", params).await.unwrap_err();
    assert_eq!(error["data"]["code"], "mcp.registration_id_invalid");
    assert_eq!(error["data"]["path"], "toolFilter[0]");
    assert_eq!(error["data"]["others"][0]["path"], "toolFilter[1]");
    let params = json!({"kind": "partner", "partnerId": partner, "toolFilter": []});
    let error = bench.call("partners.openSession", params).await.unwrap_err();
    assert_eq!(
        (&error["data"]["code"], &error["data"]["path"]),
        (&json!("mcp.bridge_params_invalid"), &json!("toolFilter"))
    );
}
