//! Catalogs read from disk: `tools` (name, title, description, and the texts inputSchema, outputSchema, annotations),
//! `protocolVersion`, `transport`, `serverName`, `serverVersion`. Answers whether the catalog passes; with
//! `"show": "hash"` its content hash; with `other`, whether that catalog (the same, with these fields anew) has the
//! same hash.

use serde_json::{Value, json};
use toolgate_core::Limits;
use toolgate_core::catalog::{Catalog, CatalogTool, revalidate};
use toolgate_core::json::JsonText;
use toolgate_core::schema::JsonSchemaCheck;

use crate::catalog::context;
use crate::harness::{File, outcome};

pub(crate) const FILES: &[File] = crate::files!("stored": "content-hash", "revalidate");

pub(crate) fn run(mut input: Value) -> Value {
    let stored = catalog(&input);
    if input.get("show").is_some() {
        return json!(stored.content_hash());
    }
    if let Some(other) = input.get("other").cloned() {
        for (key, value) in other.as_object().unwrap() {
            input[key] = value.clone();
        }
        return json!(if catalog(&input).content_hash() == stored.content_hash() {
            "same"
        } else {
            "different"
        });
    }
    let transport = context(&input).transport;
    outcome(
        revalidate(stored.clone(), transport, &Limits::default(), &JsonSchemaCheck),
        |catalog| {
            assert_eq!(catalog, stored);
            json!("unchanged")
        },
    )
}

fn catalog(input: &Value) -> Catalog {
    let context = context(input);
    Catalog {
        protocol_version: context.protocol_version,
        server_name: context.server_name,
        server_version: context.server_version,
        tools: input["tools"].as_array().unwrap().iter().map(tool).collect(),
        diagnostics: Vec::new(),
    }
}

fn tool(tool: &Value) -> CatalogTool {
    let text = |key: &str| tool.get(key).map(|text| text.as_str().unwrap().to_owned());
    let document = |key: &str| text(key).map(|text| JsonText::parse(&text).unwrap());
    CatalogTool {
        native_name: text("name").unwrap(),
        title: text("title"),
        description: text("description"),
        input_schema: document("inputSchema").unwrap_or_else(JsonText::empty_object),
        output_schema: document("outputSchema"),
        annotations: document("annotations").unwrap_or_else(JsonText::empty_object),
    }
}
