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
        let space = self
            .rest
            .bytes()
            .position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))?;
        let rest = self.rest.get(space..)?;
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
    let bytes = text.as_bytes();
    let mut at = 1;
    while let Some(found) = bytes
        .get(at..)
        .and_then(|rest| rest.iter().position(|byte| matches!(byte, b'"' | b'\\')))
    {
        at += found;
        if bytes.get(at) == Some(&b'"') {
            return at + 1;
        }
        // What a backslash stands before is part of the string.
        at += 2;
    }
    text.len()
}

const fn ends_scalar(byte: u8) -> bool {
    matches!(
        byte,
        b'{' | b'}' | b'[' | b']' | b':' | b',' | b'"' | b' ' | b'\t' | b'\n' | b'\r'
    )
}

/// The text without the white space between its tokens; `None` where it has none, so that nothing is copied.
pub(super) fn compact(text: &str) -> Option<String> {
    let mut tokens = Tokens::of(text);
    let mut end = 0;
    while let Some(token) = tokens.next() {
        let start = text.len() - tokens.rest.len() - token.len();
        if start > end {
            let mut compact = String::with_capacity(text.len());
            compact.push_str(text.get(..end)?);
            compact.push_str(token);
            compact.extend(tokens);
            return Some(compact);
        }
        end = start + token.len();
    }
    (end < text.len()).then(|| text.get(..end).unwrap_or_default().to_owned())
}
