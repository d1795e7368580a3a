//! The connector against the servers of the test kit: the right raw text or the right class of failure, and nothing
//! sent that should not be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A test may fail loudly.

use std::sync::LazyLock;
use std::time::Duration;

use toolgate_core::named_values::NamedValues;
use toolgate_core::server::{HttpConfig, ProtocolVersion, ServerConfig, StdioConfig};
use toolgate_host::mcp::{Connection, Connector, Failure, FailureClass, NetLimits, ProxySettings, RmcpConnector, Step};
use toolgate_testkit::{HttpServer, catalogs};

use FailureClass as Class;
use ProtocolVersion::{Auto, V20250326, V20250618, V20251125, V20260728};

fn config(url: &str, headers: &[(&str, &str)], protocol_version: ProtocolVersion) -> ServerConfig {
    let mut values = NamedValues::new();
    for (name, value) in headers {
        assert!(values.insert((*name).to_owned(), (*value).to_owned()));
    }
    ServerConfig::Http(HttpConfig {
        url: url.to_owned(),
        headers: values,
        protocol_version,
    })
}

/// One for all tests: reading the platform's certificates takes a while.
fn connector() -> &'static RmcpConnector {
    static CONNECTOR: LazyLock<RmcpConnector> =
        LazyLock::new(|| RmcpConnector::new(NetLimits::default(), &ProxySettings::none()).expect("a connector"));
    &CONNECTOR
}

async fn connect(server: &HttpServer, version: ProtocolVersion) -> Result<Box<dyn Connection>, Failure> {
    connector().connect(&config(&server.url(), &[], version)).await
}

/// Connects, lists the first page, closes.
async fn list(server: &HttpServer, version: ProtocolVersion) -> Result<String, Failure> {
    let connection = connect(server, version).await?;
    let listed = connection.list_tools(None).await;
    connection.close().await;
    listed
}

async fn start(behaviour: &str) -> HttpServer {
    HttpServer::start(behaviour).await.expect("a server")
}

/// Nothing that a server said or a configuration holds may be in what a person, or a log, gets to see.
fn assert_clean(failure: &Failure) {
    let shown = format!("{failure} {failure:?} {}", failure.to_diagnostic().message);
    for secret in ["remote text", "secret", "/mcp?", "html>"] {
        assert!(!shown.contains(secret), "{secret:?} in {shown}");
    }
}

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

#[tokio::test]
async fn failures_have_the_class_of_their_cause() {
    for (behaviour, setting, class, step, detail) in [
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
    ] {
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
async fn a_cursor_goes_out_as_it_came_even_an_empty_one() {
    let server = start("two-pages").await;
    let connection = connect(&server, Auto).await.unwrap();
    let first = connection.list_tools(None).await.unwrap();
    let second = connection.list_tools(Some("")).await.unwrap();
    connection.close().await;
    assert!(first.ends_with(r#","nextCursor":""}"#), "{first}");
    assert!(second.contains(r#""name":"second""#), "{second}");
    let cursors: Vec<_> = server
        .received()
        .iter()
        .filter(|request| request.rpc() == "tools/list")
        .map(|request| request.json().pointer("/params/cursor").cloned())
        .collect();
    assert_eq!(cursors, [None, Some("".into())]);
}

#[tokio::test]
async fn an_older_server_sees_the_whole_session_in_order() {
    let mut server = start("good").await;
    let connection = connect(&server, V20250618).await.unwrap();
    server.wait_for(|request| request.method == "GET").await.unwrap();
    connection.list_tools(None).await.unwrap();
    connection.close().await;
    let mut asked = server.asked();
    // The server's own stream is opened beside the rest.
    asked.retain(|what| what != "GET");
    assert_eq!(
        asked,
        [
            "POST initialize",
            "POST notifications/initialized",
            "POST tools/list",
            "DELETE"
        ]
    );
    for request in server.received() {
        let opening = request.rpc() == "initialize";
        let (session, version): (&[&str], &[&str]) = if opening {
            (&[], &[])
        } else {
            (&["kit-session"], &["2025-06-18"])
        };
        assert_eq!(request.header("mcp-session-id"), session, "{}", request.what());
        assert_eq!(request.header("mcp-protocol-version"), version, "{}", request.what());
    }
    let initialize = server.received()[0].json();
    assert_eq!(initialize["params"]["protocolVersion"], "2025-06-18");
    assert_eq!(initialize["params"]["capabilities"], serde_json::json!({}));
    assert_eq!(initialize["params"]["clientInfo"]["name"], "toolgate");
    assert_eq!(initialize["params"]["clientInfo"]["version"], env!("CARGO_PKG_VERSION"));
}

#[tokio::test]
async fn a_server_of_2026_sees_two_requests_and_no_session() {
    for setting in [Auto, V20260728] {
        let server = start("good-2026").await;
        list(&server, setting).await.unwrap();
        assert_eq!(server.asked(), ["POST server/discover", "POST tools/list"]);
    }
}

#[tokio::test]
async fn each_setting_asks_only_for_what_it_allows() {
    for (behaviour, setting, asked) in [
        ("good", V20260728, vec!["POST server/discover"]),
        ("good-2026", V20250618, vec!["POST initialize"]),
        (
            "old-version",
            V20250618,
            vec!["POST initialize", "POST notifications/initialized", "DELETE"],
        ),
        ("404", Auto, vec!["POST server/discover", "POST initialize", "GET"]),
        ("401", Auto, vec!["POST server/discover"]),
        ("redirect", Auto, vec!["POST server/discover"]),
        ("html", Auto, vec!["POST server/discover"]),
        ("503", Auto, vec!["POST server/discover"]),
        ("gzip", Auto, vec!["POST server/discover"]),
        ("reset", Auto, vec!["POST server/discover"]),
        ("discover-202", V20260728, vec!["POST server/discover"]),
    ] {
        let server = start(behaviour).await;
        connect(&server, setting).await.err().expect("it fails");
        let mut seen = server.asked();
        if behaviour == "old-version" {
            seen.retain(|what| what != "GET");
        }
        assert_eq!(seen, asked, "{behaviour}, {setting:?}");
    }
}

#[tokio::test]
async fn the_one_more_try_is_made_once_and_only_where_the_probe_got_no_answer() {
    let server = start("discover-202").await;
    connect(&server, Auto).await.unwrap().close().await;
    let mut asked = server.asked();
    asked.retain(|what| what != "GET");
    assert_eq!(
        asked,
        [
            "POST server/discover",
            "POST initialize",
            "POST notifications/initialized",
            "DELETE"
        ]
    );
    let probe = server.received()[0].json();
    let meta = "/params/_meta/io.modelcontextprotocol~1protocolVersion";
    assert_eq!(probe.pointer(meta).unwrap(), "2026-07-28");
    let initialize = server
        .received()
        .iter()
        .find(|request| request.rpc() == "initialize")
        .unwrap()
        .json();
    assert_eq!(initialize["params"]["protocolVersion"], "2025-11-25");
}

#[tokio::test]
async fn configured_headers_go_out_with_every_request() {
    for behaviour in ["good", "good-2026"] {
        let mut server = start(behaviour).await;
        let url = server.url().replace("http://", "http://user:p%40ss@");
        let config = config(
            &url,
            &[
                ("X-Key", "one"),
                ("x-key", "two"),
                ("Mcp-Protocol-Version", "1999-01-01"),
                ("User-Agent", "mine"),
            ],
            Auto,
        );
        let connection = connector().connect(&config).await.unwrap();
        if behaviour == "good" {
            server.wait_for(|request| request.method == "GET").await.unwrap();
        }
        connection.list_tools(None).await.unwrap();
        connection.close().await;
        let received = server.received();
        assert_eq!(received.len(), if behaviour == "good" { 6 } else { 2 });
        for request in received {
            let what = request.what();
            assert_eq!(request.header("x-key"), ["one", "two"], "{what}");
            assert_eq!(request.header("user-agent"), ["mine"], "{what}");
            assert_eq!(request.header("authorization"), ["Basic dXNlcjpwQHNz"], "{what}");
            assert_eq!(request.header("accept-encoding"), ["identity"], "{what}");
            assert_eq!(request.header("accept").len(), 1, "{what}");
            assert!(request.header("mcp-protocol-version").len() <= 1, "{what}");
            if what != "POST initialize" {
                assert!(
                    !request.header("mcp-protocol-version").contains(&"1999-01-01"),
                    "{what}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_configured_authorization_is_the_only_one() {
    let server = start("good-2026").await;
    let url = server.url().replace("http://", "http://user:pass@");
    let config = config(&url, &[("Authorization", "Bearer x")], Auto);
    connector().connect(&config).await.unwrap().close().await;
    for request in server.received() {
        assert_eq!(request.header("authorization"), ["Bearer x"]);
    }
}

#[tokio::test]
async fn a_header_that_cannot_be_sent_ends_before_anything_is_sent() {
    let server = start("good").await;
    for (name, value) in [
        ("Accept", "x"),
        ("Content-Length", "1"),
        ("X-Key", "secret\r\nX-Other: y"),
        ("a b", "x"),
    ] {
        let config = config(&server.url(), &[(name, value)], Auto);
        let failure = connector().connect(&config).await.err().expect("it fails");
        assert_clean(&failure);
        assert_eq!((failure.class, failure.step), (Class::HeadersInvalid, Step::Prepare));
        assert_eq!(failure.to_diagnostic().code.as_str(), "mcp.discovery_headers_invalid");
    }
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn a_redirect_on_the_same_host_says_so() {
    let server = start("redirect-slash").await;
    let failure = list(&server, Auto).await.unwrap_err();
    let expected = format!("to another path at http://{}", server.address());
    assert_eq!((failure.class, failure.detail), (Class::Redirect, Some(expected)));
}

#[tokio::test]
async fn dropping_an_attempt_ends_its_request() {
    for behaviour in ["silent", "stalled-stream"] {
        for setting in [Auto, V20250618, V20260728] {
            let mut server = start(behaviour).await;
            let (connector, config) = (connector(), config(&server.url(), &[], setting));
            let attempt = tokio::spawn(async move { connector.connect(&config).await.map(drop) });
            server.wait_for(|request| request.method == "POST").await.unwrap();
            attempt.abort();
            server.wait_for_abandoned(1).await.unwrap();
            assert_eq!(server.asked().len(), 1, "{behaviour}, {setting:?}");
        }
    }
}

#[tokio::test]
async fn closing_ends_a_request_that_is_never_answered() {
    let mut server = start("silent-list").await;
    let connection = connect(&server, Auto).await.unwrap();
    {
        let listing = connection.list_tools(None);
        tokio::select! {
            outcome = listing => panic!("an answer: {outcome:?}"),
            seen = server.wait_for(|request| request.rpc() == "tools/list") => drop(seen.unwrap()),
        }
    }
    connection.close().await;
    server.wait_for_abandoned(1).await.unwrap();
    assert!(server.asked().contains(&"DELETE".to_owned()));
}

#[tokio::test]
async fn closing_takes_no_longer_than_its_budget() {
    let mut server = start("no-delete").await;
    let limits = NetLimits {
        close: Duration::from_millis(100),
        ..NetLimits::default()
    };
    let connector = RmcpConnector::new(limits, &ProxySettings::none()).unwrap();
    let connection = connector.connect(&config(&server.url(), &[], Auto)).await.unwrap();
    tokio::time::timeout(Duration::from_secs(2), connection.close())
        .await
        .expect("closed in time");
    // What was abandoned does not go on behind our back.
    server.wait_for_abandoned(1).await.unwrap();
}

#[tokio::test]
async fn a_host_without_address_is_dns() {
    // The top-level name is reserved for this (RFC 6761).
    let config = config("http://nowhere.invalid/mcp", &[], Auto);
    let failure = connector().connect(&config).await.err().expect("it fails");
    assert_eq!((failure.class, failure.step), (Class::Dns, Step::Connect));
}

#[tokio::test]
async fn tls_with_a_server_that_speaks_none() {
    let server = start("good").await;
    let url = server.url().replace("http://", "https://");
    let failure = connector()
        .connect(&config(&url, &[], Auto))
        .await
        .err()
        .expect("it fails");
    assert_eq!((failure.class, failure.step), (Class::TlsCertificate, Step::Connect));
    assert_eq!(failure.detail.as_deref(), Some("what answers does not speak TLS"));
}

#[tokio::test]
async fn a_proxy_is_used_except_to_this_computer() {
    let proxy = start("good-2026").await;
    let server = start("good-2026").await;
    let address = format!("http://{}", proxy.address());
    let settings = ProxySettings::from_variables(|name| (name == "HTTP_PROXY").then(|| address.clone()));
    let connector = RmcpConnector::new(NetLimits::default(), &settings).unwrap();
    assert_eq!(connector.proxies(), ["HTTP_PROXY"]);

    let near = connector.connect(&config(&server.url(), &[], Auto)).await.unwrap();
    near.close().await;
    assert!(proxy.received().is_empty());

    let far = connector
        .connect(&config("http://far.invalid/x", &[], Auto))
        .await
        .unwrap();
    assert!(far.list_tools(None).await.is_ok());
    far.close().await;
    assert!(
        proxy
            .received()
            .iter()
            .all(|request| request.target == "http://far.invalid/x")
    );
    assert_eq!(proxy.received().len(), 2);
}

#[tokio::test]
async fn a_child_process_is_not_for_this_connector() {
    let config = ServerConfig::Stdio(StdioConfig {
        command: "x".to_owned(),
        args: Vec::new(),
        env: NamedValues::new(),
        cwd: None,
        protocol_version: Auto,
    });
    let failure = connector().connect(&config).await.err().expect("it fails");
    assert_eq!(failure.to_diagnostic().code.as_str(), "mcp.transport_unsupported");
}
