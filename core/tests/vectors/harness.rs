//! Runs vector files, and shows every case that fails: file, case, expected and got.

use std::fmt::Write as _;

use serde::Deserialize;
use serde_json::{Value, json};
use toolgate_core::{Diagnostic, Refusal};

use crate::notation::expand;

/// One vector file.
pub(crate) struct File {
    /// Its name without `.json`.
    pub(crate) name: &'static str,
    /// What it holds.
    pub(crate) text: &'static str,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vectors {
    about: String,
    rule: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    input: Value,
    expected: Value,
}

/// Runs every case of every file of a group, then fails with all that differed.
pub(crate) fn run_group(group: &str, files: &[File], run: fn(Value) -> Value) {
    let mut failures = String::new();
    let mut count = 0;
    for file in files {
        let path = format!("tests/vectors/{group}/{}.json", file.name);
        let vectors: Vectors = serde_json::from_str(file.text).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(!vectors.about.trim().is_empty(), "{path}: `about` says nothing");
        assert!(!vectors.rule.trim().is_empty(), "{path}: `rule` names no rule");
        assert!(!vectors.cases.is_empty(), "{path}: there are no cases");
        let mut names = std::collections::HashSet::new();
        for case in vectors.cases {
            assert!(
                names.insert(case.name.clone()),
                "{path}: two cases are named {:?}",
                case.name
            );
            count += 1;
            let expected = expand(case.expected);
            let got = run(expand(case.input));
            if got != expected {
                let _ = write!(
                    failures,
                    "\n{path}: {}\n  expected: {}\n  got:      {}\n",
                    case.name,
                    shown(&expected),
                    shown(&got)
                );
            }
        }
    }
    assert!(count > 0, "the group {group} has no cases");
    assert!(failures.is_empty(), "vectors that failed:{failures}");
}

/// Pretty JSON, cut where it would flood the screen.
fn shown(value: &Value) -> String {
    const MOST: usize = 6000;
    let text = serde_json::to_string_pretty(value).unwrap();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{} … ({} bytes in all)", &text[..end], text.len()),
        None => text,
    }
}

/// A diagnostic as vectors write it: everything but the sentence, which may be worded anew at any time, and the reason, which
/// says the same for other languages (`tests/reasons.rs`).
pub(crate) fn diagnostic(diagnostic: &Diagnostic) -> Value {
    assert!(
        !diagnostic.message.trim().is_empty(),
        "{} has no message",
        diagnostic.code
    );
    assert!(
        !diagnostic.to_string().contains("SECRET"),
        "{} repeats what vectors mark as a secret: {diagnostic}",
        diagnostic.code
    );
    let mut value = serde_json::to_value(diagnostic).unwrap();
    for said in ["message", "reason"] {
        value.as_object_mut().unwrap().shift_remove(said);
    }
    value
}

/// Several of them.
pub(crate) fn diagnostics<'a>(all: impl IntoIterator<Item = &'a Diagnostic>) -> Value {
    all.into_iter().map(diagnostic).collect()
}

/// A refusal as vectors write it: `{"refused": [diagnostic, …]}`.
pub(crate) fn refusal(refusal: &Refusal) -> Value {
    json!({ "refused": diagnostics(refusal.reasons()) })
}

/// A result with a single reason as vectors write it: `{"ok": …}` or `{"refused": [diagnostic]}`.
pub(crate) fn outcome<T>(result: Result<T, Diagnostic>, show: impl FnOnce(T) -> Value) -> Value {
    match result {
        Ok(value) => json!({ "ok": show(value) }),
        Err(reason) => json!({ "refused": [diagnostic(&reason)] }),
    }
}

/// Fails where the folder of vectors and the lists of files differ.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn compare_with_folder(groups: &[(&str, &[File])]) {
    use std::collections::BTreeSet;

    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors");
    let mut on_disk = BTreeSet::new();
    for group in std::fs::read_dir(folder).unwrap() {
        let group = group.unwrap();
        let group_name = group.file_name().into_string().unwrap();
        if !group.file_type().unwrap().is_dir() {
            assert_eq!(
                group_name, "README.md",
                "tests/vectors holds folders, one for each group"
            );
            continue;
        }
        for file in std::fs::read_dir(group.path()).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            on_disk.insert(format!("{group_name}/{name}"));
        }
    }
    let listed: BTreeSet<String> = groups
        .iter()
        .flat_map(|(group, files)| files.iter().map(move |file| format!("{group}/{}.json", file.name)))
        .collect();
    let forgotten: Vec<_> = on_disk.difference(&listed).collect();
    assert!(
        forgotten.is_empty(),
        "these files of tests/vectors are in no list of core/tests/vectors: {forgotten:?}"
    );
    assert_eq!(on_disk, listed);
}
