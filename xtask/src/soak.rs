//! `cargo xtask soak`: the long forms of tests that run in a short one with the others. A host is killed again and again
//! and must lose nothing; requests come in every order and what must hold holds; every property is tried with inputs that
//! are made up. The first two print the seed of what failed, and the same seed gives the same run; the last keeps the input.

use anyhow::{Result, bail, ensure};
use clap::ValueEnum;

use crate::fuzz;
use crate::process::{cargo, run_watched};

/// What is soaked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// Hosts that are killed.
    Crashes,
    /// Requests in every order.
    Races,
    /// Inputs of every kind, made up.
    Fuzz,
}

/// How long each fuzz target runs, in minutes: some hours for all of them.
const MINUTES: f64 = 15.0;

/// Runs one of them: so many hosts killed, or so many runs, from this seed on; or each fuzz target for so many minutes.
pub(crate) fn soak(what: What, count: Option<u64>, seed: u64, minutes: Option<f64>) -> Result<()> {
    ensure!(
        minutes.is_none() || what == What::Fuzz,
        "--minutes goes with `fuzz`; the others take --rounds"
    );
    let mut test = cargo();
    test.args(["test", "--quiet", "--package", "toolgate-host", "--test"]);
    match what {
        What::Crashes => {
            let rounds = count.unwrap_or(1000).to_string();
            test.args(["soak", "--", "--rounds", &rounds, "--seed", &seed.to_string()]);
        }
        What::Races => {
            test.args(["races", "--", "--nocapture", "whatever_the_order"]);
            test.env("TOOLGATE_RACES", count.unwrap_or(10_000).to_string())
                .env("TOOLGATE_SEED", seed.to_string());
        }
        What::Fuzz => {
            ensure!(
                count.is_none(),
                "--rounds does not go with `fuzz`, which takes --minutes"
            );
            return fuzz::fuzz(&[], minutes.unwrap_or(MINUTES), false);
        }
    }
    if !run_watched(&mut test, |_| {})?.success() {
        bail!("what must hold does not; the seed is named above");
    }
    Ok(())
}
