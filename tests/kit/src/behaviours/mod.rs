//! The table of behaviours: every server the tests know by name, in parts by what is odd about it.

mod good;
mod http;
mod lists;
mod starts;
mod streams;

use crate::script::{Answer, On, Script};

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
    [good::ROWS, lists::ROWS, streams::ROWS, http::ROWS, starts::ROWS]
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
