//! How connections end: dropped or closed, nothing of them goes on.

use std::time::Duration;

use serde_json::{Value, json};
use toolgate_core::server::ProtocolVersion::{Auto, V20250618, V20260728};
use toolgate_host::mcp::{Connector, NetLimits, Progress, ProxySettings, RmcpConnector, Step};
use toolgate_host::store::MemoryFiles;
use toolgate_host::{Host, HostOptions};
use toolgate_testkit::{Answer, Ending, HttpServer, On, Script};

use crate::{config, connect, connector, start};

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
async fn a_server_that_keeps_silent_to_the_probe_is_asked_the_older_way() {
    let limits = NetLimits {
        discover: Duration::from_millis(50),
        ..NetLimits::default()
    };
    let connector = RmcpConnector::new(limits, &ProxySettings::none()).unwrap();
    for behaviour in ["discover-silent", "discover-stalled"] {
        let mut server = start(behaviour).await;
        let config = config(&server.url(), &[], Auto);
        let connection = connector.connect(&config).await.unwrap();
        assert_eq!(connection.server().protocol_version, "2025-11-25", "{behaviour}");
        server.wait_for_abandoned(1).await.unwrap();
        connection.close().await;
    }
}

#[tokio::test]
async fn whoever_gives_up_learns_whether_the_server_was_reached() {
    let mut server = start("silent").await;
    let (config_silent, progress) = (config(&server.url(), &[], V20250618), Progress::default());
    tokio::select! {
        _ = connector().connect_telling(&config_silent, &progress) => panic!("an answer"),
        seen = server.wait_for(|request| request.rpc() == "initialize") => drop(seen.unwrap()),
    }
    assert_eq!(progress.step(), Step::Start);

    // One that takes the connection and never begins with TLS.
    let mute = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("https://{}/mcp", mute.local_addr().unwrap());
    let (config_mute, progress) = (config(&url, &[], V20250618), Progress::default());
    tokio::select! {
        _ = connector().connect_telling(&config_mute, &progress) => panic!("an answer"),
        hello = async { mute.accept().await.unwrap().0.readable().await } => hello.unwrap(),
    }
    assert_eq!(progress.step(), Step::Connect);
}

#[tokio::test]
async fn a_discovery_that_runs_out_of_time_names_the_step() {
    let server = start("silent").await;
    let mut options = HostOptions::new("/data");
    options.files = std::sync::Arc::new(MemoryFiles::new());
    options.budgets.discovery = Duration::from_millis(500);
    let connector = RmcpConnector::new(NetLimits::default(), &ProxySettings::none()).unwrap();
    let host = Host::open(options, std::sync::Arc::new(connector)).unwrap();
    let bridge = host.bridge();
    let ask = async |method: &str, params: Value| {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        serde_json::from_str::<Value>(&bridge.handle(request.to_string()).await).unwrap()
    };
    let config = json!({"type": "http", "url": server.url(), "protocolVersion": "2025-06-18"});
    let created = ask("servers.create", json!({"displayName": "Docs", "config": config})).await;
    let id = &created["result"]["id"];
    ask("servers.setState", json!({"id": id, "state": "active"})).await;
    let refused = ask("servers.refresh", json!({"id": id})).await;
    assert_eq!(refused["error"]["data"]["code"], "mcp.connection_timeout");
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("did not answer the first request"), "{message}");
    host.shutdown().await;
}

/// A server whose own stream begins, and then this happens to it.
async fn with_own_stream(ending: Ending) -> HttpServer {
    let head = "HTTP/1.1 200 Kit\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    let stream = Answer::Bytes(format!("{head}8\r\n: begun\n\r\n").into_bytes(), ending);
    HttpServer::play(Script::default().instead(On::Http("GET"), stream))
        .await
        .unwrap()
}

#[tokio::test]
async fn a_connection_whose_own_stream_broke_off_is_known_to_be_closed() {
    for ending in [Ending::Close, Ending::Reset] {
        let mut server = with_own_stream(ending).await;
        let connection = connect(&server, V20250618).await.unwrap();
        server.wait_for(|request| request.method == "GET").await.unwrap();
        let known = async {
            while connection.is_open() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), known)
            .await
            .expect("known");
        // What is asked now may be answered all the same.
        connection.list_tools(None).await.unwrap();
        connection.close().await;
    }
}

#[tokio::test]
async fn one_without_such_a_stream_or_with_one_that_goes_on_is_open() {
    for server in [with_own_stream(Ending::Hold).await, start("good").await] {
        let connection = connect(&server, V20250618).await.unwrap();
        connection.list_tools(None).await.unwrap();
        assert!(connection.is_open());
        connection.close().await;
    }
}
