//! How large a server may be for partners: whole, whatever is granted of it, and nothing is cut.

use serde_json::{Value, json};

use crate::support::{Bench, page};
use crate::{grant, granted, offered, preview, refresh, said, turn};

fn many(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|number| format!("t{number}")).collect();
    page(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A list of four tools whose JSON is so many bytes in all.
fn large(bytes: usize) -> String {
    let tool = |number: usize, description: &str| json!({"name": format!("t{number}"), "inputSchema": {"type": "object"}, "description": description});
    let empty: usize = (0..4).map(|number| tool(number, "").to_string().len()).sum();
    let mut rest = bytes - empty;
    let tools: Vec<Value> = (0..4)
        .map(|number| {
            let length = if number == 3 { rest } else { (bytes - empty) / 4 };
            rest -= length;
            tool(number, &"d".repeat(length))
        })
        .collect();
    assert_eq!(tools.iter().map(|tool| tool.to_string().len()).sum::<usize>(), bytes);
    json!({ "tools": tools }).to_string()
}

async fn notes(bench: &Bench, server: &str) -> Vec<String> {
    let found = bench.ok("servers.discover", json!({"id": server})).await;
    said(&found["diagnostics"])
        .iter()
        .map(|(code, _)| (*code).to_owned())
        .collect()
}

#[tokio::test]
async fn a_server_at_the_limits_is_offered_and_one_above_them_is_not() {
    for (at, above, code) in [
        (many(200), many(201), "mcp.partner_tool_limit"),
        (large(524_288), large(524_289), "mcp.partner_catalog_size_limit"),
    ] {
        let mut bench = Bench::new();
        let (server, partner, session) = granted(&mut bench, &["search"], "all").await;
        refresh(&mut bench, &server, at).await;
        let first = turn(&bench, &session).await;
        assert!(offered(&first).len() >= 4);
        assert_eq!(first["diagnostics"], json!([]));
        assert!(notes(&bench, &server).await.is_empty());
        refresh(&mut bench, &server, above).await;
        // The server's own page says so too.
        assert_eq!(notes(&bench, &server).await, [code]);
        for scope in ["all", "permitted"] {
            grant(&bench, &partner, &server, scope).await;
            let second = turn(&bench, &session).await;
            assert!(offered(&second).is_empty());
            assert_eq!(said(&second["diagnostics"]), [(code, "")], "{scope}");
            let shown = preview(&bench, &partner).await;
            assert_eq!(said(&shown["servers"][0]["diagnostics"]), [(code, "")], "{scope}");
        }
    }
}

#[tokio::test]
async fn other_servers_are_offered_all_the_same() {
    let mut bench = Bench::new();
    let (_, partner, session) = granted(&mut bench, &["search"], "all").await;
    let other = bench.active_server(crate::URL).await;
    refresh(&mut bench, &other, many(201)).await;
    grant(&bench, &partner, &other, "all").await;
    let first = turn(&bench, &session).await;
    assert_eq!(offered(&first), ["search"]);
    assert_eq!(first["diagnostics"][0]["registrationId"], other.as_str());
}
