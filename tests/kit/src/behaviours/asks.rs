//! Servers that ask, notify or dawdle while they answer a call, in the call's own event stream.

use super::{Behaviour, head, row, whole};
use crate::script::{Answer, Asked, Ending, Framing, LineEnd, On, Script};

/// The rows.
pub(super) const ROWS: &[Behaviour] = &[
    row("asks-sampling", "Asks for a model's words.", || {
        asks(r#""s-1""#, "sampling/createMessage")
    }),
    row("asks-elicitation", "Asks the person for a password.", || {
        asks("77", "elicitation/create")
    }),
    row("asks-roots", "Asks for the client's folders.", || {
        asks("-3", "roots/list")
    }),
    row("asks-ping", "Asks for a sign of life.", || asks(r#""p""#, "ping")),
    row("asks-unknown", "Asks what nobody has heard of.", || {
        asks("1.5", "remote/text")
    }),
    row("asks-null-id", "Asks with an id that is null.", || asks("null", "ping")),
    row("asks-object-id", "Asks with an id that is an object.", || {
        asks("{}", "ping")
    }),
    row("asks-with-our-id", "Asks with the id of the call.", || {
        stream(|asked| format!("{}{}", event(&asked.with(r#""method":"ping""#)), answer(asked)))
    }),
    row(
        "asks-100-times",
        "Asks for a sign of life a hundred times, then answers.",
        || {
            stream(|asked| {
                let ask = |number| event(&format!(r#"{{"jsonrpc":"2.0","id":"p{number}","method":"ping"}}"#));
                (0..100).map(ask).collect::<String>() + &answer(asked)
            })
        },
    ),
    row("asks-and-takes-nothing", "Asks ten times and takes no answer.", || {
        stream(|asked| {
            let ask = |number| event(&format!(r#"{{"jsonrpc":"2.0","id":"p{number}","method":"ping"}}"#));
            (0..10).map(ask).collect::<String>() + &answer(asked)
        })
        .instead(On::Rpc(""), Answer::silence())
    }),
    row(
        "tells-progress",
        "Tells of progress that goes backwards and beyond the end.",
        || {
            stream(|asked| {
                let tell = |progress| {
                    event(&format!(
                        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":1,"progress":{progress},"total":1}}}}"#
                    ))
                };
                ["5", "-1", "1e400", "\"x\"", "null"].map(tell).concat() + &answer(asked)
            })
        },
    ),
    row(
        "tells-progress-for-ever",
        "Tells of progress without end, and does not answer.",
        || for_ever(r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#),
    ),
    row("tells-logs", "Two thousand log messages before the answer.", || {
        stream(|asked| {
            let log = event(
                r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"emergency","data":"remote text"}}"#,
            );
            log.repeat(2000) + &answer(asked)
        })
    }),
    row("tells-changes", "A thousand times that the list has changed.", || {
        stream(|asked| {
            event(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#).repeat(1000) + &answer(asked)
        })
    }),
    row(
        "tells-cancelled",
        "Says that our own call is cancelled, then answers it.",
        || {
            stream(|asked| {
                let id = &asked.id;
                event(&format!(
                    r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
                )) + &answer(asked)
            })
        },
    ),
    row(
        "tells-odd-notes",
        "Notifications whose parameters are of other types.",
        || {
            stream(|asked| {
                let notes = [
                    r#"{"jsonrpc":"2.0","method":"notifications/progress","params":"x"}"#,
                    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}"#,
                    r#"{"jsonrpc":"2.0","method":"notifications/message","params":[1e400]}"#,
                    r#"{"jsonrpc":"2.0","method":""}"#,
                ];
                notes.map(event).concat() + &answer(asked)
            })
        },
    ),
    row("answer-twice", "Two answers, the second another.", || {
        stream(|asked| answer(asked) + &event(&asked.with(r#""result":{"content":[{"type":"text","text":"second"}]}"#)))
    }),
    row("answer-then-error", "The answer, then an error with its id.", || {
        stream(|asked| answer(asked) + &event(&asked.with(r#""error":{"code":-1,"message":"remote text"}"#)))
    }),
    row(
        "error-then-answer",
        "An error with the call's id, then the answer.",
        || stream(|asked| event(&asked.with(r#""error":{"code":-1,"message":"remote text"}"#)) + &answer(asked)),
    ),
    row("answer-byte-by-byte", "The answer comes byte by byte.", || {
        call(Answer::Made(|asked| whole(EVENTS, &[], &answer(asked)), Ending::Drip))
    }),
    row("answer-then-open", "The answer, and the stream stays open.", || {
        call(Answer::Made(|asked| whole(EVENTS, &[], &answer(asked)), Ending::Hold))
    }),
    row("answer-then-reset", "The answer, then a reset.", || {
        call(Answer::Made(|asked| whole(EVENTS, &[], &answer(asked)), Ending::Reset))
    }),
    row(
        "call-stream-for-ever",
        "An event stream of comments without end.",
        || {
            call(Answer::Bytes(
                (head(EVENTS, &[]) + &": keep alive\n\n".repeat(1024)).into_bytes(),
                Ending::Repeat,
            ))
        },
    ),
    row(
        "call-half-closed",
        "No answer; the server closes its side and waits.",
        || call(Answer::Bytes(Vec::new(), Ending::ShutDown)),
    ),
    row("call-gzip-bomb", "Half a megabyte of gzip that becomes 80.", || {
        call(Answer::Http {
            status: 200,
            headers: vec![
                ("Content-Type", "application/json".to_owned()),
                ("Content-Encoding", "gzip".to_owned()),
            ],
            body: crate::bomb::gzip(80 << 20),
        })
    }),
    row("call-307", "A redirect to another host.", || moved(307)),
    row("call-308", "A lasting redirect to another host.", || moved(308)),
    row("call-303", "See elsewhere: by GET.", || moved(303)),
    row("call-403", "Access refused.", || call(Answer::status(403))),
    row("call-503", "The server has no time; try again at once.", || {
        call(Answer::Http {
            status: 503,
            headers: vec![("Retry-After", "0".to_owned())],
            body: Vec::new(),
        })
    }),
    row("call-204", "No content.", || call(Answer::status(204))),
];

const EVENTS: &str = "Content-Type: text/event-stream";

fn call(answer: Answer) -> Script {
    Script::default().instead(On::Rpc("tools/call"), answer)
}

fn moved(status: u16) -> Script {
    call(Answer::Http {
        status,
        headers: vec![("Location", "http://elsewhere.invalid:81/secret-path".to_owned())],
        body: Vec::new(),
    })
}

fn stream(make: fn(&Asked) -> String) -> Script {
    call(Answer::Stream(make))
}

fn for_ever(message: &str) -> Script {
    call(Answer::Bytes(
        (head(EVENTS, &[]) + &event(message).repeat(256)).into_bytes(),
        Ending::Repeat,
    ))
}

fn event(message: &str) -> String {
    format!("data: {message}\n\n")
}

fn answer(asked: &Asked) -> String {
    event(&asked.with(r#""result":{"content":[{"type":"text","text":"well"}]}"#))
}

fn asks(id: &'static str, method: &'static str) -> Script {
    let question = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{}}}}"#);
    Script {
        prelude: vec![question],
        framing: Framing::Events(LineEnd::Lf, 4096),
        ..Script::default()
    }
}
