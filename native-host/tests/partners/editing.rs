//! Making, naming, switching, granting and removing partners.

use futures_util::{FutureExt, StreamExt};
use serde_json::{Value, json};
use toolgate_host::store::MemoryFiles;

use crate::support::{Bench, ID};
use crate::{URL, grant, partner, revoke};

const NOBODY: &str = "0b8f3d3e-6f0a-4f7c-8a58-2f3f5d9c1e11";

async fn partners(bench: &Bench) -> Vec<Value> {
    let list = bench.ok("partners.list", json!({})).await;
    list["partners"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_new_partner_has_nothing_and_is_off() {
    let bench = Bench::new();
    assert!(partners(&bench).await.is_empty());
    let made = bench.ok("partners.create", json!({"name": "  Mia \n Rose "})).await;
    let id = made["id"].clone();
    assert_eq!(
        made,
        json!({"id": id, "name": "Mia Rose", "mcpEnabled": false, "grants": []})
    );
    assert_eq!(partners(&bench).await, [made]);
}

#[tokio::test]
async fn names_are_checked_as_display_names_are() {
    let bench = Bench::new();
    let id = partner(&bench).await;
    for (name, code) in [
        (" \t", "mcp.display_name_empty"),
        (&*"n".repeat(129), "mcp.display_name_too_long"),
    ] {
        assert_eq!(bench.code("partners.create", json!({"name": name})).await, code);
        let params = json!({"partnerId": id, "name": name});
        assert_eq!(bench.code("partners.rename", params).await, code);
    }
    let renamed = bench
        .ok("partners.rename", json!({"partnerId": id, "name": "Ada"}))
        .await;
    assert_eq!(
        (&renamed["name"], &renamed["mcpEnabled"]),
        (&json!("Ada"), &json!(true))
    );
    // Names may be equal; the id says who is meant.
    bench.ok("partners.create", json!({"name": "Ada"})).await;
    assert_eq!(partners(&bench).await.len(), 2);
}

#[tokio::test]
async fn partners_are_listed_by_name() {
    let bench = Bench::new();
    for name in ["b", "a", "c"] {
        bench.ok("partners.create", json!({"name": name})).await;
    }
    let names: Vec<Value> = partners(&bench).await.iter().map(|one| one["name"].clone()).collect();
    assert_eq!(names, ["a", "b", "c"]);
}

#[tokio::test]
async fn a_partner_that_is_not_there_is_named_by_its_parameter() {
    let bench = Bench::new();
    let server = bench.active_server(URL).await;
    for (method, rest) in [
        ("partners.rename", json!({"name": "n"})),
        ("partners.remove", json!({})),
        ("partners.setEnabled", json!({"enabled": true})),
        ("partners.grant", json!({"serverId": server})),
        ("partners.revoke", json!({"serverId": server})),
        ("partners.preview", json!({})),
        ("partners.openSession", json!({"kind": "partner"})),
    ] {
        for (id, code) in [
            (NOBODY, "mcp.partner_not_found"),
            ("nobody", "mcp.partner_id_invalid"),
            (&*NOBODY.to_uppercase(), "mcp.partner_id_invalid"),
        ] {
            let mut params = rest.clone();
            params["partnerId"] = json!(id);
            let error = bench.call(method, params).await.unwrap_err();
            assert_eq!(error["data"]["code"], code, "{method}");
            assert_eq!(error["data"]["path"], "partnerId", "{method}");
        }
    }
}

#[tokio::test]
async fn a_grant_is_for_a_server_that_is_there() {
    let bench = Bench::new();
    let partner = partner(&bench).await;
    for (server, code) in [(ID, "mcp.registration_not_found"), ("x", "mcp.registration_id_invalid")] {
        let params = json!({"partnerId": partner, "serverId": server});
        assert_eq!(bench.code("partners.grant", params).await, code);
    }
    let params = json!({"partnerId": partner, "serverId": ID, "scope": "some"});
    assert_eq!(bench.code("partners.grant", params).await, "mcp.bridge_params_invalid");
    assert_eq!(partners(&bench).await[0]["grants"], json!([]));
}

#[tokio::test]
async fn a_grant_is_for_all_tools_where_nothing_is_said_and_a_second_one_replaces_the_first() {
    let bench = Bench::new();
    let (one, other) = (bench.active_server(URL).await, bench.active_server(URL).await);
    let partner = partner(&bench).await;
    let params = json!({"partnerId": partner, "serverId": one});
    let granted = bench.ok("partners.grant", params).await;
    assert_eq!(granted["grants"], json!([{"serverId": one, "scope": "all"}]));
    grant(&bench, &partner, &other, "permitted").await;
    let granted = grant(&bench, &partner, &one, "permitted").await;
    let both = json!([{"serverId": one, "scope": "permitted"}, {"serverId": other, "scope": "permitted"}]);
    assert_eq!(granted["grants"], both);
    revoke(&bench, &partner, &one).await;
    // Once more changes nothing.
    revoke(&bench, &partner, &one).await;
    let only = json!([{"serverId": other, "scope": "permitted"}]);
    assert_eq!(partners(&bench).await[0]["grants"], only);
}

#[tokio::test]
async fn the_switch_keeps_the_grants() {
    let bench = Bench::new();
    let server = bench.active_server(URL).await;
    let partner = partner(&bench).await;
    let granted = grant(&bench, &partner, &server, "all").await;
    let off = json!({"partnerId": partner, "enabled": false});
    let off = bench.ok("partners.setEnabled", off).await;
    assert_eq!(
        (&off["mcpEnabled"], &off["grants"]),
        (&json!(false), &granted["grants"])
    );
}

#[tokio::test]
async fn removing_a_server_removes_what_is_granted_of_it() {
    let bench = Bench::new();
    let (one, other) = (bench.active_server(URL).await, bench.active_server(URL).await);
    let partner = partner(&bench).await;
    grant(&bench, &partner, &one, "all").await;
    grant(&bench, &partner, &other, "all").await;
    let mut events = Box::pin(bench.bridge.events());
    bench.ok("servers.remove", json!({"id": one})).await;
    let only = json!([{"serverId": other, "scope": "all"}]);
    assert_eq!(partners(&bench).await[0]["grants"], only);
    assert_eq!(areas(&mut events), ["servers", "partners"]);
    // Nobody is granted this one: nothing of partners has changed.
    let third = bench.active_server(URL).await;
    areas(&mut events);
    bench.ok("servers.remove", json!({"id": third})).await;
    assert_eq!(areas(&mut events), ["servers"]);
}

fn areas(events: &mut (impl StreamExt<Item = String> + Unpin)) -> Vec<String> {
    let mut areas = Vec::new();
    while let Some(Some(event)) = events.next().now_or_never() {
        let event: Value = serde_json::from_str(&event).unwrap();
        areas.push(event["params"]["area"].as_str().unwrap().to_owned());
    }
    areas
}

#[tokio::test]
async fn every_change_is_told_to_every_page_and_a_refusal_is_not() {
    let bench = Bench::new();
    let server = bench.active_server(URL).await;
    let id = bench.ok("partners.create", json!({"name": "n"})).await["id"].clone();
    let mut events = Box::pin(bench.bridge.events());
    for (method, params) in [
        ("partners.create", json!({"name": "m"})),
        ("partners.rename", json!({"partnerId": id, "name": "o"})),
        ("partners.setEnabled", json!({"partnerId": id, "enabled": true})),
        ("partners.grant", json!({"partnerId": id, "serverId": server})),
        ("partners.revoke", json!({"partnerId": id, "serverId": server})),
        ("partners.remove", json!({"partnerId": id})),
    ] {
        bench.ok(method, params).await;
        assert_eq!(areas(&mut events), ["partners"], "{method}");
    }
    bench.code("partners.remove", json!({"partnerId": id})).await;
    assert!(areas(&mut events).is_empty());
}

#[tokio::test]
async fn there_may_be_so_many_partners() {
    let bench = Bench::with(MemoryFiles::new(), |options| options.limits.partners = 2);
    let first = partner(&bench).await;
    partner(&bench).await;
    let one_more = json!({"name": "n"});
    assert_eq!(
        bench.code("partners.create", one_more.clone()).await,
        "mcp.partner_limit"
    );
    bench.ok("partners.remove", json!({"partnerId": first})).await;
    bench.ok("partners.create", one_more).await;
}

#[tokio::test]
async fn two_clients_that_edit_at_once_lose_nothing() {
    let bench = Bench::new();
    let mut servers = Vec::new();
    for _ in 0..20 {
        servers.push(bench.active_server(URL).await);
    }
    let id = partner(&bench).await;
    let running: Vec<_> = servers
        .iter()
        .flat_map(|server| {
            [
                bench.start("partners.grant", json!({"partnerId": id, "serverId": server})),
                bench.start("partners.create", json!({"name": server})),
            ]
        })
        .collect();
    for request in running {
        request.await.unwrap().unwrap();
    }
    let partners = partners(&bench).await;
    assert_eq!(partners.len(), 21);
    let mine = partners.iter().find(|partner| partner["id"] == id.as_str()).unwrap();
    assert_eq!(mine["grants"].as_array().unwrap().len(), 20);
}
