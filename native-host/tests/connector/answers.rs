//! What comes back: the right raw text, or the right class of failure.

use toolgate_core::server::ProtocolVersion::{self, Auto, V20250326, V20250618, V20251125, V20260728};
use toolgate_host::mcp::FailureClass as Class;
use toolgate_host::mcp::{Connector, Step};
use toolgate_testkit::{Answer, Ending, HttpServer, On, Script, catalogs};

use crate::{assert_clean, config, connect, connector, list, start};

#[tokio::test]
async fn every_good_server_is_read_in_its_version() {
    for (behaviour, setting, spoken) in [
        ("good", Auto, "2025-11-25"),
        ("good", V20251125, "2025-11-25"),
        ("good", V20250618, "2025-06-18"),
        ("good", V20250326, "2025-03-26"),
        ("good-sse", Auto, "2025-11-25"),
        ("good-sse", V20250618, "2025-06-18"),
        ("good-stateless", Auto, "2025-11-25"),
        ("good-2026", Auto, "2026-07-28"),
        ("good-2026", V20260728, "2026-07-28"),
        ("good-2026-sse", Auto, "2026-07-28"),
        ("crlf-stream", Auto, "2025-11-25"),
        ("cr-stream", Auto, "2025-11-25"),
        ("discover-400", Auto, "2025-11-25"),
        ("discover-32000", Auto, "2025-11-25"),
        ("discover-202", Auto, "2025-11-25"),
        ("discover-empty-stream", Auto, "2025-11-25"),
        ("discover-narrow", V20251125, "2025-11-25"),
        ("batch", V20250326, "2025-03-26"),
    ] {
        let server = start(behaviour).await;
        let connection = connect(&server, setting)
            .await
            .unwrap_or_else(|failure| panic!("{behaviour}, {setting:?}: {failure}"));
        let identity = connection.server();
        assert_eq!(identity.protocol_version, spoken, "{behaviour}, {setting:?}");
        assert_eq!(identity.name.as_deref(), Some("kit"), "{behaviour}");
        assert_eq!(identity.version.as_deref(), Some("1.0"), "{behaviour}");
        let listed = connection.list_tools(None).await;
        assert_eq!(listed, Ok(catalogs::two_tools()), "{behaviour}, {setting:?}");
        connection.close().await;
    }
}

/// Behaviour, setting, and the failure it comes to.
type Failing = (&'static str, ProtocolVersion, Class, Step, Option<&'static str>);

const FAILING: &[Failing] = &[
    (
        "redirect",
        Auto,
        Class::Redirect,
        Step::Start,
        Some("to http://elsewhere.invalid:81"),
    ),
    ("html", Auto, Class::NotMcp, Step::Start, Some("it is a web page")),
    ("html", V20250618, Class::NotMcp, Step::Start, Some("it is a web page")),
    (
        "plain-text",
        Auto,
        Class::NotMcp,
        Step::Start,
        Some("it is neither JSON nor an event stream"),
    ),
    (
        "not-http",
        Auto,
        Class::NotMcp,
        Step::Start,
        Some("the answer is not HTTP"),
    ),
    (
        "many-headers",
        Auto,
        Class::ResponseTooLarge,
        Step::Start,
        Some("its head has more than 100 headers, or more than 400 KB of them"),
    ),
    (
        "large-headers",
        V20250618,
        Class::ResponseTooLarge,
        Step::Start,
        Some("its head has more than 100 headers, or more than 400 KB of them"),
    ),
    ("401", Auto, Class::Unauthorized, Step::Start, None),
    ("401", V20250326, Class::Unauthorized, Step::Start, None),
    ("401-json", Auto, Class::Unauthorized, Step::Start, None),
    ("403", Auto, Class::Forbidden, Step::Start, None),
    ("404", Auto, Class::NotFound, Step::Start, None),
    ("404", V20260728, Class::NotFound, Step::Start, None),
    ("405", Auto, Class::MethodNotAllowed, Step::Start, None),
    ("400", Auto, Class::Refused, Step::Start, Some("HTTP status 400")),
    ("429", Auto, Class::RateLimited, Step::Start, Some("again in 7 seconds")),
    ("503", Auto, Class::ServerError, Step::Start, Some("HTTP status 503")),
    ("gzip", Auto, Class::UnsupportedEncoding, Step::Start, None),
    (
        "closed-port",
        Auto,
        Class::ConnectionRefused,
        Step::Connect,
        Some("connection refused"),
    ),
    ("reset", Auto, Class::ConnectionReset, Step::Start, None),
    ("legacy-sse", Auto, Class::LegacySse, Step::Start, None),
    ("legacy-sse", V20250618, Class::LegacySse, Step::Start, None),
    (
        "old-version",
        Auto,
        Class::ProtocolVersion,
        Step::Start,
        Some("the server speaks 2024-11-05; the setting allows 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26"),
    ),
    (
        "old-version",
        V20250618,
        Class::ProtocolVersion,
        Step::Start,
        Some("the server speaks 2024-11-05; the setting allows 2025-06-18"),
    ),
    (
        "odd-version",
        V20250618,
        Class::ProtocolVersion,
        Step::Start,
        Some("the server speaks none that MCP has; the setting allows 2025-06-18"),
    ),
    (
        "good",
        V20260728,
        Class::ProtocolVersion,
        Step::Start,
        Some("the server does not know server/discover; the setting allows 2026-07-28"),
    ),
    (
        "good-2026",
        V20250618,
        Class::ProtocolVersion,
        Step::Start,
        Some("the server does not know initialize; the setting allows 2025-06-18"),
    ),
    (
        "discover-narrow",
        V20260728,
        Class::ProtocolVersion,
        Step::Start,
        Some("the server speaks 2099-01-01; the setting allows 2026-07-28"),
    ),
    (
        "no-tools-capability",
        Auto,
        Class::ToolsCapabilityMissing,
        Step::ListTools,
        None,
    ),
    (
        "5-mib-body",
        Auto,
        Class::ResponseTooLarge,
        Step::ListTools,
        Some("the limit is 4194304 bytes"),
    ),
    (
        "5-mib-stream",
        Auto,
        Class::ResponseTooLarge,
        Step::ListTools,
        Some("the limit is 4194304 bytes"),
    ),
    (
        "many-events",
        Auto,
        Class::ResponseTooLarge,
        Step::ListTools,
        Some("the limit is 4194304 bytes"),
    ),
    (
        "stream-without-answer",
        Auto,
        Class::MalformedResponse,
        Step::ListTools,
        Some("the event stream ended without an answer"),
    ),
    (
        "stream-with-noise",
        Auto,
        Class::MalformedResponse,
        Step::ListTools,
        Some("an event holds no JSON-RPC message"),
    ),
    (
        "initialized-500",
        Auto,
        Class::ServerError,
        Step::Start,
        Some("HTTP status 500"),
    ),
    (
        "session-lost",
        Auto,
        Class::NotFound,
        Step::ListTools,
        Some("the server no longer knows the session"),
    ),
    (
        "500-json",
        Auto,
        Class::ServerError,
        Step::ListTools,
        Some("HTTP status 500, JSON-RPC error -32603"),
    ),
    ("reset-body", Auto, Class::ConnectionReset, Step::ListTools, None),
    ("short-body", Auto, Class::ConnectionReset, Step::ListTools, None),
    ("malformed-json", Auto, Class::MalformedResponse, Step::ListTools, None),
    (
        "foreign-id",
        Auto,
        Class::MalformedResponse,
        Step::ListTools,
        Some("it answers another request"),
    ),
    (
        "list-refused",
        Auto,
        Class::Refused,
        Step::ListTools,
        Some("JSON-RPC error -32603"),
    ),
    (
        "202-list",
        Auto,
        Class::MalformedResponse,
        Step::ListTools,
        Some("HTTP status 202 without an answer"),
    ),
];

#[tokio::test]
async fn failures_have_the_class_of_their_cause() {
    for &(behaviour, setting, class, step, detail) in FAILING {
        let server = start(behaviour).await;
        let failure = list(&server, setting)
            .await
            .expect_err(&format!("{behaviour}, {setting:?} fails"));
        assert_clean(&failure);
        assert_eq!(
            (failure.class, failure.step, failure.detail.as_deref()),
            (class, step, detail),
            "{behaviour}, {setting:?}"
        );
        // What happened, then what to do.
        let message = failure.to_diagnostic().message;
        let advice = message
            .strip_prefix(&failure.what())
            .expect("what happened comes first");
        assert!(advice.len() > 20 && advice.ends_with('.'), "{behaviour}: {message}");
    }
}

#[tokio::test]
async fn a_server_of_the_2024_transport_is_known_by_its_own_stream_whatever_it_refuses_with() {
    let head = "HTTP/1.1 200 Kit\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    let stream = format!("{head}event: endpoint\ndata: /messages?sessionId=1\n\n");
    for (status, class) in [
        (400, Class::LegacySse),
        (404, Class::LegacySse),
        (405, Class::LegacySse),
        // These say something else.
        (401, Class::Unauthorized),
        (410, Class::Refused),
    ] {
        for setting in [Auto, V20250618, V20260728] {
            let script = Script::default()
                .instead(
                    On::Http("GET"),
                    Answer::Bytes(stream.clone().into_bytes(), Ending::Hold),
                )
                .instead(On::Http("POST"), Answer::status(status));
            let server = HttpServer::play(script).await.unwrap();
            let failure = connect(&server, setting).await.err().expect("it fails");
            assert_eq!(
                (failure.class, failure.step),
                (class, Step::Start),
                "{status}, {setting:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_server_that_answered_the_start_is_not_asked_whether_it_is_of_2024() {
    for status in [400, 404, 405] {
        let script = Script::default().instead(On::Rpc("notifications/initialized"), Answer::status(status));
        let server = HttpServer::play(script).await.unwrap();
        connect(&server, V20250618).await.err().expect("it fails");
        let asked = server.asked();
        assert!(asked.iter().all(|what| !what.starts_with("GET")), "{status}: {asked:?}");
    }
}

#[tokio::test]
async fn a_result_keeps_its_spelling_from_json_and_events() {
    for behaviour in ["odd-spellings", "odd-spellings-sse"] {
        let server = start(behaviour).await;
        assert_eq!(list(&server, Auto).await, Ok(catalogs::odd_spellings()));
    }
}

#[tokio::test]
async fn a_stream_that_closes_early_is_gone_on_with() {
    let server = start("resumed-stream").await;
    assert_eq!(list(&server, V20251125).await, Ok(catalogs::two_tools()));
    let asked = server.asked();
    assert_eq!(
        asked.iter().filter(|what| *what == "POST tools/list").count(),
        1,
        "{asked:?}"
    );
}

#[tokio::test]
async fn a_redirect_on_the_same_host_says_so() {
    let server = start("redirect-slash").await;
    let failure = list(&server, Auto).await.unwrap_err();
    let expected = format!("to another path at http://{}", server.address());
    assert_eq!((failure.class, failure.detail), (Class::Redirect, Some(expected)));
}

#[tokio::test]
async fn a_host_without_address_is_dns() {
    // The top-level name is reserved for this (RFC 6761).
    let config = config("http://nowhere.invalid/mcp", &[], Auto);
    let failure = connector().connect(&config).await.err().expect("it fails");
    assert_eq!((failure.class, failure.step), (Class::Dns, Step::Connect));
}
