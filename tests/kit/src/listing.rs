//! The kit's servers as a list for programs: what `toolgate-testkit --list` prints.

use serde::Serialize;

use crate::behaviours::{self, ShownBy};
use crate::stdio;

/// One server of the kit.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// The name it is started by.
    pub name: &'static str,
    /// What is odd about it, in a word.
    pub kind: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// What a client does when it shows.
    pub shown_by: ShownBy,
    /// Whether it is served over HTTP; if not, only as a child process.
    pub http: bool,
}

/// Every server of the kit, those over HTTP first.
pub fn listing() -> Vec<Listed> {
    let over_http = behaviours::GROUPS.iter().flat_map(|group| {
        group.rows.iter().map(|behaviour| Listed {
            name: behaviour.name,
            kind: group.kind,
            about: behaviour.about,
            shown_by: group.shown_by,
            http: true,
        })
    });
    let as_processes = stdio::oddities().map(|oddity| Listed {
        name: oddity.name,
        kind: "stdio",
        about: oddity.about,
        shown_by: oddity.shown_by(),
        http: false,
    });
    over_http.chain(as_processes).collect()
}

#[cfg(test)]
mod tests {
    use super::listing;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = listing().iter().map(|listed| listed.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
