//! Servers that are odd about their session: its id, its loss, its end.

use super::{Behaviour, row, whole};
use crate::script::{Answer, Asked, Ending, On, Script};

/// The rows.
pub(super) const ROWS: &[Behaviour] =
    &[
        row(
            "session-not-given",
            "Requests outside of a session are refused, and none is given.",
            || opened_by(|asked| whole(JSON, &[], &asked.message)),
        ),
        row("session-empty", "The session's id is empty.", || {
            opened_by(|asked| whole(JSON, &["Mcp-Session-Id:"], &asked.message)).unchecked()
        }),
        row("session-odd", "The session's id has spaces, quotes and commas.", || {
            opened_by(|asked| whole(JSON, &["Mcp-Session-Id: a \"b\", c; d=1"], &asked.message)).unchecked()
        }),
        row("session-latin-1", "The session's id is not ASCII.", || {
            Script::default()
            .instead(
                On::Rpc("initialize"),
                Answer::Made(|asked| {
                    let head = b"HTTP/1.1 200 Kit\r\nContent-Type: application/json\r\nMcp-Session-Id: caf\xe9\r\n\r\n";
                    [head.as_slice(), asked.message.as_bytes()].concat()
                }, Ending::Close),
            )
            .unchecked()
        }),
        row("session-long", "The session's id has 32 KiB.", || {
            opened_by(|asked| {
                whole(
                    JSON,
                    &[&format!("Mcp-Session-Id: {}", "x".repeat(32 * 1024))],
                    &asked.message,
                )
            })
            .unchecked()
        }),
        row("session-twice", "Two different session ids.", || {
            opened_by(|asked| {
                whole(
                    JSON,
                    &["Mcp-Session-Id: kit-session", "Mcp-Session-Id: other"],
                    &asked.message,
                )
            })
        }),
        row("session-changed", "The list comes with another session id.", || {
            Script::default().instead(
                On::Rpc("tools/list"),
                Answer::Made(
                    |asked| whole(JSON, &["Mcp-Session-Id: other"], &asked.message),
                    Ending::Close,
                ),
            )
        }),
        row("session-in-2026", "A session in a revision that has none.", || {
            Script::modern().instead(
                On::Rpc("server/discover"),
                Answer::Made(
                    |asked| whole(JSON, &["Mcp-Session-Id: kit-session"], &asked.message),
                    Ending::Close,
                ),
            )
        }),
        row(
            "session-lost-at-once",
            "The session is over at notifications/initialized.",
            || Script::default().instead(On::Rpc("notifications/initialized"), Answer::status(404)),
        ),
        row("session-400", "The list is refused with 400: no valid session.", || {
            Script::default().instead(
                On::Rpc("tools/list"),
                Answer::Error {
                    status: 400,
                    code: -32000,
                    data: None,
                },
            )
        }),
        row("delete-405", "The session's end is not allowed.", || {
            ended_by(Answer::status(405))
        }),
        row("delete-404", "The session was over before its end.", || {
            ended_by(Answer::status(404))
        }),
        row("delete-500", "The session's end fails.", || {
            ended_by(Answer::status(500))
        }),
        row(
            "delete-redirect",
            "The session's end is redirected to another host.",
            || {
                ended_by(Answer::Http {
                    status: 307,
                    headers: vec![("Location", "http://elsewhere.invalid:81/secret-path".to_owned())],
                    body: Vec::new(),
                })
            },
        ),
        row("delete-reset", "The session's end is answered by a reset.", || {
            ended_by(Answer::Bytes(Vec::new(), Ending::Reset))
        }),
        row("delete-for-ever", "The session's end is answered without end.", || {
            ended_by(Answer::Bytes(
                b"HTTP/1.1 200 Kit\r\n\r\nremote text ".repeat(512),
                Ending::Repeat,
            ))
        }),
    ];

const JSON: &str = "Content-Type: application/json";

/// A server whose answer to `initialize` is these bytes.
fn opened_by(make: fn(&Asked) -> Vec<u8>) -> Script {
    Script::default().instead(On::Rpc("initialize"), Answer::Made(make, Ending::Close))
}

fn ended_by(answer: Answer) -> Script {
    Script::default().instead(On::Http("DELETE"), answer)
}
