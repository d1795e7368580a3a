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

/// What the model reads in place of a long content: where the whole of it is and how to read on, then its first
/// characters, at most [`Limits::preview_chars`] and no more than the limit itself.
///
/// Our words stand first, so that nothing the server says can stand before them or undo them. `path` is what the model
/// passes to the tool that reads results.
pub fn preview(content: &str, file: &ReadableFile, path: &str, limit: InlineLimit, limits: &Limits) -> String {
    let total = content.chars().count();
    let most = limits.preview_chars.min(limit.chars());
    let preview = match content.char_indices().nth(most) {
        Some((end, _)) => content.get(..end).unwrap_or(content),
        None => content,
    };
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
