//! Results of 4 MiB, of the kinds that are the worst to write: they are read, and what comes out stays in proportion.
//! (512 KiB where the code is not optimised.)

use toolgate_core::model_text::agent::readable_file;
use toolgate_core::model_text::{Resources, model_result};
use toolgate_core::outcome::from_result;
use toolgate_core::{Limits, json};

const WIRE: usize = if cfg!(debug_assertions) {
    512 * 1024
} else {
    4 * 1024 * 1024
};

/// As much of the unit as fits between the two ends.
fn filled(start: &str, unit: &str, end: &str) -> String {
    let times = (WIRE - start.len() - end.len()) / unit.len();
    [start, &unit.repeat(times), end].concat()
}

fn nested(open: &str, close: &str) -> String {
    let times = (WIRE - 40) / (open.len() + close.len());
    format!(
        "{{\"structuredContent\":{}0{}}}",
        open.repeat(times),
        close.repeat(times)
    )
}

#[test]
fn every_kind_of_large_result_is_read() {
    let deep = format!("{{\"structuredContent\":{}", "[".repeat(15));
    let deep_end = format!("0{}}}", "]".repeat(15));
    let results = [
        filled("{\"structuredContent\":[", "1,", "1]}"),
        filled(&deep, "1,", &deep_end),
        filled("{\"structuredContent\":{", "\"\":0,", "\"\":0}}"),
        filled("{\"structuredContent\":\"", "`", "\"}"),
        filled("{\"structuredContent\":\"", "\\n", "\"}"),
        filled("{\"structuredContent\":[", "\"`\\n\",", "0]}"),
        filled("{\"structuredContent\":", "9", "}"),
        nested("[", "]"),
        nested("{\"\":", "}"),
        filled("{\"content\":[", "0,", "0]}"),
        filled("{\"content\":[", "{\"type\":\"text\",\"text\":\"\"},", "0]}"),
        filled("{\"content\":[", "{\"type\":\"resource_link\",\"uri\":\"a\"},", "0]}"),
        filled("{\"content\":[{\"type\":\"text\",\"text\":\"", "\\ud800", "\"}]}"),
        filled(
            "{\"content\":[{\"type\":\"text\",\"text\":\"[",
            "[],",
            "0]\"}],\"structuredContent\":[]}",
        ),
    ];
    for result in results {
        let shown: String = result.chars().take(60).collect();
        let outcome = from_result(&result);
        let carried = outcome.to_json();
        assert!(
            carried.len() < 6 * WIRE,
            "{shown}: {} bytes over the bridge",
            carried.len()
        );
        let read = model_result(&outcome, Resources::Shown).unwrap();
        assert!(
            read.content.len() < 20 * WIRE,
            "{shown}: {} bytes for the model",
            read.content.len()
        );
        let file = readable_file(&read.content, &Limits::default());
        assert!(file.text.len() < read.content.len() + read.content.len() / 1000 + 2);
    }
}

#[test]
fn a_large_copy_is_recognised() {
    let half = WIRE / 2 - 100;
    let mut members: Vec<String> = (0..half / 16).map(|index| format!("\"{index:08}\":1.0")).collect();
    let structured = format!("{{{}}}", members.join(","));
    members.reverse();
    let text = format!("{{{}}}", members.join(", ")).replace("1.0", "1");
    assert!(json::equal(&structured, &text));
    let result = format!(
        "{{\"content\":[{{\"type\":\"text\",\"text\":{}}}],\"structuredContent\":{structured}}}",
        serde_json::Value::from(text)
    );
    let read = model_result(&from_result(&result), Resources::Noted).unwrap();
    assert!(read.content.starts_with("## Details\n\n- `00000000`: `1.0`\n"));
}
