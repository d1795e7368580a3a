//! The record sealed with a key from a keyring, which is one in memory here.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use serde_json::json;
use toolgate_host::store::{CredentialProvider, Keyring, KeyringError, MemoryFiles};
use toolgate_host::{Host, HostOptions};

use super::support::played::connector;
use super::support::{Bench, credential_file};
use super::{create, hidden_but_in, http, revealed, save_unchanged, stdio};

/// Keys in memory, and whether they can be had.
#[derive(Clone, Default)]
struct Keys {
    keys: Arc<Mutex<HashMap<String, Vec<u8>>>>,
    locked: Arc<Mutex<bool>>,
}

impl Keys {
    fn answer<T>(&self, answer: T) -> Result<T, KeyringError> {
        if *self.locked.lock().unwrap() {
            return Err(KeyringError::new("it is locked"));
        }
        Ok(answer)
    }
}

impl Keyring for Keys {
    fn key(&self, name: &str) -> Result<Option<Vec<u8>>, KeyringError> {
        self.answer(self.keys.lock().unwrap().get(name).cloned())
    }

    fn keep(&self, name: &str, key: &[u8]) -> Result<(), KeyringError> {
        self.answer(())?;
        self.keys.lock().unwrap().insert(name.to_owned(), key.to_vec());
        Ok(())
    }
}

fn with(provider: CredentialProvider, keys: Option<&Keys>, files: MemoryFiles) -> Bench {
    Bench::with(files, |options| {
        options.credentials = provider;
        options.keyring = keys.map(|keys| Arc::new(keys.clone()) as Arc<dyn Keyring>);
        options.transports = vec![
            toolgate_core::server::TransportKind::Http,
            toolgate_core::server::TransportKind::Stdio,
        ];
    })
}

#[tokio::test]
async fn what_is_sealed_is_in_no_file_and_opens_with_its_key() {
    let keys = Keys::default();
    let bench = with(CredentialProvider::Keyring, Some(&keys), MemoryFiles::new());
    let docs = create(&bench, "Docs", http()).await;
    let files = create(&bench, "Files", stdio()).await;
    hidden_but_in(&bench.files, &[]);
    assert!(
        bench
            .file(credential_file())
            .unwrap()
            .contains("toolgate.sealedCredentials")
    );
    assert_eq!(keys.keys.lock().unwrap().len(), 1, "one key for all of them");
    assert_eq!(
        CredentialProvider::usual(&bench.files, super::support::ROOT.as_ref()),
        CredentialProvider::Keyring
    );
    let bench = with(
        CredentialProvider::Keyring,
        Some(&keys),
        bench.files.after_losing_unflushed(),
    );
    assert_eq!(revealed(&bench, &docs).await, http());
    assert_eq!(revealed(&bench, &files).await, stdio());
    save_unchanged(&bench, &docs).await;
    assert_eq!(revealed(&bench, &docs).await, http());
    let info = bench.ok("host.info", json!({})).await;
    assert_eq!(info["credentials"], json!({"provider": "keyring", "otherForm": 0}));
}

#[tokio::test]
async fn it_moves_from_and_to_the_open_file() {
    let keys = Keys::default();
    let open = with(CredentialProvider::File, Some(&keys), MemoryFiles::new());
    let docs = create(&open, "Docs", http()).await;
    let files = create(&open, "Files", stdio()).await;
    let sealed = with(
        CredentialProvider::Keyring,
        Some(&keys),
        open.files.after_losing_unflushed(),
    );
    let info = sealed.ok("host.info", json!({})).await;
    assert_eq!(info["credentials"], json!({"provider": "keyring", "otherForm": 2}));
    save_unchanged(&sealed, &docs).await;
    hidden_but_in(&sealed.files, &[]);
    assert_eq!(revealed(&sealed, &files).await, stdio());
    let open = with(
        CredentialProvider::File,
        Some(&keys),
        sealed.files.after_losing_unflushed(),
    );
    assert_eq!(revealed(&open, &files).await, stdio());
    save_unchanged(&open, &files).await;
    hidden_but_in(&open.files, &[credential_file()]);
    assert_eq!(revealed(&open, &docs).await, http());
}

#[tokio::test]
async fn without_its_key_it_is_an_issue_and_left_as_it_is() {
    let keys = Keys::default();
    let bench = with(CredentialProvider::Keyring, Some(&keys), MemoryFiles::new());
    let docs = create(&bench, "Docs", http()).await;
    let sealed = bench.file(credential_file()).unwrap();
    let other = Keys::default();
    for (provider, keys) in [
        (CredentialProvider::File, None),
        (CredentialProvider::Keyring, Some(&other)),
    ] {
        let bench = with(provider, keys, bench.files.after_losing_unflushed());
        let list = bench.ok("servers.list", json!({})).await;
        let codes: Vec<_> = list["storageIssues"]
            .as_array()
            .unwrap()
            .iter()
            .map(|issue| &issue["code"])
            .collect();
        assert_eq!(
            codes,
            ["mcp.storage_credentials_unreadable", "mcp.storage_keyring_unavailable"]
        );
        let new = json!({"displayName": "New", "config": http()});
        assert_eq!(
            bench.code("servers.create", new).await,
            "mcp.storage_keyring_unavailable"
        );
        assert_eq!(bench.file(credential_file()).unwrap(), sealed);
    }
    // Locked, and unlocked again.
    *keys.locked.lock().unwrap() = true;
    assert_eq!(
        bench.code("servers.readConfig", json!({"id": docs})).await,
        "mcp.storage_credentials_unreadable"
    );
    *keys.locked.lock().unwrap() = false;
    assert_eq!(revealed(&bench, &docs).await, http());
    // A seal that was changed.
    let at = sealed.rfind("\": \"").unwrap() + 10;
    let mut broken = sealed.into_bytes();
    broken[at] = if broken[at] == b'A' { b'B' } else { b'A' };
    bench.files.put(credential_file(), broken);
    let list = bench.ok("servers.list", json!({})).await;
    assert_eq!(list["storageIssues"][1]["code"], "mcp.storage_invalid");
}

#[tokio::test]
async fn where_there_is_no_keyring_the_host_does_not_open_and_names_the_way_out() {
    let locked = Keys::default();
    *locked.locked.lock().unwrap() = true;
    for keys in [None, Some(Arc::new(locked) as Arc<dyn Keyring>)] {
        let mut options = HostOptions::new(super::support::ROOT);
        options.files = Arc::new(MemoryFiles::new());
        options.credentials = CredentialProvider::Keyring;
        options.keyring = keys;
        let refusal = Host::open(options, Arc::new(connector().0)).err().unwrap().to_string();
        assert!(refusal.contains("--credentials file"), "{refusal}");
    }
}
