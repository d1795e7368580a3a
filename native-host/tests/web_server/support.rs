//! A server to test, and a client that sends exactly the bytes it is told to.

use std::fmt::Write as _;
use std::net::Ipv4Addr;
use std::sync::Arc;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};
use toolgate_core::server::ServerConfig;
use toolgate_host::mcp::{BoxFuture, Connection, Connector, Failure, FailureClass, Step};
use toolgate_host::page::{Page, PageFile};
use toolgate_host::web_server::{WebServer, WebServerOptions};
use toolgate_host::{Host, HostOptions};

/// Connects to nothing: these tests are about the way to the host.
struct NoServers;

impl Connector for NoServers {
    fn connect<'a>(&'a self, _: &'a ServerConfig) -> BoxFuture<'a, Result<Box<dyn Connection>, Failure>> {
        Box::pin(async { Err(Failure::new(FailureClass::ConnectionRefused, Step::Connect)) })
    }
}

/// Never gets further than connecting.
pub(crate) struct Silent;

impl Connector for Silent {
    fn connect<'a>(&'a self, _: &'a ServerConfig) -> BoxFuture<'a, Result<Box<dyn Connection>, Failure>> {
        Box::pin(std::future::pending())
    }
}

pub(crate) struct Server {
    pub(crate) web: WebServer,
    pub(crate) host: Host,
    _data: tempfile::TempDir,
}

pub(crate) fn page_files() -> Vec<PageFile> {
    let file = |name: &'static str, brotli, bytes: &'static [u8]| PageFile {
        name: name.into(),
        brotli,
        bytes: bytes.into(),
    };
    vec![
        file(
            "index.html",
            false,
            b"<!doctype html><html><head><meta name=\"csp-nonce\" content=\"__NONCE__\"></head><body>page</body></html>",
        ),
        file("assets/main-AAAA1111.js", true, BROTLI_SCRIPT),
        file("assets/core-BBBB2222.wasm", false, b"\0asm\x01\0\0\0"),
        file("assets/style-CCCC3333.css", false, b"body{}"),
        file("assets/icon-DDDD4444.svg", false, b"<svg/>"),
    ]
}

pub(crate) const PLAIN_SCRIPT: &[u8] = b"console.log(1);\n";
/// The same after RFC 7932 §9.2, by hand. Bits, lowest first: window of 16 bits (0); not the last metablock (0); four
/// nibbles of length (00); 16 - 1 in 16 bits; uncompressed (1); padding; the bytes; an empty last metablock (11).
pub(crate) const BROTLI_SCRIPT: &[u8] = b"\xf0\x00\x10console.log(1);\n\x03";

pub(crate) async fn start(change: impl FnOnce(&mut WebServerOptions)) -> Server {
    start_with(Arc::new(NoServers), change).await
}

/// The same with servers.
pub(crate) async fn start_with(servers: Arc<dyn Connector>, change: impl FnOnce(&mut WebServerOptions)) -> Server {
    let data = tempfile::tempdir().unwrap();
    let host = Host::open(HostOptions::new(data.path()), servers).unwrap();
    let mut options = WebServerOptions {
        port: 0,
        page: Page::new(page_files()),
        ..WebServerOptions::default()
    };
    change(&mut options);
    let web = WebServer::start(options, host.bridge()).await.unwrap();
    Server { web, host, _data: data }
}

impl Server {
    pub(crate) async fn plain() -> Self {
        start(|_| {}).await
    }

    /// `127.0.0.1:<port>`, as `Host` and behind `http://` as `Origin`.
    pub(crate) fn name(&self) -> String {
        format!("127.0.0.1:{}", self.web.port())
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.name())
    }

    /// The launch token, from the address.
    pub(crate) fn token(&self) -> String {
        let address = self.web.addresses().with_token.reveal();
        address.split_once("?token=").unwrap().1.to_owned()
    }

    pub(crate) fn bearer(&self) -> String {
        format!("Bearer {}", self.token())
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect((Ipv4Addr::LOCALHOST, self.web.port()))
            .await
            .unwrap()
    }

    /// Sends a request with the right `Host` and these further headers; answers when the server has closed.
    pub(crate) async fn send(&self, line: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let host = self.name();
        let mut all = vec![("Host", host.as_str())];
        all.extend_from_slice(headers);
        self.send_exactly(line, &all, body).await
    }

    /// The same without a `Host` of its own.
    pub(crate) async fn send_exactly(&self, line: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = self.connect().await;
        let mut head = format!("{line} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            write!(head, "{name}: {value}\r\n").unwrap();
        }
        if !body.is_empty() {
            write!(head, "Content-Length: {}\r\n", body.len()).unwrap();
        }
        head.push_str("\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        // A server that refuses by the head may close before all of the body is out.
        let _ = stream.write_all(body).await;
        Answer::read(&mut stream).await
    }

    /// Posts a message with the launch token.
    pub(crate) async fn post(&self, message: &[u8]) -> Answer {
        let headers = [
            ("Authorization", self.bearer()),
            ("Content-Type", "application/json".to_owned()),
        ];
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.send("POST /rpc", &headers, message).await
    }

    /// Opens the page with the token; answers what a browser then has.
    pub(crate) async fn session(&self) -> Session {
        let answer = self.send(&format!("GET /?token={}", self.token()), &[], b"").await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let cookie = answer.header("set-cookie").unwrap();
        Session {
            cookie: cookie.split(';').next().unwrap().to_owned(),
            key: page_key(&answer),
        }
    }

    /// Opens the WebSocket with these headers.
    pub(crate) async fn socket(&self, headers: &[(&'static str, &str)]) -> Result<Socket, Refusal> {
        self.socket_over(self.connect().await, headers).await
    }

    pub(crate) async fn socket_over(
        &self,
        stream: TcpStream,
        headers: &[(&'static str, &str)],
    ) -> Result<Socket, Refusal> {
        let mut request = format!("ws://{}/ws", self.name()).into_client_request().unwrap();
        for (name, value) in headers {
            request
                .headers_mut()
                .insert(*name, HeaderValue::from_str(value).unwrap());
        }
        match client_async(request, stream).await {
            Ok((stream, response)) => Ok(Socket {
                stream,
                protocol: response
                    .headers()
                    .get("sec-websocket-protocol")
                    .map(|value| value.to_str().unwrap().to_owned()),
            }),
            Err(Error::Http(response)) => Err(Refusal {
                status: response.status().as_u16(),
                text: String::from_utf8(response.body().clone().unwrap_or_default()).unwrap(),
            }),
            Err(error) => panic!("{error}"),
        }
    }

    pub(crate) async fn program_socket(&self) -> Socket {
        self.socket(&[("authorization", &self.bearer())]).await.unwrap()
    }
}

/// What a browser has of a session: the cookie as it sends it, and the key in the page's storage.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) cookie: String,
    pub(crate) key: String,
}

/// The key in the first page of a session.
pub(crate) fn page_key(first: &Answer) -> String {
    let (_, key) = first.text().split_once(" data-key=\"").unwrap();
    key.split_once('"').unwrap().0.to_owned()
}

#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) text: String,
}

#[derive(Debug)]
pub(crate) struct Socket {
    pub(crate) stream: WebSocketStream<TcpStream>,
    pub(crate) protocol: Option<String>,
}

impl Socket {
    pub(crate) async fn send(&mut self, text: &str) {
        self.stream.send(Message::text(text)).await.unwrap();
    }

    pub(crate) async fn request(&mut self, id: i32, method: &str, params: &Value) {
        let request = serde_json::json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(&request.to_string()).await;
    }

    /// The answer to a request, events passed over.
    pub(crate) async fn ask(&mut self, id: i32, method: &str, params: &Value) -> Value {
        self.request(id, method, params).await;
        self.answer(id).await
    }

    /// The next message, as JSON.
    pub(crate) async fn next(&mut self) -> Value {
        loop {
            match self.stream.next().await.unwrap().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// The next message that answers the request with this id, events passed over.
    pub(crate) async fn answer(&mut self, id: i32) -> Value {
        loop {
            let message = self.next().await;
            if message["id"] == id {
                return message;
            }
            assert_eq!(message["method"], "host.changed", "{message}");
        }
    }

    /// The code the other end closes with.
    pub(crate) async fn closing_code(&mut self) -> u16 {
        loop {
            match self.stream.next().await {
                Some(Ok(Message::Close(Some(frame)))) => return frame.code.into(),
                Some(Ok(Message::Close(None))) => panic!("closed without a code"),
                Some(Ok(_)) => {}
                Some(Err(error)) => panic!("{error}"),
                None => panic!("ended without a close"),
            }
        }
    }
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) async fn read(stream: &mut TcpStream) -> Self {
        let mut bytes = Vec::new();
        let mut part = vec![0; 16 * 1024];
        // A reset after the answer is as good as its end.
        while let Ok(length) = stream.read(&mut part).await {
            if length == 0 {
                break;
            }
            bytes.extend_from_slice(&part[..length]);
        }
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .expect("a whole head");
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines
            .map(|line| line.split_once(':').unwrap())
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        Self {
            status,
            headers,
            body: bytes[end + 4..].to_vec(),
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(given, _)| given == name);
        let value = values.next().map(|(_, value)| value.as_str());
        assert!(values.next().is_none(), "{name} is there twice");
        value
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

pub(crate) const INFO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"host.info"}"#;
