//! Servers that are odd in HTTP, or below it.

use super::{Behaviour, every, half_a_body, many_headers, quiet_stream, row};
use crate::script::{Answer, Ending, On, Script};
use crate::tls::Certificate;

/// The rows.
pub(super) const ROWS: &[Behaviour] = &[
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
    row("many-headers", "More headers than can be read.", || {
        every(many_headers(150, 8))
    }),
    row("large-headers", "Larger headers than can be read.", || {
        every(many_headers(8, 64 * 1024))
    }),
    row("closed-port", "Nothing listens.", || Script {
        listens: false,
        ..Script::default()
    }),
    row("not-http", "What answers is not HTTP.", || {
        every(Answer::Bytes(b"SSH-2.0-remote text\r\n".to_vec(), Ending::Close))
    }),
    row("tls-good", "TLS with a certificate of the kit's authority.", || {
        tls(Certificate::Issued)
    }),
    row("tls-expired", "The same, expired.", || tls(Certificate::Expired)),
    row("tls-for-another", "The same, for another host.", || {
        tls(Certificate::ForAnother)
    }),
    row("tls-self-signed", "TLS with a certificate of its own.", || {
        tls(Certificate::SelfSigned)
    }),
    row("tls-self-signed-expired", "The same, expired.", || {
        tls(Certificate::SelfSignedExpired)
    }),
    row("silent", "No answer at all.", || every(Answer::silence())),
    row("silent-list", "No answer to the list.", || {
        Script::default().instead(On::Rpc("tools/list"), Answer::silence())
    }),
    row(
        "stalled-stream",
        "An event stream at the start that says nothing.",
        || every(quiet_stream(Ending::Hold)),
    ),
    row("reset", "Every connection is reset.", || {
        every(Answer::Bytes(Vec::new(), Ending::Reset))
    }),
    row(
        "reset-body",
        "The connection is reset in the middle of the list.",
        || Script::default().instead(On::Rpc("tools/list"), half_a_body(Ending::Reset)),
    ),
    row("short-body", "A body shorter than it says.", || {
        Script::default().instead(On::Rpc("tools/list"), half_a_body(Ending::Close))
    }),
    row("no-delete", "A session that cannot be ended.", || {
        Script::default().instead(On::Http("DELETE"), Answer::silence())
    }),
];

fn tls(certificate: Certificate) -> Script {
    Script {
        certificate: Some(certificate),
        ..Script::default()
    }
}
