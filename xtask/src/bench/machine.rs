//! Which machine measured, with what, and how busy it was: numbers without that say nothing.

use std::fs;

use anyhow::Result;
use serde_json::{Map, Value, json};

use crate::process::{command, output};

/// A load above which other work is in the way of what is measured.
pub(super) const QUIET: f64 = 0.7;

/// The load average of the last minute, where the system says it.
pub(super) fn load() -> Option<f64> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next()?.parse().ok()
}

/// The machine, for the results.
pub(super) fn describe(load_before: Option<f64>, measured: &Map<String, Value>) -> Result<Value> {
    let line = |program: &str, arguments: &[&str]| -> Result<String> {
        Ok(output(command(program).args(arguments))?.trim().to_owned())
    };
    let commit = line("git", &["rev-parse", "--short=12", "HEAD"])?;
    let is_changed = !line("git", &["status", "--porcelain", "--untracked-files=no"])?.is_empty();
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    Ok(json!({
        "date": line("date", &["-u", "+%Y-%m-%d %H:%M UTC"])?,
        "commit": if is_changed { format!("{commit} and what was not committed") } else { commit },
        "processor": field("/proc/cpuinfo", "model name"),
        "cores": cores,
        "memory": field("/proc/meminfo", "MemTotal"),
        "system": line("uname", &["-sr"])?,
        "rustc": line("rustc", &["--version"])?,
        "node": measured.get("node"),
        "chromium": measured.get("chromium"),
        "loadBefore": load_before,
        "loadAfter": load(),
    }))
}

/// The first value of a name in one of Linux's tables.
fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
