//! From pages to a catalog. Input: `pages` (each the text of a `tools/list` result; `last` is one more), `protocolVersion` (2025-11-25
//! where absent), `transport` (http where absent), and what to show:
//! - nothing: per tool its name, per diagnostic all but the sentence;
//! - `"show": "tools"`: the tools whole;
//! - `"show": "next"`: what each page answered, `{"cursor": …}` or `"end"`, instead of a catalog;
//! - `"show": "count"`: how many tools and diagnostics, for lists too long to write out.

use serde_json::{Value, json};
use toolgate_core::Limits;
use toolgate_core::catalog::{Catalog, CatalogContext, CatalogPages, CatalogTool, NextPage, build_catalog};
use toolgate_core::json::JsonText;
use toolgate_core::schema::JsonSchemaCheck;
use toolgate_core::server::TransportKind;

use crate::harness::{File, diagnostics, outcome};

pub(crate) const FILES: &[File] = crate::files!(
    "catalog":
    "duplicates", "fields", "header-annotations", "input-schemas", "items", "names", "output-schemas", "pages", "sizes"
);

pub(crate) fn run(input: Value) -> Value {
    let pages: Vec<&str> = input["pages"]
        .as_array()
        .expect("pages")
        .iter()
        .chain(input.get("last"))
        .map(|page| page.as_str().expect("a page is a text"))
        .collect();
    let show = input.get("show").map(|show| show.as_str().unwrap());
    if show == Some("next") {
        return next(&pages);
    }
    let built = build_catalog(pages, context(&input), &Limits::default(), &JsonSchemaCheck);
    outcome(built, |catalog| match show {
        None => json!({
            "tools": catalog.tools.iter().map(|tool| tool.native_name.as_str()).collect::<Vec<_>>(),
            "diagnostics": diagnostics(&catalog.diagnostics),
        }),
        Some("tools") => whole(&catalog),
        Some("count") => json!({ "tools": catalog.tools.len(), "diagnostics": catalog.diagnostics.len() }),
        Some(other) => panic!("show has no {other}"),
    })
}

/// The context an input describes.
pub(crate) fn context(input: &Value) -> CatalogContext {
    let text = |key: &str| input.get(key).map(|text| text.as_str().unwrap().to_owned());
    CatalogContext {
        protocol_version: text("protocolVersion").unwrap_or_else(|| "2025-11-25".to_owned()),
        server_name: text("serverName"),
        server_version: text("serverVersion"),
        transport: match input.get("transport").map(|transport| transport.as_str().unwrap()) {
            None | Some("http") => TransportKind::Http,
            Some("stdio") => TransportKind::Stdio,
            Some(other) => panic!("there is no transport {other}"),
        },
    }
}

/// A catalog with everything in it but the sentences of its diagnostics.
pub(crate) fn whole(catalog: &Catalog) -> Value {
    json!({
        "tools": catalog.tools.iter().map(tool).collect::<Vec<_>>(),
        "diagnostics": diagnostics(&catalog.diagnostics),
    })
}

/// A tool with its JSON documents as text.
fn tool(tool: &CatalogTool) -> Value {
    let mut shown = json!({ "name": tool.native_name });
    let mut add = |key: &str, value: Option<&str>| {
        if let Some(value) = value {
            shown[key] = json!(value);
        }
    };
    add("title", tool.title.as_deref());
    add("description", tool.description.as_deref());
    add("inputSchema", Some(tool.input_schema.as_str()));
    add("outputSchema", tool.output_schema.as_ref().map(JsonText::as_str));
    add("annotations", Some(tool.annotations.as_str()));
    shown
}

fn next(pages: &[&str]) -> Value {
    let mut collected = CatalogPages::new(&Limits::default());
    pages
        .iter()
        .map(|page| {
            outcome(collected.push(page), |next| match next {
                NextPage::Cursor(cursor) => json!({ "cursor": cursor }),
                NextPage::End => json!("end"),
            })
        })
        .collect()
}
