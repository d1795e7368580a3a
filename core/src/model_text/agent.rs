//! How an agent reads a result: whole, or where it is long as a preview and a file (manager contract §7).
//!
//! The files themselves, and the audit record with the exact JSON, are the host's; the model never learns of the latter.

use crate::markdown::inline;
use crate::{Code, Diagnostic, Limits};

/// The setting `tools.mcpResultInlineCharLimit` of an agent's profile: the most Unicode scalar values of a result's
/// content that the model is given whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InlineLimit(usize);

impl InlineLimit {
    /// The limit a profile sets, or the default where it sets none. 0 is refused, `mcp.inline_char_limit_invalid`.
    pub fn new(setting: Option<usize>, limits: &Limits) -> Result<Self, Diagnostic> {
        match setting.unwrap_or(limits.inline_chars) {
            0 => Err(Diagnostic::new(
                Code::InlineCharLimitInvalid,
                "The limit of a result's length is 0; write a positive number of characters, or leave it out.",
            )
            .at("tools.mcpResultInlineCharLimit")),
            chars => Ok(Self(chars)),
        }
    }

    /// Whether this content is too long to be given whole.
    pub fn is_exceeded_by(self, content: &str) -> bool {
        // No text has more scalar values than bytes.
        content.len() > self.0 && content.chars().nth(self.0).is_some()
    }

    /// The number of Unicode scalar values.
    pub const fn chars(self) -> usize {
        self.0
    }
}

/// A long content as a file that can be read by lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadableFile {
    /// The whole content; every line of more than [`Limits::line_chars`] Unicode scalar values goes on in a further line
    /// (a line ends with a line feed; a carriage return before it is not counted).
    pub text: String,
    /// How many lines that is; a line break at the end begins no further one.
    pub lines: usize,
}

/// The readable view of a long content.
pub fn readable_file(content: &str, limits: &Limits) -> ReadableFile {
    let most = limits.line_chars.max(1);
    let mut text = String::with_capacity(content.len() + content.len() / most);
    let mut length = 0;
    let mut characters = content.chars().peekable();
    while let Some(character) = characters.next() {
        let ends_line = character == '\r' && characters.peek() == Some(&'\n');
        if character == '\n' {
            length = 0;
        } else if length >= most && !ends_line {
            text.push('\n');
            length = 1;
        } else {
            length += 1;
        }
        text.push(character);
    }
    let breaks = text.bytes().filter(|byte| *byte == b'\n').count();
    let lines = breaks + usize::from(!text.is_empty() && !text.ends_with('\n'));
    ReadableFile { text, lines }
}

/// What the model reads in place of a long content that could not be saved: that the call was carried out all the same, so
/// that it is not repeated for that reason, then the first characters as in [`preview`].
pub fn preview_unsaved(content: &str, limit: InlineLimit, limits: &Limits) -> String {
    let total = content.chars().count();
    let preview = beginning(content, limit, limits);
    format!(
        "The call was carried out, and its result is too long to be shown whole: it has {total} characters. The rest is \
         lost, because it could not be saved to a file. Ask for less if you need more of it. It begins as follows (the \
         first {} characters):\n\n{preview}",
        preview.chars().count(),
    )
}

/// Lines of a readable file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePart {
    /// The first of the lines, counted from 1.
    pub start_line: usize,
    /// How many lines these are.
    pub line_count: usize,
    /// How many lines the file has.
    pub total_lines: usize,
    /// The line to go on with; none after the last one.
    pub next_line: Option<usize>,
    /// The lines, a line feed between them.
    pub text: String,
}

/// Reads lines of a readable file, as many whole ones of those asked for as the inline limit holds, but at least one. Lines
/// are counted from 1; both numbers must be at least 1 and the first line must be there, or it is
/// `mcp.result_range_invalid`. Fewer lines than asked for, also at the end, are no error.
pub fn read_lines(
    text: &str,
    start_line: usize,
    line_count: usize,
    limit: InlineLimit,
) -> Result<FilePart, Diagnostic> {
    let total_lines = text.lines().count();
    let invalid = |path: &str, found: usize| {
        let what = format!("The result has the lines 1 to {total_lines}; {path} is {found}.");
        Err(Diagnostic::new(Code::ResultRangeInvalid, what).at(path))
    };
    if start_line == 0 || start_line > total_lines {
        return invalid("startLine", start_line);
    }
    if line_count == 0 {
        return invalid("lineCount", line_count);
    }
    let mut part = FilePart {
        start_line,
        line_count: 0,
        total_lines,
        next_line: None,
        text: String::new(),
    };
    let mut characters: usize = 0;
    for line in text.split('\n').skip(start_line - 1).take(line_count.min(total_lines)) {
        characters = characters.saturating_add(line.chars().count() + usize::from(part.line_count > 0));
        if part.line_count > 0 && characters > limit.chars() || start_line + part.line_count > total_lines {
            break;
        }
        if part.line_count > 0 {
            part.text.push('\n');
        }
        part.text.push_str(line);
        part.line_count += 1;
    }
    let next = start_line + part.line_count;
    part.next_line = (next <= total_lines).then_some(next);
    Ok(part)
}

fn beginning<'a>(content: &'a str, limit: InlineLimit, limits: &Limits) -> &'a str {
    let most = limits.preview_chars.min(limit.chars());
    match content.char_indices().nth(most) {
        Some((end, _)) => content.get(..end).unwrap_or(content),
        None => content,
    }
}

/// What the model reads in place of a long content: where the whole of it is and how to read on, then its first
/// characters, at most [`Limits::preview_chars`] and no more than the limit itself.
///
/// Our words stand first, so that nothing the server says can stand before them or undo them. `path` is what the model
/// passes to the tool that reads results.
pub fn preview(content: &str, file: &ReadableFile, path: &str, limit: InlineLimit, limits: &Limits) -> String {
    let total = content.chars().count();
    let preview = beginning(content, limit, limits);
    format!(
        "The result is too long to be shown whole: it has {total} characters. All of it is in the file {}, {} lines of at \
         most {} characters each; read on there, some lines at a time. It begins as follows (the first {} characters):\
         \n\n{preview}",
        inline(path),
        file.lines,
        limits.line_chars,
        preview.chars().count(),
    )
}
