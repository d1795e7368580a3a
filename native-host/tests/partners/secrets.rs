//! No secret of a server reaches the partners' file, an answer, an event or an error.

use futures_util::{FutureExt, StreamExt};
use serde_json::json;

use crate::support::{Bench, ROOT};
use crate::{call, grant, open, outcome, partner, preview, refused, revoke, turn};

const CANARY: &str = "canary-7d1e";

fn hides(text: impl std::fmt::Display) {
    let text = text.to_string();
    assert!(!text.contains(CANARY), "{text}");
}

#[tokio::test]
async fn in_nothing_that_partners_are_told_or_that_is_told_of_them() {
    use toolgate_host::mcp::{Failure, FailureClass, Step};

    let mut bench = Bench::new();
    let mut events = Box::pin(bench.bridge.events());
    let config = json!({
        "type": "http",
        "url": format!("https://{CANARY}:{CANARY}@example.com/{CANARY}?key={CANARY}"),
        "headers": {"Authorization": format!("Bearer {CANARY}")},
    });
    let made = bench
        .ok("servers.create", json!({"displayName": "Docs", "config": config}))
        .await;
    let server = made["id"].as_str().unwrap().to_owned();
    bench
        .ok("servers.setState", json!({"id": server, "state": "active"}))
        .await;
    bench.discover(&server, &["search"]).await;
    let partner = partner(&bench).await;
    hides(grant(&bench, &partner, &server, "all").await);
    hides(preview(&bench, &partner).await);
    let session = open(&bench, &partner).await;
    hides(turn(&bench, &session).await);
    let running = call(&bench, &session, "mcp__Docs__search");
    bench
        .attempt()
        .await
        .fail(Failure::new(FailureClass::TlsCertificate, Step::Connect));
    hides(outcome(running).await);
    bench
        .ok("servers.setState", json!({"id": server, "state": "paused"}))
        .await;
    let refusal = refused(&mut bench, &session, "mcp__Docs__search").await;
    assert_eq!(refusal, "mcp.call_server_paused");
    hides(turn(&bench, &session).await);
    hides(preview(&bench, &partner).await);
    revoke(&bench, &partner, &server).await;
    hides(bench.ok("partners.list", json!({})).await);
    let mut seen = 0;
    while let Some(Some(event)) = events.next().now_or_never() {
        hides(event);
        seen += 1;
    }
    assert!(seen > 5);
    let file = bench.file(std::path::Path::new(ROOT).join("partners.json")).unwrap();
    hides(file);
}
