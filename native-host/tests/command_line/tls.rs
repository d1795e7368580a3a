//! Whom the program trusts: the system's authorities, and what is made of a certificate that one of them signed.
//! On Linux alone: elsewhere the system keeps its authorities where a test cannot add one.
#![cfg(target_os = "linux")]

use serde_json::{Value, json};
use toolgate_testkit::{HttpServer, authority_pem};

use crate::support::{Data, error, result};

/// Asks a server for its tools in a process that trusts the kit's authority and nobody else.
fn discover(server: &HttpServer) -> Result<Value, Value> {
    let data = Data::new();
    let config = json!({"type": "http", "url": server.url()});
    let created = data.rpc(&[
        "servers.create",
        &json!({"displayName": "Kit", "config": config}).to_string(),
    ]);
    let id = &created["id"];
    data.rpc(&["servers.setState", &json!({"id": id, "state": "active"}).to_string()]);

    let trusted = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(trusted.path(), authority_pem().unwrap()).unwrap();
    let mut command = data.command(&["rpc", "servers.discover", &json!({"id": id}).to_string()]);
    command.env("SSL_CERT_FILE", trusted.path()).env_remove("SSL_CERT_DIR");
    let output = command.output().unwrap();
    if output.status.success() {
        Ok(result(&output))
    } else {
        Err(error(&output))
    }
}

// The server runs while the program is waited for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_of_a_trusted_authority_counts_while_it_is_valid_and_for_its_host() {
    let server = HttpServer::start("tls-good").await.unwrap();
    let found = discover(&server).unwrap();
    assert_eq!(found["tools"].as_array().unwrap().len(), 2, "{found}");

    for (behaviour, detail) in [
        ("tls-expired", "the certificate has expired"),
        ("tls-for-another", "the certificate is for another host"),
        ("tls-self-signed", "the certificate's issuer is not known"),
    ] {
        let server = HttpServer::start(behaviour).await.unwrap();
        let refused = discover(&server).unwrap_err();
        assert_eq!(refused["data"]["code"], "mcp.connection_tls_certificate", "{behaviour}");
        let message = refused["message"].as_str().unwrap();
        assert!(message.contains(detail), "{behaviour}: {message}");
        assert!(server.received().is_empty(), "{behaviour}");
    }
}
