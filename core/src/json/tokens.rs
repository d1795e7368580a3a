//! The tokens of a JSON text, as slices of it. Checks no grammar: any text has tokens, and their order is the text's.

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
        let rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
        let length = match rest.bytes().next()? {
            b'{' | b'}' | b'[' | b']' | b':' | b',' => 1,
            b'"' => string_length(rest),
            _ => rest.bytes().position(ends_scalar).unwrap_or(rest.len()),
        };
        let (token, rest) = rest.split_at_checked(length)?;
        self.rest = rest;
        Some(token)
    }
}

/// The length of the string literal at the start of a text; the whole text where the literal does not end.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return index + 1,
            _ => {}
        }
    }
    text.len()
}

const fn ends_scalar(byte: u8) -> bool {
    matches!(
        byte,
        b'{' | b'}' | b'[' | b']' | b':' | b',' | b'"' | b' ' | b'\t' | b'\n' | b'\r'
    )
}

/// The text without the white space between its tokens.
pub(super) fn compact(text: &str) -> String {
    let mut compact = String::with_capacity(text.len());
    compact.extend(Tokens::of(text));
    compact
}
