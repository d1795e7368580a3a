//! Looking for words in source text. Enough for the rules of this folder; no parser.

/// Whether a word stands in a line: not as a part of a longer name. A hyphen is a part of a name, as in CSS and HTTP.
pub(super) fn has_word(line: &str, word: &str) -> bool {
    let part_of_name = |character: char| character.is_alphanumeric() || character == '_' || character == '-';
    line.match_indices(word).any(|(start, _)| {
        let before = line.get(..start).and_then(|text| text.chars().next_back());
        let after = line.get(start + word.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(part_of_name) && !after.is_some_and(part_of_name)
    })
}

/// A line without its `//` comment. A `//` that follows a colon is taken for a URL's.
pub(super) fn without_comment(line: &str) -> &str {
    let comment = line
        .match_indices("//")
        .find(|(start, _)| !line.get(..*start).is_some_and(|before| before.ends_with(':')));
    comment.and_then(|(start, _)| line.get(..start)).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_no_part_of_a_name() {
        assert!(has_word("use tokio::fs", "tokio"));
        assert!(has_word("tokio", "tokio"));
        assert!(!has_word("tokio_util", "tokio"));
        assert!(!has_word("my-tokio", "tokio"));
        assert!(has_word("tokio_util and tokio", "tokio"));
    }

    #[test]
    fn comments_go_and_urls_stay() {
        assert_eq!(without_comment("let a = 1; // one"), "let a = 1; ");
        assert_eq!(without_comment("\"https://a.example\""), "\"https://a.example\"");
        assert_eq!(without_comment("//! all"), "");
    }
}
