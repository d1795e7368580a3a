//! `cargo xtask fuzz`: looks for inputs for which a property of `tests/properties` does not hold, from those of
//! `tests/corpus/` on, and puts the ones worth keeping there. `docs/fuzzing.md` says what each target proves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};

use crate::corpus;
use crate::process::{command, find, run, succeeds};
use crate::root::{root, target};
use crate::stamp;

/// The longest input that is tried, in bytes.
const LONGEST: usize = 4096;
/// Of a property's inputs so many bytes are committed, as they are tried in every test run; the shortest ones first.
const KEPT: usize = 24 * 1024;
/// An input may take so many seconds: all of them take thousandths of one.
const SLOWEST: u64 = 10;

/// Fuzzes the targets of these names, or every one, each for so many minutes.
pub(crate) fn fuzz(names: &[String], minutes: f64, keep: bool) -> Result<()> {
    let mut chosen = targets()?;
    if let Some(unknown) = names
        .iter()
        .find(|name| !chosen.iter().any(|target| target.name == **name))
    {
        let known: Vec<&str> = chosen.iter().map(|target| target.name.as_str()).collect();
        bail!("there is no target {unknown}; there are {}", known.join(", "));
    }
    chosen.retain(|target| names.is_empty() || names.contains(&target.name));
    needs()?;
    let time = Duration::try_from_secs_f64(minutes * 60.0).context("--minutes is a positive number")?;
    let mut failed = Vec::new();
    for target in chosen {
        match target.fuzz(time) {
            Ok(()) if keep => target.keep()?,
            Ok(()) => {}
            Err(error) => {
                eprintln!("xtask: {}: {error:#}", target.name);
                failed.push(target.name);
            }
        }
    }
    if !failed.is_empty() {
        bail!("inputs were found in {}: see `docs/fuzzing.md`", failed.join(", "));
    }
    Ok(())
}

/// A fuzz target.
struct Target {
    name: String,
}

/// Every target: a file each.
fn targets() -> Result<Vec<Target>> {
    let mut targets = Vec::new();
    for file in stamp::files_below(&root().join("fuzz/targets"), &[])? {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        targets.push(Target { name });
    }
    targets.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(targets)
}

fn needs() -> Result<()> {
    if find(&["cargo-fuzz"]).is_none() {
        bail!("cargo-fuzz is missing: `cargo install cargo-fuzz`");
    }
    if !succeeds(command("cargo").args(["+nightly", "--version"])) {
        bail!("fuzzing needs a nightly compiler: `rustup toolchain install nightly`");
    }
    Ok(())
}

impl Target {
    fn fuzz(&self, time: Duration) -> Result<()> {
        let name = self.name.as_str();
        let inputs = unpack(name)?;
        eprintln!("xtask: {name}: building");
        run(&mut self.cargo("build")?)?;
        let start = Instant::now();
        let mut fuzz = self.cargo("run")?;
        fuzz.arg(&inputs).arg("--").args([
            // None at all would be without end.
            format!("-max_total_time={}", time.as_secs().max(1)),
            format!("-max_len={LONGEST}"),
            format!("-timeout={SLOWEST}"),
            "-print_final_stats=1".to_owned(),
        ]);
        let dictionary = root().join("fuzz/words.dict");
        fuzz.arg(format!("-dict={}", dictionary.display()));
        run(&mut fuzz)?;
        eprintln!("xtask: {name}: nothing found in {:.0} s", start.elapsed().as_secs_f64());
        Ok(())
    }

    /// `cargo fuzz` with what every target is built with. There is no unchecked code here, so no sanitizer is needed.
    fn cargo(&self, verb: &str) -> Result<Command> {
        let mut fuzz = command("cargo");
        crate::process::forget_this_package(&mut fuzz);
        // The compiler that runs this task is another one.
        for variable in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTC", "LD_LIBRARY_PATH"] {
            fuzz.env_remove(variable);
        }
        fuzz.args(["+nightly", "fuzz", verb, "--sanitizer", "none"]);
        fuzz.arg(&self.name).env("CARGO_TARGET_DIR", folder()?);
        Ok(fuzz)
    }

    /// Commits, beside what is committed, the inputs that reach more of the program.
    fn keep(&self) -> Result<()> {
        let name = self.name.as_str();
        let found = folder()?.join("corpus").join(name);
        let kept = folder()?.join("kept").join(name);
        if kept.exists() {
            fs::remove_dir_all(&kept)?;
        }
        fs::create_dir_all(&kept)?;
        let mut inputs = committed(name)?;
        for (index, input) in inputs.iter().enumerate() {
            fs::write(kept.join(index.to_string()), input)?;
        }
        let mut merge = self.cargo("run")?;
        merge.arg(&kept).arg(&found).args(["--", "-merge=1"]);
        run(&mut merge)?;
        let mut further = files_of(&kept)?;
        further.retain(|input| !inputs.contains(input));
        further.sort_by_key(Vec::len);
        let mut bytes: usize = inputs.iter().map(Vec::len).sum();
        inputs.extend(further.into_iter().take_while(|input| {
            bytes += input.len();
            bytes <= KEPT
        }));
        let count = inputs.len();
        fs::write(file(name), corpus::write(inputs))?;
        eprintln!("xtask: {name}: {count} inputs in tests/corpus/{name}.txt");
        Ok(())
    }
}

/// Where everything is that fuzzing makes; nothing of it is committed.
fn folder() -> Result<PathBuf> {
    Ok(target()?.join("fuzz"))
}

/// Puts the committed inputs beside those of earlier runs; answers the folder.
fn unpack(name: &str) -> Result<PathBuf> {
    let inputs = folder()?.join("corpus").join(name);
    fs::create_dir_all(&inputs)?;
    for (index, input) in committed(name)?.iter().enumerate() {
        fs::write(inputs.join(format!("committed-{index}")), input)?;
    }
    Ok(inputs)
}

fn committed(name: &str) -> Result<Vec<Vec<u8>>> {
    let file = file(name);
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    corpus::read(&text).map_err(|line| anyhow!("{}:{line}: not an input", file.display()))
}

fn files_of(folder: &Path) -> Result<Vec<Vec<u8>>> {
    fs::read_dir(folder)?.map(|file| Ok(fs::read(file?.path())?)).collect()
}

fn file(name: &str) -> PathBuf {
    root().join(format!("tests/corpus/{name}.txt"))
}
