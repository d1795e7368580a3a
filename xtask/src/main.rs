//! Every task of the project in one place: `cargo xtask help` lists them.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program talks to its terminal"
)]

mod bounds;
mod build;
mod chromium;
mod compress;
mod counts;
mod generate;
mod npm;
mod process;
mod python;
mod ready;
mod root;
mod screenshots;
mod serve;
mod sizes;
mod stamp;
mod step;
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
    /// Check the sizes of the page against their budgets and the committed numbers.
    Sizes {
        /// Write the numbers to tests/sizes.json.
        #[arg(long)]
        write: bool,
    },
    /// Check the invariants of ARCHITECTURE.md and the rules of the house.
    Tidy,
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
        Task::Bounds { names } => bounds::measure(&names),
        Task::Ready { no_test } => ready::ready(!no_test),
        Task::Sizes { write } => sizes::check(write),
        Task::Torture { only } => torture::try_others(&only),
        Task::Tidy => tidy::check(),
        Task::Generate { check: false } => generate::write(),
        Task::Generate { check: true } => generate::check(),
    }
}
