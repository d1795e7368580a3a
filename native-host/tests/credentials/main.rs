//! Where connections are kept: each provider, moving between them, and what is missing or damaged.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

#[path = "../support/mod.rs"]
mod support;

mod damage;
mod disk;
mod forms;
mod keyring;
mod moving;

use serde_json::{Value, json};
use support::Bench;
use toolgate_core::server::TransportKind;
use toolgate_host::store::{CredentialProvider, MemoryFiles};

/// A text that must not be where secrets do not belong.
const CANARY: &str = "canary-5f2c";

/// A host under a provider that can start servers, as far as its connector is played.
fn under(provider: CredentialProvider, files: MemoryFiles) -> Bench {
    Bench::with(files, |options| {
        options.credentials = provider;
        options.transports = vec![TransportKind::Http, TransportKind::Stdio];
    })
}

fn http() -> Value {
    json!({
        "type": "http",
        "url": format!("https://{CANARY}:{CANARY}@example.com/{CANARY}?key={CANARY}"),
        "headers": {"Authorization": format!("Bearer {CANARY}"), "X-搜索": format!("{CANARY}/{{}}\"\\")},
        "protocolVersion": "2025-06-18",
    })
}

fn stdio() -> Value {
    json!({
        "type": "stdio",
        "command": "/opt/files",
        "args": ["-v", format!("--token={CANARY}"), "-v"],
        "env": {"TOKEN": CANARY, "B": format!("{CANARY}=1")},
        "cwd": "/srv",
        "protocolVersion": "auto",
    })
}

/// Makes a server; its id.
async fn create(bench: &Bench, name: &str, config: Value) -> String {
    let created = bench
        .ok("servers.create", json!({"displayName": name, "config": config}))
        .await;
    created["id"].as_str().unwrap().to_owned()
}

/// A server's configuration with its secrets.
async fn revealed(bench: &Bench, id: &str) -> Value {
    bench.ok("servers.readConfig", json!({"id": id, "reveal": true})).await["config"].clone()
}

/// Reads a server masked and saves it as it is.
async fn save_unchanged(bench: &Bench, id: &str) {
    let read = bench.ok("servers.readConfig", json!({"id": id})).await;
    let saving = json!({
        "id": id, "displayName": read["displayName"], "config": read["config"], "revision": read["revision"],
    });
    bench.ok("servers.saveConfig", saving).await;
}

/// Every file but these, with the canary in none of them.
fn hidden_but_in(files: &MemoryFiles, except: &[std::path::PathBuf]) {
    for path in files.paths() {
        let text = String::from_utf8(files.get(&path).unwrap()).unwrap();
        assert_eq!(
            text.contains(CANARY),
            except.contains(&path),
            "{}: {text}",
            path.display()
        );
    }
}
