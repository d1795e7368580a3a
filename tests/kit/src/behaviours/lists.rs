//! Servers whose answer to `tools/list` is odd: the catalog in it, or the JSON-RPC around it.

use super::{Behaviour, json, row};
use crate::catalogs::{
    bad_output_schema, big_tool, draft_07, duplicates, many_tools, odd_spellings, one_bad_tool, page_to, tool,
    two_tools,
};
use crate::script::{Answer, Framing, LineEnd, On, Page, Script};

/// The rows.
pub(super) const ROWS: &[Behaviour] = &[
    row(
        "one-bad-tool",
        "One tool with a broken input schema among good ones.",
        || Script::default().pages(vec![Page::only(one_bad_tool())]),
    ),
    row("duplicates", "A name that stands twice.", || {
        Script::default().pages(vec![Page::only(duplicates())])
    }),
    row("cursor-loop", "The second page leads back to itself.", || {
        Script::default().pages(vec![
            Page::only(page_to(&[tool("first")], r#""again""#)),
            Page::at("again", page_to(&[tool("second")], r#""again""#)),
        ])
    }),
    row("cursor-null", "A next cursor of null.", || {
        Script::default().pages(vec![Page::only(page_to(&[tool("first")], "null"))])
    }),
    row("600-tools", "More tools than a discovery may have.", || {
        Script::default().pages(vec![Page::only(many_tools(600))])
    }),
    row("300-kib-tool", "One tool larger than a tool may be.", || {
        Script::default().pages(vec![Page::only(big_tool(300))])
    }),
    row("bad-output-schema", "A broken output schema.", || {
        Script::default().pages(vec![Page::only(bad_output_schema())])
    }),
    row("draft-07", "Schemas of draft-07.", || {
        Script::default().pages(vec![Page::only(draft_07())])
    }),
    row("odd-spellings-sse", "The same in an event stream.", || {
        Script::default()
            .framing(Framing::Events(LineEnd::Lf, 4096))
            .pages(vec![Page::only(odd_spellings())])
    }),
    row(
        "odd-spellings",
        "Numbers and keys that a typed model would change.",
        || Script::default().pages(vec![Page::only(odd_spellings())]),
    ),
    row("no-tools-capability", "A server without the tools capability.", || {
        Script {
            capabilities: r#"{"prompts":{}}"#,
            ..Script::default()
        }
    }),
    row("malformed-json", "JSON that is cut off.", || {
        Script::default().instead(On::Rpc("tools/list"), json(r#"{"jsonrpc":"2.0","id":"#))
    }),
    row("foreign-id", "An answer to another request.", || {
        Script::default().instead(
            On::Rpc("tools/list"),
            json(r#"{"jsonrpc":"2.0","id":4711,"result":{"tools":[]}}"#),
        )
    }),
    row("list-refused", "The list is refused.", || {
        Script::default().instead(
            On::Rpc("tools/list"),
            Answer::Error {
                status: 200,
                code: -32603,
                data: Some(r#""remote text""#.to_owned()),
            },
        )
    }),
    row(
        "session-lost",
        "The session is over when the list is asked for.",
        || {
            Script::default().instead(
                On::Rpc("tools/list"),
                Answer::Error {
                    status: 404,
                    code: -32001,
                    data: None,
                },
            )
        },
    ),
    row("202-list", "The list is accepted and never answered.", || {
        Script::default().instead(On::Rpc("tools/list"), Answer::status(202))
    }),
    row(
        "batch",
        "The answer in an array, as revision 2025-03-26 has it.",
        || Script {
            versions: vec!["2025-03-26"],
            instead: vec![(On::Rpc("tools/list"), Answer::Batch(two_tools()))],
            ..Script::default()
        },
    ),
];
