//! How large the page is: the budgets, and the committed numbers, so that growth is a line in a diff.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use crate::build;
use crate::compress::brotli;
use crate::root::{root, target};
use crate::stamp;

/// Where the committed numbers are.
pub(crate) const SNAPSHOT: &str = "tests/sizes.json";

/// Another patch release of a compiler moves sizes a little; more than this is a change worth a line.
const TOLERANCE_PERCENT: u64 = 2;

/// The most that a page may load before it can be used.
const FIRST_LOAD_BYTES: u64 = 200 * 1024;

/// A size in bytes after brotli, and the most it may be.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Size {
    name: &'static str,
    bytes: u64,
    budget: Option<u64>,
}

/// Builds the page, then checks its sizes; with `write`, commits them to the snapshot first.
pub(crate) fn check(write: bool) -> Result<()> {
    build::page()?;
    let sizes = measure()?;
    for size in &sizes {
        let budget = size.budget.map(|budget| format!(" of {budget}")).unwrap_or_default();
        eprintln!("xtask: {}: {}{budget} bytes (brotli)", size.name, size.bytes);
    }
    let path = root().join(SNAPSHOT);
    if write {
        let numbers: Map<String, Value> = sizes
            .iter()
            .map(|size| (size.name.to_owned(), size.bytes.into()))
            .collect();
        fs::write(&path, serde_json::to_string_pretty(&numbers)? + "\n")?;
    }
    let snapshot: Value = serde_json::from_str(&fs::read_to_string(&path).context("cannot read tests/sizes.json")?)?;
    let problems = problems(&sizes, &snapshot);
    if problems.is_empty() {
        return Ok(());
    }
    bail!("{}", problems.join("\n"))
}

fn measure() -> Result<Vec<Size>> {
    let packed = |path: PathBuf| -> Result<u64> {
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(u64::try_from(brotli(&bytes)?.len())?)
    };
    let module = |folder: &str| packed(root().join("pkg").join(folder).join("toolgate_core_bg.wasm"));
    let list = target()?.join(build::FIRST_LOAD);
    let list: Vec<String> = serde_json::from_str(&fs::read_to_string(&list)?)
        .with_context(|| format!("{} is no list of files", list.display()))?;
    let dist = root().join("web/dist");
    let mut first_load = 0;
    for file in &list {
        first_load += packed(dist.join(file))?;
    }
    // Another language than English is loaded by its own pages, before they show anything.
    let chinese = stamp::files_below(&dist.join("assets"), &[])?
        .into_iter()
        .find(|file| is_words(file, "chinese"))
        .context("the page's build made no file of the Chinese words")?;
    let chinese = packed(chinese)?;
    Ok(vec![
        Size {
            name: "coreModule",
            bytes: module("core")?,
            budget: Some(130 * 1024),
        },
        Size {
            name: "schemaModule",
            bytes: module("schema")?,
            budget: None,
        },
        Size {
            name: "firstLoad",
            bytes: first_load,
            budget: Some(FIRST_LOAD_BYTES),
        },
        Size {
            name: "firstLoadInChinese",
            bytes: first_load + chinese,
            budget: Some(FIRST_LOAD_BYTES),
        },
    ])
}

/// The script with a language's words; its name ends in a hash.
fn is_words(file: &Path, language: &str) -> bool {
    let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let is_named = name.strip_prefix(language).is_some_and(|rest| rest.starts_with('-'));
    is_named && file.extension() == Some(OsStr::new("js"))
}

fn problems(sizes: &[Size], snapshot: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    for Size { name, bytes, budget } in sizes {
        if let Some(budget) = budget.filter(|budget| bytes > budget) {
            problems.push(format!(
                "{name} is {bytes} bytes, over its budget of {budget}: find what made it grow"
            ));
        }
        let committed = snapshot.get(name).and_then(Value::as_u64).unwrap_or(0);
        if bytes.abs_diff(committed) * 100 > committed * TOLERANCE_PERCENT {
            problems.push(format!(
                "{name} is {bytes} bytes, {SNAPSHOT} says {committed}: if that is meant, run `cargo xtask sizes --write` \
                 and commit the result"
            ));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(bytes: u64, budget: Option<u64>) -> usize {
        let size = Size {
            name: "firstLoad",
            bytes,
            budget,
        };
        problems(&[size], &json!({ "firstLoad": 1000 })).len()
    }

    #[test]
    fn small_changes_pass_and_large_ones_do_not() {
        assert_eq!(found(1020, None), 0);
        assert_eq!(found(980, None), 0);
        assert_eq!(found(1021, None), 1);
        assert_eq!(found(979, None), 1);
    }

    #[test]
    fn a_budget_holds_whatever_was_committed() {
        assert_eq!(found(1000, Some(1000)), 0);
        assert_eq!(found(1000, Some(999)), 1);
    }

    #[test]
    fn a_size_that_was_never_committed_is_a_problem() {
        let size = Size {
            name: "new",
            bytes: 1,
            budget: None,
        };
        assert_eq!(problems(&[size], &json!({})).len(), 1);
    }
}
