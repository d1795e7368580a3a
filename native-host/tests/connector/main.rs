//! The connector against the servers of the test kit: the right raw text or the right class of failure, and nothing
//! sent that should not be.
#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

#[path = "../support/logs.rs"]
mod logs;

mod answers;
mod ending;
mod hellos;
mod requests;
mod secrets;
mod standing;
mod tls;

use std::sync::LazyLock;

use toolgate_core::named_values::NamedValues;
use toolgate_core::server::{HttpConfig, ProtocolVersion, ServerConfig};
use toolgate_host::mcp::{Connection, Connector, Failure, NetLimits, ProxySettings, RmcpConnector};
use toolgate_testkit::HttpServer;

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
