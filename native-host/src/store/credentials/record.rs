//! The credential record, `credentials/dsh-partner-mcp.json`: the whole connection of each server, in the open or sealed
//! (partner contract).

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use toolgate_core::identity::RegistrationId;
use toolgate_core::json;
use toolgate_core::server::ServerConfig;

use super::super::record::{self, Fault};
use super::keyring::Keyring;
use super::seal::{self, SealError, Sealed};
use crate::strict_json;

const KIND: &str = "toolgate.credentials";
const SEALED_KIND: &str = "toolgate.sealedCredentials";

/// The connections of servers by their ids. One that is damaged takes none of the others with it, and stays as it is.
#[derive(Clone, Default)]
pub(in super::super) struct CredentialRecord {
    servers: BTreeMap<String, Box<RawValue>>,
    /// The name of the key, where the record is sealed.
    key_name: Option<String>,
}

impl CredentialRecord {
    /// Reads the file.
    pub(in super::super) fn read(content: &[u8], keyring: Option<&dyn Keyring>) -> Result<Self, Fault> {
        let text = record::text(content)?;
        match record::kind(text)?.as_str() {
            KIND => Self::from_open(text, None),
            SEALED_KIND => {
                let sealed = record::read::<SealedRecord>(text)?.sealed()?;
                let key_name = sealed.key_name.clone();
                let keyring = keyring.ok_or_else(|| {
                    Fault::KeyringUnavailable(
                        "it is sealed with a key from the system's keyring, and this Toolgate is built without the \
                         feature \"keyring\""
                            .to_owned(),
                    )
                })?;
                let opened = seal::open(sealed, keyring).map_err(fault)?;
                Self::from_open(record::text(&opened)?, Some(key_name))
            }
            _ => Err(Fault::KindUnknown(format!("kind must be {KIND:?} or {SEALED_KIND:?}"))),
        }
    }

    fn from_open(text: &str, key_name: Option<String>) -> Result<Self, Fault> {
        if record::kind(text)? != KIND {
            return Err(Fault::KindUnknown(format!(
                "what is sealed must be of the kind {KIND:?}"
            )));
        }
        let record: OpenRecord = record::read(text)?;
        Ok(Self {
            servers: record.servers,
            key_name,
        })
    }

    /// What the file is to hold: in the open, or, with a keyring, sealed.
    pub(in super::super) fn write(&self, keyring: Option<&dyn Keyring>) -> Result<String, Fault> {
        let cannot = |_| Fault::Invalid("it cannot be written as JSON".to_owned());
        let open = serde_json::to_string(&OpenRecord {
            schema_version: record::SchemaVersion,
            kind: KIND.to_owned(),
            servers: self.servers.clone(),
        })
        .map_err(cannot)?;
        let mut text = match keyring {
            None => json::pretty(&open),
            Some(keyring) => {
                let sealed = seal::seal(&open, self.key_name.as_deref(), keyring).map_err(fault)?;
                serde_json::to_string_pretty(&SealedRecord::from(sealed)).map_err(cannot)?
            }
        };
        text.truncate(text.trim_end().len());
        text.push('\n');
        Ok(text)
    }

    /// Whether a file is a sealed record, which need not open.
    pub(super) fn is_sealed_file(content: &[u8]) -> bool {
        let kind = record::text(content).and_then(record::kind);
        kind.is_ok_and(|kind| kind == SEALED_KIND)
    }

    /// Whether the file is sealed.
    pub(in super::super) const fn is_sealed(&self) -> bool {
        self.key_name.is_some()
    }

    /// The connection of a server; none where there is none, a fault where it is damaged.
    pub(in super::super) fn connection(&self, id: RegistrationId) -> Result<Option<ServerConfig>, Fault> {
        let Some(entry) = self.servers.get(&id.to_string()) else {
            return Ok(None);
        };
        strict_json::read(entry.get()).map(Some).map_err(|_| {
            Fault::CredentialsUnreadable("its connection in credentials/dsh-partner-mcp.json is damaged".to_owned())
        })
    }

    /// Whether there is anything about a server.
    pub(in super::super) fn has(&self, id: RegistrationId) -> bool {
        self.servers.contains_key(&id.to_string())
    }

    /// The servers there is anything about.
    pub(in super::super) fn ids(&self) -> impl Iterator<Item = RegistrationId> {
        self.servers.keys().filter_map(|id| RegistrationId::parse(id).ok())
    }

    /// Keeps the connection of a server, in place of what is there.
    pub(in super::super) fn set(&mut self, id: RegistrationId, config: &ServerConfig) -> Result<(), serde_json::Error> {
        let entry = serde_json::value::to_raw_value(config)?;
        self.servers.insert(id.to_string(), entry);
        Ok(())
    }

    /// Forgets a server.
    pub(in super::super) fn remove(&mut self, id: RegistrationId) {
        self.servers.remove(&id.to_string());
    }

    /// Whether there is no server.
    pub(in super::super) fn is_empty(&self) -> bool {
        self.servers.is_empty()
    }
}

fn fault(error: SealError) -> Fault {
    match error {
        SealError::Keyring(error) => Fault::KeyringUnavailable(format!(
            "it is sealed with a key from the system's keyring, and that gives none ({error})"
        )),
        SealError::Broken => {
            Fault::Invalid("its seal is broken: it was changed, or sealed with another key".to_owned())
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OpenRecord {
    schema_version: record::SchemaVersion,
    kind: String,
    #[serde(deserialize_with = "crate::strict_json::unique_map")]
    servers: BTreeMap<String, Box<RawValue>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SealedRecord {
    schema_version: record::SchemaVersion,
    kind: String,
    key_name: String,
    nonce: String,
    sealed: String,
}

impl SealedRecord {
    fn sealed(self) -> Result<Sealed, Fault> {
        let bytes = |field: &str, text: &str| {
            STANDARD
                .decode(text)
                .map_err(|_| Fault::Invalid(format!("{field} is not Base64")))
        };
        Ok(Sealed {
            nonce: bytes("nonce", &self.nonce)?
                .try_into()
                .map_err(|_| Fault::Invalid("nonce has not the length of one".to_owned()))?,
            content: bytes("sealed", &self.sealed)?,
            key_name: self.key_name,
        })
    }
}

impl From<Sealed> for SealedRecord {
    fn from(sealed: Sealed) -> Self {
        Self {
            schema_version: record::SchemaVersion,
            kind: SEALED_KIND.to_owned(),
            key_name: sealed.key_name,
            nonce: STANDARD.encode(sealed.nonce),
            sealed: STANDARD.encode(sealed.content),
        }
    }
}
