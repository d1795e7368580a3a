//! Opens the page in the person's browser. The address with the token goes by a file that only the person can read:
//! command lines are visible to every user of a machine.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::secret::Secret;

const FILE: &str = "open.html";

/// Writes the file and opens it. Where there is no browser the printed address is there to be used.
pub(super) async fn open(directory: &Path, address: &Secret) {
    if !has_desktop() {
        tracing::info!("there is no desktop here, so no browser was opened; use the printed address");
        return;
    }
    let opened = match write(directory, address) {
        Ok(path) => tokio::task::spawn_blocking(move || opener::open_browser(path).map_err(|error| error.to_string()))
            .await
            .unwrap_or_else(|error| Err(error.to_string())),
        Err(error) => Err(error.to_string()),
    };
    if let Err(error) = opened {
        tracing::warn!(%error, "no browser could be opened; use the printed address");
    }
}

/// Removes the file, which nobody needs once the page is open.
pub(super) fn forget(directory: &Path) {
    let _ = std::fs::remove_file(directory.join(FILE));
}

fn write(directory: &Path, address: &Secret) -> io::Result<PathBuf> {
    // Scheme, host, port and token hold no character that HTML gives a meaning.
    let address = address.reveal();
    let page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Toolgate</title>\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={address}\"></head>\n\
         <body><p><a href=\"{address}\">Open Toolgate</a></p></body></html>\n"
    );
    let path = directory.join(FILE);
    // Made with mode 0600.
    let mut file = tempfile::Builder::new().prefix(".open.html.").tempfile_in(directory)?;
    file.write_all(page.as_bytes())?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(path)
}

/// Whether a browser has somewhere to show up. Without a display, openers on Linux look for browsers that take over the
/// terminal.
fn has_desktop() -> bool {
    !cfg!(target_os = "linux")
        || ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME"]
            .iter()
            .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}
