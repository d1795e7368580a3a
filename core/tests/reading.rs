//! Reading a server's configuration and a description override from JSON, and the hints of an import: what the vectors
//! do not show, because they show neither what cannot be read nor sentences.

// Tests say what they expect by failing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(not(target_arch = "wasm32"))]

use toolgate_core::Limits;
use toolgate_core::import::add_one;
use toolgate_core::server::{DescriptionOverride, ServerConfig};

#[test]
fn an_override_is_an_object_whose_names_stand_once() {
    let read = |text: &str| serde_json::from_str::<DescriptionOverride>(text).map_err(|error| error.to_string());

    let whole = read(r#"{"description":"D","properties":{"x":"y","__proto__":""}}"#).unwrap();
    assert_eq!(whole.description.as_deref(), Some("D"));
    assert_eq!(whole.properties["x"], "y");
    assert_eq!(whole.properties["__proto__"], "");
    assert_eq!(read("{}"), Ok(DescriptionOverride::default()));
    assert_eq!(read(r#"{"description":null}"#), Ok(DescriptionOverride::default()));

    for (text, reason) in [
        (
            r#"["D",{"x":"y"}]"#,
            "expected an object with a description, properties or both",
        ),
        ("[]", "expected an object with a description, properties or both"),
        (r#""D""#, "expected an object with a description, properties or both"),
        (
            r#"{"description":"a","description":"b"}"#,
            "duplicate field `description`",
        ),
        (r#"{"properties":{"x":"a","x":"b"}}"#, "a name stands twice"),
        (r#"{"properties":{"x":"a","\u0078":"a"}}"#, "a name stands twice"),
        (
            r#"{"properties":[["x","y"]]}"#,
            "expected an object whose values are strings",
        ),
        (r#"{"properties":null}"#, "expected an object whose values are strings"),
        (r#"{"title":"D"}"#, "unknown field `title`"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(reason), "{text}: {error}");
        assert!(
            !error.contains("struct") && !error.contains("Override"),
            "{text}: {error}"
        );
    }
}

#[test]
fn a_configuration_is_an_object_whose_names_stand_once() {
    let read = |text: &str| serde_json::from_str::<ServerConfig>(text).map_err(|error| error.to_string());

    assert!(read(r#"{"type":"http","url":"https://example.com/"}"#).is_ok());
    assert!(read(r#"{"url":"https://example.com/","type":"http"}"#).is_ok());
    for text in [
        r#"["http",{"url":"https://example.com/"}]"#,
        r#"["http","https://example.com/",{},"auto"]"#,
        r#"{"type":"http","url":"https://example.com/","url":"https://example.com/"}"#,
        r#"{"type":"http","type":"http","url":"https://example.com/"}"#,
        r#"{"type":"http","url":"https://example.com/","headers":{"a":"","a":""}}"#,
        r#"{"type":"http","url":"https://example.com/","headers":[["a","b"]]}"#,
        r#"{"url":"https://example.com/"}"#,
        r#""http""#,
    ] {
        let error = read(text).unwrap_err();
        assert!(
            !error.contains("struct") && !error.contains("Config"),
            "{text}: {error}"
        );
    }
}

#[test]
fn a_misspelled_field_is_told() {
    let said = |text: &str| {
        let preview = add_one(text, &Limits::default());
        let all = preview.errors.into_iter().chain(preview.notes);
        all.map(|diagnostic| diagnostic.message).collect::<Vec<_>>().join("\n")
    };

    for (text, hint) in [
        (
            r#"{"mcpServer":{"docs":{"url":"https://example.com/"}}}"#,
            "If you mean mcpServers,",
        ),
        (
            r#"{"mcpservers":{"docs":{"url":"https://example.com/"}}}"#,
            "If you mean mcpServers,",
        ),
        (r#"{"mcpSevers":{}}"#, "If you mean mcpServers,"),
        (
            r#"{"server":{"docs":{"url":"https://example.com/"}}}"#,
            "If you mean servers,",
        ),
        (r#"{"mcpServer":[]}"#, "If you mean mcpServers,"),
        (r#"{"docs":{"ulr":"https://example.com/"}}"#, "If you mean url,"),
        (r#"{"ulr":"https://example.com/"}"#, "If you mean url,"),
        (r#"{"docs":{"URL":"https://example.com/"}}"#, "If you mean url,"),
        (
            r#"{"docs":{"url":"https://example.com/","header":{}}}"#,
            "If you mean headers,",
        ),
        (r#"{"docs":{"command":"a","arg":["b"]}}"#, "If you mean args,"),
        (r#"{"docs":{"comand":"a"}}"#, "If you mean command,"),
        (
            r#"{"docs":{"command":"a","protocol_versoin":"auto"}}"#,
            "If you mean protocolVersion,",
        ),
    ] {
        assert!(said(text).contains(hint), "{text}: {}", said(text));
    }
    for text in [
        r#"{"server":{"url":"https://example.com/"}}"#,
        r#"{"docs":{"url":"https://example.com/","id":"a","icon":"b","heads":{},"description":"c"}}"#,
        r#"{"env":"a"}"#,
        r#"{"docs":{}}"#,
    ] {
        assert!(!said(text).contains("If you mean"), "{text}: {}", said(text));
    }
}
