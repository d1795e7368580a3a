//! The browser of the tests: a Chromium with its driver, found or installed.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::json;

use crate::process::find;
use crate::root::target;
use crate::system;

/// A browser and its driver.
pub(crate) struct Chromium {
    /// The browser, by `CHROMIUM` or on `PATH`.
    pub(crate) browser: PathBuf,
    /// The driver, by `CHROMEDRIVER` or on `PATH`.
    pub(crate) driver: PathBuf,
}

impl Chromium {
    /// Finds the browser and its driver, or installs them.
    pub(crate) fn find() -> Result<Self> {
        if let Some(chromium) = Self::here() {
            return Ok(chromium);
        }
        system::install("the browser tests", &["chromium", "chromium-driver"])?;
        Self::here()
            .context("chromium and chromium-driver are installed, but not on PATH; set CHROMIUM and CHROMEDRIVER")
    }

    fn here() -> Option<Self> {
        let named = |name: &str| std::env::var_os(name).map(PathBuf::from);
        Some(Self {
            browser: named("CHROMIUM").or_else(|| find(&["chromium", "chromium-browser", "google-chrome"]))?,
            driver: named("CHROMEDRIVER").or_else(|| find(&["chromedriver"]))?,
        })
    }

    /// Writes the capabilities that the WebAssembly tests ask the driver for; answers the file.
    pub(crate) fn capabilities(&self) -> Result<PathBuf> {
        let mut arguments = vec![
            "--headless",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--no-first-run",
        ];
        // Chromium refuses its sandbox to root.
        if system::is_root() {
            arguments.push("--no-sandbox");
        }
        let capabilities = json!({ "goog:chromeOptions": { "binary": self.browser, "args": arguments } });
        let file = target()?.join("xtask/webdriver.json");
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&file, capabilities.to_string()).with_context(|| format!("cannot write {}", file.display()))?;
        Ok(file)
    }
}
