//! What is written to logs, by anything underneath, at the most talkative level: nothing secret that the configuration
//! holds. (What a server says of itself the SDK does log; the program shows its own lines only.)

use toolgate_core::server::ProtocolVersion::Auto;
use toolgate_host::mcp::Connector;

use crate::logs::Logs;
use crate::{config, connector, start};

#[tokio::test]
async fn no_log_line_holds_a_secret() {
    let logs = Logs::start();
    for behaviour in [
        "good",
        "good-2026",
        "401",
        "400",
        "503",
        "html",
        "redirect",
        "reset",
        "reset-body",
        "malformed-json",
        "stream-with-noise",
        "list-refused",
        "odd-version",
        "discover-32000",
        "closed-port",
    ] {
        let server = start(behaviour).await;
        let url = server.url().replace("http://", "http://user:secret@") + "?key=secret";
        let config = config(&url, &[("X-Key", "secret")], Auto);
        if let Ok(connection) = connector().connect(&config).await {
            let _ = connection.list_tools(None).await;
            connection.close().await;
        }
    }
    let log = logs.text();
    assert!(log.contains("streamable_http_client"), "the SDK's own lines are in it");
    for line in log.lines() {
        assert!(!line.contains("secret"), "{line}");
    }
}
