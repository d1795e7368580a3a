//! `cargo xtask bench`: what users feel, beside what they would use instead, in one run. The results are committed as
//! `bench/results.json`, and `docs/performance.md` is written from them.

mod budgets;
mod build;
mod counts;
mod machine;
mod table;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::{Map, Value, json};

use crate::chromium::Chromium;
use crate::process::{cargo, command, quiet, run};
use crate::root::{root, target};
use crate::step::{Done, step};

const RESULTS: &str = "bench/results.json";
const PAGE: &str = "docs/performance.md";

/// What of it.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Check the instructions and allocations of the core alone, against bench/counts.json.
    #[arg(long)]
    counts: bool,
    /// With --counts: commit what was counted.
    #[arg(long, requires = "counts")]
    write: bool,
    /// Measure nothing; write docs/performance.md from the committed results.
    #[arg(long, conflicts_with = "counts")]
    table: bool,
}

/// Runs the task.
pub(crate) fn bench(options: Options) -> Result<()> {
    if options.counts {
        return counts::check(options.write);
    }
    if !options.table {
        measure()?;
    }
    let results = committed()?;
    fs::write(root().join(PAGE), table::page(&results, &counts::committed()?)?)?;
    for line in budgets::report(&results) {
        eprintln!("xtask: {line}");
    }
    Ok(())
}

/// What can be checked on a machine that has other things to do: counts, the program's size, and that the page about
/// performance says what the results say.
pub(crate) fn check() -> Result<()> {
    let mut problems = Vec::new();
    problems.extend(counts::check(false).err().map(|error| format!("{error:#}")));
    problems.extend(budgets::program_size());
    let page = table::page(&committed()?, &counts::committed()?)?;
    if fs::read_to_string(root().join(PAGE)).ok().as_deref() != Some(page.as_str()) {
        problems.push(format!(
            "{PAGE} is not what {RESULTS} says: run `cargo xtask bench --table`"
        ));
    }
    finding(&problems)
}

fn finding(problems: &[String]) -> Result<()> {
    if problems.is_empty() {
        return Ok(());
    }
    bail!("{}", problems.join("\n"))
}

fn committed() -> Result<Value> {
    let text = fs::read_to_string(root().join(RESULTS)).with_context(|| format!("cannot read {RESULTS}"))?;
    serde_json::from_str(&text).with_context(|| format!("{RESULTS} is no JSON"))
}

fn measure() -> Result<()> {
    let built = build::everything()?;
    let chromium = Chromium::find()?;
    if counts::are_whole_here() {
        counts::check(true)?;
    }
    // From here on nothing is compiled, and the machine should have nothing else to do.
    let load_before = machine::load();
    if load_before.is_some_and(|load| load > machine::QUIET) {
        eprintln!("xtask: the machine is busy (load {load_before:?}): the times will be worth little");
    }
    let mut results = Map::new();
    let mut native = Value::Null;
    step("core natively", || {
        native = core_natively()?;
        Ok(Done::Now)
    })?;
    let file = target()?.join("xtask/bench.json");
    let mut node = command(&built.node_22);
    node.args(["--import", "tsx", "bench/run/main.ts"])
        .arg(&file)
        .env("CHROMIUM", &chromium.browser);
    run(built.tell(&mut node)?)?;
    let measured: Map<String, Value> = serde_json::from_str(&fs::read_to_string(&file)?)?;
    results.insert("machine".to_owned(), machine::describe(load_before, &measured)?);
    results.insert("coreNative".to_owned(), native);
    results.extend(
        measured
            .into_iter()
            .filter(|(name, _)| name != "node" && name != "chromium"),
    );
    results.insert("bytes".to_owned(), budgets::sizes()?);
    fs::write(root().join(RESULTS), serde_json::to_string_pretty(&results)? + "\n")?;
    Ok(())
}

/// Criterion's medians in milliseconds, by case and size.
fn core_natively() -> Result<Value> {
    let folder: PathBuf = target()?.join("criterion");
    let mut bench = cargo();
    bench
        .args(["bench", "-p", "toolgate-bench", "--bench", "core"])
        .args(quiet());
    bench.args([
        "--",
        "--noplot",
        "--quiet",
        "--warm-up-time",
        "0.5",
        "--measurement-time",
        "2",
    ]);
    run(bench.env("CRITERION_HOME", &folder))?;
    let mut all = Map::new();
    for (name, case) in counts::committed()? {
        let mut sizes = Map::new();
        for size in case.sizes.keys() {
            let file = folder.join(&name).join(size.to_string()).join("new/estimates.json");
            let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
            let estimates: Value = serde_json::from_str(&text)?;
            let nanoseconds = estimates.pointer("/median/point_estimate").and_then(Value::as_f64);
            let nanoseconds = nanoseconds.with_context(|| format!("{} has no median", file.display()))?;
            sizes.insert(size.to_string(), json!((nanoseconds / 100.0).round() / 10_000.0));
        }
        all.insert(name, Value::Object(sizes));
    }
    Ok(Value::Object(all))
}
