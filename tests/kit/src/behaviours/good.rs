//! Servers that behave well.

use super::{Behaviour, row};
use crate::catalogs::{page_to, tool};
use crate::script::{Framing, LineEnd, Page, Script};

/// The rows.
pub(super) const ROWS: &[Behaviour] = &[
    row("good", "Older revisions, a session, JSON answers.", Script::default),
    row("good-sse", "The same with event streams.", || {
        Script::default().framing(Framing::Events(LineEnd::Lf, 4096))
    }),
    row("good-stateless", "Older revisions without a session.", || Script {
        session: false,
        ..Script::default()
    }),
    row("good-2026", "Revision 2026-07-28, JSON answers.", Script::modern),
    row("good-2026-sse", "Revision 2026-07-28, event streams.", || {
        Script::modern().framing(Framing::Events(LineEnd::Lf, 4096))
    }),
    row(
        "two-pages",
        "Two pages; the second is asked for with the empty cursor.",
        || {
            Script::default().pages(vec![
                Page::only(page_to(&[tool("first")], r#""""#)),
                Page::at("", format!(r#"{{"tools":[{}]}}"#, tool("second"))),
            ])
        },
    ),
];
