//! Where the connections of servers are kept: in the registration files, or apart from them (manager contract §4 and
//! partner contract; the two contradict each other). Knows the forms; which file is written when is `registrations`.

mod keyring;
mod record;
mod seal;

use std::io;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use toolgate_core::mask;

#[cfg(feature = "keyring")]
pub use self::keyring::SystemKeyring;
pub use self::keyring::{Keyring, KeyringError};
pub(super) use self::record::CredentialRecord;
use super::data_file::{DataFile, REGISTRATIONS};
use super::registrations::{MAX_CREDENTIAL_BYTES, MAX_REGISTRATION_BYTES};
use super::{Files, named_id, registration_record};

/// Where connections are kept that are saved from now on. Whatever a data directory holds opens under any of them, and
/// moves to the one in force when it is next saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum CredentialProvider {
    /// In the registration files, in the open, as the manager contract says (§4): they go where the data goes.
    Inline,
    /// In `credentials/dsh-partner-mcp.json`, which only its owner may read; the registration files hold placeholders
    /// (partner contract).
    File,
    /// In the same file, sealed with a key from the system's keyring.
    Keyring,
}

impl CredentialProvider {
    /// The provider of the `toolgate` program for a data directory, by what is in it: where there is a credential
    /// record, that goes on, sealed or not; where there are registrations that hold their connections themselves and no
    /// record, as in a directory that `TauriTavern` made, they stay so; anything else, a new directory for one, has
    /// [`CredentialProvider::File`].
    pub fn usual(files: &dyn Files, data_dir: &Path) -> Self {
        let record = DataFile::Credentials.path(data_dir);
        match files.read(&record, MAX_CREDENTIAL_BYTES) {
            Ok(content) if CredentialRecord::is_sealed_file(&content) => return Self::Keyring,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            // Also where it cannot be read: it is there.
            _ => return Self::File,
        }
        let folder = data_dir.join(REGISTRATIONS);
        let mut ids = files.list(&folder).unwrap_or_default().into_iter();
        let is_inline = |id| {
            let content = files.read(&DataFile::Registration(id).path(data_dir), MAX_REGISTRATION_BYTES);
            content.is_ok_and(|content| {
                registration_record::read(&content, id).is_ok_and(|parts| !mask::is_masked(&parts.config))
            })
        };
        if ids.any(|name| named_id(&name).is_some_and(is_inline)) {
            Self::Inline
        } else {
            Self::File
        }
    }
}

/// A provider, and the keyring, which is needed too where a sealed file is read under another one.
#[derive(Clone)]
pub(crate) struct Credentials {
    pub(crate) provider: CredentialProvider,
    pub(crate) keyring: Option<Arc<dyn Keyring>>,
}

impl Credentials {
    /// Whether the keyring answers, where it is what is to be used; the reason where it does not.
    pub(crate) fn check(&self) -> Result<(), KeyringError> {
        if self.provider != CredentialProvider::Keyring {
            return Ok(());
        }
        match &self.keyring {
            None => Err(KeyringError::new(
                "this Toolgate is built without the feature \"keyring\"",
            )),
            Some(keyring) => keyring.key(seal::PROBE).map(drop),
        }
    }
}
