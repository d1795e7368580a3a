//! Import on texts nobody wrote: every vector's text cut short, changed and spliced. What must hold of each is the property
//! that the fuzz target checks, too.

// Tests say what they expect by failing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(not(target_arch = "wasm32"))]

#[path = "support/random.rs"]
mod random;

use serde_json::Value;
use toolgate_core::import::add_one;
use toolgate_core::{Limits, mask};
use toolgate_properties::core::import::text as check;

use random::Random;

/// The texts of the vectors that are written out and not long.
fn texts() -> Vec<String> {
    let mut files: Vec<_> = ["import", "import_many"]
        .iter()
        .flat_map(|group| {
            std::fs::read_dir(format!("{}/../tests/vectors/{group}", env!("CARGO_MANIFEST_DIR"))).unwrap()
        })
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let mut texts = Vec::new();
    for file in files {
        let vectors: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let cases = vectors["cases"].as_array().unwrap();
        texts.extend(
            cases
                .iter()
                .filter_map(|case| case["input"]["text"].as_str())
                .map(str::to_owned),
        );
    }
    assert!(texts.len() > 100, "the vectors are there");
    texts
}

#[test]
fn texts_cut_anywhere() {
    for text in texts() {
        for (end, _) in text.char_indices() {
            check(&text[..end]);
            check(&text[end..]);
        }
        check(&text);
    }
}

#[test]
fn texts_changed_anywhere() {
    let texts = texts();
    let pieces = [
        "\"",
        "'",
        "\\",
        "\\u",
        "\\ud83e",
        "\\udd80",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "/",
        "//",
        "/*",
        "*/",
        "\n",
        "\r",
        "\t",
        " ",
        "\u{a0}",
        "\u{feff}",
        "\u{2028}",
        "\u{0}",
        "\u{7f}",
        "0",
        "-",
        "+",
        ".",
        "e",
        "x",
        "1e5",
        "-0",
        "00",
        "true",
        "null",
        "nul",
        "NaN",
        "Infinity",
        "-Infinity",
        "\"a\":",
        "```",
        "```\n",
        "\n```",
        "~~~",
        "é",
        "搜",
        "🦀",
        "“",
        "”",
        "#",
        "\"url\":",
        "\"command\":",
        "\"mcpServers\":",
        "\"type\":",
        "{{DSH_MCP_SAVED:",
    ];
    let mut choices = Random::new(0x5eed_0001);
    for _ in 0..20_000 {
        let mut text: Vec<char> = texts[choices.below(texts.len())].chars().collect();
        for _ in 0..=choices.below(4) {
            let at = choices.below(text.len() + 1);
            let length = choices.below(4).min(text.len() - at);
            let piece = if choices.below(8) == 0 {
                let other: Vec<char> = texts[choices.below(texts.len())].chars().collect();
                let from = choices.below(other.len() + 1);
                other[from..].iter().take(20).copied().collect()
            } else {
                pieces[choices.below(pieces.len())].to_owned()
            };
            text.splice(at..at + length, piece.chars());
        }
        check(&text.into_iter().collect::<String>());
    }
}

#[test]
fn many_diagnostics_in_one_line_take_no_time() {
    let doubled = format!("{{{}}}", vec![r#""a":1"#; 200_000].join(","));
    assert_eq!(add_one(&doubled, &Limits::default()).errors.len(), 199_999);

    let headers: Vec<String> = (0..100_000).map(|number| format!(r#""x{number}":"""#)).collect();
    let text = format!(
        r#"{{"url":"https://example.com/","headers":{{{}}}}}"#,
        headers.join(",")
    );
    assert!(add_one(&text, &Limits::default()).server.is_some());

    // As many errors that come with a path in the configuration.
    let placeholders = vec![r#""{{DSH_MCP_SAVED:args%2F0}}""#; 50_000].join(",");
    let preview = add_one(
        &format!(r#"{{"command":"a","args":[{placeholders}]}}"#),
        &Limits::default(),
    );
    assert_eq!(preview.errors.len(), 50_000);
    assert_eq!(preview.errors[49_999].path.as_deref(), Some("args[49999]"));
}

#[test]
fn as_many_values_are_kept_in_no_time() {
    let headers: Vec<String> = (0..100_000)
        .map(|number| format!(r#""x{number}":"{number}""#))
        .collect();
    let text = format!(
        r#"{{"url":"https://example.com/","headers":{{{}}}}}"#,
        headers.join(",")
    );
    let saved = add_one(&text, &Limits::default()).server.unwrap().config;
    let masked = mask::mask(&saved);
    assert!(mask::restore(masked, Some(&saved)).unwrap() == saved);
}

#[test]
fn the_deepest_text_that_is_read_needs_little_stack() {
    let deepest = format!(
        "{{\"docs\":{{\"url\":\"https://example.com/\",\"x\":{}{}}}}}",
        "[{\"a\":".repeat(31),
        "}]".repeat(31)
    )
    .replace(":}", ":1}");
    // A WebAssembly module has 1 MiB, and others stand on it already.
    let reading = std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(move || add_one(&deepest, &Limits::default()))
        .unwrap();
    let preview = reading.join().unwrap();
    assert!(preview.server.is_some(), "{:?}", preview.errors);
}
