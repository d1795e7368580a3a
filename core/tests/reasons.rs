//! A mistake in a text has, beside its English sentence, a reason that other languages can say as much by.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

use toolgate_core::import::add_one;
use toolgate_core::{Diagnostic, Limits, Reason, ReasonCase, arguments};

fn reason(case: ReasonCase, names: &[&str]) -> Reason {
    Reason {
        case,
        names: names.iter().map(|name| (*name).to_owned()).collect(),
    }
}

fn first_error(text: &str) -> Diagnostic {
    add_one(text, &Limits::default()).errors[0].clone()
}

#[test]
fn what_is_no_json_says_why() {
    for (text, case) in [
        (r#"{"a": {"url": "x" "b": 1}}"#, ReasonCase::CommaMissing),
        (r#"{"a" {}}"#, ReasonCase::ColonMissing),
        (r#"{"a": }"#, ReasonCase::BraceTooMany),
        (r#"{"a":"#, ReasonCase::ValueMissing),
        (r#"{"a": yes}"#, ReasonCase::BareWord),
        (r#"{"a": #}"#, ReasonCase::OutOfPlace),
        (r#"{"a": {}} {"#, ReasonCase::MoreFollows),
        (r#"{"a": {}"#, ReasonCase::ObjectOpen),
        (r#"{"a": ["#, ReasonCase::ListOpen),
        ("{'a': {}}", ReasonCase::QuotesInvalid),
        ("{\u{201c}a\u{201d}: {}}", ReasonCase::QuotesInvalid),
        ("{\"a\"\u{ff1a} {}}", ReasonCase::FullWidth),
        ("{\"a\": \"x\n\"}", ReasonCase::TextOpen),
        ("{\"a\": {} /* }", ReasonCase::CommentOpen),
        (r#"{"a": "\x"}"#, ReasonCase::EscapeInvalid),
        ("```json\n{}", ReasonCase::FenceOpen),
        ("{\"a\":\u{a0}{}}", ReasonCase::CharacterInvalid),
    ] {
        assert_eq!(first_error(text).reason, Some(reason(case, &[])), "{text}");
    }
}

#[test]
fn a_value_of_another_type_says_which_it_is_and_which_it_should_be() {
    for (fields, case, found) in [
        (r#""url": 3"#, ReasonCase::TextWanted, "number"),
        (r#""command": true"#, ReasonCase::TextWanted, "true"),
        (r#""command": "x", "args": {}"#, ReasonCase::ListWanted, "object"),
        (r#""command": "x", "args": [[]]"#, ReasonCase::TextWanted, "list"),
        (
            r#""url": "https://a.example", "headers": []"#,
            ReasonCase::ObjectWanted,
            "list",
        ),
        (
            r#""url": "https://a.example", "headers": {"X": null}"#,
            ReasonCase::TextWanted,
            "null",
        ),
        (
            r#""url": "https://a.example", "type": "http", "transport": 1"#,
            ReasonCase::TransportWanted,
            "number",
        ),
    ] {
        let error = first_error(&format!("{{\"a\": {{{fields}}}}}"));
        assert_eq!(error.reason, Some(reason(case, &[found])), "{fields}");
    }
    assert_eq!(
        first_error("[]").reason,
        Some(reason(ReasonCase::ObjectWanted, &["list"]))
    );
}

#[test]
fn what_was_not_used_or_read_otherwise_says_why() {
    for (field, case, names) in [
        (r#""timeout": 3"#, ReasonCase::OwnTimeLimits, &[][..]),
        (r#""autoApprove": []"#, ReasonCase::ToolsStartOff, &[]),
        (r#""oauth": {}"#, ReasonCase::NoSignIn, &[]),
        (r#""apiKey": "k""#, ReasonCase::HeaderInstead, &[]),
        (r#""envFile": "f""#, ReasonCase::VariablesHere, &[]),
        (r#""header": {}"#, ReasonCase::Meant, &["headers"]),
        (r#""args": []"#, ReasonCase::ForCommand, &[]),
        (r#""headers": null"#, ReasonCase::IsNull, &[]),
        (
            r#""http_headers": {}"#,
            ReasonCase::ReadAs,
            &["http_headers", "headers"],
        ),
    ] {
        let preview = add_one(
            &format!("{{\"a\": {{\"url\": \"https://a.example\", {field}}}}}"),
            &Limits::default(),
        );
        assert_eq!(preview.errors, [], "{field}");
        assert_eq!(preview.notes[0].reason, Some(reason(case, names)), "{field}");
    }
    let relaxed = add_one("// c\n{\"a\": {\"url\": \"https://a.example\"},}", &Limits::default());
    assert_eq!(
        relaxed.notes[0].reason,
        Some(reason(ReasonCase::PassedOver, &["comments", "trailing_commas"]))
    );
}

#[test]
fn a_reason_repeats_no_value() {
    let text = r#"{"a": {"url": "https://a.example", "apiKey": "secret-1", "headers": {"X": ["secret-2"]}}}"#;
    let preview = add_one(text, &Limits::default());
    let said = serde_json::to_string(&preview).unwrap();
    assert!(!said.contains("secret-"), "{said}");
}

#[test]
fn what_people_get_wrong_most_in_arguments_says_why() {
    for (text, case) in [
        ("{\"a\": 1,\n}", Some(ReasonCase::CommaTooMany)),
        ("{\"ä\": [1, 2, ]}", Some(ReasonCase::CommaTooMany)),
        ("{'a': 1}", Some(ReasonCase::QuotesInvalid)),
        ("{\"a\": }", None),
        ("{\"a\": 1", None),
        ("", None),
    ] {
        let error = arguments::check(text, &Limits::default()).unwrap_err();
        assert_eq!(error.reason.map(|reason| reason.case), case, "{text}");
    }
}
