//! What is there: what a host lists, and what lies in its folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::change::{Connection, TOOLS};
use crate::process::{Gone, Process};
use crate::reference::{Partner, Server, State};

/// What says which catalogs were checked before; a hash to a line.
const CHECKED: &str = "checked-catalogs.txt";

/// What a host lists, and the ids that the names of this run have.
pub(crate) struct Found {
    pub(crate) state: State,
    pub(crate) ids: BTreeMap<String, String>,
}

impl Found {
    /// Asks a host. What cannot be said in names of this run is a mistake.
    pub(crate) fn ask(process: &mut Process, addresses: &[String]) -> Result<Self, Gone> {
        let list = process.ok("servers.list", &json!({"reveal": true}))?;
        assert_eq!(list["storageIssues"], json!([]), "no file is bad");
        let partners = process.ok("partners.list", &json!({}))?;
        let mut state = State::default();
        let mut ids = BTreeMap::new();
        for server in list["servers"].as_array().unwrap() {
            let name = server["displayName"].as_str().unwrap().to_owned();
            let connection = connection(&server["config"], addresses);
            let before = ids.insert(name.clone(), server["id"].as_str().unwrap().to_owned());
            assert!(before.is_none(), "{name} is there once");
            let read = Server {
                connection,
                active: server["state"] == "active",
                tools: server["toolCount"].as_u64(),
                permissions: texts(&server["toolPermissions"], Value::as_str),
                descriptions: texts(&server["toolDescriptionOverrides"], |value| {
                    value["description"].as_str()
                }),
            };
            state.servers.insert(name, read);
        }
        let names: BTreeMap<_, _> = ids.iter().map(|(name, id)| (id.clone(), name.clone())).collect();
        for partner in partners["partners"].as_array().unwrap() {
            let name = partner["name"].as_str().unwrap().to_owned();
            let grants = partner["grants"].as_array().unwrap().iter().map(|grant| {
                let server = names.get(grant["serverId"].as_str().unwrap());
                let scope = grant["scope"].as_str().unwrap().to_owned();
                (server.expect("nobody is granted what is gone").clone(), scope)
            });
            let read = Partner {
                enabled: partner["mcpEnabled"] == true,
                grants: grants.collect(),
            };
            ids.insert(name.clone(), partner["id"].as_str().unwrap().to_owned());
            state.partners.insert(name, read);
        }
        Ok(Self { state, ids })
    }

    /// Looks through the folder: every file is whole and belongs to something, and nothing is missing. The host is idle.
    pub(crate) fn check_folder(&self, folder: &Path) {
        let id_of = |name: &String| self.ids.get(name).unwrap().clone();
        let mut expected: BTreeSet<String> = ["host.json", "host.lock", "settings.json"].map(str::to_owned).into();
        let mut apart = BTreeSet::new();
        for (name, server) in &self.state.servers {
            let id = id_of(name);
            let file = format!("_tauritavern/mcp/registrations/{id}.json");
            let text = std::fs::read_to_string(folder.join(&file)).unwrap();
            if text.contains("{{DSH_MCP_SAVED:") {
                assert!(!text.contains("secret-"), "{file} holds no secret: {text}");
                apart.insert(id.clone());
            }
            expected.insert(file);
            if server.tools.is_some() {
                expected.insert(format!("_tauritavern/mcp/catalogs/{id}.json"));
            }
        }
        let mut files = BTreeSet::new();
        files_below(folder, folder, &mut files);
        for file in &files {
            let content = std::fs::read(folder.join(file)).unwrap();
            if file == CHECKED {
                let lines = String::from_utf8(content).unwrap();
                let whole = |line: &str| line.len() == 64 && line.bytes().all(|byte| byte.is_ascii_hexdigit());
                assert!(lines.ends_with('\n') && lines.lines().all(whole), "{file} is whole");
            } else if file != "host.lock" {
                let read: Result<Value, _> = serde_json::from_slice(&content);
                assert!(read.is_ok_and(|value| value.is_object()), "{file} is whole");
            }
        }
        let record = "credentials/dsh-partner-mcp.json";
        let kept: BTreeSet<String> = match std::fs::read_to_string(folder.join(record)) {
            Ok(text) => {
                let record: Value = serde_json::from_str(&text).unwrap();
                record["servers"].as_object().unwrap().keys().cloned().collect()
            }
            Err(_) => BTreeSet::new(),
        };
        assert_eq!(
            kept, apart,
            "the connections of these servers are kept apart, and no others"
        );
        // Once there was something in them.
        for once in [record, "partners.json", CHECKED] {
            if files.contains(once) {
                expected.insert(once.to_owned());
            }
        }
        assert_eq!(files, expected, "these files and no others");
    }
}

fn connection(config: &Value, addresses: &[String]) -> Connection {
    let secret = config["headers"]["X-Key"].as_str().unwrap();
    let secret = secret.strip_prefix("secret-").unwrap().parse().unwrap();
    let url = config["url"].as_str().unwrap();
    let fits = |address: &usize| url == format!("{}?key=secret-{secret}", addresses[*address]);
    Connection {
        address: (0..TOOLS.len())
            .find(fits)
            .unwrap_or_else(|| panic!("{config} is no half of two connections")),
        secret,
    }
}

fn texts(object: &Value, text: impl Fn(&Value) -> Option<&str>) -> BTreeMap<String, String> {
    let fields = object.as_object().unwrap().iter();
    fields
        .map(|(name, value)| (name.clone(), text(value).unwrap().to_owned()))
        .collect()
}

fn files_below(folder: &Path, root: &Path, files: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, root, files);
        } else {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            files.insert(name);
        }
    }
}
