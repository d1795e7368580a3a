//! `docs/bridge.md` names every method of the bridge with its parameters and its result, and no other. What they are is
//! taken from the generated TypeScript declarations, which a check of their own keeps current.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

use std::collections::BTreeMap;

use toolgate_host::bridge::METHODS;

const DOCUMENT: &str = include_str!("../../docs/bridge.md");
const TYPES: &str = include_str!("../../web/src/generated/types.ts");

/// The first cells of each row that names a method: its parameters and its result.
fn documented() -> BTreeMap<&'static str, (&'static str, &'static str)> {
    let mut rows = BTreeMap::new();
    for line in DOCUMENT.lines() {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let Some(name) = cells.get(1).and_then(|cell| cell.strip_prefix('`')?.strip_suffix('`')) else {
            continue;
        };
        if !name.contains('.') {
            continue;
        }
        let result = cells[3].split('`').nth(1).expect("a result");
        let before = rows.insert(name, (cells[2].trim_matches('`'), result));
        assert!(before.is_none(), "{name} stands twice");
    }
    rows
}

/// The fields of a declared type as the document writes them.
fn fields(declared: &str) -> String {
    if declared == "NoParams" {
        return "{}".to_owned();
    }
    let start = format!("export type {declared} = {{\n");
    let body = TYPES
        .split_once(&start)
        .expect(declared)
        .1
        .split_once("\n};")
        .expect("an end")
        .0;
    let fields: Vec<_> = body
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_once(": "))
        .map(|(name, _)| name)
        .filter(|name| !name.starts_with([' ', '*', '/']))
        .collect();
    format!("{{{}}}", fields.join(", "))
}

#[test]
fn every_method_is_in_the_document_as_it_is() {
    let documented = documented();
    let mut methods = METHODS.to_vec();
    methods.sort_unstable();
    assert_eq!(documented.keys().copied().collect::<Vec<_>>(), methods);
    for method in METHODS {
        let start = format!("  \"{method}\": {{ params: ");
        let declared = TYPES
            .split_once(&start)
            .expect(method)
            .1
            .lines()
            .next()
            .expect("a line");
        let (params, result) = declared.split_once("; result: ").expect("a result");
        let result = result.trim_end_matches(" };");
        assert_eq!(documented[method], (fields(params).as_str(), result), "{method}");
    }
}

#[test]
fn every_code_in_the_document_is_one() {
    let known: Vec<_> = toolgate_core::Code::ALL.iter().map(|code| code.as_str()).collect();
    let mut seen = 0;
    for code in DOCUMENT.split('`').filter(|text| text.starts_with("mcp.")) {
        seen += 1;
        match code.strip_suffix('…') {
            Some(start) => assert!(known.iter().any(|known| known.starts_with(start)), "{code}"),
            None => assert!(known.contains(&code), "{code}"),
        }
    }
    assert!(seen > 20);
}
