//! Every task of the project in one place: `cargo xtask help` lists them.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program talks to its terminal"
)]

mod build;
mod chromium;
mod compress;
mod counts;
mod generate;
mod npm;
mod process;
mod root;
mod serve;
mod stamp;
mod step;
mod system;
mod test;
mod toolchain;

use std::ffi::OsString;

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
    Build,
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
    /// Write the generated files: TypeScript types and the table of codes.
    Generate {
        /// Write nothing; fail where a file is not current.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> Result<()> {
    match Cli::parse().task {
        Task::Build => build::all(),
        Task::Serve { arguments } => serve::serve(&arguments),
        Task::Test { kinds } => test::run_kinds(&kinds),
        Task::Generate { check: false } => generate::write(),
        Task::Generate { check: true } => generate::check(),
    }
}
