//! Markdown that what stands in it cannot break out of: code spans, fences, and JSON values as nested lists.
//!
//! What others say is never written bare. On one line it stands in a code span whose delimiter is longer than any run of
//! backticks inside, with every character that anything takes for a line break escaped; on many lines in a fence that is
//! longer than any such run, each line indented like the list item it belongs to.

mod value;

use crate::json::{Unit, units};

pub(crate) use value::write_value;

/// A text of others in a code span, for the middle of a sentence: as it is where it reads well, else as a JSON string.
pub(crate) fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_text(&mut out, || text.chars().map(Unit::Char));
    out
}

/// Writes a text in a code span. Never ambiguous: what is written bare does not begin with a quotation mark, since any
/// text with one is written as a JSON string.
fn write_text<Units: Iterator<Item = Unit>>(out: &mut String, text: impl Fn() -> Units) {
    let mut bare = String::new();
    let reads_well = text().all(|unit| match unit {
        Unit::Char(character) if !is_escaped(character) => {
            bare.push(character);
            true
        }
        _ => false,
    });
    // A code span loses a space at both ends, and cannot begin or end with its delimiter.
    let odd_end = |end: char| end == '`' || end == ' ';
    if reads_well && !bare.is_empty() && !bare.starts_with(odd_end) && !bare.ends_with(odd_end) {
        write_span(out, &bare);
    } else {
        write_literal(out, text());
    }
}

/// Writes the text of a JSON string literal in a code span, as [`write_text`] does.
fn write_name(out: &mut String, literal: &str) {
    match plain(literal) {
        Some(text) if !text.is_empty() && !text.starts_with(['`', ' ']) && !text.ends_with(['`', ' ']) => {
            write_span(out, text);
        }
        _ => write_text(out, || units(literal)),
    }
}

/// Writes a JSON string literal in a code span, as [`write_literal`] does.
fn write_string(out: &mut String, literal: &str) {
    if plain(literal).is_some() {
        write_span(out, literal);
    } else {
        write_literal(out, units(literal));
    }
}

/// What is between the quotes of a literal, where all of it is ASCII that stands for itself and need not be escaped: most
/// strings, which are not looked at character by character.
fn plain(literal: &str) -> Option<&str> {
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    let stands_for_itself = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    inner.as_bytes().iter().all(stands_for_itself).then_some(inner)
}

/// Writes a text as a JSON string in a code span.
fn write_literal(out: &mut String, text: impl Iterator<Item = Unit>) {
    let mut literal = String::from("\"");
    push_escaped(&mut literal, text);
    literal.push('"');
    write_span(out, &literal);
}

/// Writes a code span around what has no line break and neither begins nor ends with a backtick or a space.
fn write_span(out: &mut String, content: &str) {
    let delimiter = longest_run(content) + 1;
    out.extend(std::iter::repeat_n('`', delimiter));
    out.push_str(content);
    out.extend(std::iter::repeat_n('`', delimiter));
}

/// The inside of a JSON string on one line: characters as they are but for what must or should be escaped.
fn push_escaped(out: &mut String, text: impl Iterator<Item = Unit>) {
    for unit in text {
        match unit {
            Unit::Char('"') => out.push_str("\\\""),
            Unit::Char('\\') => out.push_str("\\\\"),
            Unit::Char('\n') => out.push_str("\\n"),
            Unit::Char('\r') => out.push_str("\\r"),
            Unit::Char('\t') => out.push_str("\\t"),
            Unit::Char(character) if is_escaped(character) => push_code_unit(out, u32::from(character)),
            Unit::Char(character) => out.push(character),
            Unit::Lone(code_unit) => push_code_unit(out, u32::from(code_unit)),
        }
    }
}

/// All that is escaped is below U+10000.
fn push_code_unit(out: &mut String, code_unit: u32) {
    out.push_str("\\u");
    for shift in [12, 8, 4, 0] {
        out.push(char::from_digit((code_unit >> shift) & 0xf, 16).unwrap_or('0'));
    }
}

/// What makes a string be written as a JSON string, and is escaped in it.
fn is_escaped(character: char) -> bool {
    matches!(character, '"' | '\\' | '\u{2028}' | '\u{2029}') || character.is_control()
}

/// Line breaks, for some readers at least, that are no line feed.
fn is_odd_break(character: char) -> bool {
    matches!(
        character,
        '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// The text of a string literal where it is to stand in a fence: of more than one line, with line feeds (after a carriage
/// return or not) as the only line breaks. `None` otherwise.
fn many_lines(literal: &str) -> Option<String> {
    // Without an escaped line feed there is none; most literals have no escape at all.
    if !literal.contains('\\') || (!literal.contains("\\n") && !literal.contains("\\u000")) {
        return None;
    }
    let mut text = String::with_capacity(literal.len());
    for unit in units(literal) {
        match unit {
            Unit::Char(character) if !is_odd_break(character) => text.push(character),
            _ => return None,
        }
    }
    is_many_lines(&text).then_some(text)
}

/// Whether a text is to stand in a fence.
pub(crate) fn is_many_lines(text: &str) -> bool {
    text.contains('\n') && text.matches('\r').count() == text.matches("\r\n").count() && !text.contains(is_odd_break)
}

/// Writes text between fences, on lines of its own that are indented by so many spaces but for the first, whose
/// beginning is written already. Empty lines are not indented. Ends without a line break.
fn write_fence(out: &mut String, text: &str, indent: usize) {
    let delimiter = (longest_run(text) + 1).max(3);
    out.extend(std::iter::repeat_n('`', delimiter));
    for line in text.split('\n') {
        out.push('\n');
        if !line.is_empty() {
            out.extend(std::iter::repeat_n(' ', indent));
            out.push_str(line);
        }
    }
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
    out.extend(std::iter::repeat_n('`', delimiter));
}

/// Writes the text of others as a block: in a fence where it has many lines, else in a code span.
pub(crate) fn write_block(out: &mut String, text: &str, indent: usize) {
    if is_many_lines(text) {
        write_fence(out, text, indent);
    } else {
        write_text(out, || text.chars().map(Unit::Char));
    }
}

/// What ends a line, for some reader at least.
pub(crate) fn is_break(character: char) -> bool {
    matches!(character, '\n' | '\r') || is_odd_break(character)
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    if !text.contains('`') {
        return 0;
    }
    let mut longest = 0;
    let mut run = 0;
    for byte in text.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}
