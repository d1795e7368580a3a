//! Servers whose answer to `tools/list` is odd HTTP: its head, its length, its chunks, its end.

use super::{Behaviour, head, listing, row, whole};
use crate::script::{Answer, Asked, Ending, Script};

/// The rows.
pub(super) const ROWS: &[Behaviour] = &[
    row("length-too-small", "Content-Length is ten bytes short.", || {
        made(|asked| with_length(asked, asked.message.len() - 10))
    }),
    row("length-negative", "Content-Length is -1.", || {
        made(|asked| whole(JSON, &["Content-Length: -1"], &asked.message))
    }),
    row("length-word", "Content-Length is a word.", || {
        made(|asked| whole(JSON, &["Content-Length: all"], &asked.message))
    }),
    row("length-twice", "Two different Content-Lengths.", || {
        made(|asked| whole(JSON, &["Content-Length: 20", "Content-Length: 30"], &asked.message))
    }),
    row("length-2-64", "Content-Length is 2 to the power of 64.", || {
        made(|asked| whole(JSON, &["Content-Length: 18446744073709551616"], &asked.message))
    }),
    row("length-1-tib", "Content-Length announces a tebibyte.", || {
        held(|asked| whole(JSON, &["Content-Length: 1099511627776"], &asked.message))
    }),
    row("length-and-chunks", "Content-Length beside chunks.", || {
        made(|asked| {
            let body = format!("{:x}\r\n{}\r\n0\r\n\r\n", asked.message.len(), asked.message);
            whole(JSON, &["Content-Length: 5", CHUNKED], &body)
        })
    }),
    row(
        "no-length",
        "Neither length nor chunks; the body ends with the connection.",
        || made(|asked| whole(JSON, &[], &asked.message)),
    ),
    row("http-1-0", "HTTP/1.0; the body ends with the connection.", || {
        made(|asked| format!("HTTP/1.0 200 Kit\r\n{JSON}\r\n\r\n{}", asked.message).into_bytes())
    }),
    row("http-0-9", "The body alone, without any head.", || {
        made(|asked| asked.message.clone().into_bytes())
    }),
    row("http-2-0", "A status line of HTTP/2.0.", || {
        made(|asked| format!("HTTP/2.0 200 Kit\r\n{JSON}\r\n\r\n{}", asked.message).into_bytes())
    }),
    row("no-reason", "A status line without a reason.", || {
        made(|asked| format!("HTTP/1.1 200\r\n{JSON}\r\n\r\n{}", asked.message).into_bytes())
    }),
    row("bare-lf", "Lines of the head that end in LF.", || {
        made(|asked| format!("HTTP/1.1 200 Kit\n{JSON}\n\n{}", asked.message).into_bytes())
    }),
    row("folded-header", "A header that goes on in the next line.", || {
        made(|asked| whole(JSON, &["X-Remote: a\r\n  b"], &asked.message))
    }),
    row("header-without-colon", "A line of the head that is no header.", || {
        made(|asked| whole(JSON, &["remote text"], &asked.message))
    }),
    row("header-with-nul", "A header with a NUL byte.", || {
        made(|asked| whole(JSON, &["X-Remote: a\0b"], &asked.message))
    }),
    row("status-99999", "A status of five digits.", || {
        made(|asked| format!("HTTP/1.1 99999 Kit\r\n{JSON}\r\n\r\n{}", asked.message).into_bytes())
    }),
    row("status-299", "A success nobody has heard of.", || {
        made(|asked| format!("HTTP/1.1 299 Kit\r\n{JSON}\r\n\r\n{}", asked.message).into_bytes())
    }),
    row("continue-first", "Status 100 and 103 before the answer.", || {
        made(|asked| {
            let early = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
            [early.as_bytes(), &whole(JSON, &[], &asked.message)].concat()
        })
    }),
    row("continue-for-ever", "Status 100 without end, and no answer.", || {
        let again = "HTTP/1.1 100 Continue\r\n\r\n";
        listing(Answer::Bytes(again.repeat(2).into_bytes(), Ending::Repeat))
    }),
    row(
        "switching-protocols",
        "Status 101: from here on something else is spoken.",
        || held(|_| b"HTTP/1.1 101 Kit\r\nConnection: upgrade\r\nUpgrade: remote\r\n\r\nremote text".to_vec()),
    ),
    row("endless-head", "Headers without end.", || {
        listing(Answer::Bytes(
            b"HTTP/1.1 200 Kit\r\nX-Remote: x\r\n".to_vec(),
            Ending::Repeat,
        ))
    }),
    row("endless-header", "One header without end.", || {
        listing(Answer::Bytes(
            [b"HTTP/1.1 200 Kit\r\nX: ".as_slice(), &[b'x'; 16384]].concat(),
            Ending::Repeat,
        ))
    }),
    row("half-head", "A head that stops half-way and stays open.", || {
        held(|_| b"HTTP/1.1 200 Kit\r\nContent-Ty".to_vec())
    }),
    row("two-answers", "A second answer behind the first.", || {
        made(|asked| {
            [
                with_length(asked, asked.message.len()),
                with_length(asked, asked.message.len()),
            ]
            .concat()
        })
    }),
    row("bytes-after", "More bytes than Content-Length says.", || {
        made(|asked| [with_length(asked, asked.message.len()), b"remote text".to_vec()].concat())
    }),
    row(
        "chunk-sizes-odd",
        "Chunk sizes with zeros, capitals and extensions.",
        || {
            made(|asked| {
                let (left, right) = asked.message.split_at(asked.message.len() / 2);
                let body = format!(
                    "000{:X};a=b\r\n{left}\r\n{:x} \r\n{right}\r\n000\r\n\r\n",
                    left.len(),
                    right.len()
                );
                whole(JSON, &[CHUNKED], &body)
            })
        },
    ),
    row("chunk-size-bad", "A chunk whose size is no number.", || {
        made(|asked| whole(JSON, &[CHUNKED], &format!("zz\r\n{}\r\n0\r\n\r\n", asked.message)))
    }),
    row("chunk-size-huge", "A chunk larger than any number of 64 bits.", || {
        made(|asked| {
            whole(
                JSON,
                &[CHUNKED],
                &format!("fffffffffffffffff\r\n{}\r\n0\r\n\r\n", asked.message),
            )
        })
    }),
    row("chunk-too-long", "A chunk longer than it says.", || {
        made(|asked| whole(JSON, &[CHUNKED], &format!("5\r\n{}\r\n0\r\n\r\n", asked.message)))
    }),
    row("chunk-cut", "The connection closes in the middle of a chunk.", || {
        made(|asked| whole(JSON, &[CHUNKED], &format!("ffff\r\n{}", asked.message)))
    }),
    row(
        "chunks-without-end",
        "The last chunk is missing, and the connection closes.",
        || made(|asked| whole(JSON, &[CHUNKED], &chunk(&asked.message))),
    ),
    row(
        "chunks-held-open",
        "The last chunk is missing, and the connection stays.",
        || held(|asked| whole(JSON, &[CHUNKED], &chunk(&asked.message))),
    ),
    row(
        "chunks-of-one-byte",
        "A chunk for each byte, with an extension each.",
        || {
            made(|asked| {
                let each = |byte: char| format!("{:x};x=y\r\n{byte}\r\n", byte.len_utf8());
                let body: String = asked.message.chars().map(each).collect();
                whole(JSON, &[CHUNKED], &format!("{body}0\r\n\r\n"))
            })
        },
    ),
    row("endless-extension", "The extension of a chunk has no end.", || {
        let start = head(JSON, &[CHUNKED]) + "5;";
        listing(Answer::Bytes(
            [start.as_bytes(), &[b'x'; 16384]].concat(),
            Ending::Repeat,
        ))
    }),
    row("trailers", "Headers after the last chunk.", || {
        made(|asked| {
            whole(
                JSON,
                &[CHUNKED, "Trailer: X-Remote"],
                &format!("{}0\r\nX-Remote: text\r\n\r\n", chunk(&asked.message)),
            )
        })
    }),
    row("endless-trailers", "Headers without end after the last chunk.", || {
        held(|asked| {
            let trailers = "X-Remote: text\r\n".repeat(100_000);
            whole(JSON, &[CHUNKED], &format!("{}0\r\n{trailers}", chunk(&asked.message)))
        })
    }),
    row(
        "half-closed",
        "No answer; the server closes its side and waits.",
        || listing(Answer::Bytes(Vec::new(), Ending::ShutDown)),
    ),
    row("half-closed-body", "The same in the middle of the body.", || {
        listing(Answer::Made(
            |asked| whole(JSON, &["Content-Length: 9999"], &asked.message),
            Ending::ShutDown,
        ))
    }),
    row(
        "half-closed-answer",
        "The same after a whole answer without a length.",
        || listing(Answer::Made(|asked| whole(JSON, &[], &asked.message), Ending::ShutDown)),
    ),
    row("byte-by-byte", "Head and body come byte by byte.", || {
        listing(Answer::Made(
            |asked| with_length(asked, asked.message.len()),
            Ending::Drip,
        ))
    }),
    row("endless-body", "A body without end.", || {
        listing(Answer::Bytes(
            [head(JSON, &[]).as_bytes(), &[b' '; 16384]].concat(),
            Ending::Repeat,
        ))
    }),
];

const JSON: &str = "Content-Type: application/json";
const CHUNKED: &str = "Transfer-Encoding: chunked";

/// These bytes in place of the list, then the end of the connection.
fn made(make: fn(&Asked) -> Vec<u8>) -> Script {
    listing(Answer::Made(make, Ending::Close))
}

/// The same, and the connection stays open.
fn held(make: fn(&Asked) -> Vec<u8>) -> Script {
    listing(Answer::Made(make, Ending::Hold))
}

fn with_length(asked: &Asked, length: usize) -> Vec<u8> {
    whole(JSON, &[&format!("Content-Length: {length}")], &asked.message)
}

fn chunk(text: &str) -> String {
    format!("{:x}\r\n{text}\r\n", text.len())
}
