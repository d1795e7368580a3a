//! What the sentences of an import must say (ARCHITECTURE.md: nothing is dropped in silence, and an error says what to do):
//! for each kind of field that is not used what to do instead, and of a value in a wrong place what it is.

// Tests say what they expect by failing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(not(target_arch = "wasm32"))]

use toolgate_core::import::add_one;
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
