//! What a model reads of an answer: nothing is lost, nothing forged, no fence left open, and never longer than in
//! proportion to the answer, or than a stated limit.

use toolgate_core::json::{self, JsonText};
use toolgate_core::model_text::agent::{InlineLimit, preview, preview_unsaved, read_lines, readable_file};
use toolgate_core::model_text::partner::partner_result;
use toolgate_core::model_text::{ModelResult, Resources, model_result};
use toolgate_core::outcome::{CallOutcome, CallResponse, ToolResult, from_error, from_result};
use toolgate_core::page::models::read_outcome;
use toolgate_core::{Code, Limits};

use crate::parts::Parts;
use crate::read_back;

/// How many times as long as an answer its Markdown may be: a list item of two bytes is a line, indented by at most 32
/// spaces.
const LONGER: usize = 48;

/// The first byte says what the answer is (a result, an error, or an outcome as the bridge carries it) and small limits;
/// the next part is its JSON text.
pub fn check(input: &[u8]) {
    let mut parts = Parts::of(input);
    let kind = parts.number();
    let text = parts.text();
    let outcome = match kind % 4 {
        0 | 1 => from_result(&text),
        2 => from_error(&text),
        _ => CallOutcome::from_bridge(&text),
    };
    let is_json = JsonText::parse(&text).is_ok();
    if kind % 4 != 3 {
        let is_known = matches!(outcome, CallOutcome::KnownResponse { .. });
        assert_eq!(is_known, is_json, "an answer was lost, or made: {text:?}");
    }
    check_carried(&outcome);
    for resources in [Resources::Noted, Resources::Shown] {
        let Ok(read) = model_result(&outcome, resources) else {
            assert!(matches!(outcome, CallOutcome::OutcomeUnknown(_)));
            continue;
        };
        assert_eq!(Ok(&read), model_result(&outcome, resources).as_ref(), "not the same twice");
        assert!(!read.content.is_empty());
        assert!(
            read.content.len() <= LONGER * text.len() + 1024,
            "{} bytes of {}: {text:?}",
            read.content.len(),
            text.len()
        );
        // What the host said is taken at its word.
        if kind % 4 != 3 {
            check_sections(&outcome, &read);
        }
        check_long(&read.content, kind / 4);
    }
    let limits = Limits {
        partner_text_bytes: 64 + kind,
        ..Limits::default()
    };
    if let Ok(read) = partner_result(&outcome, &limits) {
        let whole = model_result(&outcome, Resources::Shown).unwrap();
        if whole.content.len() <= limits.partner_text_bytes {
            assert_eq!(read, whole);
        } else {
            assert_eq!(read.error_code, Some(Code::PartnerResultSizeLimit));
        }
    }
}

/// The bridge loses nothing of an outcome that the page or a model reads.
fn check_carried(outcome: &CallOutcome) {
    let json = outcome.to_json();
    let carried = CallOutcome::from_json(&json).expect("an outcome");
    assert_eq!(carried.to_json(), json);
    let of_page = read_outcome(&json);
    match model_result(outcome, Resources::Noted) {
        Ok(read) => assert_eq!(of_page.result.unwrap().content, read.content),
        Err(failure) => assert_eq!(of_page.unknown, Some(failure.code)),
    }
}

/// After the text blocks there are only sections of ours, each where there is something for it; structured content and
/// an error's data are read back as the same value.
fn check_sections(outcome: &CallOutcome, read: &ModelResult) {
    let CallOutcome::KnownResponse { response } = outcome else {
        return;
    };
    let (own, value, heading) = match response {
        CallResponse::ToolResult(result) => (
            after_texts(result, &read.content),
            result.structured_json.as_ref(),
            "## Details",
        ),
        CallResponse::ServerError(error) => {
            let head = format!("The server answered with the error {}:", error.code);
            let rest = read.content.strip_prefix(&head).expect("the sentence");
            (rest.trim_start(), error.data_json.as_ref(), "## Error details")
        }
        CallResponse::UnsupportedResponse(_) => {
            assert!(!read.content.contains('\n'), "{}", read.content);
            return;
        }
    };
    let lines = heading_lines(own);
    let headings: Vec<&str> = lines.iter().map(|(_, line)| *line).collect();
    let mut expected = vec!["## Details", "## Resources", "## Notes", "## Error details"];
    expected.retain(|heading| headings.contains(heading));
    assert_eq!(headings, expected, "{own}");
    assert_eq!(headings.contains(&heading), value.is_some(), "{own}");
    let Some(value) = value else { return };
    let at = lines.iter().position(|(_, line)| *line == heading).unwrap();
    let start = lines[at].0 + heading.len() + 2;
    let end = lines.get(at + 1).map_or(own.len(), |(next, _)| next - 2);
    let details = &own[start..end];
    let written = read_back::value(details);
    assert!(json::equal(&written, value.as_str()), "{details}\nwas read as\n{written}");
}

/// What stands after a result's text blocks, which stand as they are.
fn after_texts<'a>(result: &ToolResult, content: &'a str) -> &'a str {
    let texts: Vec<&str> = result.text_blocks.iter().map(|block| block.text.as_str()).collect();
    let texts = texts.join("\n\n");
    if texts.is_empty() {
        return content;
    }
    match content.strip_prefix(&texts) {
        Some("") => "",
        Some(rest) => rest.strip_prefix("\n\n").expect("an empty line after the texts"),
        None => {
            let structured = result.structured_json.as_ref().expect("a copy of the texts");
            assert!(json::equal(&texts, structured.as_str()), "the texts are lost");
            content
        }
    }
}

/// The lines at the left margin, outside fences, that are neither entries nor empty.
pub fn headings(text: &str) -> Vec<&str> {
    heading_lines(text).into_iter().map(|(_, line)| line).collect()
}

/// The same, each with where it begins.
fn heading_lines(text: &str) -> Vec<(usize, &str)> {
    let mut headings = Vec::new();
    let mut fence: Option<&str> = None;
    let mut next = 0;
    for line in text.split('\n') {
        let start = next;
        next += line.len() + 1;
        let body = line.trim_start_matches(' ');
        let body = body.strip_prefix("- ").unwrap_or(body);
        let is_fence = body.len() >= 3 && body.bytes().all(|byte| byte == b'`');
        match fence {
            Some(opening) if is_fence && body.len() >= opening.len() => fence = None,
            Some(_) => {}
            None if is_fence => fence = Some(body),
            None if line.is_empty() || line.starts_with(['-', ' ', '`']) => {
                assert!(!line.contains('\r'), "a carriage return outside a fence: {line:?}");
            }
            None => headings.push((start, line)),
        }
    }
    assert_eq!(fence, None, "a fence is open at the end");
    headings
}

/// A long content is whole in its file, line by line, and begins in its preview.
fn check_long(content: &str, small: usize) {
    let limits = Limits {
        line_chars: 1 + small % 16,
        preview_chars: 1 + small,
        ..Limits::default()
    };
    let file = readable_file(content, &limits);
    assert_eq!(file.lines, file.text.lines().count());
    let mut rest = content.chars().peekable();
    for character in file.text.chars() {
        if rest.peek() == Some(&character) {
            rest.next();
        } else {
            assert_eq!(character, '\n', "more than line breaks was added");
        }
    }
    assert_eq!(rest.next(), None, "the file ends early");
    for line in file.text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        assert!(line.chars().count() <= limits.line_chars, "a line of {line:?}");
    }
    let limit = InlineLimit::new(Some(1 + small * 3), &limits).unwrap();
    assert_eq!(limit.is_exceeded_by(content), content.chars().count() > limit.chars());
    for preview in [
        preview(content, &file, "tool-results/1.txt", limit, &limits),
        preview_unsaved(content, limit, &limits),
    ] {
        let (_, shown) = preview.split_once("\n\n").unwrap();
        assert!(content.starts_with(shown));
        assert!(shown.chars().count() <= limits.preview_chars.min(limit.chars()));
    }
    let mut read = String::new();
    let mut line = 1;
    while line <= file.lines {
        let part = read_lines(&file.text, line, 1 + small, limit).unwrap();
        assert!(part.line_count >= 1 && part.line_count <= 1 + small);
        assert!(part.line_count == 1 || part.text.chars().count() <= limit.chars());
        if line > 1 {
            read.push('\n');
        }
        read.push_str(&part.text);
        line = part.next_line.unwrap_or(usize::MAX);
    }
    assert_eq!(read, file.text.strip_suffix('\n').unwrap_or(&file.text));
}
