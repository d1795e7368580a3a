//! Servers whose list comes in odd pages, or is no list.

use super::{Behaviour, json, listing, quiet_stream, row};
use crate::catalogs::{big_tool, many_tools, page, page_to, tool};
use crate::script::{Answer, Asked, Ending, On, Page, Script};

/// The rows.
pub(super) const ROWS: &[Behaviour] = &[
    row("pages-for-ever", "Each page has a tool and leads to another.", || {
        each(|asked| {
            let next = asked.cursor.len() + 1;
            page_to(&[tool(&format!("tool-{next}"))], &format!("\"{}\"", "x".repeat(next)))
        })
    }),
    row("pages-empty-for-ever", "The same without tools.", || {
        each(|asked| page_to(&[], &format!("\"{}x\"", asked.cursor)))
    }),
    row("pages-32", "As many pages as there may be.", || {
        each(|asked| {
            let number = asked.cursor.len() + 1;
            let tools = [tool(&format!("tool-{number}"))];
            if number == 32 {
                page(&tools)
            } else {
                page_to(&tools, &format!("\"{}\"", "x".repeat(number)))
            }
        })
    }),
    row("pages-in-a-circle", "The third page leads back to the second.", || {
        each(|asked| match asked.cursor.as_str() {
            "a" => page_to(&[tool("second")], r#""b""#),
            "b" => page_to(&[tool("third")], r#""a""#),
            _ => page_to(&[tool("first")], r#""a""#),
        })
    }),
    row("pages-empty-cursor-again", "The empty cursor leads to itself.", || {
        each(|_| page_to(&[tool("first")], r#""""#))
    }),
    row(
        "pages-same-tool",
        "Each of three pages has the same tool, and one of its own.",
        || {
            each(|asked| match asked.cursor.as_str() {
                "a" => page_to(&[tool("same"), tool("second")], r#""b""#),
                "b" => page(&[tool("same"), tool("third")]),
                _ => page_to(&[tool("same"), tool("first")], r#""a""#),
            })
        },
    ),
    row(
        "pages-blank-between",
        "A page without tools between two with some.",
        || {
            each(|asked| match asked.cursor.as_str() {
                "a" => page_to(&[], r#""b""#),
                "b" => page(&[tool("second")]),
                _ => page_to(&[tool("first")], r#""a""#),
            })
        },
    ),
    row(
        "pages-512-tools",
        "As many tools as there may be, on two pages.",
        || {
            each(|asked| {
                let half = many_tools(256);
                if asked.cursor.is_empty() {
                    half.replace("tool-", "one-")
                        .replace("}}}]}", r#"}}}],"nextCursor":"a"}"#)
                } else {
                    half
                }
            })
        },
    ),
    row("pages-513-tools", "One more than that.", || {
        each(|asked| {
            if asked.cursor.is_empty() {
                page_to(&[tool("first")], r#""a""#)
            } else {
                many_tools(512)
            }
        })
    }),
    row("pages-9-mib", "Three pages of 3 MiB.", || {
        each(|asked| match asked.cursor.as_str() {
            "a" => big_tool(3 << 10)
                .replace("first", "second")
                .replace("]}", r#"],"nextCursor":"b"}"#),
            "b" => big_tool(3 << 10).replace("first", "third"),
            _ => big_tool(3 << 10).replace("]}", r#"],"nextCursor":"a"}"#),
        })
    }),
    row("cursor-number", "A next cursor that is a number.", || {
        only(page_to(&[tool("first")], "5"))
    }),
    row("cursor-object", "A next cursor that is an object.", || {
        only(page_to(&[tool("first")], r#"{"a":1}"#))
    }),
    row("cursor-false", "A next cursor that is false.", || {
        only(page_to(&[tool("first")], "false"))
    }),
    row("cursor-long", "A next cursor of 64 KiB.", || {
        let cursor = "x".repeat(64 * 1024);
        paged(&cursor, &format!("\"{cursor}\""))
    }),
    row(
        "cursor-odd",
        "A next cursor with quotes, line ends and an emoji.",
        || paged("\"\\\n\r\u{0}\u{1f600}", r#""\"\\\n\r\u0000\ud83d\ude00""#),
    ),
    row("cursor-broken", "A next cursor that is half a character.", || {
        only(page_to(&[tool("first")], r#""\ud83d""#))
    }),
    row("cursor-twice", "Two next cursors; the last one leads on.", || {
        only(format!(
            r#"{{"tools":[{}],"nextCursor":"a","nextCursor":null}}"#,
            tool("first")
        ))
    }),
    row("page-two-refused", "The second page is refused.", || {
        paged("b", r#""a""#)
    }),
    row("page-two-500", "The second page fails.", || second(Answer::status(500))),
    row("page-two-silent", "The second page never comes.", || {
        second(Answer::silence())
    }),
    row(
        "page-two-stalls",
        "The second page is a stream that says nothing.",
        || second(quiet_stream(Ending::Hold)),
    ),
    row("page-two-cut", "The second page is cut off.", || {
        second(json(r#"{"jsonrpc":"2.0","id":"#))
    }),
    row("page-two-reset", "The second page is a reset.", || {
        second(Answer::Bytes(Vec::new(), Ending::Reset))
    }),
    row("tools-missing", "A list without tools.", || only("{}")),
    row("tools-null", "Tools that are null.", || only(r#"{"tools":null}"#)),
    row("tools-object", "Tools by name.", || {
        only(r#"{"tools":{"first":{"inputSchema":{"type":"object"}}}}"#)
    }),
    row("tools-text", "Tools that are a text.", || {
        only(r#"{"tools":"remote text"}"#)
    }),
    row("tools-none", "No tools at all.", || only(r#"{"tools":[]}"#)),
    row("tools-twice", "Two lists of tools; the last one counts.", || {
        only(format!(
            r#"{{"tools":[{}],"tools":[{}]}}"#,
            tool("first"),
            tool("second")
        ))
    }),
    row("list-null", "The result is null.", || only("null")),
    row("list-array", "The result is the array of tools.", || {
        only(format!("[{}]", tool("first")))
    }),
    row("list-text", "The result is a text.", || only(r#""remote text""#)),
    row(
        "odd-items",
        "null, a number, a text and an array between good tools.",
        || {
            let odd = ["null", "5", "\"remote text\"", "[]", "{}"].map(str::to_owned);
            only(page(&[&[tool("first")], odd.as_slice(), &[tool("second")]].concat()))
        },
    ),
];

fn only(result: impl Into<String>) -> Script {
    Script::default().pages(vec![Page::only(result)])
}

/// A second page behind this cursor; the first one spells it so.
fn paged(cursor: &str, spelled: &str) -> Script {
    Script::default().pages(vec![
        Page::only(page_to(&[tool("first")], spelled)),
        Page::at(cursor, page(&[tool("second")])),
    ])
}

/// A list whose pages are made of the cursor.
fn each(make: fn(&Asked) -> String) -> Script {
    listing(Answer::Page(make))
}

/// A good first page, and this in place of the second.
fn second(answer: Answer) -> Script {
    paged("a", r#""a""#).instead(On::Page("a"), answer)
}
