//! What the files say, to whoever looks while no change is being made: with a change that is decided and not made in all
//! files as made.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use toolgate_host::store::MemoryFiles;

use crate::support::{ROOT, pending_file, registrations};

#[derive(Clone)]
pub(crate) struct Seen(pub(crate) MemoryFiles);

impl Seen {
    /// Every file of the data directory as it counts now.
    fn all(&self) -> BTreeMap<PathBuf, String> {
        let paths = self.0.paths().into_iter();
        let mut files: BTreeMap<_, _> = paths
            .filter_map(|path| Some((path.clone(), String::from_utf8(self.0.get(&path)?).ok()?)))
            .collect();
        let pending = files.remove(&pending_file()).unwrap_or_default();
        if let Ok(pending) = serde_json::from_str::<Value>(&pending) {
            for change in pending["files"].as_array().into_iter().flatten() {
                let path = Path::new(ROOT).join(change["file"].as_str().unwrap());
                match change["content"].as_str() {
                    Some(content) => files.insert(path, content.to_owned()),
                    None => files.remove(&path),
                };
            }
        }
        files
    }

    pub(crate) fn registrations(&self) -> Vec<Value> {
        let files = self.all().into_iter();
        files
            .filter(|(path, _)| path.starts_with(registrations()) && path.extension().is_some_and(|end| end == "json"))
            .map(|(_, text)| serde_json::from_str(&text).unwrap())
            .collect()
    }

    pub(crate) fn partners(&self) -> Value {
        let text = self.all().remove(&Path::new(ROOT).join("partners.json"));
        text.map_or_else(|| json!({"partners": []}), |text| serde_json::from_str(&text).unwrap())
    }

    /// Each saved catalog by its server's id: the connection it was read over. None where the files are those of the last
    /// look, which are left as they are now.
    pub(crate) fn catalogs_if_other(&self, last: &mut Vec<(PathBuf, Vec<u8>)>) -> Option<BTreeMap<String, usize>> {
        let folder = Path::new(ROOT).join("_tauritavern/mcp/catalogs");
        let paths = self.0.paths().into_iter();
        let now: Vec<_> = paths
            .filter(|path| path.starts_with(&folder) || *path == pending_file())
            .filter_map(|path| Some((path.clone(), self.0.get(&path)?)))
            .collect();
        if now == *last {
            return None;
        }
        *last = now;
        Some(self.catalogs())
    }

    fn catalogs(&self) -> BTreeMap<String, usize> {
        let folder = Path::new(ROOT).join("_tauritavern/mcp/catalogs");
        let files = self.all().into_iter();
        files
            .filter(|(path, _)| path.starts_with(&folder) && path.extension().is_some_and(|end| end == "json"))
            .map(|(path, text)| {
                let record: Value = serde_json::from_str(&text).unwrap();
                let id = path.file_stem().unwrap().to_string_lossy().into_owned();
                (id, mark(&record["catalog"]["tools"]).unwrap())
            })
            .collect()
    }
}

/// The connection that a list of tools came over.
pub(crate) fn mark(tools: &Value) -> Option<usize> {
    let mut names = tools.as_array()?.iter().filter_map(|tool| tool["nativeName"].as_str());
    names.find_map(|name| name.strip_prefix('m')?.parse().ok())
}
