//! The `toolgate` program; everything it does is in the library's `cli` module.

use std::process::ExitCode;

fn main() -> ExitCode {
    toolgate_host::guard::run_if_asked();
    toolgate_host::cli::run()
}
