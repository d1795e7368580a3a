//! Servers whose certificate is not to be trusted: the class says so, and nothing was sent. (Those of a trusted
//! authority are in the tests of the command line: whom a process trusts is settled when it starts.)

use toolgate_core::server::ProtocolVersion::Auto;
use toolgate_host::mcp::FailureClass as Class;
use toolgate_host::mcp::{Connector, Step};

use crate::{assert_clean, config, connect, connector, start};

#[tokio::test]
async fn a_certificate_that_is_not_trusted_says_why() {
    for (behaviour, detail) in [
        ("tls-self-signed", "the certificate's issuer is not known"),
        ("tls-self-signed-expired", "the certificate has expired"),
        ("tls-good", "the certificate's issuer is not known"),
    ] {
        let mut server = start(behaviour).await;
        let failure = connect(&server, Auto).await.err().expect(behaviour);
        assert_clean(&failure);
        assert_eq!(
            (failure.class, failure.step, failure.detail.as_deref()),
            (Class::TlsCertificate, Step::Connect, Some(detail)),
            "{behaviour}"
        );
        server.wait_for_refused_sessions(1).await.unwrap();
        assert!(server.received().is_empty(), "{behaviour}");
    }
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
async fn no_tls_with_a_server_that_speaks_it() {
    let server = start("tls-good").await;
    let url = server.url().replace("https://", "http://");
    let failure = connector()
        .connect(&config(&url, &[], Auto))
        .await
        .err()
        .expect("it fails");
    assert_eq!((failure.class, failure.step), (Class::NotMcp, Step::Start));
    assert_eq!(failure.detail.as_deref(), Some("the answer is not HTTP"));
}
