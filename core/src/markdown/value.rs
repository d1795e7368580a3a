//! A JSON value as nested Markdown lists.

use std::iter::Peekable;

use super::{many_lines, push_escaped, write_fence, write_name, write_span, write_string};
use crate::json::{JsonText, Tokens, units};

/// Containers deeper than this stand as JSON on one line, so that the text's length stays in proportion to the value's.
const DEEPEST_LIST: usize = 16;

/// Writes a JSON value, every scalar of it, without a line break at the end:
/// - an object is a list of `` - `name`: value ``, an array one of `- value`; what a container holds stands on further
///   lines, indented by two spaces; in an array it is introduced by `- item <index>:`, counted from 0;
/// - numbers (spelled as they came), `true`, `false`, `null`, empty containers, and strings, as JSON strings with their
///   quotes, stand in code spans; names without quotes where nothing in them must be escaped;
/// - a string of several lines stands in a fence;
/// - what is nested deeper than 16 containers is JSON in a code span.
///
/// Takes time and space in proportion to the value, and no stack.
pub(crate) fn write_value(out: &mut String, json: &JsonText) {
    let mut tokens = Tokens::of(json.as_str()).peekable();
    let mut levels: Vec<Level<'_>> = Vec::new();
    let mut first = true;
    while let Some(token) = tokens.next() {
        match token {
            "," | ":" => continue,
            "}" | "]" => {
                levels.pop();
                continue;
            }
            _ => {}
        }
        if let Some(Level::Object { name: name @ None }) = levels.last_mut() {
            *name = Some(token);
            continue;
        }
        let is_empty = is_empty(token, &mut tokens);
        let opens = !is_empty && matches!(token, "{" | "[");
        let in_list = opens && levels.len() < DEEPEST_LIST;

        if !levels.is_empty() && !std::mem::take(&mut first) {
            out.push('\n');
        }
        let many_lines = if token.starts_with('"') {
            many_lines(token)
        } else {
            None
        };
        let indent = 2 * levels.len();
        if let Some(level) = levels.last_mut() {
            out.extend(std::iter::repeat_n(' ', indent - 2));
            out.push('-');
            level.write_label(out, in_list);
            match (&*level, &many_lines) {
                _ if in_list => {}
                (Level::Object { .. }, Some(_)) => {
                    out.push('\n');
                    out.extend(std::iter::repeat_n(' ', indent));
                }
                _ => out.push(' '),
            }
            level.next();
        }
        if in_list {
            levels.push(Level::of(token));
        } else if let Some(text) = many_lines {
            write_fence(out, &text, indent);
        } else if is_empty {
            write_span(out, if token == "{" { "{}" } else { "[]" });
        } else if opens {
            write_span(out, &one_line(token, &mut tokens));
        } else if token.starts_with('"') {
            write_string(out, token);
        } else {
            write_span(out, token);
        }
    }
}

/// A container that is being written.
enum Level<'a> {
    Object {
        /// The literal of the name whose value comes next.
        name: Option<&'a str>,
    },
    List {
        /// The index of the item that comes next.
        index: usize,
    },
}

impl Level<'_> {
    fn of(token: &str) -> Self {
        if token == "{" {
            Self::Object { name: None }
        } else {
            Self::List { index: 0 }
        }
    }

    /// Writes what stands between the dash and the value.
    fn write_label(&self, out: &mut String, value_is_list: bool) {
        match self {
            Self::Object { name } => {
                out.push(' ');
                write_name(out, name.unwrap_or_default());
                out.push(':');
            }
            Self::List { index } if value_is_list => {
                out.push_str(" item ");
                out.push_str(&index.to_string());
                out.push(':');
            }
            Self::List { .. } => {}
        }
    }

    /// Goes on to the next member or item.
    fn next(&mut self) {
        match self {
            Self::Object { name } => *name = None,
            Self::List { index } => *index += 1,
        }
    }
}

fn is_empty(token: &str, tokens: &mut Peekable<Tokens<'_>>) -> bool {
    match token {
        "{" => tokens.next_if_eq(&"}").is_some(),
        "[" => tokens.next_if_eq(&"]").is_some(),
        _ => false,
    }
}

/// A container whose first token was taken, as compact JSON on one line.
fn one_line(token: &str, tokens: &mut Peekable<Tokens<'_>>) -> String {
    let mut json = String::from(token);
    let mut depth = 1_usize;
    while depth > 0 {
        let Some(token) = tokens.next() else { break };
        match token {
            "{" | "[" => depth += 1,
            "}" | "]" => depth -= 1,
            _ => {}
        }
        if token.starts_with('"') {
            json.push('"');
            push_escaped(&mut json, units(token));
            json.push('"');
        } else {
            json.push_str(token);
        }
    }
    json
}
