//! The seam to the system's keyring.

/// A keyring, which keeps keys for one person on one computer. Calls block, perhaps until the person has unlocked it.
pub trait Keyring: Send + Sync + 'static {
    /// The key of this name; none where there is none.
    fn key(&self, name: &str) -> Result<Option<Vec<u8>>, KeyringError>;

    /// Keeps a key under a name, in place of what is there.
    fn keep(&self, name: &str, key: &[u8]) -> Result<(), KeyringError>;
}

/// Why the keyring gives nothing. The text holds no secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct KeyringError {
    reason: String,
}

impl KeyringError {
    /// An error with its reason, as part of a sentence.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

/// The keyring of the system: the Keychain (macOS), the Credential Manager (Windows), the Secret Service (Linux and
/// others).
#[cfg(feature = "keyring")]
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemKeyring;

#[cfg(feature = "keyring")]
impl SystemKeyring {
    fn entry(name: &str) -> Result<keyring::v1::Entry, KeyringError> {
        keyring::v1::Entry::new("toolgate", name).map_err(|error| in_words(&error))
    }
}

#[cfg(feature = "keyring")]
impl Keyring for SystemKeyring {
    fn key(&self, name: &str) -> Result<Option<Vec<u8>>, KeyringError> {
        match Self::entry(name)?.get_secret() {
            Ok(key) => Ok(Some(key)),
            Err(keyring::v1::Error::NoEntry) => Ok(None),
            Err(error) => Err(in_words(&error)),
        }
    }

    fn keep(&self, name: &str, key: &[u8]) -> Result<(), KeyringError> {
        Self::entry(name)?.set_secret(key).map_err(|error| in_words(&error))
    }
}

/// The library's errors can hold what they are about, so none of their texts is passed on.
#[cfg(feature = "keyring")]
fn in_words(error: &keyring::v1::Error) -> KeyringError {
    use keyring::v1::Error;
    KeyringError::new(match error {
        Error::NoDefaultStore => "this system has none that answers",
        Error::NoStorageAccess(_) => "it is locked, or refuses access",
        Error::PlatformFailure(_) => "the system's call to it failed",
        _ => "it gave an answer that is no key",
    })
}
