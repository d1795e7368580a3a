//! JSON for a person to read.

use super::tokens::Tokens;

/// Deeper levels than this are indented like it: the size of the result stays in proportion to the text's.
const DEEPEST_INDENT: usize = 100;

/// A JSON text on many lines, two spaces a level, `{}` and `[]` on one. Works token by token: numbers and strings stay
/// spelled as they are, and a text nested too deeply for a parser is no matter. What is no JSON comes out as its tokens
/// in the same manner; there is no error.
pub fn pretty(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut depth = 0_usize;
    let mut tokens = Tokens::of(text).peekable();
    while let Some(token) = tokens.next() {
        match token {
            "{" | "[" => {
                out.push_str(token);
                let closing = if token == "{" { "}" } else { "]" };
                if let Some(close) = tokens.next_if_eq(&closing) {
                    out.push_str(close);
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            "}" | "]" => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push_str(token);
            }
            "," => {
                out.push_str(token);
                new_line(&mut out, depth);
            }
            ":" => out.push_str(": "),
            _ => out.push_str(token),
        }
    }
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth.min(DEEPEST_INDENT)));
}
