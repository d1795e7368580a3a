//! What of the core can be counted, and so is the same on a busy machine: instructions and allocations of each case, kept
//! in `bench/counts.json`, so that a regression is a line in a diff; and that cost grows as the input does.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::process::{cargo, command, find, output, quiet, run, typed};
use crate::root::{built, root, target};
use crate::step::{Done, step};

const SNAPSHOT: &str = "bench/counts.json";

/// Another patch release of the compiler, or a processor that has other vectors to search with, moves instructions a little;
/// a rule that has become another kind of work moves them more.
const INSTRUCTIONS_PERCENT: u64 = 6;
/// The C library chooses its ways of copying and comparing by the processor it finds. With these it takes the plain ones,
/// which every processor has.
const PLAIN_COPIES: (&str, &str) = (
    "GLIBC_TUNABLES",
    "glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL,-EVEX,-ERMS,-FSRM",
);
const ALLOCATIONS_PERCENT: u64 = 3;
/// By how much the largest input may cost more, for each unit of it, than the one before.
const GROWTH_PERCENT: u64 = 20;

/// The counts of every case.
pub(crate) type Counts = BTreeMap<String, Case>;

/// The counts of one case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Case {
    /// What it is, for a table.
    pub(crate) about: String,
    /// What the sizes count.
    pub(crate) unit: String,
    /// By size.
    pub(crate) sizes: BTreeMap<u64, Count>,
}

/// The counts of a case at one size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Count {
    /// Instructions, as callgrind counts them; absent where there is no callgrind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) instructions: Option<u64>,
    /// How often memory was asked for.
    pub(crate) allocations: u64,
    /// The most bytes of memory held at a time.
    pub(crate) most_bytes: u64,
}

/// Counts, and compares with what is committed; with `write`, commits it first.
pub(crate) fn check(write: bool) -> Result<()> {
    let counts = count()?;
    if write {
        if counts
            .values()
            .flat_map(|case| case.sizes.values())
            .any(|count| count.instructions.is_none())
        {
            bail!("instructions are counted by valgrind, which is not here; install it before you write {SNAPSHOT}");
        }
        fs::write(root().join(SNAPSHOT), serde_json::to_string_pretty(&counts)? + "\n")?;
    }
    let mut problems = differences(&counts, &committed()?);
    problems.extend(growth(&counts));
    if problems.is_empty() {
        return Ok(());
    }
    bail!("{}", problems.join("\n"))
}

/// Whether instructions can be counted here.
pub(crate) fn are_whole_here() -> bool {
    find(&["valgrind"]).is_some()
}

/// What is committed.
pub(crate) fn committed() -> Result<Counts> {
    let text = fs::read_to_string(root().join(SNAPSHOT)).with_context(|| format!("cannot read {SNAPSHOT}"))?;
    serde_json::from_str(&text).with_context(|| format!("{SNAPSHOT} does not hold counts"))
}

/// Builds the counting program and lets it count.
pub(crate) fn count() -> Result<Counts> {
    step("counting program", || {
        let mut build = cargo();
        build.args(["build", "--release", "-p", "toolgate-bench", "--bin", "bench-count"]);
        run(build.args(quiet()))?;
        Ok(Done::Now)
    })?;
    let program = built("release", "bench-count")?;
    let mut counts: Counts = serde_json::from_str(&output(&mut command(&program))?)?;
    if !are_whole_here() {
        eprintln!("xtask: no valgrind here: allocations are checked, instructions are not");
        return Ok(counts);
    }
    step("instructions", || {
        for (name, case) in &mut counts {
            for (size, count) in &mut case.sizes {
                let made = instructions(&program, name, *size, 0)?;
                let worked = instructions(&program, name, *size, 1)?;
                count.instructions = Some(worked.saturating_sub(made));
            }
        }
        Ok(Done::Now)
    })?;
    Ok(counts)
}

fn instructions(program: &Path, name: &str, size: u64, times: u32) -> Result<u64> {
    let mut valgrind = command("valgrind");
    valgrind
        .env(PLAIN_COPIES.0, PLAIN_COPIES.1)
        .arg("--tool=callgrind")
        .arg(format!(
            "--callgrind-out-file={}",
            target()?.join("xtask/callgrind.out").display()
        ))
        .arg(program)
        .args(["run", name])
        .args([size.to_string(), times.to_string()]);
    let output = valgrind
        .output()
        .with_context(|| format!("cannot start `{}`", typed(&valgrind)))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said
        .lines()
        .find_map(|line| line.split_once("Collected : "))
        .and_then(|(_, number)| number.trim().parse().ok());
    match collected {
        Some(number) if output.status.success() => Ok(number),
        _ => bail!("`{}` failed ({}):\n{said}", typed(&valgrind), output.status),
    }
}

fn differences(counts: &Counts, committed: &Counts) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, case) in counts {
        for (size, count) in &case.sizes {
            let before = committed
                .get(name)
                .and_then(|case| case.sizes.get(size))
                .copied()
                .unwrap_or_default();
            let mut compare = |what: &str, now: u64, before: u64, percent: u64| {
                if now.abs_diff(before) * 100 > before * percent {
                    problems.push(format!(
                        "{name} {size}: {now} {what}, {SNAPSHOT} says {before}: if that is meant, run \
                         `cargo xtask bench --counts --write` and commit the result"
                    ));
                }
            };
            compare(
                "allocations",
                count.allocations,
                before.allocations,
                ALLOCATIONS_PERCENT,
            );
            compare(
                "bytes at most",
                count.most_bytes,
                before.most_bytes,
                ALLOCATIONS_PERCENT,
            );
            if let Some(now) = count.instructions {
                compare(
                    "instructions",
                    now,
                    before.instructions.unwrap_or_default(),
                    INSTRUCTIONS_PERCENT,
                );
            }
        }
    }
    problems
}

/// Cases whose largest input costs more than its size says.
fn growth(counts: &Counts) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, case) in counts {
        let mut from_large = case.sizes.iter().rev();
        let (Some((large, most)), Some((middle, less))) = (from_large.next(), from_large.next()) else {
            continue;
        };
        let cost = |count: &Count| count.instructions.unwrap_or(count.allocations);
        // In 128 bits no product is too large.
        let [most, less] = [cost(most), cost(less)].map(u128::from);
        let [large, middle, most_percent] = [*large, *middle, 100 + GROWTH_PERCENT].map(u128::from);
        if most * middle * 100 > less * large * most_percent {
            problems.push(format!(
                "{name}: {large} {unit} cost {most}, {middle} cost {less}: more than their number says; find what is not \
                 linear",
                unit = case.unit
            ));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(numbers: [(u64, u64); 3]) -> Counts {
        let sizes = numbers.map(|(size, cost)| {
            let count = Count {
                instructions: Some(cost),
                allocations: cost / 10,
                most_bytes: cost,
            };
            (size, count)
        });
        let case = Case {
            about: String::new(),
            unit: "tools".to_owned(),
            sizes: sizes.into(),
        };
        [("a".to_owned(), case)].into()
    }

    #[test]
    fn a_little_more_is_no_difference() {
        let before = counts([(1, 1000), (4, 4000), (16, 16_000)]);
        assert!(differences(&before, &before).is_empty());
        assert!(differences(&counts([(1, 1020), (4, 4000), (16, 16_000)]), &before).is_empty());
        let found = differences(&counts([(1, 1000), (4, 4400), (16, 16_000)]), &before);
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(differences(&before, &Counts::new()).len(), 9);
    }

    #[test]
    fn what_grows_faster_than_its_input_is_found() {
        assert!(growth(&counts([(1, 1000), (4, 4000), (16, 16_000)])).is_empty());
        assert!(growth(&counts([(1, 1000), (4, 4000), (16, 19_000)])).is_empty());
        assert_eq!(growth(&counts([(1, 1000), (4, 4000), (16, 64_000)])).len(), 1);
    }
}
