//! Changing one place of a JSON text and leaving every other byte of it as it is: what a form does to the text beside it.

use super::document::{Document, Id, Kind, index, steps};
use super::pretty::pretty;

/// The text with the value at a JSON Pointer (RFC 6901) replaced by `value`, which is JSON text.
///
/// Where there is no value yet, it is put in: a member at the end of its object, an item at the end of its list, and the
/// objects on the way to it too. What is put in is laid out like what stands around it. Where a key stands twice, its
/// last value is the one that counts, and is replaced. `None` where one of the two is no JSON, or where the pointer leads
/// through a string or number, or beyond the end of a list.
pub fn set_at(text: &str, pointer: &str, value: &str) -> Option<String> {
    let document = Document::of(text)?;
    Document::of(value)?;
    let steps: Vec<String> = steps(pointer)?.collect();
    let mut at = document.root();
    for (depth, step) in steps.iter().enumerate() {
        if let Some(next) = document.step(at, step) {
            at = next;
            continue;
        }
        let further = steps.get(depth + 1..)?;
        let mut value = value.trim_matches(WHITE).to_owned();
        for name in further.iter().rev() {
            value = format!("{{{}:{value}}}", literal(name));
        }
        return insert(&document, at, step, &value);
    }
    let span = document.span(at);
    let indent = indent_at(text, span.start);
    let value = laid_out(value, indent);
    let mut edited = text.to_owned();
    edited.replace_range(span, &value);
    Some(edited)
}

/// The text without the value at a pointer. A member goes with its key, as often as the key stands there: an earlier
/// value of it would count otherwise. `None` where the text is no JSON, for the whole (which cannot go), and where there
/// is no such value.
pub fn remove_at(text: &str, pointer: &str) -> Option<String> {
    let document = Document::of(text)?;
    let (parent, _) = pointer.rsplit_once('/')?;
    let container = document.at(parent)?;
    let step = steps(pointer)?.last()?;
    let removed = document.step(container, &step)?;
    // Where each part begins, its value, and whether it goes.
    let parts: Vec<(usize, Id, bool)> = match document.kind(container) {
        Kind::Object(members) => members
            .iter()
            .map(|member| (member.start, member.value, member.key.as_deref() == Some(&*step)))
            .collect(),
        Kind::List(items) => items
            .iter()
            .map(|item| (document.span(*item).start, *item, *item == removed))
            .collect(),
        Kind::Scalar => return None,
    };
    let inside = document.span(container).start + 1..document.span(container).end.checked_sub(1)?;
    let Some(last_kept) = parts.iter().rposition(|(_, _, goes)| !goes) else {
        let mut edited = text.to_owned();
        edited.replace_range(inside, "");
        return Some(edited);
    };
    let mut edited = String::with_capacity(text.len());
    let mut done = 0;
    for (part, next) in parts.iter().zip(parts.iter().skip(1)).take(last_kept) {
        if part.2 {
            edited.push_str(text.get(done..part.0)?);
            done = next.0;
        }
    }
    let last = document.span(parts.get(last_kept)?.1).end;
    edited.push_str(text.get(done..last)?);
    let end = document.span(parts.last()?.1).end;
    edited.push_str(text.get(end..)?);
    Some(edited)
}

/// The value at a pointer as it is spelled.
pub fn value_at<'a>(text: &'a str, pointer: &str) -> Option<&'a str> {
    let document = Document::of(text)?;
    document.at(pointer).map(|value| document.text(value))
}

/// Where the value at a pointer begins: line and column, both from 1, the column in UTF-16 code units. Of a value that
/// is not there, the place of the nearest one around it.
pub fn place_of(text: &str, pointer: &str) -> Option<(u32, u32)> {
    let document = Document::of(text)?;
    let mut at = document.root();
    for step in steps(pointer)? {
        let Some(next) = document.step(at, &step) else { break };
        at = next;
    }
    let before = text.get(..document.span(at).start)?;
    let line = before.matches('\n').count();
    let last = before.rsplit('\n').next().unwrap_or_default();
    let column = last.encode_utf16().count();
    Some((u32::try_from(line).ok()? + 1, u32::try_from(column).ok()? + 1))
}

const WHITE: [char; 4] = [' ', '\t', '\n', '\r'];

fn insert(document: &Document<'_>, container: Id, step: &str, value: &str) -> Option<String> {
    let text = document.source();
    let (key, last_start, last_value) = match document.kind(container) {
        Kind::Object(members) => {
            let last = members.last();
            let key = format!("{}: ", literal(step));
            (key, last.map(|member| member.start), last.map(|member| member.value))
        }
        Kind::List(items) if index(step) == Some(items.len()) => {
            let last = items.last().copied();
            (String::new(), last.map(|item| document.span(item).start), last)
        }
        _ => return None,
    };
    let span = document.span(container);
    let own_indent = indent_at(text, span.start);
    let mut edited = text.to_owned();
    if let (Some(start), Some(last)) = (last_start, last_value) {
        let end = document.span(last).end;
        let is_on_own_line = text.get(span.start..start)?.contains('\n');
        if is_on_own_line {
            let indent = indent_at(text, start);
            edited.insert_str(end, &format!(",\n{indent}{key}{}", laid_out(value, indent)));
        } else {
            edited.insert_str(end, &format!(", {key}{}", value.trim_matches(WHITE)));
        }
    } else {
        let indent = format!("{own_indent}  ");
        let inside = format!("\n{indent}{key}{}\n{own_indent}", laid_out(value, &indent));
        edited.replace_range(span.start + 1..span.end.checked_sub(1)?, &inside);
    }
    Some(edited)
}

/// A value on as many lines as it takes, the further ones with this indent before them.
fn laid_out(value: &str, indent: &str) -> String {
    // No string of JSON has a line break in it.
    pretty(value).replace('\n', &format!("\n{indent}"))
}

/// The white space at the start of the line that a place is in.
fn indent_at(text: &str, place: usize) -> &str {
    let before = text.get(..place).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let length = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..length).unwrap_or_default()
}

/// A text as a JSON string.
pub fn literal(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
