//! Servers that answer `tools/list` by a status, after a start that is in order.

use super::{Behaviour, json, listing, row};
use crate::script::{Answer, Ending, On, Script};

/// The rows.
pub(super) const ROWS: &[Behaviour] = &[
    row("list-204", "No content.", || listing(Answer::status(204))),
    row(
        "list-202-with-body",
        "Accepted, and the answer is there all the same.",
        || under(202),
    ),
    row("list-201", "Created, with the answer.", || under(201)),
    row("list-206", "A part of the answer, which is all of it.", || under(206)),
    row("list-304", "Not modified.", || listing(Answer::status(304))),
    row("list-300", "Several choices, and none.", || {
        listing(Answer::status(300))
    }),
    row("list-301", "Moved to another host.", || {
        moved(301, "http://elsewhere.invalid:81/secret-path?key=secret")
    }),
    row("list-302", "Found at another scheme.", || {
        moved(302, "https://127.0.0.1/mcp")
    }),
    row("list-303", "See elsewhere: by GET.", || moved(303, "/elsewhere")),
    row("list-307-loop", "Redirected to itself.", || moved(307, "/mcp")),
    row("list-308-file", "Redirected to a file.", || {
        moved(308, "file:///etc/passwd")
    }),
    row("list-308-odd", "Redirected to what is no address.", || {
        moved(308, "http://[remote text")
    }),
    row("list-308-bare", "Redirected nowhere.", || listing(Answer::status(308))),
    row("list-400", "A bare refusal.", || listing(Answer::status(400))),
    row("list-401", "Credentials asked for.", || listing(Answer::status(401))),
    row("list-402", "Money asked for.", || listing(Answer::status(402))),
    row("list-403", "Access refused.", || listing(Answer::status(403))),
    row("list-404", "Nothing there any more.", || listing(Answer::status(404))),
    row("list-405", "Not allowed.", || listing(Answer::status(405))),
    row("list-406", "Not acceptable.", || listing(Answer::status(406))),
    row("list-407", "Credentials asked for by a proxy.", || {
        listing(Answer::status(407))
    }),
    row("list-408", "The request took too long.", || {
        listing(Answer::status(408))
    }),
    row("list-413", "The request is too large.", || listing(Answer::status(413))),
    row("list-415", "The request's type is not taken.", || {
        listing(Answer::status(415))
    }),
    row("list-418", "A teapot.", || {
        listing(Answer::typed(418, "text/plain", "remote text"))
    }),
    row("list-421", "Another host was meant.", || listing(Answer::status(421))),
    row("list-426", "Another protocol is asked for.", || {
        listing(Answer::Http {
            status: 426,
            headers: vec![("Upgrade", "remote/2".to_owned())],
            body: Vec::new(),
        })
    }),
    row("list-429-late", "Too many requests, until the end of time.", || {
        listing(Answer::Http {
            status: 429,
            headers: vec![("Retry-After", "99999999999999999999".to_owned())],
            body: Vec::new(),
        })
    }),
    row("list-429-date", "Too many requests, until a date.", || {
        listing(Answer::Http {
            status: 429,
            headers: vec![("Retry-After", "Wed, 21 Oct 2099 07:28:00 GMT".to_owned())],
            body: Vec::new(),
        })
    }),
    row("list-431", "The request's headers are too large.", || {
        listing(Answer::status(431))
    }),
    row("list-500", "The server failed.", || {
        listing(Answer::typed(500, "text/html", "<html>remote text</html>"))
    }),
    row(
        "list-500-for-ever",
        "The server failed, and says so without end.",
        || {
            let head = "HTTP/1.1 500 Kit\r\nContent-Type: application/json\r\n\r\n";
            listing(Answer::Bytes(
                [head.as_bytes(), &[b' '; 16384]].concat(),
                Ending::Repeat,
            ))
        },
    ),
    row("list-502", "A gateway has no server.", || listing(Answer::status(502))),
    row("list-503", "The server has no time.", || listing(Answer::status(503))),
    row("list-504", "A gateway waited in vain.", || listing(Answer::status(504))),
    row("list-599", "A failure nobody has heard of.", || {
        listing(Answer::status(599))
    }),
    row("list-999", "A status nobody has heard of.", || {
        listing(Answer::status(999))
    }),
    row("list-200-html", "A web page.", || {
        listing(Answer::typed(200, "text/html", "<html>remote text</html>"))
    }),
    row("list-200-bare", "Success, and no body.", || {
        listing(Answer::status(200))
    }),
    row("get-500", "Its own stream fails; the rest is in order.", || {
        getting(Answer::status(500))
    }),
    row("get-json", "JSON in place of its own stream.", || {
        getting(json(r#"{"jsonrpc":"2.0","method":"x"}"#))
    }),
    row("get-redirect", "Its own stream is redirected to another host.", || {
        getting(Answer::Http {
            status: 307,
            headers: vec![("Location", "http://elsewhere.invalid:81/secret-path".to_owned())],
            body: Vec::new(),
        })
    }),
    row("get-reset", "Its own stream is reset.", || {
        getting(Answer::Bytes(Vec::new(), Ending::Reset))
    }),
];

fn moved(status: u16, location: &str) -> Script {
    listing(Answer::Http {
        status,
        headers: vec![("Location", location.to_owned())],
        body: Vec::new(),
    })
}

/// The list in order, below this status.
fn under(status: u16) -> Script {
    listing(Answer::Headed(status, &["Content-Type: application/json"]))
}

fn getting(answer: Answer) -> Script {
    Script::default().instead(On::Http("GET"), answer)
}
