//! Sealing the credential record with a key that only the system's keyring has.

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use super::keyring::{Keyring, KeyringError};

/// The name of a key that is never kept: asking for it shows whether the keyring answers.
pub(super) const PROBE: &str = "probe";

const KEY_BYTES: usize = 32;
/// What a seal is about, so that one of another kind is never taken for it.
const CONTEXT: &[u8] = b"toolgate.sealedCredentials 1";

/// A sealed text, with what is needed besides the key to open it.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Sealed {
    /// The name of the key in the keyring.
    pub(super) key_name: String,
    /// A number that is used once.
    pub(super) nonce: [u8; NONCE_LEN],
    /// The sealed bytes.
    pub(super) content: Vec<u8>,
}

/// Why a seal cannot be opened or made.
#[derive(Debug)]
pub(super) enum SealError {
    /// The keyring gives no key.
    Keyring(KeyringError),
    /// The content was changed, or sealed with another key.
    Broken,
}

impl From<KeyringError> for SealError {
    fn from(error: KeyringError) -> Self {
        Self::Keyring(error)
    }
}

/// Seals a text with the key of this name, or, where there is none yet, with a new one.
pub(super) fn seal(text: &str, key_name: Option<&str>, keyring: &dyn Keyring) -> Result<Sealed, SealError> {
    let (key_name, key) = if let Some(name) = key_name {
        (name.to_owned(), present_key(name, keyring)?)
    } else {
        let name = format!("credentials-{}", uuid::Uuid::new_v4());
        let mut key = [0; KEY_BYTES];
        fill(&mut key)?;
        keyring.keep(&name, &key)?;
        (name, key)
    };
    let mut nonce = [0; NONCE_LEN];
    fill(&mut nonce)?;
    let mut content = text.as_bytes().to_vec();
    cipher(&key)?
        .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(CONTEXT), &mut content)
        .map_err(|_| SealError::Broken)?;
    Ok(Sealed {
        key_name,
        nonce,
        content,
    })
}

/// Opens a seal.
pub(super) fn open(sealed: Sealed, keyring: &dyn Keyring) -> Result<Vec<u8>, SealError> {
    let key = present_key(&sealed.key_name, keyring)?;
    let mut content = sealed.content;
    let opened = cipher(&key)?
        .open_in_place(
            Nonce::assume_unique_for_key(sealed.nonce),
            Aad::from(CONTEXT),
            &mut content,
        )
        .map_err(|_| SealError::Broken)?;
    Ok(opened.to_vec())
}

fn present_key(name: &str, keyring: &dyn Keyring) -> Result<[u8; KEY_BYTES], SealError> {
    let key = keyring.key(name)?.ok_or_else(|| {
        KeyringError::new("it does not have the key, which is in that of the account that saved them")
    })?;
    key.try_into()
        .map_err(|_| SealError::Keyring(KeyringError::new("what it has under the key's name is no key")))
}

fn cipher(key: &[u8]) -> Result<LessSafeKey, SealError> {
    UnboundKey::new(&CHACHA20_POLY1305, key)
        .map(LessSafeKey::new)
        .map_err(|_| SealError::Broken)
}

fn fill(bytes: &mut [u8]) -> Result<(), SealError> {
    getrandom::fill(bytes).map_err(|_| SealError::Keyring(KeyringError::new("the system gives no random numbers")))
}
