//! JSON without white space.

use std::borrow::Cow;

/// A JSON text without the white space between its tokens; borrowed where it has none.
///
/// What is no JSON stays none: white space between two things that are neither strings nor structural characters leaves
/// a space behind, as `1 2` is not `12`.
pub fn compact(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut compact = String::new();
    // What is to be copied begins here.
    let mut from = 0;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at += string_length(bytes.get(at..).unwrap_or_default()),
            b' ' | b'\t' | b'\n' | b'\r' => {
                let space = bytes.iter().skip(at).take_while(|byte| is_space(**byte)).count();
                let before = at.checked_sub(1).and_then(|before| bytes.get(before));
                let after = bytes.get(at + space);
                let parts = before.is_some_and(|byte| is_scalar(*byte)) && after.is_some_and(|byte| is_scalar(*byte));
                if compact.is_empty() {
                    compact.reserve(text.len());
                }
                compact.push_str(text.get(from..at).unwrap_or_default());
                compact.push_str(if parts { " " } else { "" });
                at += space;
                from = at;
            }
            _ => at += 1,
        }
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    compact.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(compact)
}

/// The length of the string literal at the start of a text; the whole text where the literal does not end.
pub(super) fn string_length(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(found) = text
        .get(at..)
        .and_then(|rest| rest.iter().position(|byte| matches!(byte, b'"' | b'\\')))
    {
        at += found;
        if text.get(at) == Some(&b'"') {
            return at + 1;
        }
        // What a backslash stands before is part of the string.
        at += 2;
    }
    text.len()
}

pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether a byte that is no white space belongs to a number, a literal, or what is no JSON.
pub(super) const fn is_scalar(byte: u8) -> bool {
    !matches!(byte, b'{' | b'}' | b'[' | b']' | b':' | b',' | b'"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_goes_but_for_what_parts_two_words_that_are_no_json() {
        for (text, expected) in [
            (
                "{ \"a b\" : [ 1 ,\n\t2 ] , \"c\\\" \" : \"\\\\\" }\r\n",
                r#"{"a b":[1,2],"c\" ":"\\"}"#,
            ),
            (" 1 ", "1"),
            ("1 \n 2", "1 2"),
            ("tru e", "tru e"),
            ("\"a\" 1 \"b\"", "\"a\"1\"b\""),
            ("\"a \\", "\"a \\"),
            (" \" a", "\" a"),
            (" ", ""),
            ("", ""),
        ] {
            assert_eq!(compact(text), expected, "{text}");
        }
    }

    #[test]
    fn a_text_without_white_space_is_not_copied() {
        for text in [r#"{"a b":[1,"\" \\",null]}"#, "7", ""] {
            assert!(matches!(compact(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }
}
