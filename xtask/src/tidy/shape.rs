//! What a file looks like: short, opened by a comment, finished, and at home on any machine.

use super::text::{has_word, without_comment};
use super::{File, Finding};

/// Lines of a source file.
const LONGEST: usize = 400;

/// Longer files, each with the reason why it is one thing all the same.
const LONGER: &[(&str, &str)] = &[];

// Written in two parts, so that these rules do not find themselves.
const LATER: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("HA", "CK"),
    concat!("db", "g!"),
    concat!("to", "do!"),
    concat!("unimple", "mented!"),
];
const MACHINE: &[(&str, &str)] = &[
    (concat!("registry.", "npmjs.org"), "a registry's host"),
    (concat!("registry.", "yarnpkg.com"), "a registry's host"),
    (concat!("index.", "crates.io"), "a registry's host"),
    (concat!("static.", "crates.io"), "a registry's host"),
    (concat!("static.", "rust-lang.org"), "a registry's host"),
    (concat!("proxy.", "golang.org"), "a registry's host"),
    (concat!("/", "root/"), "a path of one machine"),
    (concat!("/", "work/"), "a path of one machine"),
    (concat!("..", "/shared"), "a folder outside of the repository"),
];

/// A file is about one thing; one that grows long is about two.
pub(super) fn files_are_short(files: &[File]) -> Vec<Finding> {
    files
        .iter()
        .filter(|file| file.is(&[".rs", ".ts", ".tsx", ".css", ".mjs"]) && !file.is_generated())
        .filter(|file| !LONGER.iter().any(|(path, _)| *path == file.path))
        .filter_map(|file| {
            let lines = file.text.lines().count();
            (lines > LONGEST).then(|| {
                let message =
                    format!("{lines} lines, more than {LONGEST}: find the second thing in it and move it out");
                file.finding(0, message)
            })
        })
        .collect()
}

/// A file says first what it is for.
pub(super) fn files_open_with_a_comment(files: &[File]) -> Vec<Finding> {
    files
        .iter()
        .filter(|file| !file.is_generated())
        .filter_map(|file| {
            let openings: &[&str] = if file.is(&[".rs"]) {
                &["//!"]
            } else if file.is(&[".ts", ".tsx", ".mjs"]) {
                &["//", "/*"]
            } else if file.is(&[".css"]) {
                &["/*"]
            } else {
                return None;
            };
            let opened = openings.iter().any(|opening| file.text.starts_with(opening));
            (!opened).then(|| {
                file.finding(
                    1,
                    format!(
                        "open with `{}`: what the file is for, and what it leaves to others",
                        openings.join("` or `")
                    ),
                )
            })
        })
        .collect()
}

/// Nothing is left for later, and nothing is left over from looking for a mistake.
pub(super) fn nothing_left_for_later(files: &[File]) -> Vec<Finding> {
    files
        .iter()
        .filter(|file| file.is(&[".rs", ".ts", ".tsx", ".css", ".mjs", ".md", ".toml", ".html"]))
        .filter(|file| !file.below(&["contracts/"]))
        .flat_map(|file| {
            file.findings(|line| {
                let word = LATER.iter().find(|word| match word.strip_suffix('!') {
                    // A macro is code; its name in a comment or as a lint is not.
                    Some(name) => file.is(&[".rs"]) && has_macro(without_comment(line), name),
                    None => has_word(line, word),
                })?;
                Some(format!("`{word}`: do it now, or write it down where work is planned"))
            })
        })
        .collect()
}

fn has_macro(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(start, _)| {
        let before = code.get(..start).and_then(|text| text.chars().next_back());
        let after = code.get(start + name.len()..).unwrap_or_default();
        after.starts_with('!') && !before.is_some_and(|character| character.is_alphanumeric() || character == '_')
    })
}

/// A sentence that goes on in another line of its source goes on after one space: without the backslash at the end of the
/// line, the indentation becomes a part of it.
pub(super) fn sentences_have_no_gaps(files: &[File]) -> Vec<Finding> {
    let has_gap = |line: &str| line.trim().as_bytes().windows(3).any(|three| three == b"   ");
    files
        .iter()
        .filter(|file| file.is(&[".rs", ".ts", ".tsx"]))
        .filter(|file| file.below(&["core/src/", "native-host/src/", "web/src/"]) && !file.is_generated())
        .flat_map(|file| {
            file.findings(|line| {
                has_gap(without_comment(line)).then(|| "spaces in the middle of a line: a sentence has one".to_owned())
            })
        })
        .collect()
}

/// What is committed works on every machine: no registry, no absolute path, nothing outside of the repository.
pub(super) fn nothing_of_one_machine(files: &[File]) -> Vec<Finding> {
    files
        .iter()
        .filter(|file| !file.path.ends_with("Cargo.lock") && !file.below(&["contracts/"]))
        .flat_map(|file| {
            file.findings(|line| {
                let (text, what) = MACHINE.iter().find(|(text, _)| line.contains(text))?;
                Some(format!("`{text}` is {what}: use a name that holds on every machine"))
            })
        })
        .collect()
}

/// Every crate is held to the workspace's lints.
pub(super) fn crates_take_the_shared_lints(files: &[File]) -> Vec<Finding> {
    files
        .iter()
        .filter(|file| file.path.ends_with("Cargo.toml") && file.text.contains("[package]"))
        .filter(|file| !file.text.contains("[lints]\nworkspace = true"))
        .map(|file| file.finding(0, "add `[lints]` with `workspace = true`"))
        .collect()
}

/// A workspace of its own has the top folder's lints, word for word.
pub(super) fn lints_are_the_same_everywhere(files: &[File]) -> Vec<Finding> {
    let lints = |file: &File| {
        let (_, lints) = file.text.split_once("[workspace.lints.rust]\n")?;
        Some(lints.split("\n[profile").next().unwrap_or_default().trim().to_owned())
    };
    let Some(shared) = files.iter().find(|file| file.path == "Cargo.toml").and_then(lints) else {
        return Vec::new();
    };
    files
        .iter()
        .filter(|file| file.path.ends_with("/Cargo.toml") && file.text.contains("[workspace]\n"))
        .filter(|file| lints(file).as_ref() != Some(&shared))
        .map(|file| {
            file.finding(
                0,
                "copy `[workspace.lints.…]` from the top folder's Cargo.toml as it is",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{clean, found, of_all};
    use super::*;

    #[test]
    fn a_long_file() {
        found(files_are_short, "web/src/a.css", &"a\n".repeat(401), 0);
        clean(files_are_short, "web/src/a.css", &"a\n".repeat(400));
        clean(
            files_are_short,
            "web/src/a.ts",
            &("// Generated by a program.\n".to_owned() + &"a\n".repeat(401)),
        );
        clean(files_are_short, "docs/a.md", &"a\n".repeat(401));
    }

    #[test]
    fn a_file_without_an_opening() {
        found(files_open_with_a_comment, "core/src/a.rs", "use std::fmt;", 1);
        found(files_open_with_a_comment, "core/src/a.rs", "// not a doc comment", 1);
        found(files_open_with_a_comment, "web/src/a.tsx", "import x;", 1);
        found(files_open_with_a_comment, "web/src/a.css", ".a {}", 1);
        clean(files_open_with_a_comment, "core/src/a.rs", "//! What it is.");
        clean(files_open_with_a_comment, "web/src/a.tsx", "/** What it is. */");
        clean(files_open_with_a_comment, "docs/a.md", "# Title");
    }

    #[test]
    fn something_left_for_later() {
        for word in LATER {
            found(
                nothing_left_for_later,
                "core/src/a.rs",
                &format!("fn a() {{\n{word}(x);\n}}"),
                2,
            );
        }
        let word = concat!("TO", "DO");
        found(nothing_left_for_later, "README.md", &format!("{word}: write this"), 1);
        clean(nothing_left_for_later, "README.md", &format!("{word}S"));
        clean(
            nothing_left_for_later,
            "Cargo.toml",
            concat!("db", "g_macro = \"warn\""),
        );
    }

    #[test]
    fn something_of_one_machine() {
        for (text, _) in MACHINE {
            found(
                nothing_of_one_machine,
                "package-lock.json",
                &format!("\n\"x{text}y\""),
                2,
            );
        }
        clean(nothing_of_one_machine, "Cargo.lock", concat!("index.", "crates.io"));
        clean(nothing_of_one_machine, "docs/a.md", "/usr/bin/rustc and /home/you");
    }

    #[test]
    fn a_gap_in_a_sentence() {
        let sentence = "    \"Put it back; or              remove it.\",\n";
        found(sentences_have_no_gaps, "native-host/src/a.rs", sentence, 1);
        found(sentences_have_no_gaps, "web/src/a.tsx", sentence, 1);
        clean(sentences_have_no_gaps, "core/tests/a.rs", sentence);
        let commented = "        \"Put it back; or \\\n         remove it.\", // a    b\n";
        clean(sentences_have_no_gaps, "core/src/a.rs", commented);
    }

    #[test]
    fn a_crate_without_the_lints() {
        found(
            crates_take_the_shared_lints,
            "core/Cargo.toml",
            "[package]\nname = \"a\"\n",
            0,
        );
        clean(
            crates_take_the_shared_lints,
            "core/Cargo.toml",
            "[package]\n\n[lints]\nworkspace = true\n",
        );
        clean(crates_take_the_shared_lints, "Cargo.toml", "[workspace]\n");
    }

    #[test]
    fn a_workspace_with_lints_of_its_own() {
        let top = "[workspace]\n\n[workspace.lints.rust]\na = \"warn\"\n\n[workspace.lints.clippy]\nb = \"warn\"\n\n[profile.dev]\n";
        let found = |other: &str| {
            of_all(
                lints_are_the_same_everywhere,
                &[
                    ("Cargo.toml", top),
                    ("examples/Cargo.toml", other),
                    ("core/Cargo.toml", "[package]\n"),
                ],
            )
        };
        assert!(found(&top.replace("[profile.dev]", "[profile.release]")).is_empty());
        assert_eq!(found(&top.replace("a = \"warn\"", "a = \"allow\"")).len(), 1);
        assert_eq!(found("[workspace]\nmembers = []\n").len(), 1);
    }
}
