//! A client of the program that owns the data: one request on a connection of its own, which nothing can resend.

use std::net::Ipv4Addr;
use std::time::Duration;

use axum::http::{Request, StatusCode, header};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use toolgate_core::{Code, Diagnostic};

use crate::ownership::ClientAccess;

/// On loopback a connection is there at once or not at all.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum ClientError {
    /// Nothing was sent: the owner does not listen (any more).
    NotSent,
    /// The request may have been carried out.
    Lost,
    /// The owner's web server refused it, for this reason.
    Refused(StatusCode, String),
}

impl ClientError {
    pub(super) fn to_diagnostic(&self, pid: u32) -> Diagnostic {
        match self {
            Self::NotSent => Diagnostic::new(
                Code::HostBusy,
                format!(
                    "The program with process id {pid} owns the data directory but does not answer; nothing was sent. \
                     Try again, or end that program."
                ),
            ),
            Self::Lost => Diagnostic::new(
                Code::HostConnectionLost,
                format!(
                    "The running Toolgate (process id {pid}) ended the connection before it answered. The request may \
                     have been carried out; look before you repeat it."
                ),
            ),
            Self::Refused(status, reason) => Diagnostic::new(
                Code::HostRefused,
                format!(
                    "The running Toolgate (process id {pid}) refused the request with HTTP status {}: {reason}",
                    status.as_u16()
                ),
            ),
        }
    }
}

/// Posts a JSON text; answers the body of a 200.
pub(super) async fn post(access: &ClientAccess, path: &str, json: String) -> Result<String, ClientError> {
    let connect = TcpStream::connect((Ipv4Addr::LOCALHOST, access.port));
    let Ok(Ok(stream)) = tokio::time::timeout(CONNECT_TIMEOUT, connect).await else {
        return Err(ClientError::NotSent);
    };
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream))
        .await
        .map_err(|_| ClientError::NotSent)?;
    let request = Request::post(path)
        .header(header::HOST, format!("127.0.0.1:{}", access.port))
        .header(header::AUTHORIZATION, format!("Bearer {}", access.token.reveal()))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::CONNECTION, "close")
        .body(Full::new(Bytes::from(json)))
        // Only a token with odd characters in a damaged record.
        .map_err(|_| ClientError::NotSent)?;
    tokio::spawn(connection);
    let response = sender.send_request(request).await.map_err(|_| ClientError::Lost)?;
    let status = response.status();
    let body = response.into_body().collect().await.map_err(|_| ClientError::Lost)?;
    let text = String::from_utf8_lossy(&body.to_bytes()).into_owned();
    if status == StatusCode::OK {
        Ok(text)
    } else {
        Err(ClientError::Refused(status, text.trim().to_owned()))
    }
}
