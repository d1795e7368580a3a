//! Every task of the project in one place: `cargo xtask help` lists them.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program talks to its terminal"
)]

mod bench;
mod bounds;
mod build;
mod chromium;
mod compress;
/// Inputs as they are committed: of the tests' crate this file alone, which needs nothing else.
#[allow(unreachable_pub)]
#[path = "../../tests/properties/src/corpus.rs"]
mod corpus;
mod counts;
mod coverage;
mod fuzz;
mod generate;
mod mutants;
mod npm;
mod process;
mod python;
mod ready;
mod root;
mod screenshots;
mod serve;
mod sizes;
mod soak;
mod stamp;
mod step;
mod supply;
mod system;
mod test;
mod tidy;
mod toolchain;
mod torture;
mod webview;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Builds, runs and checks Toolgate.")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the product: target/release/toolgate, with the page inside.
    Build {
        /// Only the WebAssembly modules and the page; a host built after it, in whatever profile, has them inside.
        #[arg(long)]
        page: bool,
    },
    /// Build what is missing, then run `toolgate serve` with the given arguments.
    Serve {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Run every test, or those of some kinds.
    Test {
        #[arg(value_enum)]
        kinds: Vec<test::Kind>,
    },
    /// Take pictures of every screen and dialog, into screenshots/.
    Screenshots {
        /// `--page` takes the README's picture instead; `--only TEXT` those alone whose name has the text.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Feed the fuzz targets anything, each for some minutes (needs cargo-fuzz and a nightly compiler).
    Fuzz {
        /// The targets; all where none is named.
        targets: Vec<String>,
        /// Minutes for each target.
        #[arg(long, default_value_t = 2.0)]
        minutes: f64,
        /// Add the inputs that reach more of the program to tests/corpus/.
        #[arg(long)]
        keep: bool,
    },
    /// Meet every odd server of the kit and measure what it costs, into docs/bounds.md; takes about ten minutes.
    Bounds {
        /// Only servers of these names, and no table.
        names: Vec<OsString>,
    },
    /// Check everything that must hold before a change is taken.
    Ready {
        /// Leave the tests out.
        #[arg(long)]
        no_test: bool,
    },
    /// Measure what users feel, beside what they would use instead: bench/results.json and docs/performance.md.
    Bench(bench::Options),
    /// Check the sizes of the page against their budgets and the committed numbers.
    Sizes {
        /// Write the numbers to tests/sizes.json.
        #[arg(long)]
        write: bool,
    },
    /// Run the long form of a test: hosts that are killed (`crashes`), requests in every order (`races`), or inputs that are
    /// made up (`fuzz`).
    Soak {
        #[arg(value_enum, default_value = "crashes")]
        what: soak::What,
        /// How many hosts are killed, 1,000 by default, or how many runs there are, 10,000 by default.
        #[arg(long, visible_alias = "seeds")]
        rounds: Option<u64>,
        /// Where it begins.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How long each fuzz target runs, 15 minutes by default.
        #[arg(long)]
        minutes: Option<f64>,
    },
    /// Check the invariants of ARCHITECTURE.md and the rules of the house.
    Tidy,
    /// Check where the crates and npm packages are from, their licences, and that each is here once.
    Supply {
        /// Ask the databases of known weaknesses instead; needs cargo-deny and the network.
        #[arg(long)]
        advisories: bool,
    },
    /// Count the lines of core and host that Rust's tests run through; needs cargo-llvm-cov and LLVM's tools.
    Coverage {
        /// Show which lines are not among them.
        #[arg(long)]
        missing: bool,
    },
    /// Change core's rules one place at a time and see whether a test notices; needs cargo-mutants, and hours.
    Mutants {
        /// The groups of rules; all of them where none is named.
        #[arg(value_enum)]
        areas: Vec<mutants::Area>,
        /// Only a part of the changes: `0/6` is every sixth from the first on, `1/6` from the second.
        #[arg(long, value_name = "K/N")]
        shard: Option<String>,
    },
    /// Try the odd servers of the test kit with other clients, and write what they say to docs/torture.md.
    Torture {
        /// Only the servers whose name fits this regular expression; the others keep what is written.
        #[arg(long, default_value = "")]
        only: String,
    },
    /// Write the generated files: TypeScript types and the table of codes.
    Generate {
        /// Write nothing; fail where a file is not current.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    match run(Cli::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<()> {
    match task {
        Task::Build { page: true } => build::page(),
        Task::Build { page: false } => build::all(),
        Task::Serve { arguments } => serve::serve(&arguments),
        Task::Test { kinds } => test::run_kinds(&kinds),
        Task::Screenshots { arguments } => screenshots::take(&arguments),
        Task::Fuzz { targets, minutes, keep } => fuzz::fuzz(&targets, minutes, keep),
        Task::Bounds { names } => bounds::measure(&names),
        Task::Ready { no_test } => ready::ready(!no_test),
        Task::Soak {
            what,
            rounds,
            seed,
            minutes,
        } => soak::soak(what, rounds, seed, minutes),
        Task::Bench(options) => bench::bench(options),
        Task::Sizes { write } => sizes::check(write),
        Task::Torture { only } => torture::try_others(&only),
        Task::Tidy => tidy::check(),
        Task::Supply { advisories: true } => supply::advisories(),
        Task::Supply { advisories: false } => supply::check(),
        Task::Coverage { missing } => coverage::measure(missing),
        Task::Mutants { areas, shard } => mutants::try_out(&areas, shard.as_deref()),
        Task::Generate { check: false } => generate::write(),
        Task::Generate { check: true } => generate::check(),
    }
}
