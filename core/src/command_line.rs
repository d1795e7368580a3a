//! Commands: the file name a list may show, and whole command lines that someone put where a program belongs.

use serde::Serialize;

/// How a command line would be written as command and args.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CommandSplit {
    /// The program.
    pub command: String,
    /// What was written after it.
    pub args: Vec<String>,
}

/// Arguments are secrets.
impl std::fmt::Debug for CommandSplit {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("CommandSplit")
            .field("args", &self.args.len())
            .finish_non_exhaustive()
    }
}

/// The file name of a command: what follows the last separator of any system. Where the command has white space, only
/// its first word counts, because what follows may be arguments; except a Windows path that ends in a program's
/// extension, which is one path.
pub(crate) fn file_name(command: &str) -> &str {
    let command = command.trim();
    let program = if is_windows_program(command) {
        command
    } else {
        command.split_whitespace().next().unwrap_or(command)
    };
    program
        .rsplit(['/', '\\'])
        .find(|part| !part.is_empty())
        .unwrap_or(program)
}

/// How to write a command that looks like a whole command line as program and arguments; `None` where it looks like a
/// program, a path with spaces in it included. Quotes group words as in a shell; nothing else of a shell's language is
/// read.
pub fn suggested_split(command: &str) -> Option<CommandSplit> {
    let command = command.trim();
    if !command.contains(char::is_whitespace) || is_windows_program(command) {
        return None;
    }
    let mut words = split_words(command)?.into_iter();
    let program = words.next().filter(|program| !program.is_empty())?;
    let args: Vec<String> = words.collect();
    if args.is_empty() || is_path_with_spaces(&program, &args) {
        return None;
    }
    Some(CommandSplit { command: program, args })
}

/// `C:\Program Files\nodejs\npx.cmd`: from the drive to the extension one path.
fn is_windows_program(command: &str) -> bool {
    let mut start = command.chars();
    let drive = start.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && start.next() == Some(':')
        && matches!(start.next(), Some('\\' | '/'));
    let lowercase = command.to_ascii_lowercase();
    let is_program = |word: &str| {
        [".exe", ".cmd", ".bat", ".com", ".ps1"]
            .iter()
            .any(|extension| word.ends_with(extension))
    };
    let mut words = lowercase.split_whitespace().rev();
    drive
        && !lowercase.contains('"')
        && words.next().is_some_and(is_program)
        && words.all(|word| !is_program(word) && !word.starts_with(['-', '/']))
}

/// `/opt/my app/run`: the first word begins a path, a later one goes on with it, and none looks like an argument.
fn is_path_with_spaces(program: &str, args: &[String]) -> bool {
    let begins = program.starts_with(['/', '~', '.', '\\']) && program.contains(['/', '\\']);
    let goes_on = args.iter().any(|word| word.contains(['/', '\\']));
    let argument = args
        .iter()
        .any(|word| word.starts_with(['-', '/', '.', '~', '@']) || word.contains(['=', ':', '?', '@']));
    begins && goes_on && !argument
}

/// The words of a command line; `None` where a quote is not closed.
fn split_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in text.chars() {
        match quote {
            Some(mark) if character == mark => quote = None,
            None if matches!(character, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            None if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}
