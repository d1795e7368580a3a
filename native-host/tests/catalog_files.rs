//! The catalog file: its exact form, and what becomes of one that is bad (manager contract §4 and §5).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

mod support;

use serde_json::{Value, json};
use support::{Bench, catalog_file};
use toolgate_core::json::pretty;

const URL: &str = "https://example.com/mcp";

#[tokio::test]
async fn the_catalog_file_is_the_exact_record() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    let running = bench.start("servers.discover", json!({"id": id}));
    let (pages, _closed) = bench.attempt().await.connect();
    let first = r#"{"tools":[{"name":"搜索/a b","title":"T","description":"d","inputSchema":{"type":"object","properties":{"z":{"minimum":1E5},"a":{"maximum":123456789012345678901234567890}}},"outputSchema":{"type":"object"},"annotations":{"x":[1.50,{}]}},7],"nextCursor":""}"#;
    let second = r#"{"tools":[{"name":"bare","inputSchema":{}}],"nextCursor":null}"#;
    pages.send(Ok(first.to_owned())).unwrap();
    pages.send(Ok(second.to_owned())).unwrap();
    let result = running.await.unwrap().unwrap();
    assert_eq!(result["tools"][0]["id"], format!("mcp/{id}:搜索/a b"));
    let message = result["diagnostics"][0]["message"].as_str().unwrap();
    let expected = format!(
        r#"{{
  "schemaVersion": 1,
  "kind": "tauritavern.mcpCatalogSnapshot",
  "registrationId": "{id}",
  "endpoint": "https://example.com/mcp",
  "catalog": {{
    "protocolVersion": "2025-06-18",
    "serverName": "played",
    "serverVersion": null,
    "tools": [
      {{
        "nativeName": "搜索/a b",
        "title": "T",
        "description": "d",
        "inputSchema": {{"type":"object","properties":{{"z":{{"minimum":1E5}},"a":{{"maximum":123456789012345678901234567890}}}}}},
        "outputSchema": {{"type":"object"}},
        "annotations": {{"x":[1.50,{{}}]}}
      }},
      {{
        "nativeName": "bare",
        "title": null,
        "description": null,
        "inputSchema": {{}},
        "outputSchema": null,
        "annotations": {{}}
      }}
    ],
    "diagnostics": [
      {{
        "code": "mcp.tool_not_object",
        "nativeName": null,
        "message": {}
      }}
    ]
  }}
}}
"#,
        json!(message)
    );
    assert_eq!(bench.file(catalog_file(&id)).unwrap(), expected);

    // However another program lays it out.
    let mut bench = bench;
    for content in [expected.clone(), pretty(&expected)] {
        bench.files.put(catalog_file(&id), content);
        bench = bench.restart().await;
        let mut again = bench.ok("servers.discover", json!({"id": id})).await;
        // The record keeps a diagnostic's code, name and message, not its place in the answer.
        again["diagnostics"][0]["path"] = result["diagnostics"][0]["path"].clone();
        assert_eq!(again, result);
    }
}

#[tokio::test]
async fn a_bad_catalog_file_is_an_error_that_only_a_refresh_repairs() {
    for (from, to, code) in [
        (
            "\"inputSchema\"",
            "\"extra\": 1, \"inputSchema\"",
            "mcp.catalog_damaged",
        ),
        ("\"catalog\"", "", "mcp.catalog_damaged"),
        (
            "\"nativeName\": \"search\"",
            "\"nativeName\": \"\"",
            "mcp.catalog_damaged",
        ),
        ("\"type\":\"object\"", "\"type\":5", "mcp.catalog_damaged"),
        (
            "\"schemaVersion\": 1",
            "\"schemaVersion\": 2",
            "mcp.catalog_schema_unknown",
        ),
        (
            "\"schemaVersion\": 1",
            "\"schemaVersion\": 2, \"later\": true",
            "mcp.catalog_schema_unknown",
        ),
        ("mcpCatalogSnapshot", "mcpOther", "mcp.catalog_schema_unknown"),
        (
            "mcpCatalogSnapshot\"",
            "mcpOther\", \"later\": true",
            "mcp.catalog_schema_unknown",
        ),
        ("example.com/mcp", "example.com/other", "mcp.catalog_mismatch"),
        (
            "\"registrationId\": \"",
            "\"registrationId\": \"x",
            "mcp.catalog_mismatch",
        ),
        ("\"endpoint\": \"https://example.com/mcp\",", "", "mcp.catalog_damaged"),
        ("\"title\": null,", "", "mcp.catalog_damaged"),
        ("\"serverVersion\": null,", "", "mcp.catalog_damaged"),
        ("\"outputSchema\": null,", "", "mcp.catalog_damaged"),
        ("\"2025-06-18\"", "\"1999\"", "mcp.catalog_damaged"),
        (
            "\"tools\": [",
            "\"tools\": [[\"read\", null, null, {\"type\": \"object\"}, null, {}],",
            "mcp.catalog_damaged",
        ),
    ] {
        let mut bench = Bench::new();
        let id = bench.active_server(URL).await;
        bench.discover(&id, &["search"]).await;
        let text = bench.file(catalog_file(&id)).unwrap();
        let bad = text.replacen(from, to, 1);
        assert_ne!(bad, text, "{from}");
        bench.files.put(catalog_file(&id), bad.clone());
        let mut bench = bench.restart().await;
        let error = bench.call("servers.discover", json!({"id": id})).await.unwrap_err();
        assert_eq!(error["data"]["code"], code, "{to}: {error}");
        assert_eq!(error["data"]["registrationId"], json!(id));
        assert!(bench.no_attempt(), "no quiet repair");
        assert_eq!(bench.file(catalog_file(&id)).unwrap(), bad);

        let running = bench.start("servers.refresh", json!({"id": id}));
        bench.attempt().await.offer(&["search"]);
        running.await.unwrap().unwrap();
        assert_eq!(bench.file(catalog_file(&id)).unwrap(), text);
        let bench = bench.restart().await;
        bench.ok("servers.discover", json!({"id": id})).await;
    }
}

#[tokio::test]
async fn a_catalog_written_as_a_list_is_no_catalog() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    bench.discover(&id, &["search"]).await;
    let mut file: Value = serde_json::from_str(&bench.file(catalog_file(&id)).unwrap()).unwrap();
    file["catalog"] = json!(["2025-06-18", null, null, [], []]);
    bench.files.put(catalog_file(&id), file.to_string());
    let bench = bench.restart().await;
    let error = bench.call("servers.discover", json!({"id": id})).await.unwrap_err();
    assert_eq!(error["data"]["code"], "mcp.catalog_damaged");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("catalog must be an object"), "{message}");
}

#[tokio::test]
async fn a_diagnostic_of_another_program_does_not_cost_the_catalog() {
    let mut bench = Bench::new();
    let id = bench.active_server(URL).await;
    bench.discover(&id, &["search"]).await;
    let text = bench.file(catalog_file(&id)).unwrap();
    let foreign = r#""diagnostics": [{"code": "mcp.odd", "nativeName": "x", "message": "odd"}]"#;
    bench
        .files
        .put(catalog_file(&id), text.replace("\"diagnostics\": []", foreign));
    let bench = bench.restart().await;
    let result = bench.ok("servers.discover", json!({"id": id})).await;
    assert_eq!(
        result["diagnostics"],
        json!([{"code": "mcp.catalog_diagnostic_foreign", "nativeName": "x", "message": "mcp.odd: odd"}])
    );
}
