//! Quotes: what a document shows of a source file is what the file has.

use super::{File, Finding};

const MARK: &str = "<!-- from: ";

/// A code block behind `<!-- from: PATH -->` stands in that file as it is: line by line, at any indentation, and in comments
/// too.
pub(super) fn quotes_are_current(files: &[File]) -> Vec<Finding> {
    files
        .iter()
        .filter(|file| file.is(&[".md"]))
        .flat_map(|document| {
            let lines: Vec<&str> = document.text.lines().collect();
            let marks = lines.iter().enumerate().filter_map(|(index, line)| {
                let path = line.strip_prefix(MARK)?.strip_suffix(" -->")?;
                let rest = lines.get(index + 1..).unwrap_or_default();
                let problem = check(files, path, rest)?;
                Some(document.finding(index + 1, problem))
            });
            marks.collect::<Vec<_>>()
        })
        .collect()
}

fn check(files: &[File], path: &str, rest: &[&str]) -> Option<String> {
    let Some(source) = files.iter().find(|file| file.path == path) else {
        return Some(format!("there is no {path} to quote from"));
    };
    let block = match rest.split_first() {
        Some((fence, rest)) if fence.starts_with("```") => rest,
        _ => return Some("no code block follows the mark of a quote".to_owned()),
    };
    let quoted: Vec<&str> = block
        .iter()
        .take_while(|line| !line.starts_with("```"))
        .map(|line| line.trim())
        .collect();
    let source: Vec<&str> = source.text.lines().map(plain).collect();
    let is_there =
        quoted.iter().any(|line| !line.is_empty()) && source.windows(quoted.len()).any(|lines| lines == quoted);
    (!is_there).then(|| format!("{path} has no such lines (any more): quote them as they are"))
}

/// A line without its indentation, and without the sign of a doc comment.
fn plain(line: &str) -> &str {
    let line = line.trim();
    let comment = line.strip_prefix("//!").or_else(|| line.strip_prefix("///"));
    comment.map_or(line, str::trim)
}

#[cfg(test)]
mod tests {
    use super::super::testing::of_all;
    use super::*;

    fn findings(document: &str) -> Vec<String> {
        let source = "//! What it is.\n//!\n//! ```\n//! use_it();\n//! ```\n\nfn a() {\n    b();\n    c();\n}\n";
        of_all(quotes_are_current, &[("docs/a.md", document), ("src/a.rs", source)])
    }

    #[test]
    fn a_quote_that_is_current() {
        for quote in ["fn a() {\n    b();", "b();\nc();", "use_it();", "}"] {
            let document = format!("# A\n\n<!-- from: src/a.rs -->\n```rust,ignore\n{quote}\n```\nmore\n");
            assert!(findings(&document).is_empty(), "{quote}");
        }
        assert!(findings("```rust\nanything();\n```\n").is_empty());
    }

    #[test]
    fn a_quote_that_is_not() {
        for quote in ["b();\nd();", "a() {", "b();\n\nc();", ""] {
            let document = format!("# A\n\n<!-- from: src/a.rs -->\n```rust\n{quote}\n```\n");
            let found = findings(&document);
            assert!(
                found.len() == 1 && found.iter().all(|text| text.starts_with("3: src/a.rs has")),
                "{found:?}"
            );
        }
        assert_eq!(
            findings("<!-- from: src/b.rs -->\n```\n}\n```\n"),
            ["1: there is no src/b.rs to quote from"]
        );
        assert_eq!(
            findings("<!-- from: src/a.rs -->\n\n```\n}\n```\n"),
            ["1: no code block follows the mark of a quote"]
        );
    }
}
