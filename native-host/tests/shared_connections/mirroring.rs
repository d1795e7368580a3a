//! Arguments that headers repeat (SEP-2243): by the schema that the model was shown, without asking the server again.

use serde_json::{Value, json};

use crate::support::Bench;
use crate::support::models::came_of;
use crate::{URL, good};

async fn annotated_server(bench: &mut Bench) -> (String, String) {
    let id = bench.active_server(URL).await;
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer", "x-mcp-header": "Count"}}});
    let running = bench.start("servers.discover", json!({"id": id}));
    let (pages, _closing) = bench.attempt().await.connect();
    let page: Value = json!({"tools": [{"name": "search", "inputSchema": schema}]});
    pages.send(Ok(page.to_string())).unwrap();
    running.await.unwrap().unwrap();
    let permit = json!({"id": id, "nativeName": "search", "permission": "allow"});
    bench.ok("tools.setPermission", permit).await;
    let layer = json!({"properties": {"n": "How many."}});
    let params = json!({"id": id, "nativeName": "search", "override": layer});
    bench.ok("tools.setDescriptionOverride", params).await;
    let invocation = bench.invocation(&id, "search").await;
    (id, invocation)
}

#[tokio::test]
async fn only_where_the_protocol_has_it() {
    for (version, expected) in [
        ("2026-07-28", vec![("Count".to_owned(), "7".to_owned())]),
        ("2025-11-25", vec![]),
    ] {
        let mut bench = Bench::new();
        let (_, invocation) = annotated_server(&mut bench).await;
        let running = bench.agent_call_with(&invocation, json!({"argumentsJson": "{\"n\": 7}"}));
        // No page of the list is given: who asked for one would wait.
        let mut server = bench.attempt().await.serve(version);
        let call = server.call().await;
        assert_eq!(call.call.mirrored, expected, "{version}");
        assert_eq!(call.call.arguments.as_str(), "{\"n\":7}");
        call.say("done");
        assert_eq!(came_of(running).await, good());
    }
}
