//! One line on standard error for each step of a task, with the time it took.

use std::time::Instant;

use anyhow::Result;

/// What a step did.
pub(crate) enum Done {
    /// It did its work.
    Now,
    /// There was nothing to do.
    Already,
}

/// Runs a step and says what it did and how long it took.
pub(crate) fn step(name: &str, work: impl FnOnce() -> Result<Done>) -> Result<()> {
    let start = Instant::now();
    let done = work()?;
    let seconds = start.elapsed().as_secs_f64();
    match done {
        Done::Now => eprintln!("xtask: {name} ({seconds:.1} s)"),
        Done::Already => eprintln!("xtask: {name}: up to date"),
    }
    Ok(())
}
