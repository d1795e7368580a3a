//! The table of cases: JSON files, one a kind, one line a case.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use toolgate_testkit::{Listed, ShownBy};

use crate::stage::Played;

/// One server of the kit, and what is right about it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Case {
    /// Its name in the kit.
    pub server: String,
    /// A call is made; if not, the tools are listed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub calls: bool,
    /// The server is a child process.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_process: bool,
    /// The right thing is to wait for a while, and to go on: the limits of waiting are small.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_slow: bool,
    /// The right thing is to give up: the same, and the budgets are small.
    #[serde(default, skip_serializing_if = "is_false")]
    pub gives_up: bool,
    /// The tool that is called, where not `first`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// How many KiB the arguments have, where not a few bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub argument_kib: Option<usize>,
    /// What Toolgate answers, as `answers` writes it.
    pub answer: String,
    /// What the server got, as `heard` reads it.
    pub heard: String,
    /// How many seconds it may take, where not [`SECONDS`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
}

impl Case {
    /// Whether it is mostly waited.
    pub fn waits(&self) -> bool {
        self.is_slow || self.gives_up
    }

    pub fn tool(&self) -> &str {
        self.tool.as_deref().unwrap_or("first")
    }

    pub fn arguments(&self) -> String {
        match self.argument_kib {
            Some(kib) => format!(r#"{{"x":"{}"}}"#, "x".repeat(kib * 1024)),
            None => r#"{"n":9007199254740993}"#.to_owned(),
        }
    }
}

/// How long a case may take, the host's end included: far more than any needs, on a machine that is busy.
pub const SECONDS: u64 = 100;

/// The cases by kind.
pub type Table = BTreeMap<String, Vec<Case>>;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_false(value: &bool) -> bool {
    !value
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/torture/cases")
}

pub fn read() -> Table {
    let mut table = Table::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let kind = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let cases = serde_json::from_str(&fs::read_to_string(&path).unwrap());
        table.insert(
            kind,
            cases.unwrap_or_else(|error| panic!("{}: {error}", path.display())),
        );
    }
    table
}

pub fn write(table: &Table) {
    for (kind, cases) in table {
        let lines: Vec<_> = cases
            .iter()
            .map(|case| format!("  {}", serde_json::to_string(case).unwrap()))
            .collect();
        let text = format!("[\n{}\n]\n", lines.join(",\n"));
        fs::write(folder().join(format!("{kind}.json")), text).unwrap();
    }
}

/// Puts the kit's servers in their order, and makes a case for each that has none.
pub fn add_missing(table: &mut Table, listing: &[Listed]) {
    let mut known: BTreeMap<_, _> = std::mem::take(table)
        .into_values()
        .flatten()
        .map(|case| (case.server.clone(), case))
        .collect();
    for listed in listing {
        let case = known.remove(listed.name).unwrap_or_else(|| Case {
            server: listed.name.to_owned(),
            calls: listed.shown_by == ShownBy::Call,
            is_process: !listed.http,
            is_slow: false,
            gives_up: false,
            tool: None,
            argument_kib: None,
            answer: String::new(),
            heard: String::new(),
            seconds: None,
        });
        table.entry(listed.kind.to_owned()).or_default().push(case);
    }
}

/// Writes into the table what happened, but where it already fits.
pub fn set(table: &mut Table, played: &Case, happened: &Played) {
    let cases = table.values_mut().flatten();
    for case in cases.filter(|case| case.server == played.server) {
        happened.answer.clone_into(&mut case.answer);
        if !happened.heard.fits(&case.heard) {
            case.heard = happened.heard.to_string();
        }
        if case.answer.contains("timeout") {
            case.gives_up = true;
        }
    }
}
