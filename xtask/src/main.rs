//! Every task of the project in one place: `cargo xtask help` lists them.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program talks to its terminal"
)]

mod generate;
mod process;
mod root;

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
    /// Write the generated files: TypeScript types and the table of codes.
    Generate {
        /// Write nothing; fail where a file is not current.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> Result<()> {
    match Cli::parse().task {
        Task::Generate { check: false } => generate::write(),
        Task::Generate { check: true } => generate::check(),
    }
}
