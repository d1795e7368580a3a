//! What the server received: in which order, in which version, with which headers, and nothing besides.

use toolgate_core::server::ProtocolVersion::{Auto, V20250618, V20260728};
use toolgate_host::mcp::FailureClass as Class;
use toolgate_host::mcp::{Connector, NetLimits, ProxySettings, RmcpConnector, Step};
use toolgate_testkit::catalogs;

use crate::{assert_clean, config, connect, connector, list, start};

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
async fn a_proxy_variable_that_is_no_address_fails_what_would_need_it() {
    let settings =
        ProxySettings::from_variables(|name| (name == "HTTPS_PROXY").then(|| "http://secret@:::".to_owned()));
    let connector = RmcpConnector::new(NetLimits::default(), &settings).unwrap();
    let server = start("good-2026").await;
    let near = connector.connect(&config(&server.url(), &[], Auto)).await.unwrap();
    near.close().await;
    let failure = connector
        .connect(&config("http://far.invalid/x", &[], Auto))
        .await
        .err()
        .expect("it fails");
    assert_clean(&failure);
    assert_eq!(
        (failure.class, failure.step),
        (Class::HttpClientUnavailable, Step::Prepare)
    );
    assert!(failure.to_diagnostic().message.contains("HTTPS_PROXY"), "{failure}");
}

#[tokio::test]
async fn a_ping_in_the_stream_is_answered_and_the_answer_found() {
    let mut server = start("chatty-stream").await;
    let connection = connect(&server, V20250618).await.unwrap();
    assert_eq!(connection.list_tools(None).await, Ok(catalogs::two_tools()));
    let answer = server
        .wait_for(|request| request.json()["id"] == "ping-1")
        .await
        .unwrap();
    assert_eq!(answer.json()["result"], serde_json::json!({}));
    assert_eq!(answer.header("mcp-session-id"), ["kit-session"]);
    connection.close().await;
}
