//! The child processes that write odd bytes where an answer belongs.

use super::oddities::{Oddity, Trick};
use super::says::{After, Says};
use crate::script::{Asked, Script};

/// The rows.
pub(super) const ROWS: &[Oddity] = &[
    list(
        "stdio-crlf",
        "Lines end in CR LF.",
        |asked| with_end(asked, "\r\n"),
        After::GoOn,
    ),
    list(
        "stdio-cr",
        "Lines end in CR alone.",
        |asked| with_end(asked, "\r"),
        After::GoOn,
    ),
    list(
        "stdio-blank-lines",
        "A hundred thousand empty lines before the answer.",
        |asked| ["\n".repeat(100_000).as_bytes(), &line(asked)].concat(),
        After::GoOn,
    ),
    list(
        "stdio-nul",
        "NUL bytes before and behind the answer.",
        |asked| [b"\0\0\0\n".as_slice(), asked.message.as_bytes(), b"\0\0\n"].concat(),
        After::GoOn,
    ),
    list(
        "stdio-ansi",
        "The answer between escape sequences for terminals.",
        |asked| format!("\u{1b}[2K\u{1b}[32m{}\u{1b}[0m\n", asked.message).into_bytes(),
        After::GoOn,
    ),
    list(
        "stdio-prefix",
        "A log's prefix before the answer on its line.",
        |asked| format!("[info] {}\n", asked.message).into_bytes(),
        After::GoOn,
    ),
    list(
        "stdio-two-on-a-line",
        "Two messages on one line.",
        |asked| {
            let note = r#"{"jsonrpc":"2.0","method":"notifications/x"}"#;
            format!("{note}{}\n", asked.message).into_bytes()
        },
        After::GoOn,
    ),
    list(
        "stdio-pretty",
        "The answer in many lines, as JSON is written for people.",
        |asked| {
            asked
                .message
                .replace(',', ",\n  ")
                .into_bytes()
                .into_iter()
                .chain(*b"\n")
                .collect()
        },
        After::GoOn,
    ),
    list(
        "stdio-lsp",
        "The answer after a Content-Length header, as language servers write it.",
        |asked| {
            let length = asked.message.len();
            format!("Content-Length: {length}\r\n\r\n{}\n", asked.message).into_bytes()
        },
        After::GoOn,
    ),
    list(
        "stdio-utf-16",
        "The answer in UTF-16.",
        |asked| {
            let message = format!("{}\n", asked.message);
            std::iter::once(0xfeff)
                .chain(message.encode_utf16())
                .flat_map(u16::to_le_bytes)
                .collect()
        },
        After::GoOn,
    ),
    list(
        "stdio-byte-order-mark",
        "A byte order mark before the answer.",
        |asked| format!("\u{feff}{}\n", asked.message).into_bytes(),
        After::GoOn,
    ),
    list(
        "stdio-array",
        "The answer in an array, beside a notification.",
        |asked| {
            format!(
                "[{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}},{}]\n",
                asked.message
            )
            .into_bytes()
        },
        After::GoOn,
    ),
    list(
        "stdio-foreign-first",
        "Answers to other requests before the right one.",
        |asked| {
            let foreign = "{\"jsonrpc\":\"2.0\",\"id\":4711,\"result\":{\"tools\":[]}}\n{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{}}\n";
            [foreign.as_bytes(), &line(asked)].concat()
        },
        After::GoOn,
    ),
    list(
        "stdio-answers-twice",
        "Two answers, the second another.",
        |asked| format!("{}\n{}\n", asked.message, asked.with(r#""result":{"tools":[]}"#)).into_bytes(),
        After::GoOn,
    ),
    list(
        "stdio-no-line-end-exit",
        "The answer without a line end, then exit 0.",
        |asked| asked.message.clone().into_bytes(),
        After::Exit(0),
    ),
    list(
        "stdio-no-line-end",
        "The answer without a line end, and nothing more.",
        |asked| asked.message.clone().into_bytes(),
        After::Stays,
    ),
    list(
        "stdio-half-line-exit",
        "Half an answer, then exit 7.",
        half,
        After::Exit(7),
    ),
    list(
        "stdio-half-line-killed",
        "Half an answer, then a signal.",
        half,
        After::Killed,
    ),
    list(
        "stdio-half-line",
        "Half an answer, and nothing more.",
        half,
        After::Stays,
    ),
    list(
        "stdio-answers-and-exits",
        "The answer, then exit 0.",
        line,
        After::Exit(0),
    ),
    list(
        "stdio-answers-and-exits-1",
        "The answer, then exit 1.",
        line,
        After::Exit(1),
    ),
    list(
        "stdio-answers-and-closes",
        "The answer, then its output is closed.",
        line,
        After::Closed,
    ),
    list(
        "stdio-closes-on-list",
        "Its output is closed when its tools are asked for.",
        nothing,
        After::Closed,
    ),
    list(
        "stdio-exit-leaves-pipe",
        "Exits when its tools are asked for, and another process holds its pipes.",
        nothing,
        After::Held,
    ),
    list(
        "stdio-flood-of-notes",
        "Notifications without end in place of the list.",
        |_| {
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"remote text\"}}\n".repeat(100).into_bytes()
        },
        After::Repeated,
    ),
    list(
        "stdio-flood-of-pings",
        "Asks for a sign of life without end in place of the list.",
        |_| {
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}\n"
                .repeat(100)
                .into_bytes()
        },
        After::Repeated,
    ),
    list(
        "stdio-flood-of-noise",
        "Lines of a log without end in place of the list.",
        |_| b"remote text\n".repeat(1000),
        After::Repeated,
    ),
    list(
        "stdio-10-mib-line",
        "A line of 10 MiB of white space before the answer.",
        |asked| format!("{}{}\n", " ".repeat(10 << 20), asked.message).into_bytes(),
        After::GoOn,
    ),
    list(
        "stdio-pings-500-times",
        "Asks for a sign of life five hundred times, then answers.",
        |asked| {
            let ping = |number| format!("{{\"jsonrpc\":\"2.0\",\"id\":\"p{number}\",\"method\":\"ping\"}}\n");
            [(0..500).map(ping).collect::<String>().as_bytes(), &line(asked)].concat()
        },
        After::GoOn,
    ),
    hello(
        "stdio-exit-after-hello",
        "Answers initialize and exits with 0.",
        line,
        After::Exit(0),
    ),
    hello(
        "stdio-half-hello",
        "Half an answer to initialize, and nothing more.",
        half,
        After::Stays,
    ),
    hello(
        "stdio-text-hello",
        "A text in place of an answer to initialize, again and again.",
        |_| b"Welcome!\n".to_vec(),
        After::Repeated,
    ),
    call(
        "stdio-call-exit-after",
        "Answers a call and exits with 0.",
        line,
        After::Exit(0),
    ),
    call(
        "stdio-call-half-line-exit",
        "Half an answer to a call, then exit 7.",
        half,
        After::Exit(7),
    ),
    call(
        "stdio-call-no-line-end-exit",
        "An answer to a call without a line end, then exit 0.",
        |asked| asked.message.clone().into_bytes(),
        After::Exit(0),
    ),
    call(
        "stdio-call-killed",
        "A signal in place of an answer to a call.",
        nothing,
        After::Killed,
    ),
    call(
        "stdio-call-id-as-text",
        "The id of a call comes back as a string.",
        |asked| {
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":\"{}\",\"result\":{{\"content\":[]}}}}\n",
                asked.id
            )
            .into_bytes()
        },
        After::GoOn,
    ),
    call(
        "stdio-call-twice",
        "Two answers to a call, the second another.",
        |asked| {
            format!(
                "{}\n{}\n",
                asked.message,
                asked.with(r#""result":{"content":[{"type":"text","text":"second"}]}"#)
            )
            .into_bytes()
        },
        After::GoOn,
    ),
    call(
        "stdio-call-2-64",
        "2 to the power of 64 and 1e400 in an answer to a call.",
        |asked| {
            asked
                .with("\"result\":{\"content\":[],\"structuredContent\":{\"n\":[18446744073709551616,1e400,-0]}}")
                .into_bytes()
                .into_iter()
                .chain(*b"\n")
                .collect()
        },
        After::GoOn,
    ),
];

const fn list(name: &'static str, about: &'static str, make: fn(&Asked) -> Vec<u8>, after: After) -> Oddity {
    odd(name, about, "tools/list", make, after)
}

const fn hello(name: &'static str, about: &'static str, make: fn(&Asked) -> Vec<u8>, after: After) -> Oddity {
    odd(name, about, "initialize", make, after)
}

const fn call(name: &'static str, about: &'static str, make: fn(&Asked) -> Vec<u8>, after: After) -> Oddity {
    odd(name, about, CALL, make, after)
}

const CALL: &str = "tools/call";

const fn odd(
    name: &'static str,
    about: &'static str,
    method: &'static str,
    make: fn(&Asked) -> Vec<u8>,
    after: After,
) -> Oddity {
    Oddity {
        name,
        about,
        script: Script::default,
        trick: Trick::Says(Says { method, make, after }),
    }
}

fn line(asked: &Asked) -> Vec<u8> {
    with_end(asked, "\n")
}

fn with_end(asked: &Asked, end: &str) -> Vec<u8> {
    [asked.message.as_bytes(), end.as_bytes()].concat()
}

fn half(asked: &Asked) -> Vec<u8> {
    let bytes = asked.message.as_bytes();
    bytes.get(..bytes.len() / 2).unwrap_or_default().to_vec()
}

fn nothing(_: &Asked) -> Vec<u8> {
    Vec::new()
}
