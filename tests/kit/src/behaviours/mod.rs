//! The table of behaviours: every server the tests know by name, in parts by what is odd about it.

mod asks;
mod calls;
mod encodings;
mod events;
mod framing;
mod good;
mod hellos;
mod http;
mod lists;
mod pages;
mod results;
mod sessions;
mod standing;
mod starts;
mod statuses;
mod streams;
mod tools;

use crate::script::{Answer, Ending, On, Script};

/// A server with a name.
#[derive(Clone, Copy, Debug)]
pub struct Behaviour {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// The script it plays.
    pub script: fn() -> Script,
}

/// Behaviours of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// What is odd about them, in a word.
    pub kind: &'static str,
    /// What brings it out.
    pub shown_by: ShownBy,
    /// The behaviours.
    pub rows: &'static [Behaviour],
}

/// What a client does when a server shows its behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ShownBy {
    /// It connects and lists the tools.
    List,
    /// It calls the tool `first`.
    Call,
}

/// Every behaviour, by its kind.
pub const GROUPS: &[Group] = &[
    group("good", ShownBy::List, good::ROWS),
    group("starts", ShownBy::List, starts::ROWS),
    group("hellos", ShownBy::List, hellos::ROWS),
    group("http", ShownBy::List, http::ROWS),
    group("framing", ShownBy::List, framing::ROWS),
    group("encodings", ShownBy::List, encodings::ROWS),
    group("statuses", ShownBy::List, statuses::ROWS),
    group("sessions", ShownBy::List, sessions::ROWS),
    group("events", ShownBy::List, events::ROWS),
    group("streams", ShownBy::List, streams::ROWS),
    group("standing", ShownBy::List, standing::ROWS),
    group("lists", ShownBy::List, lists::ROWS),
    group("pages", ShownBy::List, pages::ROWS),
    group("names", ShownBy::List, tools::NAMES),
    group("schemas", ShownBy::List, tools::SCHEMAS),
    group("calls", ShownBy::Call, calls::ROWS),
    group("asks", ShownBy::Call, asks::ROWS),
    group("envelopes", ShownBy::Call, results::ENVELOPES),
    group("results", ShownBy::Call, results::RESULTS),
    group("numbers", ShownBy::Call, results::NUMBERS),
];

const fn group(kind: &'static str, shown_by: ShownBy, rows: &'static [Behaviour]) -> Group {
    Group { kind, shown_by, rows }
}

/// Every behaviour.
pub fn all() -> impl Iterator<Item = &'static Behaviour> {
    GROUPS.iter().flat_map(|group| group.rows)
}

/// The behaviour with a name.
pub fn find(name: &str) -> Option<&'static Behaviour> {
    all().find(|behaviour| behaviour.name == name)
}

const fn row(name: &'static str, about: &'static str, script: fn() -> Script) -> Behaviour {
    Behaviour { name, about, script }
}

/// The same answer to every request.
fn every(answer: Answer) -> Script {
    Script::default().instead(On::Every, answer)
}

/// The beginning of a JSON answer, and less of its body than it says.
fn half_a_body(ending: Ending) -> Answer {
    let head = "HTTP/1.1 200 Kit\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"jsonrpc\"";
    Answer::Bytes(head.into(), ending)
}

/// The beginning of an event stream that says nothing yet.
fn quiet_stream(ending: Ending) -> Answer {
    let head = "HTTP/1.1 200 Kit\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n: wait\n\n";
    Answer::Bytes(head.into(), ending)
}

/// An answer with so many headers of so many bytes.
fn many_headers(count: usize, bytes: usize) -> Answer {
    let value = "x".repeat(bytes);
    let headers = (0..count).map(|_| ("X-Remote", value.clone())).collect();
    Answer::Http {
        status: 200,
        headers,
        body: Vec::new(),
    }
}

/// An answer that is this JSON text, or claims to be.
fn json(body: &str) -> Answer {
    Answer::typed(200, "application/json", body)
}

/// A server of the older revisions that does this when its tools are asked for.
fn listing(answer: Answer) -> Script {
    Script::default().instead(On::Rpc("tools/list"), answer)
}

/// The head of an answer of status 200.
fn head(content_type: &str, lines: &[&str]) -> String {
    let lines: String = lines.iter().flat_map(|line| [line, "\r\n"]).collect();
    format!("HTTP/1.1 200 Kit\r\n{content_type}\r\n{lines}\r\n")
}

/// An answer of status 200; without a length it ends with the connection.
fn whole(content_type: &str, lines: &[&str], body: &str) -> Vec<u8> {
    (head(content_type, lines) + body).into_bytes()
}
