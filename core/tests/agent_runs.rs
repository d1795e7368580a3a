//! What an agent's profile allows, and how long results are read on (manager contract §7).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

use std::collections::BTreeMap;

use toolgate_core::layers::agent::AgentTools;
use toolgate_core::model_text::agent::{InlineLimit, preview_unsaved, read_lines, readable_file};
use toolgate_core::server::DescriptionOverride;
use toolgate_core::{Code, Limits};

const SERVER: &str = "11111111-1111-4111-8111-111111111111";

fn described(text: Option<&str>) -> DescriptionOverride {
    DescriptionOverride {
        description: text.map(str::to_owned),
        properties: BTreeMap::new(),
    }
}

#[test]
fn what_a_profile_says_that_cannot_be_used_is_named_at_its_place() {
    let tool = |name: &str| format!("mcp/{SERVER}:{name}");
    let allow = [tool("a"), "no id".to_owned(), tool("b"), tool("a"), tool("")];
    let descriptions = BTreeMap::from([
        (tool("a"), described(Some("A."))),
        (tool("b"), described(None)),
        (tool("c"), described(Some("C."))),
        ("other".to_owned(), described(Some("D."))),
    ]);
    let (tools, diagnostics) = AgentTools::read(&allow, descriptions, &Limits::default());
    let allowed: Vec<_> = tools.allow.iter().map(ToString::to_string).collect();
    assert_eq!(allowed, [tool("a"), tool("b")]);
    let described: Vec<_> = tools.descriptions.keys().map(ToString::to_string).collect();
    assert_eq!(described, [tool("a")]);
    let found: Vec<_> = diagnostics
        .iter()
        .map(|found| (found.code, found.path.as_deref().unwrap(), found.native_name.as_deref()))
        .collect();
    let places = ["b", "c"].map(|name| format!("tools.toolDescriptions[\"mcp/{SERVER}:{name}\"]"));
    assert_eq!(
        found,
        [
            (Code::ToolIdInvalid, "tools.allow[1]", None),
            (Code::ToolAllowedTwice, "tools.allow[3]", Some("a")),
            (Code::ToolNameEmpty, "tools.allow[4]", None),
            (Code::DescriptionOverrideEmpty, places[0].as_str(), Some("b")),
            (Code::DescriptionToolMissing, places[1].as_str(), Some("c")),
            (Code::ToolIdInvalid, "tools.toolDescriptions.other", None),
        ]
    );
}

fn limit(chars: usize) -> InlineLimit {
    InlineLimit::new(Some(chars), &Limits::default()).unwrap()
}

#[test]
fn reading_on_to_the_end_gives_the_whole_file_whatever_the_limit() {
    let long = "é".repeat(7000);
    let limits = Limits::default();
    for content in ["a", "a\n", "\n", "\n\n", "a\r\nb", &long, &format!("x\n{long}\n\ny\n")] {
        let file = readable_file(content, &limits);
        for chars in [1, 2, 3000, 50_000] {
            for lines in [1, 2, usize::MAX] {
                let mut read = Vec::new();
                let mut next = Some(1);
                while let Some(start) = next {
                    let part = read_lines(&file.text, start, lines, limit(chars)).unwrap();
                    assert_eq!((part.start_line, part.total_lines), (start, file.lines));
                    assert!(part.line_count >= 1 && part.line_count <= lines);
                    assert!(part.line_count == 1 || part.text.chars().count() <= chars);
                    assert_eq!(part.text.split('\n').count(), part.line_count);
                    read.push(part.text);
                    next = part.next_line;
                }
                let whole = read.join("\n");
                assert_eq!(whole, file.text.strip_suffix('\n').unwrap_or(&file.text));
            }
        }
    }
}

#[test]
fn lines_that_are_not_there_are_refused_with_those_that_are() {
    let file = readable_file("a\nb\nc", &Limits::default());
    for (start, count, path) in [
        (0, 1, "startLine"),
        (4, 1, "startLine"),
        (usize::MAX, 1, "startLine"),
        (1, 0, "lineCount"),
    ] {
        let refused = read_lines(&file.text, start, count, limit(10)).unwrap_err();
        assert_eq!(refused.code, Code::ResultRangeInvalid);
        assert_eq!(refused.path.as_deref(), Some(path));
        assert!(refused.message.contains("1 to 3"), "{}", refused.message);
    }
    let end = read_lines(&file.text, 3, 5, limit(10)).unwrap();
    assert_eq!((end.line_count, end.next_line, end.text.as_str()), (1, None, "c"));
}

#[test]
fn of_a_result_that_could_not_be_saved_the_model_learns_that_the_call_was_made() {
    let read = preview_unsaved(&"x".repeat(60_000), limit(50_000), &Limits::default());
    assert!(read.starts_with("The call was carried out"));
    assert!(read.contains("60000 characters"));
    assert!(read.ends_with(&format!("\n\n{}", "x".repeat(3000))));
}
