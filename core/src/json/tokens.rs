//! The tokens of a JSON text, as slices of it. Checks no grammar: any text has tokens, and their order is the text's.

use super::compact::{is_scalar, is_space, string_length};

/// Structural characters, strings with their quotes, and runs of anything else; white space is left out.
pub(crate) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub(crate) const fn of(text: &'a str) -> Self {
        Self { rest: text }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let space = self.rest.bytes().position(|byte| !is_space(byte))?;
        let rest = self.rest.get(space..)?;
        let length = match rest.bytes().next()? {
            b'{' | b'}' | b'[' | b']' | b':' | b',' => 1,
            b'"' => string_length(rest.as_bytes()),
            _ => rest.bytes().position(ends_scalar).unwrap_or(rest.len()),
        };
        let (token, rest) = rest.split_at_checked(length)?;
        self.rest = rest;
        Some(token)
    }
}

const fn ends_scalar(byte: u8) -> bool {
    is_space(byte) || !is_scalar(byte)
}
