//! `cargo xtask soak`: the long forms of two tests that run in a short one with the others. A host is killed again and
//! again and must lose nothing; requests come in every order and what must hold holds. Either prints the seed of what
//! failed, and the same seed gives the same run.

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::process::{cargo, run_watched};

/// What is soaked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// Hosts that are killed.
    Crashes,
    /// Requests in every order.
    Races,
}

/// Runs one of them: so many hosts killed, or so many runs, from this seed on.
pub(crate) fn soak(what: What, count: Option<u64>, seed: u64) -> Result<()> {
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
    }
    if !run_watched(&mut test, |_| {})?.success() {
        bail!("what must hold does not; the seed is named above");
    }
    Ok(())
}
