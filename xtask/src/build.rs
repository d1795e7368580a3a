//! Building the product: the two WebAssembly modules of the core, the page, the host with the page inside. Cargo knows
//! by itself what to compile again; the other steps run again when their input has changed.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::{cargo, command, npm_program, quiet, run, run_silent};
use crate::root::{built, root, target};
use crate::stamp;
use crate::step::{Done, step};
use crate::toolchain::Toolchain;
use crate::{compress, npm};

/// A WebAssembly module with its glue.
pub(crate) struct Module {
    /// What the step is called.
    pub(crate) name: &'static str,
    /// The package it is made from.
    pub(crate) package: &'static str,
    /// The package's library.
    pub(crate) library: &'static str,
    /// The package's features in it.
    pub(crate) features: &'static str,
    /// Where it goes.
    pub(crate) folder: PathBuf,
}

/// The modules made from the core.
fn modules() -> [Module; 2] {
    [
        ("core module", "wasm", "core"),
        ("schema module", "wasm,schema,models,import", "schema"),
    ]
    .map(|(name, features, folder)| Module {
        name,
        package: "toolgate-core",
        library: "toolgate_core",
        features,
        folder: root().join("pkg").join(folder),
    })
}

/// What is used beyond the first version of WebAssembly, by rustc and (SIMD) by the search for patterns; every browser of
/// the last years has it.
const WASM_FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-reference-types",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-simd",
];

/// Where the page's build lists the files of the first load, in Cargo's target folder.
pub(crate) const FIRST_LOAD: &str = "xtask/first-load.json";

/// Builds everything that is missing or out of date.
pub(crate) fn all() -> Result<()> {
    page()?;
    step("host", || {
        run(cargo()
            .args(["build", "--release", "-p", "toolgate-host"])
            .args(quiet()))?;
        Ok(Done::Now)
    })
}

/// The program, once built.
pub(crate) fn program() -> Result<PathBuf> {
    built("release", "toolgate")
}

/// Builds the modules and the page.
pub(crate) fn page() -> Result<()> {
    npm::packages()?;
    let toolchain = Toolchain::find()?;
    step("wasm glue generator", || {
        run(cargo()
            .args(["build", "-p", "xtask-wasm", "--bin", "wasm-glue"])
            .args(quiet()))?;
        Ok(Done::Now)
    })?;
    for module in &modules() {
        step(module.name, || module.build(&toolchain))?;
    }
    step("page", bundle)
}

impl Module {
    /// Compiles the module, makes its glue, and optimises it; nothing where it is up to date.
    pub(crate) fn build(&self, toolchain: &Toolchain) -> Result<Done> {
        let mut compile = toolchain.cargo("rustc");
        compile.args([
            "-p",
            self.package,
            "--lib",
            "--crate-type",
            "cdylib",
            "--profile",
            "wasm",
        ]);
        run(compile.args(["--features", self.features]).args(quiet()))?;
        let compiled = toolchain.results("wasm")?.join(format!("{}.wasm", self.library));

        let wasm = fs::read(&compiled).with_context(|| format!("cannot read {}", compiled.display()))?;
        // The lock files stand for the versions of the glue's generator and the optimiser.
        let cargo_lock = fs::read(root().join("Cargo.lock"))?;
        let npm_lock = fs::read(root().join("package-lock.json"))?;
        let wanted = stamp::of_bytes(&[&wasm, &cargo_lock, &npm_lock]);
        let folder = &self.folder;
        let stamp = folder.join(".stamp");
        if stamp::is(&stamp, &wanted) {
            return Ok(Done::Already);
        }

        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        run_silent(command(built("debug", "wasm-glue")?).arg(&compiled).arg(folder))?;
        let module = folder.join(format!("{}_bg.wasm", self.library));
        let mut optimise = npm_program("binaryen", "bin/wasm-opt")?;
        run_silent(
            optimise
                .arg("-Oz")
                // Zeros left out make the tables more segments, which compress worse than the zeros: 2 % of the module.
                .arg("--skip-pass=memory-packing")
                .args(WASM_FEATURES)
                .arg(&module)
                .arg("-o")
                .arg(&module),
        )?;
        stamp::set(&stamp, &wanted)?;
        Ok(Done::Now)
    }
}

/// Bundles the page into `web/dist/`, and puts a compressed copy beside each asset.
fn bundle() -> Result<Done> {
    let mut input = stamp::files_below(&root().join("web"), &["dist", "node_modules"])?;
    for module in &modules() {
        input.extend(stamp::files_below(&module.folder, &[])?);
    }
    input.push(root().join("package-lock.json"));
    let wanted = stamp::of_files(&input)?;
    let stamp = target()?.join("xtask/page.stamp");
    let dist = root().join("web/dist");
    let first_load = target()?.join(FIRST_LOAD);
    if stamp::is(&stamp, &wanted) && dist.join("index.html").is_file() && first_load.is_file() {
        return Ok(Done::Already);
    }
    if let Some(folder) = first_load.parent() {
        fs::create_dir_all(folder)?;
    }
    run_silent(command("node").arg("web/build.mjs").arg(&first_load))?;
    for file in stamp::files_below(&dist.join("assets"), &[])? {
        if is_compressed_for_the_page(&file) {
            compress::beside(&file)?;
        }
    }
    stamp::set(&stamp, &wanted)?;
    Ok(Done::Now)
}

/// Text and WebAssembly gain from compression; pictures do not.
fn is_compressed_for_the_page(file: &Path) -> bool {
    let kinds = ["js", "css", "json", "svg", "wasm"];
    file.extension()
        .and_then(OsStr::to_str)
        .is_some_and(|extension| kinds.contains(&extension))
}
