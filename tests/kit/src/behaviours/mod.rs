//! The table of behaviours: every server the tests know by name, in parts by what is odd about it.

mod calls;
mod good;
mod hellos;
mod http;
mod lists;
mod standing;
mod starts;
mod streams;

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

/// Every behaviour.
pub fn all() -> impl Iterator<Item = &'static Behaviour> {
    [
        good::ROWS,
        calls::ROWS,
        lists::ROWS,
        streams::ROWS,
        http::ROWS,
        starts::ROWS,
        hellos::ROWS,
        standing::ROWS,
    ]
    .into_iter()
    .flatten()
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

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = all().map(|behaviour| behaviour.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
