//! The table of behaviours: every server the tests know by name.

use crate::catalogs::{
    bad_output_schema, big_tool, draft_07, duplicates, many_tools, odd_spellings, one_bad_tool, page_to, tool,
    two_tools,
};
use crate::script::{Answer, Ending, Framing, LineEnd, On, Page, Script};

/// A server with a name.
#[derive(Clone, Copy, Debug)]
pub struct Behaviour {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// The script it plays.
    pub script: fn() -> Script,
}

/// The behaviour with a name.
pub fn find(name: &str) -> Option<&'static Behaviour> {
    BEHAVIOURS.iter().find(|behaviour| behaviour.name == name)
}

const fn row(name: &'static str, about: &'static str, script: fn() -> Script) -> Behaviour {
    Behaviour { name, about, script }
}

/// Every behaviour.
pub const BEHAVIOURS: &[Behaviour] = &[
    // Well-behaved servers.
    row("good", "Older revisions, a session, JSON answers.", Script::default),
    row("good-sse", "The same with event streams.", || {
        Script::default().framing(Framing::Events(LineEnd::Lf, 4096))
    }),
    row("good-stateless", "Older revisions without a session.", || Script {
        session: false,
        ..Script::default()
    }),
    row("good-2026", "Revision 2026-07-28, JSON answers.", Script::modern),
    row("good-2026-sse", "Revision 2026-07-28, event streams.", || {
        Script::modern().framing(Framing::Events(LineEnd::Lf, 4096))
    }),
    row(
        "two-pages",
        "Two pages; the second is asked for with the empty cursor.",
        || {
            Script::default().pages(vec![
                Page::only(page_to(&[tool("first")], r#""""#)),
                Page::at("", format!(r#"{{"tools":[{}]}}"#, tool("second"))),
            ])
        },
    ),
    // Odd catalogs.
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
    // Sizes.
    row("5-mib-body", "A body above the limit.", || {
        Script::default().pages(vec![Page::only(big_tool(5 * 1024))])
    }),
    row("5-mib-stream", "An event stream above the limit, in one event.", || {
        Script::default()
            .framing(Framing::Events(LineEnd::Lf, 65_536))
            .pages(vec![Page::only(big_tool(5 * 1024))])
    }),
    row(
        "many-events",
        "An event stream above the limit, in small events.",
        || {
            let note = format!(
                "event: message\ndata: {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":{{\"x\":\"{}\"}}}}\n\n",
                "x".repeat(4096)
            );
            let head = "HTTP/1.1 200 Kit\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
            let bytes = format!("{head}{}", note.repeat(5 * 1024 * 1024 / note.len()));
            Script::default().instead(On::Rpc("tools/list"), Answer::Bytes(bytes.into_bytes(), Ending::Hold))
        },
    ),
    // Event streams.
    row("crlf-stream", "CR LF, one byte a chunk.", || {
        Script::default().framing(Framing::Events(LineEnd::CrLf, 1))
    }),
    row("cr-stream", "CR, one byte a chunk.", || {
        Script::default().framing(Framing::Events(LineEnd::Cr, 1))
    }),
    row(
        "resumed-stream",
        "The list's stream closes at once and goes on after a GET.",
        || Script::default().framing(Framing::Resumed),
    ),
    row(
        "stream-without-answer",
        "An event stream that ends without an answer.",
        || {
            Script::default().instead(
                On::Rpc("tools/list"),
                Answer::typed(200, "text/event-stream", ": nothing\n\n"),
            )
        },
    ),
    row("stream-with-noise", "An event that holds no JSON.", || {
        Script::default().instead(
            On::Rpc("tools/list"),
            Answer::typed(200, "text/event-stream", "data: remote text\n\n"),
        )
    }),
    // HTTP.
    row("redirect", "Every request is redirected to another host.", || {
        every(Answer::Http {
            status: 307,
            headers: vec![(
                "Location",
                "http://elsewhere.invalid:81/secret-path?key=secret".to_owned(),
            )],
            body: Vec::new(),
        })
    }),
    row(
        "redirect-slash",
        "Every request is redirected to the same host.",
        || {
            every(Answer::Http {
                status: 308,
                headers: vec![("Location", "/mcp/".to_owned())],
                body: Vec::new(),
            })
        },
    ),
    row("html", "A web page.", || {
        every(Answer::typed(
            200,
            "text/html; charset=utf-8",
            "<html>remote text</html>",
        ))
    }),
    row("plain-text", "Text that is no web page.", || {
        every(Answer::typed(200, "text/plain", "remote text"))
    }),
    row("401", "Credentials asked for.", || {
        every(Answer::Http {
            status: 401,
            headers: vec![("WWW-Authenticate", "Bearer realm=\"remote text\"".to_owned())],
            body: Vec::new(),
        })
    }),
    row("401-json", "Credentials asked for with a JSON-RPC error.", || {
        every(Answer::Error {
            status: 401,
            code: -32001,
            data: None,
        })
    }),
    row("403", "Access refused.", || every(Answer::status(403))),
    row("404", "Nothing there.", || {
        every(Answer::typed(404, "text/html", "<html>remote text</html>"))
    }),
    row("405", "POST not allowed.", || every(Answer::status(405))),
    row("400", "A bare refusal.", || {
        every(Answer::typed(400, "text/plain", "remote text"))
    }),
    row("429", "Too many requests.", || {
        every(Answer::Http {
            status: 429,
            headers: vec![("Retry-After", "7".to_owned())],
            body: Vec::new(),
        })
    }),
    row("503", "The server failed.", || every(Answer::status(503))),
    row("500-json", "The list fails with a JSON-RPC error.", || {
        Script::default().instead(
            On::Rpc("tools/list"),
            Answer::Error {
                status: 500,
                code: -32603,
                data: None,
            },
        )
    }),
    row("gzip", "A body with a content encoding.", || {
        every(Answer::Http {
            status: 200,
            headers: vec![
                ("Content-Type", "application/json".to_owned()),
                ("Content-Encoding", "gzip".to_owned()),
            ],
            body: b"\x1f\x8b".to_vec(),
        })
    }),
    row("closed-port", "Nothing listens.", || Script {
        listens: false,
        ..Script::default()
    }),
    row("not-http", "What answers is not HTTP.", || {
        every(Answer::Bytes(b"SSH-2.0-remote text\r\n".to_vec(), Ending::Close))
    }),
    row("silent", "No answer at all.", || every(Answer::silence())),
    row("silent-list", "No answer to the list.", || {
        Script::default().instead(On::Rpc("tools/list"), Answer::silence())
    }),
    row(
        "stalled-stream",
        "An event stream at the start that says nothing.",
        || {
            let head = "HTTP/1.1 200 Kit\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n: wait\n\n";
            every(Answer::Bytes(head.into(), Ending::Hold))
        },
    ),
    row("reset", "Every connection is reset.", || {
        every(Answer::Bytes(Vec::new(), Ending::Reset))
    }),
    row(
        "reset-body",
        "The connection is reset in the middle of the list.",
        || {
            let head = "HTTP/1.1 200 Kit\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"jsonrpc\"";
            Script::default().instead(On::Rpc("tools/list"), Answer::Bytes(head.into(), Ending::Reset))
        },
    ),
    row("short-body", "A body shorter than it says.", || {
        let head = "HTTP/1.1 200 Kit\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"jsonrpc\"";
        Script::default().instead(On::Rpc("tools/list"), Answer::Bytes(head.into(), Ending::Close))
    }),
    row("no-delete", "A session that cannot be ended.", || {
        Script::default().instead(On::Http("DELETE"), Answer::silence())
    }),
    // JSON-RPC.
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
    // Starts.
    row(
        "discover-400",
        "A bare 400 to server/discover, then a good older server.",
        || Script::default().instead(On::Rpc("server/discover"), Answer::status(400)),
    ),
    row(
        "discover-32000",
        "Error -32000 to server/discover, then a good older server.",
        || {
            Script::default().instead(
                On::Rpc("server/discover"),
                Answer::Error {
                    status: 400,
                    code: -32000,
                    data: None,
                },
            )
        },
    ),
    row(
        "discover-202",
        "server/discover is accepted and never answered.",
        || Script::default().instead(On::Rpc("server/discover"), Answer::status(202)),
    ),
    row(
        "discover-empty-stream",
        "server/discover gets an event stream that ends.",
        || {
            Script::default().instead(
                On::Rpc("server/discover"),
                Answer::typed(200, "text/event-stream", ": nothing\n\n"),
            )
        },
    ),
    row(
        "discover-narrow",
        "Refuses any probe but that for 2026-07-28, although it knows initialize.",
        || {
            Script::default().instead(
                On::Rpc("server/discover"),
                Answer::Error {
                    status: 400,
                    code: -32022,
                    data: Some(r#"{"supported":["2099-01-01"]}"#.to_owned()),
                },
            )
        },
    ),
    row(
        "old-version",
        "Answers initialize with 2024-11-05, whatever is asked.",
        || Script {
            versions: vec!["2024-11-05"],
            ..Script::default()
        },
    ),
    row("odd-version", "Answers initialize with no version at all.", || Script {
        versions: vec!["remote text"],
        ..Script::default()
    }),
    row("legacy-sse", "The HTTP+SSE transport of 2024.", || {
        let head = "HTTP/1.1 200 Kit\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
        let stream = format!("{head}event: endpoint\ndata: /messages?sessionId=1\n\n");
        Script::default()
            .instead(On::Http("GET"), Answer::Bytes(stream.into_bytes(), Ending::Hold))
            .instead(On::Http("POST"), Answer::status(405))
    }),
];

fn every(answer: Answer) -> Script {
    Script::default().instead(On::Every, answer)
}

fn json(body: &str) -> Answer {
    Answer::typed(200, "application/json", body)
}

#[cfg(test)]
mod tests {
    use super::BEHAVIOURS;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = BEHAVIOURS.iter().map(|behaviour| behaviour.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), BEHAVIOURS.len());
    }
}
