//! Servers with a stream of their own, on which they speak or ask by themselves.

use super::{Behaviour, row};
use crate::script::{Answer, Ending, On, Script};

/// The rows.
pub(super) const ROWS: &[Behaviour] = &[
    row(
        "asks-before-it-answers",
        "Asks for a sign of life on its own stream before it answers a call.",
        || Script {
            asks: true,
            ..Script::default()
        },
    ),
    row("no-stream-head", "Never answers the GET of its own stream.", || {
        Script::default().instead(On::Http("GET"), Answer::silence())
    }),
    row("stream-404", "A web page in place of its own stream.", || {
        Script::default().instead(
            On::Http("GET"),
            Answer::typed(404, "text/html", "<html>remote text</html>"),
        )
    }),
    row(
        "flood-of-questions",
        "Asks without end on its own stream, and takes no answer.",
        || flood(PING).instead(On::Rpc(""), Answer::silence()),
    ),
    row(
        "flood-of-answered-questions",
        "Asks without end on its own stream, and takes each answer.",
        || flood(PING),
    ),
    row(
        "flood-of-notifications",
        "Notifies without end on its own stream.",
        || {
            flood(
                r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"remote text"}}"#,
            )
        },
    ),
    row(
        "stream-ends",
        "Its own stream ends at once, to be asked for again at once.",
        || {
            Script::default().instead(
                On::Http("GET"),
                Answer::typed(200, "text/event-stream", "id: 1\nretry: 0\ndata:\n\n"),
            )
        },
    ),
];

const PING: &str = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;

/// A server that says this without end on its own stream.
fn flood(message: &str) -> Script {
    let head = "HTTP/1.1 200 Kit\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    let bytes = format!("{head}{}", format!("data: {message}\n\n").repeat(256)).into_bytes();
    Script::default()
        .instead(On::Http("GET"), Answer::Bytes(bytes, Ending::Repeat))
        // The rest of what has no method.
        .instead(On::Http("DELETE"), Answer::status(200))
}
