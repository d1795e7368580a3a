//! Packages of the operating system (Debian's names): installed by themselves as root or in CI, else the one command
//! to run is printed.

use anyhow::{Result, bail};

use crate::process::{command, find, run_silent};

/// Installs packages; `reason` completes "… needs".
pub(crate) fn install(what_needs: &str, packages: &[&str]) -> Result<()> {
    let line = format!("apt-get install -y --no-install-recommends {}", packages.join(" "));
    let root = is_root();
    let apt = find(&["apt-get"]).is_some();
    if !apt || !(root || std::env::var_os("CI").is_some_and(|ci| ci == "true")) {
        let hint = if apt {
            format!("run: sudo {line}")
        } else {
            format!("install {} (Debian's names)", packages.join(", "))
        };
        bail!("{what_needs} needs packages that are missing; {hint}");
    }
    eprintln!("xtask: {what_needs}: {line}");
    let apt_get = |arguments: &[&str]| {
        let mut command = if root { command("apt-get") } else { command("sudo") };
        if !root {
            command.args(["-n", "apt-get"]);
        }
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        run_silent(&mut command)
    };
    let mut arguments = vec!["install", "-y", "--no-install-recommends"];
    arguments.extend(packages);
    // A fresh machine has no package lists, an old one stale ones.
    if apt_get(&arguments).is_err() {
        apt_get(&["update"])?;
        apt_get(&arguments)?;
    }
    Ok(())
}

/// Whether this runs as root.
pub(crate) fn is_root() -> bool {
    command("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
