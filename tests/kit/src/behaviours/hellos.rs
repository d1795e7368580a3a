//! Servers whose answer to `initialize` or `server/discover` is odd, and that are in order otherwise.

use super::{Behaviour, row};
use crate::script::{Answer, Framing, LineEnd, On, Script};

/// The rows.
pub(super) const ROWS: &[Behaviour] = &[
    row("hello-bare", "Nothing but a version and the capability.", || {
        initialize("")
    }),
    row("hello-name-only", "A server without a version.", || {
        initialize(r#","serverInfo":{"name":"kit"}"#)
    }),
    row("hello-info-text", "A server that is a text.", || {
        initialize(r#","serverInfo":"kit""#)
    }),
    row("hello-info-null", "A server that is null.", || {
        initialize(r#","serverInfo":null"#)
    }),
    row("hello-odd-info", "A server whose fields are of other types.", || {
        initialize(r#","serverInfo":{"name":5,"version":["1"],"title":{},"icons":"x","websiteUrl":7}"#)
    }),
    row(
        "hello-odd-instructions",
        "Instructions and _meta of other types.",
        || initialize(r#","instructions":{"a":1},"_meta":5"#),
    ),
    row(
        "hello-extra-fields",
        "Fields of other results, and unknown ones.",
        || {
            initialize(
                r#","tools":[],"content":[],"contents":[],"messages":[],"prompts":[],"resultType":"other","ttlMs":"x","zzz":1e999"#,
            )
        },
    ),
    row("hello-sse", "Odd fields, in an event stream.", || {
        initialize(r#","serverInfo":7,"instructions":[]"#).framing(Framing::Events(LineEnd::Lf, 4096))
    }),
    row("hello-odd-capabilities", "Capabilities of other types.", || {
        initialize_with(
            r#""protocolVersion":"2025-11-25","capabilities":{"logging":5,"prompts":[],"resources":"x","experimental":1,"extensions":[],"completions":null,"tools":true}"#,
        )
    }),
    row("hello-tools-null", "The capability tools is null.", || {
        initialize_with(r#""protocolVersion":"2025-11-25","capabilities":{"tools":null}"#)
    }),
    row("hello-no-capabilities", "No capabilities at all.", || {
        initialize_with(r#""protocolVersion":"2025-11-25""#)
    }),
    row("hello-text-capabilities", "Capabilities that are a text.", || {
        initialize_with(r#""protocolVersion":"2025-11-25","capabilities":"tools""#)
    }),
    row("hello-empty", "An empty result.", || initialize_with("")),
    row("hello-number-version", "A version that is a number.", || {
        initialize_with(r#""protocolVersion":20251125,"capabilities":{"tools":{}}"#)
    }),
    row("hello-null-version", "A version that is null.", || {
        initialize_with(r#""protocolVersion":null,"capabilities":{"tools":{}}"#)
    }),
    row("discovery-bare", "Nothing but versions and the capability.", || {
        discover("")
    }),
    row("discovery-odd-fields", "Every optional field of another type.", || {
        discover(
            r#","resultType":5,"ttlMs":"soon","cacheScope":"weird","instructions":7,"_meta":{"io.modelcontextprotocol/serverInfo":"kit"},"tools":[],"zzz":{}"#,
        )
    }),
    row("discovery-meta-text", "_meta that is a text.", || {
        discover(r#","ttlMs":1.5,"cacheScope":"","_meta":"kit""#)
    }),
    row("discovery-sse", "Odd fields, in an event stream.", || {
        discover(r#","_meta":[]"#).framing(Framing::Events(LineEnd::Lf, 4096))
    }),
    row(
        "discovery-odd-versions",
        "Versions with other things between them.",
        || discover_with(r#""supportedVersions":[5,null,"2026-07-28",{}],"capabilities":{"tools":[],"logging":5}"#),
    ),
    row("discovery-no-versions", "An empty list of versions.", || {
        discover_with(r#""supportedVersions":[],"capabilities":{"tools":{}}"#)
    }),
    row("discovery-text-versions", "Versions that are no list.", || {
        discover_with(r#""supportedVersions":"2026-07-28","capabilities":{"tools":{}}"#)
    }),
    row("discovery-other-kind", "Discovery that asks for input.", || {
        discover_with(r#""resultType":"input_required","supportedVersions":["2026-07-28"]"#)
    }),
    row(
        "unknown-is-empty",
        "An older server that gives each unknown method an empty result.",
        || Script::default().instead(On::Rpc("server/discover"), Answer::Result("{}".to_owned())),
    ),
    row("unknown-is-empty-sse", "The same in event streams.", || {
        Script::default()
            .framing(Framing::Events(LineEnd::Lf, 4096))
            .instead(On::Rpc("server/discover"), Answer::Result("{}".to_owned()))
    }),
    row(
        "unknown-is-null",
        "An older server that gives each unknown method null.",
        || Script::default().instead(On::Rpc("server/discover"), Answer::Result("null".to_owned())),
    ),
    row(
        "discovery-is-initialize",
        "An older server that answers discovery as it answers initialize.",
        || {
            Script::default().instead(
                On::Rpc("server/discover"),
                Answer::Result(r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}"#.to_owned()),
            )
        },
    ),
    row("all-is-empty", "Every method has an empty result.", || {
        let empty = || Answer::Result("{}".to_owned());
        Script::default()
            .instead(On::Rpc("server/discover"), empty())
            .instead(On::Rpc("initialize"), empty())
    }),
];

/// A server of the older revisions whose result of `initialize` is in order but for these further fields.
fn initialize(further: &str) -> Script {
    initialize_with(&format!(
        r#""protocolVersion":"2025-11-25","capabilities":{{"tools":{{}}}}{further}"#
    ))
}

/// A server of the older revisions whose result of `initialize` has these fields.
fn initialize_with(fields: &str) -> Script {
    Script {
        session: false,
        ..Script::default()
    }
    .instead(On::Rpc("initialize"), Answer::Result(format!("{{{fields}}}")))
}

/// A server of 2026-07-28 whose result of `server/discover` is in order but for these further fields.
fn discover(further: &str) -> Script {
    discover_with(&format!(
        r#""supportedVersions":["2026-07-28"],"capabilities":{{"tools":{{}}}}{further}"#
    ))
}

/// A server of 2026-07-28 whose result of `server/discover` has these fields.
fn discover_with(fields: &str) -> Script {
    Script::modern().instead(On::Rpc("server/discover"), Answer::Result(format!("{{{fields}}}")))
}
