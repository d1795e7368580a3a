//! What the examples with a `WebView` need: `WebKitGTK`, a screen that nobody sees, `WebKit`'s driver; and their build, in a
//! workspace of their own.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::process::{cargo, command, find, quiet, run, succeeds};
use crate::root::built;
use crate::step::{Done, step};
use crate::system;

const PACKAGES: [&str; 5] = [
    "libwebkit2gtk-4.1-dev",
    "pkg-config",
    "python3-xlib",
    "webkit2gtk-driver",
    "xvfb",
];
const EXAMPLE: &str = "toolgate-webview-example";

/// Whether the examples can be tried on this system: the tests' screen and driver are Linux's.
pub(crate) fn is_here() -> bool {
    cfg!(target_os = "linux")
}

/// Finds what the examples are compiled and tried with, or installs it.
pub(crate) fn system_packages() -> Result<()> {
    if !are_installed() {
        system::install("the WebView examples", &PACKAGES)?;
        if !are_installed() {
            bail!(
                "{} are installed, but pkg-config does not find webkit2gtk-4.1, or Xvfb and WebKitWebDriver are not on PATH",
                PACKAGES.join(", ")
            );
        }
    }
    Ok(())
}

fn are_installed() -> bool {
    succeeds(command("pkg-config").args(["--exists", "webkit2gtk-4.1"]))
        && ["Xvfb", "WebKitWebDriver"]
            .iter()
            .all(|program| find(&[program]).is_some())
        && Path::new("/usr/lib/python3/dist-packages/Xlib").is_dir()
}

/// Builds the examples and their tests; answers the program of `examples/webview`.
pub(crate) fn build() -> Result<PathBuf> {
    // All at once, as the tests are: what the examples share is compiled once.
    step("WebView examples", || {
        run(examples("build").args(["--workspace", "--all-targets"]).args(quiet()))?;
        Ok(Done::Now)
    })?;
    built("debug", EXAMPLE)
}

/// A Cargo command in the examples' workspace.
pub(crate) fn examples(verb: &str) -> Command {
    let mut command = cargo();
    command.args([verb, "--manifest-path", "examples/Cargo.toml"]);
    command
}
