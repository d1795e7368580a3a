//! How connections end: dropped or closed, nothing of them goes on.

use std::time::Duration;

use toolgate_core::server::ProtocolVersion::{Auto, V20250618, V20260728};
use toolgate_host::mcp::{Connector, NetLimits, ProxySettings, RmcpConnector};

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
