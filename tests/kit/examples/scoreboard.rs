//! Prints `docs/torture.md`: every server of the kit, what Toolgate answers it, what the server got, and what other
//! clients made of it, from the tables in `tests/torture/`.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use serde::Deserialize;
use toolgate_testkit::{Listed, listing};

/// Of a case what is shown; the rest is the test's business.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    server: String,
    answer: String,
    heard: String,
}

/// What other clients made of the servers: `tests/torture/peers.json`.
#[derive(Deserialize)]
struct Peers {
    /// The clients with their versions, in the order of the columns.
    clients: Vec<String>,
    /// A word for each client, by the server's name.
    results: BTreeMap<String, Vec<String>>,
}

/// What most servers over HTTP get when their tools are listed, and when one is called; and the same of processes.
const USUAL: &[&str] = &[
    "discover, initialize, initialized, GET, tools/list, DELETE",
    "discover, initialize, initialized, GET, tools/call, DELETE",
    "discover, initialize, initialized, tools/list",
    "discover, initialize, initialized, tools/call",
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../torture");
    let peers: Peers = serde_json::from_str(&fs::read_to_string(folder.join("peers.json"))?)?;
    let listing = listing();
    let mut out = io::stdout().lock();
    write!(out, "{}", INTRODUCTION.replace("COUNT", &listing.len().to_string()))?;
    for client in &peers.clients {
        writeln!(out, "- {client}")?;
    }
    let mut kinds: Vec<&str> = listing.iter().map(|listed| listed.kind).collect();
    kinds.dedup();
    for kind in kinds {
        let cases = fs::read_to_string(folder.join("cases").join(format!("{kind}.json")))?;
        let cases: Vec<Case> = serde_json::from_str(&cases)?;
        let cases: BTreeMap<_, _> = cases.iter().map(|case| (case.server.as_str(), case)).collect();
        let rows = listing.iter().filter(|listed| listed.kind == kind);
        section(&mut out, kind, rows, &cases, &peers)?;
    }
    Ok(())
}

fn section<'a>(
    out: &mut impl Write,
    kind: &str,
    rows: impl Iterator<Item = &'a Listed>,
    cases: &BTreeMap<&str, &Case>,
    peers: &Peers,
) -> Result<(), Box<dyn Error>> {
    writeln!(out, "\n## {kind}\n")?;
    let clients: Vec<_> = peers.clients.iter().map(|client| first_word(client)).collect();
    let columns = 4 + clients.len();
    writeln!(
        out,
        "| name | the server | Toolgate | the server got | {} |",
        clients.join(" | ")
    )?;
    writeln!(out, "|{}", " --- |".repeat(columns))?;
    for listed in rows {
        let case = cases
            .get(listed.name)
            .ok_or_else(|| format!("no case for {}", listed.name))?;
        let heard = if USUAL.contains(&case.heard.as_str()) {
            "*usual*"
        } else {
            &case.heard
        };
        let unknown = vec!["–".to_owned(); clients.len()];
        let others = peers.results.get(listed.name).unwrap_or(&unknown);
        let mut cells = vec![listed.name, listed.about, case.answer.as_str(), heard];
        cells.extend(others.iter().map(String::as_str));
        let cells: Vec<_> = cells.into_iter().map(cell).collect();
        writeln!(out, "| {} |", cells.join(" | "))?;
    }
    Ok(())
}

fn first_word(text: &str) -> &str {
    text.split(" (").next().unwrap_or(text)
}

/// A text that a table of Markdown shows as it is; what stands between backticks is code already.
fn cell(text: &str) -> String {
    let parts: Vec<_> = text
        .split('`')
        .enumerate()
        .map(|(at, part)| {
            let part = part.replace('|', "\\|");
            if at % 2 == 1 {
                part
            } else {
                part.replace('<', "\\<").replace('*', "\\*")
            }
        })
        .collect();
    // The one emphasis there is.
    parts.join("`").replace("\\*usual\\*", "*usual*")
}

const INTRODUCTION: &str = "\
<!-- Written by `cargo xtask generate` from tests/torture/. Do not edit. -->

# Toolgate with odd servers

COUNT servers, most of them wrong in one thing: what each does, and what Toolgate answers when its tools are listed, or its
tool `first` is called with `{\"n\":9007199254740993}`. `cargo test -p toolgate-host --test torture` plays every one against a
whole Toolgate, over real sockets and real processes, and compares each cell. It also looks that no case takes longer than 100
seconds, no call goes out twice, every request has the headers it must have and goes nowhere else, no secret and nothing
the server said is in an error, an endless answer is not read on, and no process is left.

To point another client at a server, or Toolgate itself:

```sh
cargo run -p toolgate-testkit                        # lists them; with --list as JSON
cargo run -p toolgate-testkit -- gzip-bomb           # prints its endpoint, and serves until Ctrl+D
cargo run -p toolgate-testkit -- stdio-crlf --stdio  # serves on standard input and output
```

**Toolgate** says the protocol version that was agreed on and the tools that are offered, with what is odd about one in
parentheses; `notes` are codes of what was left out or mended. A failure is its code ([codes.md](codes.md)) and its first
sentence. A call's `outcome_unknown` means that the call was sent and nobody can know whether it was carried out. Texts are
between backticks, long ones cut, with control characters as `\\u001b`.

**The server got** counts its requests: a POST by its method, `answer` for an answer to a request of its own (with the
code where it is a refusal), `GET again` for a GET that goes on with a stream; `×0..3` is a number that may vary, and *usual*
means each of `discover, initialize, initialized, tools/list` or `tools/call` once, with `GET` and `DELETE` over HTTP.

Beside it, what other clients did when last tried by `cargo xtask torture`, with the same request: the tools they listed or
the text they printed as the result; *error* with the first words of what they said; *hangs* where nothing had come after the
limit; *leaves* where processes of the server were there a second after the client had ended. They promise other things than
Toolgate does: an *error* may be the right answer. The Inspector begins by `initialize` unless it is told otherwise, and reads its
command line's numbers as JavaScript does.

";
