//! `cargo xtask tidy`: the invariants of ARCHITECTURE.md and the rules of the house, as tests over the sources' text.
//!
//! A rule is a function from all files to what it finds. It says what to do, not only what is wrong.

mod boundaries;
mod data;
mod shape;
mod text;

use std::fs;

use anyhow::{Result, bail};

use crate::process::{command, output};
use crate::root::root;

/// A file of the repository.
#[derive(Clone, Debug)]
pub(crate) struct File {
    /// The path from the top folder, with `/`.
    path: String,
    /// The content.
    text: String,
}

/// Something a rule does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The file.
    path: String,
    /// The line, counted from 1; 0 for the file as a whole.
    line: usize,
    /// What is wrong and what to do.
    message: String,
}

type Rule = fn(&[File]) -> Vec<Finding>;

const RULES: &[Rule] = &[
    boundaries::sdk_stays_in_its_module,
    boundaries::core_is_pure,
    boundaries::javascript_stays_in_the_wasm_face,
    boundaries::no_unchecked_code,
    shape::files_are_short,
    shape::files_open_with_a_comment,
    shape::nothing_left_for_later,
    shape::nothing_of_one_machine,
    shape::crates_take_the_shared_lints,
    data::every_code_is_used,
    data::vectors_are_json,
    data::npm_versions_are_pinned,
    data::the_page_has_no_untyped_value,
];

/// Applies every rule to the repository.
pub(crate) fn check() -> Result<()> {
    let files = load()?;
    let findings: Vec<Finding> = RULES.iter().flat_map(|rule| rule(&files)).collect();
    for finding in &findings {
        match finding.line {
            0 => eprintln!("{}: {}", finding.path, finding.message),
            line => eprintln!("{}:{line}: {}", finding.path, finding.message),
        }
    }
    if findings.is_empty() {
        return Ok(());
    }
    bail!("tidy: {} findings", findings.len())
}

impl File {
    /// Whether the file's name ends in one of these, such as `.rs`.
    fn is(&self, endings: &[&str]) -> bool {
        endings.iter().any(|ending| self.path.ends_with(ending))
    }

    /// Whether the file lies in a folder, such as `core/src/`, or is the file.
    fn below(&self, folders: &[&str]) -> bool {
        folders.iter().any(|folder| self.path.starts_with(folder))
    }

    /// Whether a program wrote the file.
    fn is_generated(&self) -> bool {
        self.path.contains("/generated/") || self.is(&["Cargo.lock", "package-lock.json"])
    }

    /// A finding at each line for which `message` has one.
    fn findings(&self, message: impl Fn(&str) -> Option<String>) -> Vec<Finding> {
        let lines = self.text.lines().enumerate();
        lines
            .filter_map(|(index, line)| Some(self.finding(index + 1, message(line)?)))
            .collect()
    }

    fn finding(&self, line: usize, message: impl Into<String>) -> Finding {
        Finding {
            path: self.path.clone(),
            line,
            message: message.into(),
        }
    }
}

/// Every text file that is tracked, or would be.
fn load() -> Result<Vec<File>> {
    let list = output(command("git").args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]))?;
    let mut files = Vec::new();
    for path in list.split('\0').filter(|path| !path.is_empty()) {
        // A file that is deleted but not yet committed so is no file; one that is no text has no rule.
        if let Ok(text) = fs::read_to_string(root().join(path)) {
            files.push(File {
                path: path.to_owned(),
                text,
            });
        }
    }
    Ok(files)
}

#[cfg(test)]
mod testing {
    use super::{File, Rule};

    /// What a rule says of one made-up file, as `line: message` each.
    pub(super) fn of(rule: Rule, path: &str, text: &str) -> Vec<String> {
        of_all(rule, &[(path, text)])
    }

    /// The same of several files.
    pub(super) fn of_all(rule: Rule, files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<File> = files
            .iter()
            .map(|(path, text)| File {
                path: (*path).to_owned(),
                text: (*text).to_owned(),
            })
            .collect();
        rule(&files)
            .into_iter()
            .map(|finding| format!("{}: {}", finding.line, finding.message))
            .collect()
    }

    /// Fails unless the rule finds something at this line of a made-up file, and nothing else.
    #[track_caller]
    pub(super) fn found(rule: Rule, path: &str, text: &str, line: usize) {
        let findings = of(rule, path, text);
        assert!(
            findings.len() == 1 && findings.iter().all(|finding| finding.starts_with(&format!("{line}: "))),
            "expected one finding at line {line} of {path}, got {findings:?}"
        );
    }

    /// Fails where the rule finds anything in a made-up file.
    #[track_caller]
    pub(super) fn clean(rule: Rule, path: &str, text: &str) {
        let findings = of(rule, path, text);
        assert!(findings.is_empty(), "{path}: {findings:?}");
    }
}
