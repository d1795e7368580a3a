//! Runs a test program compiled to WebAssembly, in Node or in a browser: what Cargo is told to run them with.

use std::env::args_os;

fn main() -> anyhow::Result<()> {
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(args_os())
}
