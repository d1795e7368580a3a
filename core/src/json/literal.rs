//! JSON string literals read unit by unit, lone surrogates too, which a Rust string cannot hold.

use serde_json::value::RawValue;

/// What a string literal stands for at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// A character.
    Char(char),
    /// One half of a surrogate pair without the other: legal in JSON, no Unicode text.
    Lone(u16),
}

/// The units of a string literal, given with its quotes. Of a text that is no literal it gives some units or other.
pub(crate) fn units(literal: &str) -> impl Iterator<Item = Unit> + '_ {
    let inner = literal.strip_prefix('"').unwrap_or(literal);
    let mut rest = inner.strip_suffix('"').unwrap_or(inner);
    std::iter::from_fn(move || {
        let mut characters = rest.chars();
        let character = characters.next()?;
        if character != '\\' {
            rest = characters.as_str();
            return Some(Unit::Char(character));
        }
        let escape = characters.next()?;
        rest = characters.as_str();
        Some(match escape {
            'n' => Unit::Char('\n'),
            'r' => Unit::Char('\r'),
            't' => Unit::Char('\t'),
            'b' => Unit::Char('\u{8}'),
            'f' => Unit::Char('\u{c}'),
            'u' => {
                let first = code_unit(rest)?;
                rest = rest.get(4..).unwrap_or_default();
                let second = rest.strip_prefix("\\u").and_then(code_unit);
                match char::decode_utf16([first].into_iter().chain(second)).next()? {
                    Ok(character) => {
                        if character.len_utf16() == 2 {
                            rest = rest.get(6..).unwrap_or_default();
                        }
                        Unit::Char(character)
                    }
                    Err(lone) => Unit::Lone(lone.unpaired_surrogate()),
                }
            }
            other => Unit::Char(other),
        })
    })
}

fn code_unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.get(..4)?, 16).ok()
}

/// The text that a JSON string stands for, each lone surrogate as U+FFFD; whether there was one. `None` where it is no
/// string.
pub fn string_lossy(raw: &RawValue) -> Option<(String, bool)> {
    let literal = raw.get();
    if !literal.starts_with('"') {
        return None;
    }
    if let Some(text) = super::string(raw) {
        return Some((text, false));
    }
    let text = units(literal)
        .map(|unit| match unit {
            Unit::Char(character) => character,
            Unit::Lone(_) => char::REPLACEMENT_CHARACTER,
        })
        .collect();
    Some((text, true))
}
