//! What is written to logs, by anything underneath, at the most talkative level: nothing secret that the configuration
//! holds. (What a server says of itself the SDK does log; the program shows its own lines only.)

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use toolgate_core::server::ProtocolVersion::Auto;
use toolgate_host::mcp::Connector;
use tracing_subscriber::filter::LevelFilter;

use crate::{config, connector, start};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_log_line_holds_a_secret() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
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
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("streamable_http_client"), "the SDK's own lines are in it");
    for line in log.lines() {
        assert!(!line.contains("secret"), "{line}");
    }
}
