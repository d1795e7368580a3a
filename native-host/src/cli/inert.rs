//! Text that a terminal shows and does not obey: what servers, files and arguments say is printed with every character
//! escaped that controls a terminal, turns the direction of text, or has no face.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A message on one line: hidden characters as `\n`, `\r`, `\t` or `\u{1b}`.
pub(super) fn message(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden, |out, character| match character {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        // Writing to a text never fails.
        _ => drop(write!(out, "\\u{{{:x}}}", u32::from(character))),
    })
}

/// The same of a text of several lines.
pub(super) fn lines(text: &str) -> Cow<'_, str> {
    let hidden = |character: char| character != '\n' && is_hidden(character);
    escaped(text, hidden, |out, character| {
        out.push_str(&message(character.encode_utf8(&mut [0; 4])));
    })
}

/// A JSON text of the same value: hidden characters as JSON's own escapes. White space between its tokens stays.
pub(super) fn json(text: &str) -> Cow<'_, str> {
    let hidden = |character: char| !matches!(character, '\n' | '\r' | '\t') && is_hidden(character);
    escaped(text, hidden, |out, character| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing to a text never fails.
            let _ = write!(out, "\\u{unit:04x}");
        }
    })
}

fn escaped(text: &str, hidden: impl Fn(char) -> bool, escape: impl Fn(&mut String, char)) -> Cow<'_, str> {
    let Some(first) = text.find(&hidden) else {
        return Cow::Borrowed(text);
    };
    let (before, rest) = text.split_at(first);
    let mut out = String::with_capacity(text.len() + 64);
    out.push_str(before);
    for character in rest.chars() {
        if hidden(character) {
            escape(&mut out, character);
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// The characters that the page makes marks of, too (`web/src/text/visible.ts`).
fn is_hidden(character: char) -> bool {
    // Most of what is printed.
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    character.is_control()
        || matches!(
            u32::from(character),
            0xad | 0x34f
                | 0x61c
                | 0x115f
                | 0x1160
                | 0x17b4
                | 0x17b5
                | 0x180b..=0x180f
                | 0x200b..=0x200f
                | 0x2028..=0x202e
                | 0x2060..=0x206f
                | 0x3164
                | 0xfe00..=0xfe0e
                | 0xfeff
                | 0xffa0
                | 0xfff0..=0xfffb
                | 0x1bca0..=0x1bca3
                | 0x1d173..=0x1d17a
                | 0xe0000..=0xe0fff
        )
}

#[cfg(test)]
mod tests {
    // Tests may fail loudly.
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn what_a_terminal_obeys_becomes_text() {
        assert_eq!(message("a\u{1b}[31mb\u{7}\r\nc\td"), "a\\u{1b}[31mb\\u{7}\\r\\nc\\td");
        assert_eq!(
            message("\u{9b}2J\u{9d}52;c;x\u{9c}\u{7f}"),
            "\\u{9b}2J\\u{9d}52;c;x\\u{9c}\\u{7f}"
        );
        assert_eq!(
            message("pay\u{202e}exe\u{200b}\u{feff}"),
            "pay\\u{202e}exe\\u{200b}\\u{feff}"
        );
        assert_eq!(lines("one\ntwo\r\u{1b}c\n"), "one\ntwo\\r\\u{1b}c\n");
    }

    #[test]
    fn text_of_people_stays_as_it_is() {
        for text in [
            "",
            "search",
            "日本語の検索",
            "שלום",
            "<b>x</b>",
            "naïve — “quoted”",
            "C:\\temp",
        ] {
            assert!(matches!(message(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn json_keeps_its_value_and_its_form() {
        let text = "{\n\t\"a\": \"\u{9b}31m\u{7f}\u{202e}\u{e0041}é\",\r\n \"\u{85}\": 1.50\n}";
        let inert = json(text);
        assert_eq!(
            inert,
            "{\n\t\"a\": \"\\u009b31m\\u007f\\u202e\\udb40\\udc41é\",\r\n \"\\u0085\": 1.50\n}"
        );
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&inert), value(text));
    }
}
