//! Counts what a clock cannot say the same of twice. `bench-count` writes, as JSON, how often and how much each case
//! allocates; `bench-count run CASE SIZE TIMES` makes the input and does the work so many times, for a program that counts
//! its instructions: once less a run of none is the work alone.

use std::io::{Error, Write as _};
use std::process::ExitCode;

use serde_json::{Map, Value, json};
use toolgate_bench::CASES;

fn main() -> Result<ExitCode, Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut out = std::io::stdout();
    match arguments.as_slice() {
        [] => {
            let counts = allocations().map_err(Error::other)?;
            writeln!(out, "{}", serde_json::to_string_pretty(&counts)?)?;
            Ok(ExitCode::SUCCESS)
        }
        ["run", name, size, times] => {
            let made = run(name, size, times);
            if made.is_none() {
                writeln!(std::io::stderr(), "there is no such case, or it refused its input")?;
                return Ok(ExitCode::FAILURE);
            }
            Ok(ExitCode::SUCCESS)
        }
        _ => {
            writeln!(std::io::stderr(), "usage: bench-count [run CASE SIZE TIMES]")?;
            Ok(ExitCode::FAILURE)
        }
    }
}

fn run(name: &str, size: &str, times: &str) -> Option<()> {
    let case = CASES.iter().find(|case| case.name == name)?;
    let mut work = (case.prepare)(size.parse().ok()?)?;
    for _ in 0..times.parse::<usize>().ok()? {
        if work() == 0 {
            return None;
        }
    }
    Some(())
}

/// Allocations and the most bytes held at a time, by case and size.
fn allocations() -> Result<Value, String> {
    let mut all = Map::new();
    for case in CASES {
        let mut sizes = Map::new();
        for size in case.sizes {
            let refused = || format!("{} {size} refused its input", case.name);
            let mut work = (case.prepare)(size).ok_or_else(refused)?;
            // What is made once and kept, such as a regular expression, is not the work's.
            if work() == 0 {
                return Err(refused());
            }
            let info = allocation_counter::measure(|| {
                work();
            });
            let counts = json!({ "allocations": info.count_total, "mostBytes": info.bytes_max });
            sizes.insert(size.to_string(), counts);
        }
        let about = json!({ "about": case.about, "unit": case.unit, "sizes": sizes });
        all.insert(case.name.to_owned(), about);
    }
    Ok(Value::Object(all))
}
