//! Servers whose event stream in answer to `tools/list` is odd in its lines and events.

use super::{Behaviour, head, listing, row, whole};
use crate::script::{Answer, Asked, Ending, On, Script};

/// The rows.
pub(super) const ROWS: &[Behaviour] = &[
    row("events-byte-order-mark", "A byte order mark first.", || {
        events(|asked| format!("\u{feff}data: {}\n\n", asked.message))
    }),
    row("events-no-space", "No space after the colon.", || {
        events(|asked| format!("data:{}\n\n", asked.message))
    }),
    row(
        "events-in-lines",
        "A message in a data line for each of its parts.",
        || events(|asked| format!("data: {}\n\n", asked.message.replace(",\"", ",\ndata: \""))),
    ),
    row(
        "events-all-fields",
        "Every field, unknown ones, lines without a colon.",
        || {
            events(|asked| {
                let fields = ": comment\nid: a\nretry: 5000\nevent: message\nunknown: x\nno colon\nid\nretry: soon\n";
                format!("{fields}data: {}\n\n", asked.message)
            })
        },
    ),
    row("events-mixed-ends", "LF, CR LF and CR in one stream.", || {
        events(|asked| format!(": a\r: b\r\n: c\ndata: {}\r\n\n", asked.message))
    }),
    row(
        "events-no-blank-line",
        "The answer's event is not ended when the stream is.",
        || events(|asked| format!("data: {}\n", asked.message)),
    ),
    row("events-other-name", "Events of other names before the answer.", || {
        events(|asked| {
            format!(
                "event: ping\ndata: remote text\n\nevent: error\ndata: {{}}\n\ndata: {}\n\n",
                asked.message
            )
        })
    }),
    row(
        "events-answer-named-otherwise",
        "The answer is an event of another name.",
        || events(|asked| format!("event: result\ndata: {}\n\n", asked.message)),
    ),
    row("events-empty", "Ten thousand empty events before the answer.", || {
        events(|asked| format!("{}data: {}\n\n", "data:\n\n".repeat(10_000), asked.message))
    }),
    row("events-comments", "A megabyte of comments before the answer.", || {
        events(|asked| format!("{}data: {}\n\n", ": keep alive\n\n".repeat(75_000), asked.message))
    }),
    row(
        "events-comments-for-ever",
        "Comments without end, and no answer.",
        || repeated(": keep alive\n\n".repeat(1024)),
    ),
    row("events-one-line-for-ever", "A line without end.", || {
        repeated("x".repeat(16 * 1024))
    }),
    row("events-10-mib-line", "An event of 10 MiB in one line.", || {
        events(|asked| format!("data: {}{}\n\n", " ".repeat(10 << 20), asked.message))
    }),
    row("events-many-lines", "An event of half a million data lines.", || {
        events(|asked| format!("{}data: {}\n\n", "data:\n".repeat(500_000), asked.message))
    }),
    row(
        "events-bad-utf8",
        "Bytes that are not UTF-8 in a comment and in the answer.",
        || {
            listing(Answer::Made(
                |asked| {
                    let message = asked.with(
                        r#""result":{"tools":[{"name":"first","inputSchema":{"type":"object"},"description":"?"}]}"#,
                    );
                    let mut bytes = whole(EVENTS, &[], &format!(": ?\ndata: {message}\n\n"));
                    for byte in bytes.iter_mut().filter(|byte| **byte == b'?') {
                        *byte = 0xff;
                    }
                    bytes
                },
                Ending::Close,
            ))
        },
    ),
    row("events-two-answers", "The answer twice, each time another.", || {
        events(|asked| {
            format!(
                "data: {}\n\ndata: {}\n\n",
                asked.message,
                asked.with(r#""result":{"tools":[]}"#)
            )
        })
    }),
    row(
        "events-error-after",
        "The answer, and then an error with its id.",
        || events(|asked| format!("data: {}\n\ndata: {}\n\n", asked.message, asked.with(ERROR))),
    ),
    row(
        "events-foreign-first",
        "Answers to other requests before the right one.",
        || {
            events(|asked| {
                let foreign = r#"data: {"jsonrpc":"2.0","id":4711,"result":{"tools":[]}}"#;
                let text = r#"data: {"jsonrpc":"2.0","id":"other","error":{"code":-1,"message":"remote text"}}"#;
                let null = r#"data: {"jsonrpc":"2.0","id":null,"result":{"tools":[]}}"#;
                format!("{foreign}\n\n{text}\n\n{null}\n\ndata: {}\n\n", asked.message)
            })
        },
    ),
    row("events-stay-open", "The answer, and the stream stays open.", || {
        listing(Answer::Made(
            |asked| whole(EVENTS, &[], &format!("data: {}\n\n", asked.message)),
            Ending::Hold,
        ))
    }),
    row(
        "events-after-for-ever",
        "The answer again and again, without end.",
        || {
            listing(Answer::Made(
                |asked| whole(EVENTS, &[], &format!("data: {}\n\n", asked.message)),
                Ending::Repeat,
            ))
        },
    ),
    row("events-line-after", "A line without end after the answer.", || {
        listing(Answer::Made(
            |asked| {
                [
                    head(EVENTS, &[]).as_bytes(),
                    format!("data: {}\n\n", asked.message).as_bytes(),
                    &[b'x'; 16 * 1024],
                ]
                .concat()
            },
            Ending::RepeatTail,
        ))
    }),
    row("events-byte-by-byte", "The stream comes byte by byte.", || {
        listing(Answer::Made(
            |asked| whole(EVENTS, &[], &format!("data: {}\n\n", asked.message)),
            Ending::Drip,
        ))
    }),
    row(
        "events-id-odd",
        "The id of an event holds a control character, and the stream closes.",
        || events(|_| "id: a\u{1}b\u{7f}\ndata:\n\n".to_owned()),
    ),
    row(
        "events-id-long",
        "The id of an event has a mebibyte, and the stream closes.",
        || events(|_| format!("id: {}\nretry: 1\ndata:\n\n", "x".repeat(1 << 20))),
    ),
    row(
        "events-retry-late",
        "The stream closes and is to be asked for again in 300 million years.",
        || events(|_| "id: a\nretry: 9999999999999999999\ndata:\n\n".to_owned()),
    ),
    row(
        "events-retry-for-ever",
        "The stream closes, and so does each that goes on with it.",
        || {
            let stream = || Answer::typed(200, "text/event-stream", "id: a\nretry: 0\ndata:\n\n");
            listing(stream()).instead(On::Http("GET"), stream())
        },
    ),
    row(
        "events-resumed-404",
        "The stream closes, and what goes on with it is not found.",
        || {
            listing(Answer::typed(200, "text/event-stream", "id: a\nretry: 1\ndata:\n\n"))
                .instead(On::Http("GET"), Answer::status(404))
        },
    ),
    row(
        "events-broken-off",
        "The stream is reset in the middle of the answer.",
        || {
            listing(Answer::Made(
                |asked| whole(EVENTS, &[], &format!("data: {}", asked.message)),
                Ending::Reset,
            ))
        },
    ),
    row(
        "hello-stays-open",
        "The stream with the answer to initialize stays open.",
        || {
            Script::default().instead(
                On::Rpc("initialize"),
                Answer::Made(
                    |asked| {
                        whole(
                            EVENTS,
                            &["Mcp-Session-Id: kit-session"],
                            &format!("data: {}\n\n", asked.message),
                        )
                    },
                    Ending::Hold,
                ),
            )
        },
    ),
    row(
        "hello-line-after",
        "A line without end after the answer to initialize.",
        || {
            Script::default().instead(
                On::Rpc("initialize"),
                Answer::Made(
                    |asked| {
                        let start = head(EVENTS, &["Mcp-Session-Id: kit-session"]);
                        [
                            start.as_bytes(),
                            format!("data: {}\n\n", asked.message).as_bytes(),
                            &[b'x'; 16 * 1024],
                        ]
                        .concat()
                    },
                    Ending::RepeatTail,
                ),
            )
        },
    ),
];

const EVENTS: &str = "Content-Type: text/event-stream";
const ERROR: &str = r#""error":{"code":-32603,"message":"remote text"}"#;

/// This stream in place of the list; the connection closes after it.
fn events(make: fn(&Asked) -> String) -> Script {
    listing(Answer::Stream(make))
}

/// A stream of nothing but this, again and again.
fn repeated(text: String) -> Script {
    listing(Answer::Bytes((head(EVENTS, &[]) + &text).into_bytes(), Ending::Repeat))
}
