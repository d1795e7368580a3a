//! The numbers of the MCP client: time and bytes on the wire. The numbers of the domain are in `toolgate_core::Limits`.

use std::time::Duration;

/// Time and size limits of connections, with their defaults. The budget for a whole discovery or call is the caller's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetLimits {
    /// Until a TCP connection and its TLS session stand.
    pub connect: Duration,
    /// Until a server that says nothing to `server/discover` counts as one that does not know it, under `auto`. Must
    /// stay below 10 s: the SDK has such a limit itself, but over HTTP takes a late answer for a wrong one.
    pub discover: Duration,
    /// Until a closing connection is abandoned.
    pub close: Duration,
    /// For the one GET that tells a server of the 2024 transport from a wrong address.
    pub probe: Duration,
    /// Until calls no longer wait for the stream on which a server with sessions speaks by itself.
    pub standing: Duration,
    /// Until a server has taken the answer to a request of its own.
    pub answer: Duration,
    /// Answers to a server's own requests under way at once, on one connection. While there are as many, a stream that
    /// brings another is not read.
    pub answers: usize,
    /// Bytes of the whole answer to one request, and of one event on the stream a server keeps open by itself.
    pub response_bytes: usize,
    /// Bytes read of the body of a failed answer that is not JSON.
    pub error_body_bytes: usize,
}

impl Default for NetLimits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            discover: Duration::from_secs(9),
            close: Duration::from_secs(2),
            probe: Duration::from_secs(2),
            standing: Duration::from_millis(250),
            answer: Duration::from_secs(5),
            answers: 4,
            response_bytes: 4 * 1024 * 1024,
            error_body_bytes: 64 * 1024,
        }
    }
}
