//! The files of results that were too long for an agent (manager contract §7): an audit record with the server's exact
//! answer, and a view of what the model reads, by lines. Nothing of a name tells of the other's, nor of a server.
//!
//! A view lives as long as its invocation, so none survives a start. Audit records stay, the newest of them.

use std::io;
use std::path::PathBuf;

use super::{Files, Store, atomic};

/// The folder, below the data directory.
pub(super) const FOLDER: &str = "tool-results";

const VIEW: &str = ".txt";
const AUDIT: &str = ".json";

/// The largest view that is read; the bounds of answers keep them far below.
const MAX_VIEW_BYTES: u64 = 256 * 1024 * 1024;

impl Store {
    /// A name for a view that nobody can guess.
    pub(crate) fn new_view_name() -> String {
        format!("{}{VIEW}", uuid::Uuid::new_v4().simple())
    }

    /// The path by which a view is known, below the data directory.
    pub(crate) fn view_path(name: &str) -> String {
        format!("{FOLDER}/{name}")
    }

    /// Saves a long result: the audit record first, so that there is no view of what has none. Audit records beyond the
    /// limit make way, the oldest first; that they could not is only worth a warning.
    pub(crate) fn write_tool_result(&self, at_ms: u64, audit: &[u8], view_name: &str, view: &str) -> io::Result<()> {
        // Names in the order of time; one more digit comes in the year 2286.
        let audit_name = format!("{at_ms:013}-{}{AUDIT}", uuid::Uuid::new_v4().simple());
        let audit_file = self.tool_result_file(&audit_name);
        atomic::write(&self.files, &audit_file, audit)?;
        atomic::write(&self.files, &self.tool_result_file(view_name), view.as_bytes()).inspect_err(|_| {
            // Without its view nobody knows of it.
            let _ = atomic::remove(&self.files, &audit_file);
        })?;
        if let Err(error) = self.thin_audits(&audit_name) {
            tracing::warn!(error = %error.kind(), "old audit records of results could not be removed");
        }
        Ok(())
    }

    /// The content of a view.
    pub(crate) fn read_view(&self, name: &str) -> io::Result<String> {
        let content = self.files.read(&self.tool_result_file(name), MAX_VIEW_BYTES)?;
        String::from_utf8(content).map_err(|_| io::ErrorKind::InvalidData.into())
    }

    /// Removes views that nobody can ask for any more.
    pub(crate) fn remove_views(&self, names: impl IntoIterator<Item = String>) {
        for name in names {
            if let Err(error) = atomic::remove(&self.files, &self.tool_result_file(&name)) {
                tracing::warn!(error = %error.kind(), "the view of a result could not be removed");
            }
        }
    }

    /// Removes what earlier runs of the host left: temporary files, and views, whose invocations are gone.
    pub(super) fn sweep_tool_results(&self) {
        atomic::sweep(&self.files, &self.tool_results);
        self.remove_views(self.names_of(VIEW).unwrap_or_default());
    }

    /// Removes the oldest audit records beyond the limit, and never this new one: where the clock was set back its name
    /// comes before those of older ones.
    fn thin_audits(&self, new: &str) -> io::Result<()> {
        let mut audits = self.names_of(AUDIT)?;
        audits.sort_unstable();
        let surplus = audits.len().saturating_sub(self.limits.result_audits);
        audits.retain(|name| name != new);
        for name in audits.into_iter().take(surplus) {
            atomic::remove(&self.files, &self.tool_result_file(&name))?;
        }
        Ok(())
    }

    /// The names of files of ours with this ending.
    fn names_of(&self, ending: &str) -> io::Result<Vec<String>> {
        let names = self.files.list(&self.tool_results)?;
        let ours = |name: &String| {
            let stem = name.strip_suffix(ending).unwrap_or_default();
            let id = stem.rsplit('-').next().unwrap_or_default();
            id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        Ok(names
            .into_iter()
            .filter_map(|name| name.into_string().ok())
            .filter(ours)
            .collect())
    }

    fn tool_result_file(&self, name: &str) -> PathBuf {
        self.tool_results.join(name)
    }
}
