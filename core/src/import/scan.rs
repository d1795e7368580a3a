//! One pass over the text before it is parsed: it refuses what the parser would let through although it is not JSON,
//! or what would cost it the stack, and sees what will be passed over.

use crate::{Code, Diagnostic, Reason, ReasonCase};

/// Levels of nesting that are read. A server's configuration has four; the bound keeps a hostile text from using up
/// the stack, which is small in WebAssembly.
const DEEPEST: usize = 64;

/// What is wrong at a place of the text, in bytes from its beginning.
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) code: Code,
    pub(super) case: Option<ReasonCase>,
    pub(super) message: &'static str,
}

/// What was passed over because it is no strict JSON.
#[derive(Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "four independent facts, not a state")]
pub(super) struct Leniencies {
    pub(super) byte_order_mark: bool,
    pub(super) fence: bool,
    pub(super) comments: bool,
    pub(super) trailing_commas: bool,
}

impl Leniencies {
    /// The one note about them; `None` where the text was strict JSON.
    pub(super) fn note(self) -> Option<Diagnostic> {
        let all = [
            (self.byte_order_mark, "byte_order_mark", "a byte order mark"),
            (self.fence, "fence", "a Markdown fence"),
            (self.comments, "comments", "comments"),
            (self.trailing_commas, "trailing_commas", "trailing commas"),
        ];
        let passed_over: Vec<_> = all.iter().filter(|(is, ..)| *is).collect();
        let words: Vec<_> = passed_over.iter().map(|(.., words)| *words).collect();
        (!passed_over.is_empty()).then(|| {
            Diagnostic::new(
                Code::ImportJsonRelaxed,
                format!("The text is not strict JSON; passed over: {}.", words.join(", ")),
            )
            .because(Reason {
                case: ReasonCase::PassedOver,
                names: passed_over.iter().map(|(_, name, _)| (*name).to_owned()).collect(),
            })
        })
    }
}

/// Checks strings, white space, characters outside strings, and depth.
pub(super) fn scan(body: &str, leniencies: &mut Leniencies) -> Result<(), Fault> {
    let mut depth = 0_usize;
    let mut last_was_comma = false;
    let mut characters = body.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            ' ' | '\t' | '\n' | '\r' => continue,
            '/' => match characters.peek() {
                Some((_, '/')) => {
                    leniencies.comments = true;
                    while characters
                        .next_if(|(_, character)| !matches!(character, '\n' | '\r'))
                        .is_some()
                    {}
                    continue;
                }
                Some((_, '*')) => {
                    leniencies.comments = true;
                    characters.next();
                    block_comment(&mut characters, at)?;
                    continue;
                }
                _ => {}
            },
            '"' => string(&mut characters, at)?,
            '{' | '[' => {
                depth += 1;
                if depth > DEEPEST {
                    return Err(Fault {
                        at,
                        code: Code::ImportJsonTooDeep,
                        case: None,
                        message: "The JSON is nested deeper than 64 levels; a server's configuration needs four.",
                    });
                }
            }
            '}' | ']' => {
                leniencies.trailing_commas |= last_was_comma;
                depth = depth.saturating_sub(1);
            }
            _ => {
                if let Some((case, message)) = stray(character) {
                    return Err(Fault {
                        at,
                        code: Code::ImportJsonInvalid,
                        case: Some(case),
                        message,
                    });
                }
            }
        }
        last_was_comma = character == ',';
    }
    Ok(())
}

type Characters<'text> = std::iter::Peekable<std::str::CharIndices<'text>>;

fn block_comment(characters: &mut Characters<'_>, start: usize) -> Result<(), Fault> {
    while let Some((_, character)) = characters.next() {
        if character == '*' && characters.next_if(|(_, next)| *next == '/').is_some() {
            return Ok(());
        }
    }
    Err(Fault {
        at: start,
        code: Code::ImportJsonInvalid,
        case: Some(ReasonCase::CommentOpen),
        message: "The comment that begins here is never closed with */.",
    })
}

fn string(characters: &mut Characters<'_>, start: usize) -> Result<(), Fault> {
    let fault = |at, case, message| {
        Err(Fault {
            at,
            code: Code::ImportJsonInvalid,
            case: Some(case),
            message,
        })
    };
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Ok(()),
            '\\' => {
                // What may follow is the parser's to say, save that it is no control character.
                characters.next_if(|(_, next)| *next >= ' ');
            }
            '\n' | '\r' => {
                return fault(
                    start,
                    ReasonCase::TextOpen,
                    "The text that begins with this double quote is not closed on its line; write a line break in a text as \\n.",
                );
            }
            '\u{0}'..='\u{1f}' => {
                return fault(
                    at,
                    ReasonCase::CharacterInvalid,
                    "A control character stands in this text; JSON writes it as an escape, such as \\t or \\u0000.",
                );
            }
            _ => {}
        }
    }
    fault(
        start,
        ReasonCase::TextOpen,
        "The text that begins with this double quote is never closed.",
    )
}

/// Why a character cannot stand outside a string; `None` for what the parser will judge.
fn stray(character: char) -> Option<(ReasonCase, &'static str)> {
    Some(match character {
        '\'' | '`' => (
            ReasonCase::QuotesInvalid,
            "JSON uses double quotes, not single ones or backticks.",
        ),
        '\u{201c}'..='\u{201f}' | '\u{2018}'..='\u{201b}' | '\u{ab}' | '\u{bb}' | '\u{ff02}' | '\u{ff07}' => (
            ReasonCase::QuotesInvalid,
            "This is a typographic quote; JSON uses the straight double quote \".",
        ),
        '\u{ff0c}' | '\u{3001}' => (
            ReasonCase::FullWidth,
            "This is a full-width comma; JSON uses the plain one.",
        ),
        '\u{ff1a}' => (
            ReasonCase::FullWidth,
            "This is a full-width colon; JSON uses the plain one.",
        ),
        '\u{feff}' => (
            ReasonCase::CharacterInvalid,
            "An invisible byte order mark stands here; remove it.",
        ),
        _ if character.is_whitespace() => (
            ReasonCase::CharacterInvalid,
            "An unusual white-space character stands here; JSON knows space, tab and line break. Type it anew.",
        ),
        _ if character.is_control() => (
            ReasonCase::CharacterInvalid,
            "A control character stands here, which JSON does not allow.",
        ),
        _ if !character.is_ascii() => (
            ReasonCase::CharacterInvalid,
            "Outside double quotes this character does not belong in JSON.",
        ),
        _ => return None,
    })
}
