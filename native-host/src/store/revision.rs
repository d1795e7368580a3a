//! Revisions: what a person read, and which connection a catalog belongs to, as short texts that tell nothing.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use toolgate_core::server::{HttpConfig, ServerConfig, StdioConfig};

use super::settings::{Salt, to_hex};

/// The revision of a display name and a configuration: another one means that somebody saved in between.
pub(super) fn of_registration(salt: &Salt, display_name: &str, config: &ServerConfig) -> String {
    digest(
        salt,
        &format!("registration {}", of_parts(&(display_name, canonical(config)))),
    )
}

/// The revision of a configuration alone. The order of header and variable names makes no difference.
pub(super) fn of_connection(salt: &Salt, config: &ServerConfig) -> String {
    digest(salt, &format!("connection {}", canonical(config)))
}

fn canonical(config: &ServerConfig) -> String {
    match config {
        ServerConfig::Http(HttpConfig {
            url,
            headers,
            protocol_version,
        }) => of_parts(&(
            "http",
            url,
            headers.iter().collect::<BTreeMap<_, _>>(),
            protocol_version,
        )),
        ServerConfig::Stdio(StdioConfig {
            command,
            args,
            env,
            cwd,
            protocol_version,
        }) => of_parts(&(
            "stdio",
            command,
            args,
            env.iter().collect::<BTreeMap<_, _>>(),
            cwd,
            protocol_version,
        )),
    }
}

/// The parts as a JSON array, in which no two different values look alike.
fn of_parts(parts: &impl serde::Serialize) -> String {
    // Texts, lists of texts and maps of texts always have a JSON form.
    serde_json::to_string(parts).unwrap_or_default()
}

fn digest(salt: &Salt, text: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(salt.bytes());
    hash.update(text.as_bytes());
    let hash = hash.finalize();
    to_hex(hash.get(..16).unwrap_or(&hash))
}
