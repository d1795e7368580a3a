//! `docs/performance.md`, written from the results.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result};
use serde_json::{Map, Value};

use super::budgets::BUDGETS;
use super::counts::Counts;
use crate::root::root;

/// What people write: the parts of the page that no run changes, each below a heading.
const WORDS: &str = "bench/performance.template.md";
const OPENING: &str = "<!-- Written by `cargo xtask bench` from bench/results.json, bench/counts.json and bench/performance.template.md. Do not edit. -->\n\n";

/// The whole page: the words, with a table in place of each line `{{name}}`.
pub(super) fn page(results: &Value, counts: &Counts) -> Result<String> {
    let words = fs::read_to_string(root().join(WORDS)).with_context(|| format!("cannot read {WORDS}"))?;
    let mut page = String::from(OPENING);
    for line in words.lines() {
        let name = line.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
        match name {
            None => page.push_str(line),
            Some(name) => page.push_str(table(name, results, counts)?.trim_end()),
        }
        page.push('\n');
    }
    Ok(page)
}

fn table(name: &str, results: &Value, counts: &Counts) -> Result<String> {
    let table = match name {
        "machine" => machine(results),
        "budgets" => budgets(results),
        "core" => core(results, counts),
        "counts" => counted(counts),
        "clients" => clients(results),
        "command line" => by_program(results, "/commandLine", &["list", "call"]),
        "footprint" => flat(results, &["/footprint"]),
        "calls" => flat(results, &["/calls", "/bridge"]),
        "page" => flat(results, &["/page"]),
        _ => None,
    };
    table.with_context(|| format!("the results have nothing for {{{{{name}}}}} of {WORDS}"))
}

/// A table of these columns.
fn rows(columns: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!("| {} |\n|", columns.join(" | "));
    for column in 0..columns.len() {
        text.push_str(if column == 0 { " --- |" } else { " ---: |" });
    }
    text.push('\n');
    for row in rows {
        // Writing to a string does not fail.
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}

fn object<'a>(results: &'a Value, pointer: &str) -> Option<&'a Map<String, Value>> {
    results.pointer(pointer)?.as_object()
}

fn machine(results: &Value) -> Option<String> {
    let machine = object(results, "/machine")?;
    let said = |name: &str| match machine.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => "unknown".to_owned(),
        Some(other) => other.to_string(),
    };
    Some(format!(
        "Measured {} at commit {}: {}, {} cores, {}, {}; {}, Node {}, Chromium {}. Load average before the run {}, after it {}.",
        said("date"),
        said("commit"),
        said("processor"),
        said("cores"),
        said("memory"),
        said("system"),
        said("rustc"),
        said("node"),
        said("chromium"),
        said("loadBefore"),
        said("loadAfter"),
    ))
}

fn budgets(results: &Value) -> Option<String> {
    let rows_of_budgets: Option<Vec<Vec<String>>> = BUDGETS
        .iter()
        .map(|budget| {
            let measured = budget.measured(results)?;
            let bound = if budget.at_least { "at least" } else { "at most" };
            Some(vec![
                budget.about.to_owned(),
                format!("{bound} {} {}", budget.bound, budget.unit),
                format!("{measured:.1} {}", budget.unit),
                if budget.is_kept(results) { "kept" } else { "**missed**" }.to_owned(),
            ])
        })
        .collect();
    Some(rows(&["what", "budget", "measured", ""], &rows_of_budgets?))
}

fn core(results: &Value, counts: &Counts) -> Option<String> {
    let mut all = Vec::new();
    let (mut in_nodes, mut in_chromiums) = (Vec::new(), Vec::new());
    for (name, case) in counts {
        for size in case.sizes.keys() {
            let ms = |way: &str| results.get(way)?.get(name)?.get(size.to_string())?.as_f64();
            let (native, node, chromium) = (ms("coreNative")?, ms("wasmInNode")?, ms("wasmInChromium")?);
            let [in_node, in_chromium] = [node / native, chromium / native];
            in_nodes.push(in_node);
            in_chromiums.push(in_chromium);
            all.push(vec![
                case.about.clone(),
                format!("{size} {}", case.unit),
                milliseconds(native),
                milliseconds(node),
                milliseconds(chromium),
                format!("{in_node:.1}"),
                format!("{in_chromium:.1}"),
            ]);
        }
    }
    let columns = [
        "work",
        "input",
        "native",
        "wasm in Node",
        "wasm in Chromium",
        "Node ÷ native",
        "Chromium ÷ native",
    ];
    let [in_node, in_chromium] = [in_nodes, in_chromiums].map(|ratios| geometric_mean(&ratios));
    Some(format!(
        "As WebAssembly the same work takes **{in_node:.1}** times as long in Node and **{in_chromium:.1}** times in Chromium \
         (geometric mean of all rows).\n\n{}",
        rows(&columns, &all)
    ))
}

fn geometric_mean(numbers: &[f64]) -> f64 {
    let (mut product, mut root) = (1.0, 0.0);
    for number in numbers {
        product *= number;
        root += 1.0;
    }
    f64::powf(product, 1.0 / root)
}

fn counted(counts: &Counts) -> Option<String> {
    let mut all = Vec::new();
    for case in counts.values() {
        let each = |size: u64, number: u64| Some(f64::from(u32::try_from(number / size).ok()?));
        for (size, count) in &case.sizes {
            let instructions = count.instructions?;
            all.push(vec![
                case.about.clone(),
                format!("{size} {}", case.unit),
                grouped(instructions),
                grouped(instructions / size),
                grouped(count.allocations),
                format!("{:.1}", each(*size, count.allocations * 10)? / 10.0),
                grouped(count.most_bytes / 1024),
            ]);
        }
    }
    let columns = [
        "work",
        "input",
        "instructions",
        "of each",
        "allocations",
        "of each",
        "most KiB at a time",
    ];
    Some(rows(&columns, &all))
}

fn clients(results: &Value) -> Option<String> {
    let clients = object(results, "/clients")?;
    let columns: Vec<&str> = clients.keys().map(String::as_str).collect();
    let median = |client: &Value, pointer: &[&str]| -> Option<String> {
        let times = pointer.iter().try_fold(client, |value, key| value.get(key))?;
        Some(milliseconds(times.get("median")?.as_f64()?))
    };
    let lists = clients.values().next()?.get("discover")?.as_object()?;
    let mut all = Vec::new();
    for list in lists.keys() {
        let mut row = vec![format!("connect and read, {list} tools")];
        for client in clients.values() {
            row.push(median(client, &["discover", list])?);
        }
        all.push(row);
    }
    let mut row = vec!["one call on a standing connection, http".to_owned()];
    for client in clients.values() {
        row.push(median(client, &["call"])?);
    }
    all.push(row);
    let columns: Vec<&str> = std::iter::once("").chain(columns).collect();
    Some(rows(&columns, &all))
}

fn by_program(results: &Value, pointer: &str, what: &[&str]) -> Option<String> {
    let mut all = Vec::new();
    for (program, times) in object(results, pointer)? {
        let mut row = vec![program.clone()];
        for what in what {
            row.push(milliseconds(times.get(what)?.get("median")?.as_f64()?));
        }
        all.push(row);
    }
    let columns: Vec<&str> = std::iter::once("").chain(what.iter().copied()).collect();
    Some(rows(&columns, &all))
}

/// Every number below these places, each with the words its names make.
fn flat(results: &Value, pointers: &[&str]) -> Option<String> {
    let mut all = Vec::new();
    for pointer in pointers {
        for (name, value) in object(results, pointer)? {
            leaves(&words(name), value, &mut all)?;
        }
    }
    Some(rows(&["", "median", "10 % to 90 %"], &all))
}

fn leaves(name: &str, value: &Value, all: &mut Vec<Vec<String>>) -> Option<()> {
    if let Some(object) = value.as_object() {
        if let Some(median) = object.get("median") {
            let [median, p10, p90] =
                [Some(median), object.get("p10"), object.get("p90")].map(|v| v.and_then(Value::as_f64));
            let spread = format!("{} to {}", milliseconds(p10?), milliseconds(p90?));
            all.push(vec![label(name).to_owned(), milliseconds(median?), spread]);
            return Some(());
        }
        for (inner, value) in object {
            leaves(&format!("{name}, {}", words(inner)), value, all)?;
        }
        return Some(());
    }
    let number = value.as_f64()?;
    let text = match name {
        _ if name.contains("MiB") => format!("{number:.1} MiB"),
        _ if name.starts_with("transfer") => format!("{:.1} KiB", number / 1024.0),
        _ => value.as_u64().map_or_else(|| format!("{number:.1}"), grouped),
    };
    all.push(vec![label(&name.replace(" MiB", "")).to_owned(), text, String::new()]);
    Some(())
}

/// Some names in more words.
fn label(name: &str) -> &str {
    match name {
        "start" => "start to the line with the address",
        "first answer" => "start to the first answer",
        "idle" => "memory, idle",
        "full" => "memory, full, all just read from their servers",
        "full after start" => "memory, full, after a new start",
        "full all read" => "memory, full, every tool asked for since",
        "list first" => "the first list of all servers after a start",
        "list" => "the list of all servers again",
        "saved tools" => "512 tools of a server, from their file",
        "known tools" => "512 tools of a server, from memory",
        "bare round trip" => "the bare round trip",
        "partner call" => "a partner's call",
        "test call" => "a test call",
        "usable" => "from the address to the first server in the list",
        "show tools" => "from a click on a server to its 512 tools",
        "filter tools" => "from a key in the search field to what is left of 512 tools",
        other => other,
    }
}

/// `firstAnswer` as `first answer`; names that are words already stay.
fn words(name: &str) -> String {
    if name.contains(' ') {
        return name.to_owned();
    }
    let mut text = String::new();
    for character in name.trim_end_matches("MiB").chars() {
        if character.is_ascii_uppercase() {
            text.push(' ');
        }
        text.push(character.to_ascii_lowercase());
    }
    if name.ends_with("MiB") {
        text.push_str(" MiB");
    }
    text
}

fn milliseconds(number: f64) -> String {
    match number {
        _ if number < 1.0 => format!("{number:.3} ms"),
        _ if number < 100.0 => format!("{number:.1} ms"),
        _ => format!("{number:.0} ms"),
    }
}

/// A number with a space between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_and_names_read_well() {
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(grouped(999), "999");
        assert_eq!(words("fullAfterStartMiB"), "full after start MiB");
        assert_eq!(words("16 at a time"), "16 at a time");
        assert_eq!(milliseconds(0.25), "0.250 ms");
        assert_eq!(milliseconds(123.4), "123 ms");
        assert_eq!(format!("{:.3}", geometric_mean(&[2.0, 8.0])), "4.000");
    }

    #[test]
    fn every_number_has_its_row() {
        let results = json!({ "page": {
            "heapMiB": { "usable": 3.2 },
            "transfer": { "script": 2048 },
            "usable": { "median": 5, "p10": 4, "p90": 6, "runs": 3 },
        } });
        let table = flat(&results, &["/page"]).unwrap_or_default();
        let lines: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "| heap, usable | 3.2 MiB |  |",
                "| transfer, script | 2.0 KiB |  |",
                "| from the address to the first server in the list | 5.0 ms | 4.0 ms to 6.0 ms |"
            ]
        );
    }
}
