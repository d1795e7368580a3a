//! What the sentences of an import must say (ARCHITECTURE.md: nothing is dropped in silence, and an error says what to do):
//! for each kind of field that is not used what to do instead, and of a value in a wrong place what it is.

// Tests say what they expect by failing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(not(target_arch = "wasm32"))]

use serde_json::{Value, json};
use toolgate_core::import::{ImportPreview, Registered, add_one, import_many};
use toolgate_core::{Code, Diagnostic, Limits};

/// The one note about a field that stands beside a good server's.
fn note(field: &str) -> Diagnostic {
    let text = format!(r#"{{"docs":{{"url":"https://example.com/mcp","{field}":1}}}}"#);
    let mut preview = add_one(&text, &Limits::default());
    assert!(preview.server.is_some(), "{field}: {:?}", preview.errors);
    assert_eq!(preview.notes.len(), 1, "{field}: {:?}", preview.notes);
    preview.notes.remove(0)
}

#[test]
fn a_field_that_is_not_used_is_named_with_what_to_do_instead() {
    for (fields, code, advice) in [
        (
            &["enabled", "disabled", "isActive", "active"][..],
            Code::ImportStateIgnored,
            "added paused; you activate it",
        ),
        (
            &[
                "autoApprove",
                "alwaysAllow",
                "disabledTools",
                "disabledAutoApproveTools",
                "enabledTools",
                "enabled_tools",
                "disabled_tools",
                "includeTools",
                "excludeTools",
                "available_tools",
                "default_tools_approval_mode",
                "tools",
                "trust",
            ],
            Code::ImportFieldIgnored,
            "Every tool starts as Off",
        ),
        (
            &["oauth", "oauth_resource", "scopes", "requiresOAuth"],
            Code::ImportFieldIgnored,
            "give the server a header such as Authorization",
        ),
        (
            &["bearer_token", "bearerToken", "apiKey", "api_key", "token"],
            Code::ImportFieldIgnored,
            "Write it as a header",
        ),
        (
            &["bearer_token_env_var", "env_http_headers", "headersHelper"],
            Code::ImportFieldIgnored,
            "write them under headers",
        ),
        (
            &["envFile", "env_keys", "env_vars"],
            Code::ImportFieldIgnored,
            "write them under env",
        ),
        (&["inputs"], Code::ImportFieldIgnored, "write each in the place of its"),
        (
            &[
                "timeout",
                "initTimeout",
                "sseReadTimeout",
                "connectionTimeout",
                "requestTimeout",
                "startup_timeout_sec",
                "startup_timeout_ms",
                "tool_timeout_sec",
            ],
            Code::ImportFieldIgnored,
            "time limits of its own",
        ),
        (&["name"], Code::ImportFieldIgnored, "The server's name is its key."),
    ] {
        for field in fields {
            let note = note(field);
            assert_eq!(note.code, code, "{field}");
            assert!(note.message.contains(advice), "{field}: {}", note.message);
            assert_eq!(note.path.as_deref(), Some(format!("docs.{field}").as_str()));
        }
    }
    // Of what nobody knows there is nothing to advise.
    assert_eq!(note("icon").message, "icon was not used.");
}

#[test]
fn a_value_that_is_no_server_is_called_what_it_is() {
    for (value, what) in [
        ("\"https://example.com/SECRET\"", "text"),
        ("1e3", "a number"),
        ("true", "true"),
        ("false", "false"),
        ("[]", "a list"),
        ("null", "null"),
    ] {
        let preview = add_one(&format!(r#"{{"docs":{value}}}"#), &Limits::default());
        let message = &preview.errors[0].message;
        assert!(
            message.starts_with(&format!("docs is {what}; a server is an object")),
            "{message}"
        );
        let whole = add_one(value, &Limits::default());
        let message = &whole.errors[0].message;
        assert!(
            message.starts_with(&format!("Here stands {what}; write an object")),
            "{message}"
        );
    }
    let preview = add_one(r#"{"docs":{"url":{}}}"#, &Limits::default());
    assert!(
        preview.errors[0].message.contains("an object"),
        "{}",
        preview.errors[0].message
    );
}

#[test]
fn a_name_of_two_letters_could_be_anything() {
    assert_eq!(note("ur").message, "ur was not used.");
    assert_eq!(note("urls").message, "urls was not used. If you mean url, spell it so.");
    // One letter is another, or two have changed places; no more than that.
    for near in ["heaters", "haeders", "header", "headerss", "eaders"] {
        let expected = format!("{near} was not used. If you mean headers, spell it so.");
        assert_eq!(note(near).message, expected);
    }
    for far in ["heatert", "hoiders", "haedxyz", "heads", "headersss"] {
        assert_eq!(note(far).message, format!("{far} was not used."));
    }
}

#[test]
fn a_value_that_is_no_text_is_said_to_be_one_with_what_to_write() {
    for (server, sentence) in [
        (
            r#"{"url":1}"#,
            "Here stands a number, but the server's address is text; write it in double quotes.",
        ),
        (
            r#"{"url":"https://example.com/mcp","headers":{"X":true}}"#,
            "Here stands true, but a header's value is text; write it in double quotes.",
        ),
        (
            r#"{"command":"a","env":{"X":null}}"#,
            "Here stands null, but a variable's value is text; write it as text in double quotes.",
        ),
        (
            r#"{"command":"a","args":[{}]}"#,
            "Here stands an object, but an argument is text; write it as text in double quotes.",
        ),
    ] {
        let preview = add_one(&format!(r#"{{"docs":{server}}}"#), &Limits::default());
        assert_eq!(preview.errors[0].message, sentence, "{server}");
    }
}

/// A text that is not JSON: the text, the column of what is wrong on its only line, how the sentence begins.
const FAULTS: &[(&str, u32, &str)] = &[
    ("{\"a\":1 \"b\":2}", 7, "A comma is missing here."),
    ("{\"a\" 1}", 6, "After a key comes a colon and the value."),
    ("{\"a\": ", 7, "The value after the colon is missing."),
    ("{\"a\":1,,}", 8, "Here a key in double quotes belongs"),
    ("{1:1}", 2, "Here a key in double quotes belongs"),
    ("{url:1}", 2, "Here a key in double quotes belongs"),
    // What other languages call true, false and null, with whatever follows.
    ("{\"a\":undefined}", 6, "This word is no JSON value."),
    ("{\"a\":[True]}", 7, "This word is no JSON value."),
    ("{\"a\":None,\"b\":1}", 6, "This word is no JSON value."),
    ("{\"a\":NaN }", 6, "This word is no JSON value."),
    ("[1,2] 3", 7, "The JSON ends before this, and more follows."),
    ("{\"a\":[,1]}", 7, "This comma is one too many"),
    ("{\"a\"::1}", 6, "This colon does not follow a key."),
    ("[1}", 3, "This } closes nothing, or a value is missing before it."),
    ("]", 1, "This ] closes nothing, or a value is missing before it."),
    ("{\"a\":{", 6, "The object that begins with this { is never closed."),
    ("{\"a\":[", 6, "The list that begins with this [ is never closed."),
    (
        "{\"a\":1} /* b",
        9,
        "The comment that begins here is never closed with */.",
    ),
    (
        "{\"a\":\"b",
        6,
        "The text that begins with this double quote is never closed.",
    ),
    ("{\"a\":\"\\ud83e\"}", 7, "This \\u escape is half of a surrogate pair"),
    ("{\"a\":\"\\u12g4\"}", 7, "After \\u come four hexadecimal digits."),
    ("{\"a\":\"\\x41\"}", 7, "JSON has no such escape."),
    ("{\"a\":0x1f}", 6, "This is not a number as JSON writes one."),
    ("{\"a\":+1}", 6, "This is not a number as JSON writes one."),
    ("{\"a\":.5}", 6, "This is not a number as JSON writes one."),
    ("{\"a\":1e}", 8, "This is not a number as JSON writes one."),
    ("{\"a\":-}", 7, "This is not a number as JSON writes one."),
    ("{\"a\":-Infinity}", 6, "This is not a number as JSON writes one."),
    ("{\"a\":#}", 6, "This does not belong here in JSON."),
    ("{'a':1}", 2, "JSON uses double quotes, not single ones or backticks."),
    (
        "{\"a\":`b`}",
        6,
        "JSON uses double quotes, not single ones or backticks.",
    ),
    ("{\u{201c}a\u{201d}:1}", 2, "This is a typographic quote"),
    ("{\u{ab}a\u{bb}:1}", 2, "This is a typographic quote"),
    ("{\"a\":1\u{ff0c}\"b\":2}", 7, "This is a full-width comma"),
    ("{\"a\":1\u{3001}\"b\":2}", 7, "This is a full-width comma"),
    ("{\"a\"\u{ff1a}1}", 5, "This is a full-width colon"),
    ("{\u{feff}}", 2, "An invisible byte order mark stands here"),
    ("{\u{a0}}", 2, "An unusual white-space character stands here"),
    ("{\u{1}}", 2, "A control character stands here"),
    (
        "{\u{e9}}",
        2,
        "Outside double quotes this character does not belong in JSON.",
    ),
    ("{\"a\":\"b\u{1}\"}", 8, "A control character stands in this text"),
    (
        "{\"a\":\"b\n\"}",
        6,
        "The text that begins with this double quote is not closed on its line",
    ),
];

#[test]
fn what_is_wrong_with_the_json_is_said_at_its_place_in_words_of_its_own() {
    for (text, column, beginning) in FAULTS {
        let preview = add_one(text, &Limits::default());
        let [error] = preview.errors.as_slice() else {
            panic!("{text:?}: {:?}", preview.errors)
        };
        assert_eq!((error.line, error.column), (Some(1), Some(*column)), "{text:?}");
        assert_eq!(error.code, Code::ImportJsonInvalid, "{text:?}");
        assert!(error.message.starts_with(beginning), "{text:?}: {}", error.message);
    }
}

fn many(text: &Value, servers: usize) -> ImportPreview {
    let registered = Registered { names: &[], servers };
    import_many(
        &serde_json::to_string_pretty(text).unwrap(),
        &registered,
        &Limits::default(),
    )
}

/// Every error of one server.
fn codes(errors: &[Diagnostic]) -> Vec<Code> {
    errors.iter().map(|error| error.code).collect()
}

#[test]
fn of_very_many_errors_the_first_hundred_are_named_and_the_others_counted() {
    let headers: serde_json::Map<_, _> = (0..103).map(|at| (format!("h{at:03}"), json!(1))).collect();
    let preview = many(
        &json!({"mcpServers": {"a": {"url": "https://example.com/", "headers": headers}}}),
        0,
    );
    let [entry] = preview.entries.as_slice() else {
        panic!("{:?}", preview.entries)
    };
    assert_eq!(entry.errors.len(), 100);
    assert_eq!(entry.errors[99].path.as_deref(), Some("mcpServers.a.headers.h099"));
    let [more] = preview.errors.as_slice() else {
        panic!("{:?}", preview.errors)
    };
    assert_eq!(more.code, Code::ImportMoreErrors);
    assert!(more.message.starts_with("There are 3 errors more"), "{}", more.message);
    // It stands where the first of them does that are not named: four lines before the headers, then a hundred of those.
    assert_eq!((more.line, more.column), (Some(106), Some(17)));
}

#[test]
fn of_several_errors_at_one_place_as_many_are_named_as_there_is_room_for() {
    // In a full registry, in a list: each server has no place and no name, both said where it begins.
    let headers: serde_json::Map<_, _> = (0..97).map(|at| (format!("h{at:03}"), json!(1))).collect();
    let list = json!({"mcpServers": [
        {"url": "https://example.com/", "headers": headers},
        {"url": "https://example.com/"},
        {"url": "https://example.com/"},
    ]});
    let preview = many(&list, 50);
    let named: usize = preview.entries.iter().map(|entry| entry.errors.len()).sum();
    assert_eq!(named, 100);
    assert_eq!(preview.entries[0].errors.len(), 99);
    assert_eq!(codes(&preview.entries[1].errors), [Code::ServerLimit]);
    assert_eq!(codes(&preview.errors), [Code::ImportMoreErrors]);
    assert!(preview.errors[0].message.starts_with("There are 3 errors more"));
}

#[test]
fn of_more_servers_than_an_import_may_have_the_registry_is_not_asked_for_room() {
    let servers: serde_json::Map<_, _> = (0..32)
        .map(|at| (format!("s{at:02}"), json!({"url": "https://example.com/"})))
        .collect();
    let preview = many(&json!({"mcpServers": servers}), 50);
    for (at, entry) in preview.entries.iter().enumerate() {
        let expected: &[Code] = if at < 30 { &[Code::ServerLimit] } else { &[] };
        assert_eq!(codes(&entry.errors), expected, "{at}");
    }
    assert_eq!(codes(&preview.errors), [Code::ImportLimit]);
}
