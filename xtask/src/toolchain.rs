//! The compiler for WebAssembly: rustup's target where it is there or can be added; where rustup is absent or refuses,
//! Debian's compiler with the library's sources, which needs no other server than Debian's.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::process::{cargo, command, find, output, succeeds};
use crate::root::target;
use crate::system;

/// The target.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
/// Where Debian's `rust-web-src` puts the library's sources, below the compiler's folder.
const SOURCES: &str = "lib/rustlib/src/rust/library/Cargo.lock";

/// A way to compile to WebAssembly.
pub(crate) enum Toolchain {
    /// The compiler in use has the target.
    Rustup,
    /// Debian's compiler, with rustup's linker.
    Debian {
        /// `rust-lld`, of the compiler in use.
        linker: PathBuf,
        /// A target folder of its own: the two compilers would throw away each other's work.
        target: PathBuf,
    },
}

impl Toolchain {
    /// Finds the way that works here, and installs what it needs.
    pub(crate) fn find() -> Result<Self> {
        if has_target()? {
            return Ok(Self::Rustup);
        }
        if find(&["rustup"]).is_some() {
            if succeeds(command("rustup").args(["target", "add", WASM])) && has_target()? {
                eprintln!("xtask: added the target {WASM} by rustup");
                return Ok(Self::Rustup);
            }
            eprintln!("xtask: rustup cannot add {WASM}: using Debian's compiler (rustc-web) instead");
        } else {
            eprintln!("xtask: no rustup here to add {WASM}: using Debian's compiler (rustc-web) instead");
        }
        Self::debian()
    }

    fn debian() -> Result<Self> {
        if !debian_is_installed() {
            system::install(
                "WebAssembly without rustup",
                &["rustc-web", "cargo-web", "rust-web-src"],
            )?;
        }
        if !debian_is_installed() {
            bail!(
                "Debian's rustc-web, cargo-web and rust-web-src are installed, but not where they are expected: {DEBIAN_RUSTC}, {DEBIAN_CARGO}, {SOURCES}"
            );
        }
        let sysroot = PathBuf::from(output(command("rustc").args(["--print", "sysroot"]))?.trim());
        let host = host()?;
        let linker = sysroot.join("lib/rustlib").join(host).join("bin/rust-lld");
        if !linker.is_file() {
            bail!(
                "the linker {} is missing; reinstall Rust from rustup.rs",
                linker.display()
            );
        }
        Ok(Self::Debian {
            linker,
            target: target()?.join("debian-wasm"),
        })
    }

    /// A Cargo command for the target: `verb`, then what this toolchain needs.
    pub(crate) fn cargo(&self, verb: &str) -> Command {
        match self {
            Self::Rustup => {
                let mut command = cargo();
                command.args([verb, "--target", WASM]);
                command
            }
            Self::Debian { linker, target } => {
                let mut command = command(DEBIAN_CARGO);
                crate::process::forget_this_package(&mut command);
                // rustup's shims put their own choice into the environment; this compiler stands outside of it.
                for name in ["CARGO", "RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH", "RUSTC_WRAPPER"] {
                    command.env_remove(name);
                }
                command
                    .args([
                        verb,
                        "--target",
                        WASM,
                        "-Z",
                        "build-std=std,panic_abort",
                        "--target-dir",
                    ])
                    .arg(target)
                    .env("RUSTC", DEBIAN_RUSTC)
                    .env("RUSTC_BOOTSTRAP", "1")
                    .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
                command
            }
        }
    }

    /// Where a profile's results for the target lie.
    pub(crate) fn results(&self, profile: &str) -> Result<PathBuf> {
        let target = match self {
            Self::Rustup => target()?,
            Self::Debian { target, .. } => target.as_path(),
        };
        Ok(target.join(WASM).join(profile))
    }
}

/// Whether the compiler in use has the target's library.
fn has_target() -> Result<bool> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let folder = output(command(rustc).args(["--print", "target-libdir", "--target", WASM]))?;
    Ok(Path::new(folder.trim()).is_dir())
}

/// The platform this runs on, as rustc names it.
pub(crate) fn host() -> Result<String> {
    let version = output(command("rustc").arg("-vV"))?;
    match version.lines().find_map(|line| line.strip_prefix("host: ")) {
        Some(host) => Ok(host.to_owned()),
        None => bail!("`rustc -vV` names no host"),
    }
}

fn debian_is_installed() -> bool {
    let sources = output(command(DEBIAN_RUSTC).args(["--print", "sysroot"]))
        .is_ok_and(|sysroot| Path::new(sysroot.trim()).join(SOURCES).is_file());
    sources && Path::new(DEBIAN_CARGO).is_file()
}
