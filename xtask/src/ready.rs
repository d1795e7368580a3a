//! `cargo xtask ready`: everything that must hold before a change is taken. Each check runs even where an earlier one
//! failed, so that one run says all there is to mend.

use std::time::Instant;

use anyhow::{Result, bail};

use crate::process::{cargo, npm_program, quiet, run};
use crate::root::root;
use crate::toolchain::Toolchain;
use crate::{bench, build, generate, sizes, stamp, supply, test, tidy, webview};

/// A check; what it finds is the error.
type Check = fn() -> Result<()>;

/// Runs every check, and the tests unless they are left out.
pub(crate) fn ready(tests: bool) -> Result<()> {
    let mut checks: Vec<(&str, Check)> = vec![
        ("format", format),
        ("tidy", tidy::check),
        ("generated files", generate::check),
        ("lints", lints),
        ("lints for WebAssembly", lints_for_wasm),
        ("lints of the WebView examples", lints_of_the_examples),
        ("documentation", documentation),
        ("TypeScript types", types),
        ("TypeScript format", prettier),
        ("supply", supply::check),
        ("sizes", || sizes::check(false)),
    ];
    if tests {
        checks.push(("tests", || test::run_kinds(&[])));
    }
    // After the tests, which build the program.
    checks.push(("counts", bench::check));
    let mut failed = Vec::new();
    for (name, check) in checks {
        let start = Instant::now();
        let result = check();
        let seconds = start.elapsed().as_secs_f64();
        match result {
            Ok(()) => eprintln!("xtask: {name}: ok ({seconds:.1} s)"),
            Err(error) => {
                eprintln!("xtask: {name}: FAILED ({seconds:.1} s)\n{error:#}");
                failed.push(name);
            }
        }
    }
    if failed.is_empty() {
        eprintln!("xtask: ready");
        return Ok(());
    }
    bail!("not ready: {}", failed.join(", "))
}

fn format() -> Result<()> {
    run(cargo().args(["fmt", "--all", "--check"]))?;
    run(webview::examples("fmt").args(["--all", "--check"]))?;
    run(cargo().args(["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"]))
}

fn lints() -> Result<()> {
    let mut clippy = cargo();
    clippy.args([
        "clippy",
        "--workspace",
        "--all-targets",
        "--features",
        "toolgate-host/typescript,toolgate-host/keyring",
    ]);
    run(clippy.args(quiet()).args(["--", "-D", "warnings"]))
}

fn lints_for_wasm() -> Result<()> {
    let toolchain = Toolchain::find()?;
    if matches!(toolchain, Toolchain::Debian { .. }) {
        eprintln!("xtask: Debian's compiler for WebAssembly has no clippy; its warnings are seen in the build");
        return Ok(());
    }
    // Both modules of the page: what one of them leaves out must not leave anything unused behind.
    for features in ["wasm", "wasm,schema,models,import"] {
        let mut clippy = toolchain.cargo("clippy");
        clippy.args(["-p", "toolgate-core", "--lib", "--features", features]);
        run(clippy.args(quiet()).args(["--", "-D", "warnings"]))?;
    }
    Ok(())
}

fn lints_of_the_examples() -> Result<()> {
    if !webview::is_here() {
        eprintln!("xtask: the WebView examples are compiled on Linux alone");
        return Ok(());
    }
    webview::system_packages()?;
    let mut clippy = webview::examples("clippy");
    clippy.args(["--workspace", "--all-targets"]);
    run(clippy.args(quiet()).args(["--", "-D", "warnings"]))
}

fn documentation() -> Result<()> {
    let mut doc = cargo();
    doc.args([
        "doc",
        "--no-deps",
        "-p",
        "toolgate-core",
        "-p",
        "toolgate-host",
        "-p",
        "toolgate-testkit",
    ]);
    run(doc.args(quiet()).env("RUSTDOCFLAGS", "-D warnings"))
}

fn types() -> Result<()> {
    // The page's imports include the core's own declarations.
    build::page()?;
    for folder in ["web", "tests", "examples/chat", "bench"] {
        let files = stamp::files_below(&root().join(folder), &["dist", "node_modules"])?;
        for project in files.iter().filter(|file| file.ends_with("tsconfig.json")) {
            run(npm_program("typescript", "bin/tsc")?
                .args(["--noEmit", "-p"])
                .arg(project))?;
        }
    }
    Ok(())
}

fn prettier() -> Result<()> {
    crate::npm::packages()?;
    let mut prettier = npm_program("prettier", "bin/prettier.cjs")?;
    run(prettier.args([
        "--check",
        "--log-level",
        "warn",
        "web",
        "tests/**/*.ts",
        "examples/chat",
        "bench/run",
        "package.json",
    ]))
}
