//! Servers whose answer to `tools/list` is of an odd type, in odd bytes, or compressed.

use super::{Behaviour, json, listing, row, whole};
use crate::bomb;
use crate::script::{Answer, Asked, Ending, Script};

/// The rows.
pub(super) const ROWS: &[Behaviour] = &[
    row("type-missing", "No Content-Type.", || typed(&[])),
    row("type-upper-case", "A Content-Type in capitals.", || {
        typed(&["CONTENT-TYPE: APPLICATION/JSON"])
    }),
    row(
        "type-with-charset",
        "A Content-Type with parameters and spaces.",
        || typed(&["Content-Type:   application/json ; charset=\"UTF-8\"; x=y"]),
    ),
    row("type-text-json", "text/json.", || typed(&["Content-Type: text/json"])),
    row("type-plain", "JSON that is said to be plain text.", || {
        typed(&["Content-Type: text/plain"])
    }),
    row("type-html", "JSON that is said to be a web page.", || {
        typed(&["Content-Type: text/html"])
    }),
    row("type-twice", "Two Content-Types, the wrong one first.", || {
        typed(&["Content-Type: text/html", "Content-Type: application/json"])
    }),
    row("type-odd-bytes", "A Content-Type that is no text.", || {
        typed(&["Content-Type: application/json\u{e9}"])
    }),
    row("events-said-json", "An event stream that is said to be JSON.", || {
        made(|asked| whole(JSON, &[], &format!("data: {}\n\n", asked.message)))
    }),
    row("json-said-events", "JSON that is said to be an event stream.", || {
        made(|asked| whole("Content-Type: text/event-stream", &[], &asked.message))
    }),
    row("empty-body", "An empty body.", || listing(json(""))),
    row("blank-body", "A body of white space.", || listing(json(" \r\n\t "))),
    row("body-null", "The body is null.", || listing(json("null"))),
    row("body-number", "The body is a number.", || listing(json("7"))),
    row("body-text", "The body is a string.", || {
        listing(json("\"remote text\""))
    }),
    row("two-bodies", "Two JSON-RPC messages in one body.", || {
        made(|asked| whole(JSON, &[], &format!("{}\n{}", asked.message, asked.message)))
    }),
    row("byte-order-mark", "A byte order mark before the JSON.", || {
        made(|asked| whole(JSON, &[], &format!("\u{feff}{}", asked.message)))
    }),
    row("utf-16", "JSON in UTF-16.", || {
        made(|asked| {
            let units = std::iter::once(0xfeff).chain(asked.message.encode_utf16());
            let body: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
            [whole(JSON, &[], ""), body].concat()
        })
    }),
    row("latin-1", "JSON in Latin-1, and it says so.", || {
        made(|asked| described(asked, "Content-Type: application/json; charset=iso-8859-1", b"caf\xe9"))
    }),
    row("bad-utf8", "A description with bytes that are not UTF-8.", || {
        made(|asked| described(asked, JSON, b"\xff\xfe\xc0\xaf"))
    }),
    row("cut-utf8", "The body ends in the middle of a character.", || {
        made(|asked| [whole(JSON, &[], &asked.message), b"\xe2\x82".to_vec()].concat())
    }),
    row("raw-control", "A description with raw control characters.", || {
        made(|asked| described(asked, JSON, b"a\x00\x1b[31m\nb"))
    }),
    row("bytes-nul", "NUL bytes behind the JSON.", || {
        made(|asked| [whole(JSON, &[], &asked.message), vec![0; 64]].concat())
    }),
    row("encoding-unknown", "A content encoding nobody has heard of.", || {
        typed(&[JSON, "Content-Encoding: remote"])
    }),
    row("encoding-empty", "A content encoding without a value.", || {
        typed(&[JSON, "Content-Encoding:"])
    }),
    row(
        "encoding-identity",
        "The content encoding identity, in capitals.",
        || typed(&[JSON, "Content-Encoding: IDENTITY"]),
    ),
    row("encoding-lies", "Plain JSON that is said to be gzip.", || {
        typed(&[JSON, "Content-Encoding: gzip"])
    }),
    row("gzip-unsaid", "gzip that is said to be JSON.", || {
        listing(Answer::typed(200, "application/json", bomb::gzip(1024)))
    }),
    row("gzip-bomb", "Half a megabyte of gzip that becomes 80.", || {
        listing(Answer::Http {
            status: 200,
            headers: vec![
                ("Content-Type", "application/json".to_owned()),
                ("Content-Encoding", "gzip".to_owned()),
            ],
            body: bomb::gzip(80 << 20),
        })
    }),
    row("gzip-bomb-stream", "The same as an event stream.", || {
        listing(Answer::Http {
            status: 200,
            headers: vec![
                ("Content-Type", "text/event-stream".to_owned()),
                ("Content-Encoding", "gzip".to_owned()),
            ],
            body: bomb::gzip(80 << 20),
        })
    }),
    row("gzip-bomb-chunks", "The same by the transfer encoding.", || {
        made(|_| {
            let body = bomb::gzip(80 << 20);
            let start = format!(
                "HTTP/1.1 200 Kit\r\n{JSON}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n{:x}\r\n",
                body.len()
            );
            [start.as_bytes(), &body, b"\r\n0\r\n\r\n"].concat()
        })
    }),
];

const JSON: &str = "Content-Type: application/json";

fn made(make: fn(&Asked) -> Vec<u8>) -> Script {
    listing(Answer::Made(make, Ending::Close))
}

/// The list in order, under these headers.
fn typed(headers: &'static [&'static str]) -> Script {
    listing(Answer::Headed(200, headers))
}

/// A list whose one tool is described by these bytes.
fn described(asked: &Asked, content_type: &str, description: &[u8]) -> Vec<u8> {
    let start = asked.with(r#""result":{"tools":[{"name":"first","inputSchema":{"type":"object"},"description":""#);
    let start = start.trim_end_matches('}');
    [
        whole(content_type, &[], start),
        description.to_vec(),
        b"\"}]}}".to_vec(),
    ]
    .concat()
}
