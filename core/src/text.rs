//! Small things about text.

/// The most characters of somebody else's text that a diagnostic repeats.
const MOST: usize = 200;

/// The start of a text, short enough to stand in a sentence; what was left out is marked.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// What a JSON value is, for a sentence; its text begins with the value.
pub(crate) fn kind(json: Option<&str>) -> &'static str {
    match json.and_then(|json| json.bytes().next()) {
        None => "missing",
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        Some(_) => "a number",
    }
}
