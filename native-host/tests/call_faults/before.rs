//! What fails before the call is sent: the server has not seen it.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use toolgate_host::mcp::{NetLimits, ProxySettings, RmcpConnector};

use crate::{Setup, Stage, connector, play, script};

#[tokio::test]
async fn nothing_is_sent_where_the_start_fails() {
    let failed = "mcp.call_initialize_failed";
    for (behaviour, expected) in [
        ("closed-port", failed),
        ("reset", failed),
        ("not-http", failed),
        ("html", failed),
        ("gzip", failed),
        ("redirect", failed),
        ("401", failed),
        ("403", failed),
        ("404", failed),
        ("429", failed),
        ("503", failed),
        ("legacy-sse", failed),
        ("old-version", failed),
        ("initialized-500", failed),
        ("no-tools-capability", "mcp.call_tools_capability_missing"),
    ] {
        let (word, server) = play(script(behaviour), "first", "{}", |_| {}).await;
        assert_eq!((word.as_str(), server.calls()), (expected, 0), "{behaviour}");
    }
    // Long enough for the request that is not answered to get there, on a machine that is busy.
    let short = |setup: &mut Setup| setup.budgets.call_start = Duration::from_secs(2);
    let silent = ["silent", "stalled-stream", "initialize-silent", "initialized-silent"].map(|behaviour| async move {
        let (word, mut server) = play(script(behaviour), "first", "{}", short).await;
        assert_eq!(word, "mcp.call_initialize_timeout", "{behaviour}");
        server.wait_for_abandoned(1).await.expect("the request ended");
        assert_eq!(server.calls(), 0, "{behaviour}");
    });
    futures_util::future::join_all(silent).await;
}

#[tokio::test]
async fn nothing_is_sent_where_the_name_has_no_address() {
    // The top-level name is reserved for this (RFC 6761).
    let nowhere = |setup: &mut Setup| setup.url = Some("http://nowhere.invalid/mcp".to_owned());
    let (word, server) = play(script("good"), "first", "{}", nowhere).await;
    assert_eq!(
        (word.as_str(), server.received().len()),
        ("mcp.call_initialize_failed", 0)
    );
}

#[tokio::test]
async fn nothing_is_sent_where_there_is_no_http_client() {
    let no_proxy = |setup: &mut Setup| {
        let settings = ProxySettings::from_variables(|name| (name == "ALL_PROXY").then(|| "http://:::".to_owned()));
        setup.connector = Arc::new(RmcpConnector::new(NetLimits::default(), &settings).expect("a connector"));
        setup.url = Some("http://far.invalid/mcp".to_owned());
    };
    let (word, _) = play(script("good"), "first", "{}", no_proxy).await;
    assert_eq!(word, "mcp.call_http_client_unavailable");
}

#[tokio::test]
async fn nothing_is_sent_where_tls_fails() {
    for behaviour in ["tls-self-signed", "tls-self-signed-expired", "tls-good"] {
        let (word, mut server) = play(script(behaviour), "first", "{}", |_| {}).await;
        assert_eq!(word, "mcp.call_initialize_failed", "{behaviour}");
        server
            .wait_for_refused_sessions(1)
            .await
            .expect("a client that broke off");
        assert!(server.received().is_empty(), "{behaviour}");
    }
    // A server that speaks no TLS.
    let stage = Stage::new(script("good")).await;
    let url = stage.server.url().replace("http:", "https:");
    let (word, _) = play(script("good"), "first", "{}", |setup| setup.url = Some(url)).await;
    assert_eq!(
        (word.as_str(), stage.end().await.calls()),
        ("mcp.call_initialize_failed", 0)
    );
}

/// An address at which connections are neither taken nor refused: the queue of those that wait is full. Holds what
/// fills it.
async fn full_queue() -> (String, TcpListener, Vec<TcpStream>) {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(([127, 0, 0, 1], 0).into()).expect("an address");
    let listener = socket.listen(1).expect("a queue");
    let address = listener.local_addr().expect("an address");
    let mut waiting = Vec::new();
    while let Ok(Ok(stream)) = tokio::time::timeout(Duration::from_millis(300), TcpStream::connect(address)).await {
        waiting.push(stream);
    }
    (format!("http://{address}/mcp"), listener, waiting)
}

/// An address at which TLS is never answered.
async fn mute() -> (String, TcpListener) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a socket");
    let address = listener.local_addr().expect("an address");
    (format!("https://{address}/mcp"), listener)
}

#[tokio::test]
async fn a_connection_or_tls_session_that_does_not_come_about_ends_in_time_and_when_cancelled() {
    let (full, _listener, _waiting) = full_queue().await;
    let (silent, _mute) = mute().await;
    for url in [&full, &silent] {
        // By the budget of the call, and by that of the connection.
        let short = |setup: &mut Setup| {
            setup.url = Some(url.clone());
            setup.budgets.call_start = Duration::from_millis(100);
        };
        let (word, _) = play(script("good"), "first", "{}", short).await;
        assert_eq!(word, "mcp.call_initialize_timeout", "{url}");
        let impatient = |setup: &mut Setup| {
            setup.url = Some(url.clone());
            setup.connector = connector(NetLimits {
                connect: Duration::from_millis(100),
                ..NetLimits::default()
            });
        };
        let (word, _) = play(script("good"), "first", "{}", impatient).await;
        assert_eq!(word, "mcp.call_initialize_timeout", "{url}");

        let stage = Stage::with(script("good"), |setup| setup.url = Some(url.clone())).await;
        let running = stage.begin("first", "{}").await;
        stage.cancel().await;
        assert_eq!(running.word().await, "mcp.call_cancelled_before_send", "{url}");
        stage.end().await;
    }
    // Once the client has begun with TLS.
    let (url, listener) = mute().await;
    let stage = Stage::with(script("good"), |setup| setup.url = Some(url)).await;
    let running = stage.begin("first", "{}").await;
    let (hello, _) = listener.accept().await.expect("a connection");
    hello.readable().await.expect("a hello");
    stage.cancel().await;
    assert_eq!(running.word().await, "mcp.call_cancelled_before_send");
    stage.end().await;
}

#[tokio::test]
async fn nothing_is_sent_where_what_headers_need_cannot_be_read() {
    let failed = "mcp.call_metadata_failed";
    for (behaviour, tool, expected) in [
        ("list-refused", "first", failed),
        ("202-list", "first", failed),
        ("malformed-json", "first", failed),
        ("foreign-id", "first", failed),
        ("reset-body", "first", failed),
        ("short-body", "first", failed),
        ("5-mib-body", "first", failed),
        ("stream-without-answer", "first", failed),
        ("600-tools", "first", failed),
        ("duplicates", "twice", failed),
        ("cursor-loop", "absent", failed),
        ("two-pages", "absent", "mcp.call_tool_unavailable"),
    ] {
        let (word, server) = play(script(behaviour).in_2026(), tool, "{}", |_| {}).await;
        assert_eq!((word.as_str(), server.calls()), (expected, 0), "{behaviour}");
        // The older revisions read no list, so the same servers are called.
        let (word, server) = play(script(behaviour), tool, "{}", |_| {}).await;
        assert_eq!((word.as_str(), server.calls()), ("tool_result", 1), "{behaviour}");
    }
    let short = |setup: &mut Setup| setup.budgets.call_start = Duration::from_secs(1);
    let (word, mut server) = play(script("silent-list").in_2026(), "first", "{}", short).await;
    assert_eq!(word, "mcp.call_metadata_timeout");
    server.wait_for_abandoned(1).await.expect("the request ended");
    assert_eq!(server.calls(), 0);
}

#[tokio::test]
async fn a_header_that_cannot_be_sent_ends_before_anything_is() {
    for headers in [json!({"Content-Length": "1"}), json!({"X-Key": "secret\r\n"})] {
        let (word, server) = play(script("good"), "first", "{}", |setup| setup.headers = headers).await;
        assert_eq!(word, "mcp.call_headers_invalid");
        assert!(server.received().is_empty());
    }
}

#[tokio::test]
async fn a_call_cancelled_before_it_is_sent_is_never_received() {
    for (script, last) in [
        (script("silent"), "POST server/discover"),
        (script("initialize-silent"), "POST initialize"),
        (script("initialized-silent"), "POST notifications/initialized"),
        (script("silent-list").in_2026(), "POST tools/list"),
    ] {
        let mut stage = Stage::new(script).await;
        let running = stage.begin_until("first", |request| request.what() == last).await;
        stage.cancel().await;
        assert_eq!(running.word().await, "mcp.call_cancelled_before_send", "{last}");
        stage.server.wait_for_abandoned(1).await.expect("the request ended");
        assert_eq!(stage.end().await.calls(), 0, "{last}");
    }
}

#[tokio::test]
async fn a_server_that_ends_before_the_call_never_receives_it() {
    for (script, last, expected) in [
        (script("silent"), "POST server/discover", "mcp.call_initialize_failed"),
        (
            script("initialized-silent"),
            "POST notifications/initialized",
            "mcp.call_initialize_failed",
        ),
        (
            script("silent-list").in_2026(),
            "POST tools/list",
            "mcp.call_metadata_failed",
        ),
    ] {
        let mut stage = Stage::new(script).await;
        let running = stage.begin_until("first", |request| request.what() == last).await;
        let calls = stage.server.end().await;
        assert_eq!((running.word().await.as_str(), calls), (expected, 0), "{last}");
        stage.end().await;
    }
}
