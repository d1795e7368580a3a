//! HTTP/1.1 as bytes: reading a request, writing an answer.

use std::io;

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Received {
    /// The HTTP method.
    pub method: String,
    /// The request target: path and query, or what a proxy gets.
    pub target: String,
    /// Header lines in order, names as they came.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
    /// More of the body was announced than was read.
    pub is_cut: bool,
}

impl Received {
    /// A message that came by standard input.
    pub(crate) fn line(body: String) -> Self {
        Self {
            method: "line".to_owned(),
            target: String::new(),
            headers: Vec::new(),
            body,
            is_cut: false,
        }
    }

    /// Every value of a header, in order.
    pub fn header(&self, name: &str) -> Vec<&str> {
        self.headers
            .iter()
            .filter(|(other, _)| other.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
            .collect()
    }

    /// The body as JSON; null where it is none.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// The JSON-RPC method of the body; empty where there is none.
    pub fn rpc(&self) -> String {
        self.json()
            .get("method")
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default()
            .to_owned()
    }

    /// The arguments of a `tools/call` as the text they came in; `{}` where there are none.
    pub fn arguments(&self) -> String {
        #[derive(Deserialize)]
        struct Call<'a> {
            #[serde(borrow)]
            params: Params<'a>,
        }
        #[derive(Deserialize)]
        struct Params<'a> {
            #[serde(borrow)]
            arguments: &'a RawValue,
        }
        serde_json::from_str::<Call<'_>>(&self.body)
            .map_or_else(|_| "{}".to_owned(), |call| call.params.arguments.get().to_owned())
    }

    /// Method and JSON-RPC method in one word, such as `POST tools/list` or `DELETE`.
    pub fn what(&self) -> String {
        format!("{} {}", self.method, self.rpc()).trim_end().to_owned()
    }
}

/// Reads one request, of its body at most so much; `None` where the client closed without one.
pub(crate) async fn read_request(
    stream: &mut (impl AsyncBufRead + Unpin),
    most_body_bytes: usize,
) -> io::Result<Option<Received>> {
    let mut line = String::new();
    if stream.read_line(&mut line).await? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let method = words.next().unwrap_or_default().to_owned();
    let target = words.next().unwrap_or_default().to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_owned(), value.trim().to_owned()));
    }
    let length = headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, value)| value.parse().ok())
        .unwrap_or(0);
    let is_cut = length > most_body_bytes;
    let length = length.min(most_body_bytes);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    Ok(Some(Received {
        method,
        target,
        headers,
        body: String::from_utf8_lossy(&body).into_owned(),
        is_cut,
    }))
}

/// An answer with its length.
pub(crate) fn answer(status: u16, headers: &[(&str, String)], body: &[u8]) -> Vec<u8> {
    let mut bytes = head(status, headers);
    bytes.extend_from_slice(format!("Content-Length: {}\r\nConnection: close\r\n\r\n", body.len()).as_bytes());
    bytes.extend_from_slice(body);
    bytes
}

/// An answer with these header lines and no other, each as it is; its body ends with the connection.
pub(crate) fn headed(status: u16, lines: &[&str], body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 {status} Kit\r\n");
    for line in lines {
        bytes.extend([line, "\r\n"]);
    }
    [bytes.as_bytes(), b"\r\n", body].concat()
}

/// An answer in HTTP chunks of a size.
pub(crate) fn chunked(status: u16, headers: &[(&str, String)], body: &[u8], size: usize) -> Vec<u8> {
    let mut bytes = head(status, headers);
    bytes.extend_from_slice(b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
    for chunk in body.chunks(size.max(1)) {
        bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        bytes.extend_from_slice(chunk);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"0\r\n\r\n");
    bytes
}

fn head(status: u16, headers: &[(&str, String)]) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} Kit\r\n");
    for (name, value) in headers {
        head.extend([name, ": ", value, "\r\n"]);
    }
    head.into_bytes()
}
