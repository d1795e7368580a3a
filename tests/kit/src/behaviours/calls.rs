//! Servers that are in order until a tool is called.

use super::{Behaviour, half_a_body, json, many_headers, quiet_stream, row};
use crate::catalogs::{page, page_to, tool};
use crate::script::{Answer, Ending, Framing, On, Page, Script};

/// The rows.
pub(super) const ROWS: &[Behaviour] = &[
    row("call-error", "A JSON-RPC error.", || {
        call(error(200, -32602, Some(r#"{"n":18446744073709551615}"#)))
    }),
    row("call-400-error", "The same with HTTP status 400.", || {
        call(error(400, -32602, None))
    }),
    row("call-500-error", "The same with HTTP status 500.", || {
        call(error(500, -32603, None))
    }),
    row("call-null-error", "An error of no request, HTTP status 400.", || {
        call(Answer::typed(400, "application/json", NULL_ERROR))
    }),
    row("call-null-error-500", "The same with HTTP status 500.", || {
        call(Answer::typed(500, "application/json", NULL_ERROR))
    }),
    row("call-401", "Credentials asked for.", || call(Answer::status(401))),
    row("call-401-error", "The same with a JSON-RPC error.", || {
        call(error(401, -32001, None))
    }),
    row("call-404", "Nothing there any more.", || call(Answer::status(404))),
    row("call-404-error", "The session is over.", || {
        call(error(404, -32001, None))
    }),
    row("call-429", "Too many requests.", || call(Answer::status(429))),
    row("call-500", "The server failed.", || call(Answer::status(500))),
    row("call-redirect", "A redirect to the same host.", || {
        call(Answer::Http {
            status: 307,
            headers: vec![("Location", "/mcp/".to_owned())],
            body: Vec::new(),
        })
    }),
    row("call-202", "Accepted and never answered.", || call(Answer::status(202))),
    row("call-html", "A web page.", || {
        call(Answer::typed(200, "text/html", "<html>remote text</html>"))
    }),
    row("call-gzip", "An encoded body.", || {
        call(Answer::Http {
            status: 200,
            headers: vec![
                ("Content-Type", "application/json".to_owned()),
                ("Content-Encoding", "gzip".to_owned()),
            ],
            body: b"\x1f\x8b".to_vec(),
        })
    }),
    row("call-malformed", "JSON that is cut off.", || {
        call(json(r#"{"jsonrpc":"2.0","id":"#))
    }),
    row("call-foreign-id", "An answer to another request.", || {
        call(json(r#"{"jsonrpc":"2.0","id":4711,"result":{"content":[]}}"#))
    }),
    row("call-foreign-error", "An error of another request.", || {
        call(json(
            r#"{"jsonrpc":"2.0","id":4711,"error":{"code":-32603,"message":"remote text"}}"#,
        ))
    }),
    row("call-5-mib", "A body above the limit.", || {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"result":"{}"}}"#, "x".repeat(5 << 20));
        call(json(&body))
    }),
    row("call-5-mib-stream", "An event stream above the limit.", || {
        let note = format!(
            "data: {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":{{\"x\":\"{}\"}}}}\n\n",
            "x".repeat(4096)
        );
        let head = "HTTP/1.1 200 Kit\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
        let bytes = format!("{head}{}", note.repeat((5 << 20) / note.len()));
        call(Answer::Bytes(bytes.into_bytes(), Ending::Hold))
    }),
    row("call-reset", "Reset before any answer.", || {
        call(Answer::Bytes(Vec::new(), Ending::Reset))
    }),
    row("call-close", "Closed before any answer.", || {
        call(Answer::Bytes(Vec::new(), Ending::Close))
    }),
    row("call-not-http", "What answers is not HTTP.", || {
        call(Answer::Bytes(b"SSH-2.0-remote text\r\n".to_vec(), Ending::Close))
    }),
    row("call-many-headers", "More headers than can be read.", || {
        call(many_headers(150, 8))
    }),
    row("call-half-head", "Reset in the middle of the head.", || {
        call(Answer::Bytes(b"HTTP/1.1 200 Kit\r\nContent-Ty".to_vec(), Ending::Reset))
    }),
    row("call-half-body", "Reset in the middle of the body.", || {
        call(half_a_body(Ending::Reset))
    }),
    row("call-short-body", "A body shorter than it says.", || {
        call(half_a_body(Ending::Close))
    }),
    row(
        "call-stream-ends",
        "An event stream that ends without an answer.",
        || call(quiet_stream(Ending::Close)),
    ),
    row("call-stream-reset", "An event stream that is reset.", || {
        call(quiet_stream(Ending::Reset))
    }),
    row("call-stream-noise", "An event that holds no JSON.", || {
        call(Answer::typed(200, "text/event-stream", "data: remote text\n\n"))
    }),
    row("call-silent", "No answer at all.", || call(Answer::silence())),
    row(
        "call-quiet-stream",
        "An event stream that says nothing and stays open.",
        || call(quiet_stream(Ending::Hold)),
    ),
    row(
        "call-stalled-body",
        "A body that stops half-way and stays open.",
        || call(half_a_body(Ending::Hold)),
    ),
    row("call-cut", "A large request is reset while it is being sent.", || {
        Script {
            most_body_bytes: 16 * 1024,
            ..Script::default()
        }
    }),
    row(
        "call-resumed",
        "The stream closes at once and goes on after a GET.",
        || Script::default().framing(Framing::Resumed),
    ),
    row("call-input-required", "More input is asked for.", || {
        call(Answer::Result(
            r#"{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{}}},"requestState":"s"}"#
                .to_owned(),
        ))
    }),
    row("call-task", "A task is made of it.", || {
        call(Answer::Result(
            r#"{"resultType":"task","taskId":"1","status":"working"}"#.to_owned(),
        ))
    }),
    row(
        "mirroring",
        "Arguments that belong in headers; the tool is on the second page.",
        || {
            let schema = r#"{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"Count"},"text":{"type":"string","x-mcp-header":"Text"},"flag":{"type":"boolean","x-mcp-header":"Flag"},"in":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}}"#;
            let mirrored = format!(r#"{{"name":"mirrored","inputSchema":{schema}}}"#);
            Script::modern().pages(vec![
                Page::only(page_to(&[tool("first")], r#""2""#)),
                Page::at("2", page_to(&[mirrored], r#""3""#)),
                Page::at("3", page(&[tool("last")])),
            ])
        },
    ),
];

const NULL_ERROR: &str = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"remote text"}}"#;

/// A server of the older revisions that does this when a tool is called.
fn call(answer: Answer) -> Script {
    Script::default().instead(On::Rpc("tools/call"), answer)
}

fn error(status: u16, code: i64, data: Option<&str>) -> Answer {
    Answer::Error {
        status,
        code,
        data: data.map(str::to_owned),
    }
}
