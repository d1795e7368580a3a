//! What lists and data must keep: codes in use, vectors that can be read, versions that are pinned, values with a type.

use serde_json::Value;

use super::text::without_comment;
use super::{File, Finding};

const CATALOGUE: &str = "core/src/code.rs";

/// Each code of the catalogue is given somewhere: one that nothing gives is a promise nobody keeps.
pub(super) fn every_code_is_used(files: &[File]) -> Vec<Finding> {
    let Some(catalogue) = files.iter().find(|file| file.path == CATALOGUE) else {
        return Vec::new();
    };
    catalogue.findings(|line| {
        let (variant, text) = line.trim_start().split_once(" = \"mcp.")?;
        let used = format!("Code::{variant}");
        let is_used = |text: &str| {
            text.match_indices(&used).any(|(start, _)| {
                let after = text.get(start + used.len()..).and_then(|rest| rest.chars().next());
                !after.is_some_and(|character| character.is_alphanumeric() || character == '_')
            })
        };
        let sources = files
            .iter()
            .filter(|file| file.below(&["core/src/", "native-host/src/"]) && file.path != CATALOGUE);
        if sources.into_iter().any(|file| is_used(&file.text)) {
            return None;
        }
        let code = text.split('"').next().unwrap_or_default();
        Some(format!(
            "nothing gives `mcp.{code}`: use {used}, or take it out of the catalogue"
        ))
    })
}

/// Vectors are JSON.
pub(super) fn vectors_are_json(files: &[File]) -> Vec<Finding> {
    files
        .iter()
        .filter(|file| file.below(&["tests/vectors/"]) && file.is(&[".json"]))
        .filter_map(|file| {
            let error = serde_json::from_str::<Value>(&file.text).err()?;
            Some(file.finding(error.line(), format!("no JSON: {error}")))
        })
        .collect()
}

/// npm packages are named by one version each.
pub(super) fn npm_versions_are_pinned(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.is(&["package.json"])) {
        let manifest: Value = match serde_json::from_str(&file.text) {
            Ok(manifest) => manifest,
            Err(error) => {
                findings.push(file.finding(error.line(), format!("no JSON: {error}")));
                continue;
            }
        };
        for kind in ["dependencies", "devDependencies", "optionalDependencies"] {
            let packages = manifest.get(kind).and_then(Value::as_object).into_iter().flatten();
            for (package, version) in packages {
                let version = version.as_str().unwrap_or_default();
                let pinned = version.starts_with(|first: char| first.is_ascii_digit())
                    && version
                        .chars()
                        .all(|character| character.is_ascii_alphanumeric() || ".-+".contains(character))
                    && !version.contains(".x");
                if !pinned {
                    findings.push(file.finding(0, format!("`{package}` is at \"{version}\": name one exact version")));
                }
            }
        }
    }
    findings
}

/// TypeScript says what each value is.
pub(super) fn the_page_has_no_untyped_value(files: &[File]) -> Vec<Finding> {
    files
        .iter()
        .filter(|file| {
            file.below(&["web/", "tests/browser/", "examples/chat/"])
                && file.is(&[".ts", ".tsx"])
                && !file.is_generated()
        })
        .flat_map(|file| {
            file.findings(|line| {
                if line.contains("@ts-ignore") || line.contains("@ts-nocheck") {
                    return Some("the type check is not turned off; give the value its type".to_owned());
                }
                has_any(without_comment(line))
                    .then(|| "`any` turns the type check off: name the type, or take `unknown` and look".to_owned())
            })
        })
        .collect()
}

/// Whether `any` stands where a type does: after a sign or word that a type follows, and before one that ends it.
fn has_any(code: &str) -> bool {
    code.match_indices("any").any(|(start, word)| {
        let before = code.get(..start).unwrap_or_default();
        let after = code.get(start + word.len()..).unwrap_or_default();
        if before.ends_with(char::is_alphanumeric) {
            return false;
        }
        let before = before.trim_end_matches([' ', '(']);
        let last_word = before.rsplit(|character: char| !character.is_alphabetic()).next();
        let opens = before.ends_with([':', '<', '|', '&', ',', '='])
            || before.ends_with("=>")
            || last_word.is_some_and(|word| ["as", "is", "extends", "satisfies"].contains(&word));
        let ends = match after.trim_start().chars().next() {
            Some(character) => "=|&),>];[}".contains(character),
            None => true,
        };
        opens && ends
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{clean, found, of_all};
    use super::*;

    #[test]
    fn a_code_that_nothing_gives() {
        let catalogue = (
            CATALOGUE,
            "codes! {\n    ServerLimit = \"mcp.server_limit\", \"Meaning.\";\n}",
        );
        let found = of_all(
            every_code_is_used,
            &[catalogue, ("core/src/a.rs", "Code::ServerLimitOther")],
        );
        assert!(
            found.len() == 1
                && found
                    .iter()
                    .all(|text| text.starts_with("2: ") && text.contains("mcp.server_limit")),
            "{found:?}"
        );
        let used = of_all(
            every_code_is_used,
            &[catalogue, ("native-host/src/a.rs", "Code::ServerLimit,")],
        );
        assert!(used.is_empty(), "{used:?}");
        let only_tested = of_all(
            every_code_is_used,
            &[catalogue, ("core/tests/a.rs", "Code::ServerLimit,")],
        );
        assert_eq!(only_tested.len(), 1);
    }

    #[test]
    fn a_vector_that_is_no_json() {
        found(vectors_are_json, "tests/vectors/a/b.json", "{\n\"a\": 1,\n}", 3);
        clean(vectors_are_json, "tests/vectors/a/b.json", "{\"a\": 1}");
        clean(vectors_are_json, "tests/vectors/README.md", "{");
    }

    #[test]
    fn a_version_that_moves() {
        for version in ["^1.2.3", "~1.2.3", "*", ">=1", "1.x", "latest", ""] {
            let text = format!("{{\"dependencies\": {{\"a\": \"{version}\"}}}}");
            found(npm_versions_are_pinned, "web/package.json", &text, 0);
        }
        clean(
            npm_versions_are_pinned,
            "web/package.json",
            "{\"devDependencies\": {\"a\": \"1.2.3-beta.1\"}}",
        );
        found(npm_versions_are_pinned, "package.json", "{", 1);
    }

    #[test]
    fn a_value_without_a_type() {
        for code in [
            "let a: any = 1;",
            "f(x as any)",
            "Array<any>",
            "let a: any[] = []",
            "type A = B | any;",
            "(a: any) => a",
            "Record<string, any>",
        ] {
            found(the_page_has_no_untyped_value, "web/src/a.ts", code, 1);
        }
        found(the_page_has_no_untyped_value, "web/src/a.ts", "// @ts-ignore", 1);
        for code in [
            "// takes any: value",
            "<p>There is not any server.</p>",
            "let company: string;",
            "x.many(a, anything)",
            "let a: anyone",
        ] {
            clean(the_page_has_no_untyped_value, "web/src/a.tsx", code);
        }
    }
}
