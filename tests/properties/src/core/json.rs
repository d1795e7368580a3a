//! JSON as text: what is JSON is what a strict reader says; laying it out, and an edit at a place, change nothing else.

use serde_json::value::RawValue;
use toolgate_core::json::{self, JsonText, equal, literal, place_of, pretty, remove_at, set_at, value_at};

use crate::parts::Parts;

/// The parts are a text, a JSON Pointer and a value.
pub fn check(input: &[u8]) {
    let mut parts = Parts::of(input);
    let (text, pointer, value) = (parts.text(), parts.text(), parts.text());
    check_text(&text);
    check_literal(&value);
    check_edit(&text, &pointer, &value);
    assert_eq!(place_of(&text, &pointer).is_some(), is_json(&text) && is_pointer(&pointer));
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
}

fn is_pointer(pointer: &str) -> bool {
    pointer.is_empty() || pointer.starts_with('/')
}

/// Layout and compaction keep every token; equality is one.
fn check_text(text: &str) {
    let laid_out = pretty(text);
    let compact = json::compact(text);
    assert_eq!(is_json(&compact), is_json(text), "{text:?}");
    let Ok(parsed) = JsonText::parse(text) else {
        assert!(!is_json(text), "{text:?}");
        let _ = (json::members(text), json::items(text));
        return;
    };
    assert!(is_json(text), "{text:?}");
    assert_eq!(parsed.as_str(), compact, "{text:?}");
    assert_eq!(JsonText::parse(&laid_out).unwrap(), parsed, "{text:?}");
    assert_eq!(pretty(parsed.as_str()), laid_out, "{text:?}");
    assert_eq!(JsonText::parse(parsed.as_str()).unwrap(), parsed);
    assert!(parsed.as_str().len() <= text.len());
    assert!(equal(text, text) && equal(text, &laid_out) && equal(parsed.as_str(), text), "{text:?}");
    assert!(!equal(text, &format!("[{text}]")));
    let is_object = parsed.as_str().starts_with('{');
    assert_eq!(json::members(text).is_some(), is_object, "{text:?}");
    assert_eq!(json::items(text).is_some(), parsed.as_str().starts_with('['), "{text:?}");
    if let Some(members) = json::members(text) {
        for (name, _) in members.iter() {
            assert!(members.get(name).is_some());
        }
    }
}

fn check_literal(text: &str) {
    let written = literal(text);
    let raw: &RawValue = serde_json::from_str(&written).unwrap();
    assert_eq!(json::string(raw).as_deref(), Some(text));
    assert_eq!(json::string_lossy(raw), Some((text.to_owned(), false)));
}

/// What was set is there, as it is spelled; every other member and item is as it was; and what was put in goes again.
fn check_edit(text: &str, pointer: &str, value: &str) {
    let before = value_at(text, pointer);
    let Some(edited) = set_at(text, pointer, value) else {
        assert!(
            before.is_none() || !is_json(value) || !is_json(text),
            "{pointer:?} of {text:?} is there and cannot be set"
        );
        return;
    };
    let compact = |text: &str| JsonText::parse(text).unwrap();
    let after = value_at(&edited, pointer).expect("the value that was set");
    assert_eq!(compact(after), compact(value), "{pointer:?} of {text:?}");
    if let Some(before) = before {
        let back = set_at(&edited, pointer, before).unwrap();
        assert_eq!(compact(&back), compact(text), "{pointer:?} of {text:?}");
    }
    match remove_at(&edited, pointer) {
        None => assert_eq!(pointer, "", "{edited:?}"),
        Some(removed) => {
            assert!(is_json(&removed), "{removed:?}");
            let in_list = pointer
                .rsplit_once('/')
                .and_then(|(parent, _)| value_at(&edited, parent))
                .is_some_and(|parent| parent.starts_with('['));
            assert!(in_list || value_at(&removed, pointer).is_none(), "{pointer:?} of {edited:?}");
        }
    }
}
