//! `cargo xtask torture`: the odd servers of the test kit against other clients, whose words stand beside Toolgate's in
//! `docs/torture.md`. `CLIENT` names the first letters of the one that is tried alone, `AT_ONCE` says how many servers are tried at once. Run by hand: it takes minutes, and installs and builds what nothing else needs.

use anyhow::Result;

use crate::process::{cargo, command, quiet, run};
use crate::root::{built, root, target};
use crate::{generate, npm};

/// Runs the other clients and writes `tests/torture/peers.json` and the generated files.
pub(crate) fn try_others(only: &str) -> Result<()> {
    npm::packages()?;
    npm::peers()?;
    run(cargo().args(["build", "-p", "toolgate-testkit"]).args(quiet()))?;
    let client = root().join("tests/torture/rmcp-client");
    let folder = target()?.join("torture-rmcp-client");
    let mut build = cargo();
    build
        .args(["build", "--locked", "--manifest-path"])
        .arg(client.join("Cargo.toml"));
    run(build.arg("--target-dir").arg(&folder).args(quiet()))?;
    let program = format!("debug/toolgate-torture-rmcp-client{}", std::env::consts::EXE_SUFFIX);
    let mut peers = command("node");
    peers.args(["--import", "tsx", "tests/torture/peers.ts"]);
    peers
        .env("KIT", built("debug", "toolgate-testkit")?)
        .env("RMCP_CLIENT", folder.join(program))
        .env("ONLY", only);
    run(&mut peers)?;
    generate::write()
}
