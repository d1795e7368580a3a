//! Secrets that this program makes or is given to guard its own port. They show in no Debug output, and are compared
//! in constant time. A server's secrets are another matter and stay in its configuration.

use std::fmt;

use serde::{Deserialize, Deserializer, Serializer};
use subtle::ConstantTimeEq as _;

/// A token or session id.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Fewest characters of a token that a person chooses.
    pub const MIN_GIVEN_CHARS: usize = 16;
    /// Most characters of a token that a person chooses.
    pub const MAX_GIVEN_CHARS: usize = 512;

    /// 256 random bits from the system, as 64 hexadecimal digits. An error where the system has no randomness.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes)?;
        let mut text = String::with_capacity(64);
        for byte in bytes {
            for digit in [byte >> 4, byte & 15] {
                text.extend(char::from_digit(u32::from(digit), 16));
            }
        }
        Ok(Self(text))
    }

    /// A token that a person chose. It has to fit into an address and a WebSocket subprotocol unchanged, and must not
    /// be guessed; the error says which it fails.
    pub fn given(text: &str) -> Result<Self, &'static str> {
        if !text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~'))
        {
            return Err("it may hold letters, digits and - . _ ~ only");
        }
        if text.len() < Self::MIN_GIVEN_CHARS {
            return Err("it has fewer than 16 characters");
        }
        if text.len() > Self::MAX_GIVEN_CHARS {
            return Err("it has more than 512 characters");
        }
        Ok(Self(text.to_owned()))
    }

    /// A text that has a secret in it, such as an address.
    pub(crate) fn from_text(text: String) -> Self {
        Self(text)
    }

    /// Whether `candidate` is this secret. Takes the same time wherever they differ.
    pub fn matches(&self, candidate: &str) -> bool {
        self.0.as_bytes().ct_eq(candidate.as_bytes()).into()
    }

    /// The secret itself, for the one place it has to be written to.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// For a field that is meant to be written out with its secret.
    pub(crate) fn reveal_into<S: Serializer>(secret: &Self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&secret.0)
    }

    /// The counterpart of [`Self::reveal_into`].
    pub(crate) fn take_from<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    // Tests may fail loudly.
    #![allow(clippy::unwrap_used)]

    use super::Secret;

    #[test]
    fn random_secrets_are_long_and_differ() {
        let (one, other) = (Secret::random().unwrap(), Secret::random().unwrap());
        assert_eq!(one.reveal().len(), 64);
        assert!(one.reveal().bytes().all(|byte| byte.is_ascii_hexdigit()));
        assert!(one.matches(one.reveal()));
        assert!(!one.matches(other.reveal()));
        assert!(!one.matches(""));
    }

    #[test]
    fn given_tokens_are_checked_on_both_sides_of_each_limit() {
        assert!(Secret::given(&"a".repeat(15)).is_err());
        assert!(Secret::given(&"a".repeat(16)).is_ok());
        assert!(Secret::given(&"a".repeat(512)).is_ok());
        assert!(Secret::given(&"a".repeat(513)).is_err());
        assert!(Secret::given("AZaz09-._~AZaz09").is_ok());
        for odd in [
            "with space 123456",
            "percent%1234567890",
            "slash/1234567890",
            "ümlaut1234567890",
        ] {
            assert!(Secret::given(odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn a_secret_hides_in_debug_output() {
        let secret = Secret::given("0123456789abcdef").unwrap();
        assert_eq!(format!("{secret:?}"), "Secret(…)");
    }
}
