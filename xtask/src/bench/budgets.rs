//! The budgets. Sizes are checked; times and memory, which another machine measures differently, are reported.

use std::fs;

use anyhow::Result;
use serde_json::{Value, json};

use crate::build;
use crate::root::root;
use crate::sizes;

/// Bytes of the program, stripped.
const PROGRAM_BYTES: u64 = 15_000_000;

/// A number of the results, and the most (or the least) it may be.
pub(super) struct Budget {
    /// What it is, for a table.
    pub(super) about: &'static str,
    /// What was measured.
    measured: fn(&Value) -> Option<f64>,
    /// The bound.
    pub(super) bound: f64,
    /// What both count.
    pub(super) unit: &'static str,
    /// It is the least and not the most.
    pub(super) at_least: bool,
}

const fn most(about: &'static str, bound: f64, unit: &'static str, measured: fn(&Value) -> Option<f64>) -> Budget {
    Budget {
        about,
        measured,
        bound,
        unit,
        at_least: false,
    }
}

const fn least(about: &'static str, bound: f64, measured: fn(&Value) -> Option<f64>) -> Budget {
    Budget {
        about,
        measured,
        bound,
        unit: "times",
        at_least: true,
    }
}

/// Every budget, in the order of the table.
pub(super) const BUDGETS: &[Budget] = &[
    most("The program, stripped", 15.0, "MB", |all| bytes(all, "program", 1e6)),
    most("First load of the page, compressed", 200.0, "KiB", |all| {
        bytes(all, "firstLoad", 1024.0)
    }),
    most("The core's WebAssembly in it, compressed", 130.0, "KiB", |all| {
        bytes(all, "coreModule", 1024.0)
    }),
    most("Resident memory, idle", 25.0, "MiB", |all| {
        number(all, "/footprint/idleMiB")
    }),
    most("Start to the first answer", 50.0, "ms", |all| {
        number(all, "/footprint/firstAnswer/median")
    }),
    most("512 tools of a server, from their file", 20.0, "ms", |all| {
        number(all, "/footprint/savedTools/median")
    }),
    most("A result of 4 MiB to Markdown, natively", 50.0, "ms", |all| {
        number(all, "/coreNative/result/4096")
    }),
    least("Quicker than the Inspector: list, Toolgate running", 5.0, |all| {
        quicker(all, "toolgate rpc, with Toolgate running", "list")
    }),
    least("Quicker than the Inspector: call, Toolgate running", 5.0, |all| {
        quicker(all, "toolgate rpc, with Toolgate running", "call")
    }),
    least("Quicker than the Inspector: list, `toolgate rpc` alone", 5.0, |all| {
        quicker(all, "toolgate rpc, alone", "list")
    }),
    least("Quicker than the Inspector: call, `toolgate rpc` alone", 5.0, |all| {
        quicker(all, "toolgate rpc, alone", "call")
    }),
];

impl Budget {
    /// What was measured.
    pub(super) fn measured(&self, results: &Value) -> Option<f64> {
        (self.measured)(results)
    }

    /// Whether what was measured is within the bound.
    pub(super) fn is_kept(&self, results: &Value) -> bool {
        self.measured(results).is_some_and(|measured| {
            if self.at_least {
                measured >= self.bound
            } else {
                measured <= self.bound
            }
        })
    }
}

/// A line for each budget that is missed, or one that says none is.
pub(super) fn report(results: &Value) -> Vec<String> {
    let missed: Vec<String> = BUDGETS
        .iter()
        .filter(|budget| !budget.is_kept(results))
        .map(|budget| {
            let measured = budget.measured(results).unwrap_or(f64::NAN);
            let bound = if budget.at_least { "at least" } else { "at most" };
            format!(
                "budget missed: {}: {measured:.1} {}, {bound} {}",
                budget.about, budget.unit, budget.bound
            )
        })
        .collect();
    if missed.is_empty() {
        vec![format!("all {} budgets are kept", BUDGETS.len())]
    } else {
        missed
    }
}

/// What is wrong with the size of the program, where it is built.
pub(super) fn program_size() -> Option<String> {
    let program = build::program().ok()?;
    let Ok(file) = fs::metadata(&program) else {
        eprintln!("xtask: the program is not built; its size is not checked");
        return None;
    };
    eprintln!("xtask: program: {} of {PROGRAM_BYTES} bytes", file.len());
    (file.len() > PROGRAM_BYTES).then(|| {
        format!(
            "{} has {} bytes, over its budget of {PROGRAM_BYTES}: find what made it grow",
            program.display(),
            file.len()
        )
    })
}

/// The sizes of what is built now.
pub(super) fn sizes() -> Result<Value> {
    let page: Value = serde_json::from_str(&fs::read_to_string(root().join(sizes::SNAPSHOT))?)?;
    let mut all = json!({ "program": fs::metadata(build::program()?)?.len() });
    if let (Some(all), Some(page)) = (all.as_object_mut(), page.as_object()) {
        all.extend(page.clone());
    }
    Ok(all)
}

fn number(results: &Value, pointer: &str) -> Option<f64> {
    results.pointer(pointer).and_then(Value::as_f64)
}

fn bytes(results: &Value, name: &str, unit: f64) -> Option<f64> {
    Some(results.get("bytes")?.get(name)?.as_f64()? / unit)
}

fn quicker(results: &Value, program: &str, what: &str) -> Option<f64> {
    let median = |program: &str| {
        results
            .get("commandLine")?
            .get(program)?
            .get(what)?
            .get("median")?
            .as_f64()
    };
    Some(median("MCP Inspector --cli")? / median(program)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_or_over_is_reported() {
        let results = json!({
            "bytes": { "program": 14_000_000, "firstLoad": 204_800, "coreModule": 133_121 },
            "footprint": { "idleMiB": 25.0, "firstAnswer": { "median": 50.1 }, "savedTools": { "median": 20 } },
            "coreNative": { "result": { "4096": 49 } },
            "commandLine": {
                "MCP Inspector --cli": { "list": { "median": 500 }, "call": { "median": 500 } },
                "toolgate rpc, alone": { "list": { "median": 100 }, "call": { "median": 101 } },
            },
        });
        let missed = report(&results);
        // The module, the start, the slower call, and both that were not measured.
        assert_eq!(missed.len(), 5, "{missed:?}");
        assert!(missed.iter().any(|line| line.contains("WebAssembly in it")));
    }
}
