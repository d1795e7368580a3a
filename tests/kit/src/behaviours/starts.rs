//! Servers that start a connection in an odd way.

use super::{Behaviour, quiet_stream, row};
use crate::script::{Answer, Ending, On, Script};

/// The rows.
pub(super) const ROWS: &[Behaviour] = &[
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
        "discover-silent",
        "server/discover is never answered, then a good older server.",
        || Script::default().instead(On::Rpc("server/discover"), Answer::silence()),
    ),
    row(
        "discover-stalled",
        "server/discover gets an event stream that says nothing and stays open.",
        || Script::default().instead(On::Rpc("server/discover"), quiet_stream(Ending::Hold)),
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
    row("initialize-silent", "initialize is never answered.", || {
        Script::default().instead(On::Rpc("initialize"), Answer::silence())
    }),
    row(
        "initialized-silent",
        "notifications/initialized is never answered.",
        || Script::default().instead(On::Rpc("notifications/initialized"), Answer::silence()),
    ),
    row("initialized-500", "Fails on notifications/initialized.", || {
        Script::default().instead(On::Rpc("notifications/initialized"), Answer::status(500))
    }),
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
