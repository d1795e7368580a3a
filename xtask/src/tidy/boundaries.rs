//! Who may use what: the invariants that keep the pieces apart.

use super::text::{has_word, without_comment};
use super::{File, Finding};

// Written in two parts, so that these rules do not find themselves.
const SDK: &str = concat!("rm", "cp");
const UNCHECKED: &str = concat!("un", "safe");

/// Of the product, the host's `mcp` module alone names the MCP SDK; everything else sees the traits of that module. The
/// tests have a server on it.
pub(super) fn sdk_stays_in_its_module(files: &[File]) -> Vec<Finding> {
    files
        .iter()
        .filter(|file| file.is(&[".rs", ".ts", ".tsx", ".mjs", ".css"]))
        .filter(|file| {
            !file.below(&[
                "native-host/src/mcp/",
                "native-host/src/mcp.rs",
                "tests/real-servers/",
                "tests/torture/",
            ])
        })
        .flat_map(|file| {
            file.findings(|line| {
                has_word(line, SDK)
                    .then(|| format!("`{SDK}` is named outside of native-host/src/mcp/; go through the traits there"))
            })
        })
        .collect()
}

/// The core knows no file, socket, process, clock, randomness, environment variable or thread, and nothing in it waits.
pub(super) fn core_is_pure(files: &[File]) -> Vec<Finding> {
    const FORBIDDEN: &[&str] = &[
        "std::fs",
        "std::net",
        "std::process",
        "std::time",
        "std::env",
        "std::thread",
        "std::io",
        "tokio",
        "getrandom",
        "reqwest",
        "new_v4",
        "async",
    ];
    files
        .iter()
        .filter(|file| file.below(&["core/src/"]) && file.is(&[".rs"]) || file.path == "core/Cargo.toml")
        .flat_map(|file| {
            file.findings(|line| {
                let code = without_comment(line);
                // What a manifest says about a package is a sentence, not a use.
                if file.path == "core/Cargo.toml" && code.trim_start().starts_with("description") {
                    return None;
                }
                let word = FORBIDDEN.iter().find(|word| has_word(code, word))?;
                Some(format!(
                    "the core does not use `{word}`: take the value as a parameter, and let the host get it"
                ))
            })
        })
        .collect()
}

/// JavaScript is known in the core's wasm face alone.
pub(super) fn javascript_stays_in_the_wasm_face(files: &[File]) -> Vec<Finding> {
    const FORBIDDEN: &[&str] = &["wasm_bindgen", "js_sys", "serde_wasm_bindgen", "JsValue"];
    files
        .iter()
        .filter(|file| file.is(&[".rs"]) && file.below(&["core/src/", "native-host/", "tests/kit/"]))
        .filter(|file| !file.below(&["core/src/wasm.rs", "core/src/wasm/"]))
        .flat_map(|file| {
            file.findings(|line| {
                let word = FORBIDDEN.iter().find(|word| has_word(without_comment(line), word))?;
                Some(format!(
                    "`{word}` belongs in core/src/wasm, which converts and calls; keep the rule itself free of it"
                ))
            })
        })
        .collect()
}

/// No code that the compiler cannot check, not even behind an `allow`.
pub(super) fn no_unchecked_code(files: &[File]) -> Vec<Finding> {
    files
        .iter()
        .filter(|file| file.is(&[".rs"]))
        .flat_map(|file| {
            file.findings(|line| {
                let code = without_comment(line);
                // A word in a text, such as a header's value, is no code.
                let quoted = code
                    .split_once('"')
                    .is_some_and(|(before, _)| !has_word(before, UNCHECKED));
                (has_word(code, UNCHECKED) && !quoted)
                    .then(|| format!("`{UNCHECKED}` is not used here; find a crate that wraps the call"))
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{clean, found};
    use super::*;

    #[test]
    fn the_sdk_outside_its_module() {
        let text = format!("use {SDK}::model::Tool;\n");
        found(sdk_stays_in_its_module, "native-host/src/service/discover.rs", &text, 1);
        found(
            sdk_stays_in_its_module,
            "web/src/app.tsx",
            &format!("\n// as {SDK} does"),
            2,
        );
        clean(sdk_stays_in_its_module, "native-host/src/mcp/client.rs", &text);
        clean(sdk_stays_in_its_module, "native-host/Cargo.toml", &text);
        clean(
            sdk_stays_in_its_module,
            "native-host/src/main.rs",
            "RmcpConnector::new()",
        );
    }

    #[test]
    fn the_outside_world_in_the_core() {
        found(core_is_pure, "core/src/a.rs", "\nuse std::fs::File;\n", 2);
        found(core_is_pure, "core/src/a.rs", "let id = Uuid::new_v4();", 1);
        found(core_is_pure, "core/src/a.rs", "pub async fn wait() {}", 1);
        found(core_is_pure, "core/Cargo.toml", "tokio.workspace = true", 1);
        clean(core_is_pure, "core/src/a.rs", "// no std::fs here\nuse std::fmt;\n");
        clean(core_is_pure, "core/Cargo.toml", "description = \"No async.\"");
        clean(core_is_pure, "core/tests/a.rs", "use std::fs;");
    }

    #[test]
    fn javascript_outside_the_face() {
        found(
            javascript_stays_in_the_wasm_face,
            "core/src/a.rs",
            "use wasm_bindgen::prelude::*;",
            1,
        );
        found(
            javascript_stays_in_the_wasm_face,
            "native-host/src/a.rs",
            "fn a(b: JsValue) {}",
            1,
        );
        clean(
            javascript_stays_in_the_wasm_face,
            "core/src/wasm.rs",
            "use js_sys::Array;",
        );
        clean(
            javascript_stays_in_the_wasm_face,
            "core/src/wasm/schema.rs",
            "use js_sys::Array;",
        );
    }

    #[test]
    fn unchecked_code() {
        found(
            no_unchecked_code,
            "core/src/a.rs",
            &format!("    {UNCHECKED} {{ *p }}"),
            1,
        );
        found(
            no_unchecked_code,
            "xtask/src/a.rs",
            &format!("{UNCHECKED} fn a() {{ \"text\" }}"),
            1,
        );
        clean(
            no_unchecked_code,
            "native-host/src/a.rs",
            &format!("\"'wasm-{UNCHECKED}-eval'\""),
        );
        clean(
            no_unchecked_code,
            "native-host/src/a.rs",
            &format!("// {UNCHECKED} is forbidden"),
        );
        clean(
            no_unchecked_code,
            "native-host/src/a.rs",
            &format!("#![forbid({UNCHECKED}_code)]"),
        );
    }
}
