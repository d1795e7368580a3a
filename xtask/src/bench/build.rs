//! What is measured, and what it is measured beside: built or installed before the clock runs.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::process::{cargo, quiet, run};
use crate::root::{built, root, target};
use crate::step::{Done, step};
use crate::toolchain::Toolchain;
use crate::{build, npm, python, test};

/// Where everything is.
pub(super) struct Built {
    /// A Node that the Inspector runs on, which the measuring scripts run on, too.
    pub(super) node_22: PathBuf,
    rust_peer: PathBuf,
    python: PathBuf,
    wasm: PathBuf,
}

const PEERS: &str = "bench/peers";

/// Builds and installs it.
pub(super) fn everything() -> Result<Built> {
    npm::packages()?;
    npm::peers()?;
    let python = python::environment("mcp-2")?;
    build::all()?;
    step("server of the comparison", || {
        let mut build = cargo();
        build.args(["build", "--release", "-p", "toolgate-bench-server"]);
        run(build.args(quiet()))?;
        Ok(Done::Now)
    })?;
    step("client on the Rust SDK", || {
        let mut build = cargo();
        build.args([
            "build",
            "--release",
            "--manifest-path",
            "bench/peers/rust/Cargo.toml",
            "--target-dir",
        ]);
        run(build.arg(target()?).args(quiet()))?;
        Ok(Done::Now)
    })?;
    step("core's cases, natively", || {
        run(cargo()
            .args(["bench", "--no-run", "-p", "toolgate-bench", "--bench", "core"])
            .args(quiet()))?;
        Ok(Done::Now)
    })?;
    let wasm = target()?.join("xtask/bench-wasm");
    let toolchain = Toolchain::find()?;
    step("core's cases as WebAssembly", || {
        let module = build::Module {
            name: "bench module",
            package: "toolgate-bench",
            library: "toolgate_bench",
            features: "wasm",
            folder: wasm.clone(),
        };
        module.build(&toolchain)
    })?;
    let node_22 = test::node_22(PEERS)?;
    Ok(Built {
        node_22,
        rust_peer: built("release", "toolgate-bench-peer")?,
        python,
        wasm,
    })
}

impl Built {
    /// Tells a command where everything is.
    pub(super) fn tell<'a>(&self, command: &'a mut Command) -> Result<&'a mut Command> {
        let server = built("release", "toolgate-bench-server")?;
        if !server.is_file() {
            bail!("{} was not built", server.display());
        }
        Ok(command
            .env("TOOLGATE", build::program()?)
            .env("SERVER", server)
            .env("RUST_PEER", &self.rust_peer)
            .env("PYTHON", &self.python)
            .env("NODE_22", &self.node_22)
            .env("PEERS", root().join(PEERS))
            .env("WASM", &self.wasm))
    }
}
