//! Hashing several texts as one.

use sha2::{Digest, Sha256};

/// A SHA-256 over texts, each with its length before it, so that no text can run into the next.
pub(crate) struct TextHash(Sha256);

impl TextHash {
    /// A hash of this kind of thing and no other.
    pub(crate) fn new(kind: &str) -> Self {
        Self(Sha256::new_with_prefix(kind))
    }

    /// Adds a text.
    pub(crate) fn text(&mut self, text: &str) {
        self.0.update(format!("{}:", text.len()));
        self.0.update(text);
    }

    /// Adds a text, or that there is none.
    pub(crate) fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.0.update("-"),
        }
    }

    /// 64 lowercase hexadecimal digits.
    pub(crate) fn finish(self) -> String {
        use std::fmt::Write as _;

        let mut hexadecimal = String::with_capacity(64);
        for byte in self.0.finalize() {
            // Writing to a string cannot fail.
            let _ = write!(hexadecimal, "{byte:02x}");
        }
        hexadecimal
    }
}
