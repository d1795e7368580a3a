//! `servers.import`: what the preview shows is what happens, all of it or nothing.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

mod support;

use futures_util::{FutureExt, StreamExt};
use serde_json::{Value, json};
use support::{Bench, ID, registration_file};
use toolgate_core::Limits;
use toolgate_core::import::{Registered, import_many};
use toolgate_core::server::TransportKind;
use toolgate_host::store::MemoryFiles;

const CANARY: &str = "canary-5f2c";

fn both_transports(files: MemoryFiles) -> Bench {
    Bench::with(files, |options| {
        options.transports = vec![TransportKind::Http, TransportKind::Stdio];
    })
}

async fn import(bench: &Bench, text: &Value) -> Result<Value, Value> {
    bench.call("servers.import", json!({"text": text.to_string()})).await
}

async fn names(bench: &Bench) -> Vec<String> {
    let list = bench.ok("servers.list", json!({})).await;
    let servers = list["servers"].as_array().unwrap().iter();
    servers
        .map(|server| server["displayName"].as_str().unwrap().to_owned())
        .collect()
}

/// Code and path of every reason of a refusal.
fn reasons(error: &Value) -> Vec<(&str, &str)> {
    let data = &error["data"];
    let others = data["others"].as_array().into_iter().flatten();
    std::iter::once(data)
        .chain(others)
        .map(|reason| {
            (
                reason["code"].as_str().unwrap(),
                reason["path"].as_str().unwrap_or_default(),
            )
        })
        .collect()
}

#[tokio::test]
async fn every_server_of_the_text_is_there_paused_and_pages_are_told_once() {
    let bench = both_transports(MemoryFiles::new());
    let mut events = Box::pin(bench.bridge.events());
    let text = json!({"mcpServers": {
        "docs": {"url": "https://EXAMPLE.com/mcp", "headers": {"Authorization": CANARY}, "enabled": true},
        " my  files ": {"command": "npx", "args": ["-y", CANARY], "env": {"T": CANARY}, "disabled": false},
    }});
    let imported = import(&bench, &text).await.unwrap();
    assert!(!imported.to_string().contains(CANARY), "{imported}");
    let servers = imported["servers"].as_array().unwrap();
    assert_eq!(servers.len(), 2);
    assert_eq!(servers[0]["displayName"], "docs");
    assert_eq!(servers[0]["target"], "https://example.com");
    assert_eq!(servers[1]["displayName"], "my files");
    assert_eq!(servers[1]["transport"], "stdio");
    assert!(servers.iter().all(|server| server["state"] == "paused"));
    let notes: Vec<_> = imported["notes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|note| &note["code"])
        .collect();
    assert_eq!(notes, ["mcp.import_state_ignored", "mcp.import_state_ignored"]);
    assert_eq!(names(&bench).await, ["docs", "my files"]);
    let id = servers[1]["id"].as_str().unwrap();
    let config = bench.ok("servers.readConfig", json!({"id": id, "reveal": true})).await["config"].clone();
    assert_eq!(config["args"], json!(["-y", CANARY]));
    let event: Value = serde_json::from_str(&events.next().await.unwrap()).unwrap();
    assert_eq!(event["params"], json!({"area": "servers"}));
    assert!(events.next().now_or_never().is_none(), "one event");
}

#[tokio::test]
async fn what_is_refused_names_every_server_at_fault_and_creates_none() {
    let bench = both_transports(MemoryFiles::new());
    import(&bench, &json!({"docs": {"url": "https://example.com/"}}))
        .await
        .unwrap();
    let mut events = Box::pin(bench.bridge.events());
    let before = bench.files.paths();
    let text = json!({"mcpServers": {
        "docs": {"url": "https://example.com/"},
        "good": {"url": "https://example.com/"},
        "ftp": {"url": format!("ftp://{CANARY}@example.com/{CANARY}")},
        "masked": {"command": "a", "env": {"E": "{{DSH_MCP_SAVED:env%2FE}}"}},
        "twice": {"command": "a"},
        " twice": {"command": "a"},
    }});
    let error = import(&bench, &text).await.unwrap_err();
    assert!(!error.to_string().contains(CANARY), "{error}");
    let mut found = reasons(&error);
    found.sort_unstable();
    assert_eq!(
        found,
        [
            ("mcp.endpoint_scheme_invalid", "mcpServers.ftp.url"),
            ("mcp.import_name_doubled", "mcpServers. twice"),
            ("mcp.import_name_doubled", "mcpServers.twice"),
            ("mcp.import_name_taken", "mcpServers.docs"),
            ("mcp.mask_placeholder_new", "mcpServers.masked.env.E"),
        ]
    );
    assert_eq!(names(&bench).await, ["docs"]);
    assert_eq!(bench.files.paths(), before);
    assert!(events.next().now_or_never().is_none());
    // The preview says the same, in the same order.
    let taken = ["docs".to_owned()];
    let registered = Registered {
        names: &taken,
        servers: 1,
    };
    let refusal = import_many(&text.to_string(), &registered, &Limits::default())
        .accepted()
        .unwrap_err();
    let previewed: Vec<_> = refusal
        .reasons()
        .map(|reason| (reason.code.as_str(), reason.path.as_deref().unwrap_or_default()))
        .collect();
    assert_eq!(reasons(&error), previewed);
}

#[tokio::test]
async fn of_very_many_errors_the_first_hundred_are_named_and_the_rest_counted() {
    let bench = both_transports(MemoryFiles::new());
    // In one server, in servers that are too many, and in what stands in the place of servers.
    let headers: serde_json::Map<_, _> = (0..5000).map(|index| (format!("h{index}"), json!(1))).collect();
    let many = |value: Value, count: usize| -> Value {
        let servers = (0..count).map(|index| (format!("s{index:05}"), value.clone()));
        json!({"mcpServers": servers.collect::<serde_json::Map<_, _>>()})
    };
    for (text, more) in [
        (json!({"a": {"url": "https://example.com/", "headers": headers}}), 4900),
        (many(json!(1), 30_000), 29_900),
        // Three hundred of them are looked at; one more says that they are too many.
        (many(json!({"url": "ftp://example.com/"}), 30_000), 201),
    ] {
        let error = import(&bench, &text).await.unwrap_err();
        let found = reasons(&error);
        assert_eq!(found.len(), 101, "{more}");
        assert_eq!(found[100].0, "mcp.import_more_errors");
        assert!(found[..100].iter().all(|(code, _)| *code != "mcp.import_more_errors"));
        let last = error["data"]["others"][99]["message"].as_str().unwrap();
        assert!(last.contains(&format!(" {more} errors")), "{last}");
        assert!(error.to_string().len() < 64 * 1024);
    }
    assert_eq!(names(&bench).await.len(), 0);
}

#[tokio::test]
async fn the_registry_may_be_filled_to_its_last_place_and_no_further() {
    let files = MemoryFiles::new();
    // A server whose file is bad takes a place.
    files.put(registration_file(ID), "torn");
    let bench = Bench::with(files, |options| options.limits.servers = 3);
    let text = |names: &[&str]| {
        let servers = names
            .iter()
            .map(|name| ((*name).to_owned(), json!({"url": "https://example.com/"})));
        json!({"mcpServers": servers.collect::<serde_json::Map<_, _>>()})
    };
    let error = import(&bench, &text(&["a", "b", "c"])).await.unwrap_err();
    assert_eq!(reasons(&error), [("mcp.server_limit", "mcpServers.c")]);
    assert_eq!(names(&bench).await, Vec::<String>::new());
    import(&bench, &text(&["a", "b"])).await.unwrap();
    let error = import(&bench, &text(&["c", "d"])).await.unwrap_err();
    assert_eq!(
        reasons(&error),
        [
            ("mcp.server_limit", "mcpServers.c"),
            ("mcp.server_limit", "mcpServers.d")
        ]
    );
}

#[tokio::test]
async fn a_host_that_starts_no_programs_names_those_of_the_text() {
    let bench = Bench::with(MemoryFiles::new(), |options| {
        options.transports = vec![TransportKind::Http];
    });
    let text = json!({"servers": {
        "a": {"command": "a"}, "docs": {"url": "https://example.com/"}, "b": {"command": "b"},
    }});
    let error = import(&bench, &text).await.unwrap_err();
    assert_eq!(
        reasons(&error),
        [
            ("mcp.transport_unsupported", "servers.a"),
            ("mcp.transport_unsupported", "servers.b")
        ]
    );
    assert_eq!(names(&bench).await, Vec::<String>::new());
}

#[tokio::test]
async fn two_imports_of_one_name_at_once_make_one_server() {
    let bench = both_transports(MemoryFiles::new());
    let text = json!({"a": {"url": "https://example.com/"}, "b": {"command": "b"}}).to_string();
    let one = bench.start("servers.import", json!({"text": text}));
    let other = bench.start("servers.import", json!({"text": text}));
    let (one, other) = (one.await.unwrap(), other.await.unwrap());
    assert_ne!(one.is_ok(), other.is_ok());
    let error = one.and(other).unwrap_err();
    assert_eq!(
        reasons(&error),
        [("mcp.import_name_taken", "a"), ("mcp.import_name_taken", "b")]
    );
    assert_eq!(names(&bench).await, ["a", "b"]);
}

#[tokio::test]
async fn a_text_that_is_no_import_is_refused_at_its_place() {
    let bench = Bench::new();
    let error = bench
        .call("servers.import", json!({"text": "{\n  \"a\": }"}))
        .await
        .unwrap_err();
    assert_eq!(error["data"]["code"], "mcp.import_json_invalid");
    assert_eq!(error["data"]["line"], 2);
    let error = bench
        .call("servers.import", json!({"text": "{\"url\": \"https://example.com/\"}"}))
        .await
        .unwrap_err();
    assert_eq!(error["data"]["code"], "mcp.import_name_missing");
    assert_eq!(
        bench.code("servers.import", json!({"text": 5})).await,
        "mcp.bridge_params_invalid"
    );
}
