//! Servers whose answers are large or whose event streams are odd.

use super::{Behaviour, row};
use crate::catalogs::big_tool;
use crate::script::{Answer, Ending, Framing, LineEnd, On, Page, Script};

/// The rows.
pub(super) const ROWS: &[Behaviour] = &[
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
    row("crlf-stream", "CR LF, one byte a chunk.", || {
        Script::default().framing(Framing::Events(LineEnd::CrLf, 1))
    }),
    row("cr-stream", "CR, one byte a chunk.", || {
        Script::default().framing(Framing::Events(LineEnd::Cr, 1))
    }),
    row("chatty-stream", "Notifications and a ping before the answer.", || {
        Script {
            framing: Framing::Events(LineEnd::Lf, 4096),
            prelude: [
                r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"remote text"}}"#,
                r#"{"jsonrpc":"2.0","id":"ping-1","method":"ping"}"#,
                r#"{"jsonrpc":"2.0","method":"notifications/unheard-of"}"#,
            ]
            .map(str::to_owned)
            .to_vec(),
            ..Script::default()
        }
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
];
