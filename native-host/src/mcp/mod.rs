//! The seam to MCP servers: what the host asks of a connection, without a type of the SDK underneath.
//!
//! The real implementation is [`RmcpConnector`], over HTTP and with child processes; tests use in-memory ones.

mod body;
mod call;
mod cause;
mod connector;
mod envelope;
mod events;
mod exchange;
mod failure;
mod headers;
mod hello;
mod http_client;
mod lifecycle;
mod limits;
mod outgoing;
mod progress;
mod proxy;
#[doc(hidden)]
pub mod readers;
mod sse;
mod status;
mod stdio;
mod tap;
mod tls;

pub use call::{CallAnswer, PendingCall, ToolCall};
pub use connector::{ConnectorError, RmcpConnector};
pub use limits::NetLimits;
pub use progress::Progress;
pub use proxy::ProxySettings;
pub(crate) use stdio::environment as stdio_environment;

use std::future::Future;
use std::pin::Pin;

use toolgate_core::server::ServerConfig;

/// A boxed future, as trait objects need it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Opens connections to MCP servers.
pub trait Connector: Send + Sync + 'static {
    /// Connects, negotiates the protocol version that the configuration allows, and answers a connection on which
    /// requests can be made. Sets no overall time limit: the caller does, and dropping the future abandons the attempt
    /// without leaving a request running.
    fn connect<'a>(&'a self, config: &'a ServerConfig) -> BoxFuture<'a, Result<Box<dyn Connection>, Failure>>;

    /// The same, telling how far it has come.
    fn connect_telling<'a>(
        &'a self,
        config: &'a ServerConfig,
        progress: &'a Progress,
    ) -> BoxFuture<'a, Result<Box<dyn Connection>, Failure>> {
        // One that cannot tell says no more than that it connects.
        let _ = progress;
        self.connect(config)
    }

    /// Waits until nothing is left of what was started for connections that are no longer held, such as processes.
    fn nothing_left(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// One open connection to a server.
pub trait Connection: Send + Sync {
    /// What the server said of itself.
    fn server(&self) -> &ServerIdentity;

    /// Asks for one page of `tools/list`; answers the raw JSON text of the JSON-RPC `result`. `None` asks for the first.
    fn list_tools<'a>(&'a self, cursor: Option<&'a str>) -> BoxFuture<'a, Result<String, Failure>>;

    /// Whether the server says that it has tools at all.
    fn offers_tools(&self) -> bool;

    /// Hands one `tools/call` over to be sent, once and never again. An error says that it was not taken, and that the
    /// server cannot have seen it; with the answer in hand nobody can say so any more, whatever comes of it (manager
    /// contract §6). Does not wait for the server.
    fn call_tool(&self, call: ToolCall) -> BoxFuture<'_, Result<Box<dyn PendingCall>, Failure>>;

    /// Whether the connection is still good: false from when its pipe is known to be closed, or the stream that the server
    /// keeps open by itself broke off. It never becomes true again; that it is true is no promise.
    fn is_open(&self) -> bool;

    /// Ends the connection: within the close budget, after which it is abandoned.
    fn close(self: Box<Self>) -> BoxFuture<'static, ()>;
}

/// What a server said of itself at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerIdentity {
    /// The negotiated protocol version.
    pub protocol_version: String,
    /// Its name; untrusted.
    pub name: Option<String>,
    /// Its version; untrusted.
    pub version: Option<String>,
}

/// Why a connection, or a request on it, failed. Holds nothing that a server or a configuration said: no URL, no body,
/// no header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure, which the code and the advice follow from.
    pub class: FailureClass,
    /// What was being done.
    pub step: Step,
    /// What is known beyond the class and safe to show, such as `HTTP status 503` or `the server speaks 2024-11-05`.
    pub detail: Option<String>,
}

/// What was being done when a failure happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Checking the configuration, before anything is sent.
    Prepare,
    /// Reaching the server: name look-up, connection, TLS.
    Connect,
    /// Agreeing on a protocol version.
    Start,
    /// Reading the list of tools.
    ListTools,
    /// Checking the schemas of the tools that were read.
    Check,
    /// Calling a tool.
    Call,
}

/// The kinds of failure; each has the code `mcp.connection_<class>` unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureClass {
    /// The host name could not be resolved.
    Dns,
    /// Nothing listens at the address.
    ConnectionRefused,
    /// The connection was closed in the middle.
    ConnectionReset,
    /// No answer within the budget.
    Timeout,
    /// The certificate was not accepted, or TLS failed.
    TlsCertificate,
    /// HTTP 401.
    Unauthorized,
    /// HTTP 403.
    Forbidden,
    /// HTTP 404.
    NotFound,
    /// HTTP 405.
    MethodNotAllowed,
    /// HTTP 429.
    RateLimited,
    /// HTTP 5xx, or another status that says the server failed.
    ServerError,
    /// The server answered with a redirect.
    Redirect,
    /// The answer is HTML or something else that is not MCP.
    NotMcp,
    /// The server speaks the HTTP+SSE transport of 2024 only.
    LegacySse,
    /// No protocol version in common.
    ProtocolVersion,
    /// The answer is larger than the limit.
    ResponseTooLarge,
    /// The answer is not valid JSON-RPC.
    MalformedResponse,
    /// The answer has a content encoding although none was offered.
    UnsupportedEncoding,
    /// The server refused the request with a JSON-RPC error.
    Refused,
    /// The configured headers cannot be sent (code `mcp.discovery_headers_invalid`).
    HeadersInvalid,
    /// There is no HTTP client for the server: its setup in the environment cannot be used.
    HttpClientUnavailable,
    /// The server offers no tools at all: it lacks the `tools` capability.
    ToolsCapabilityMissing,
    /// The command does not exist.
    CommandMissing,
    /// The command is there, but the system does not run it.
    CommandNotExecutable,
    /// The folder the server is to start in does not exist.
    FolderMissing,
    /// The server, or what starts it, lacks something it needs.
    DependencyMissing,
    /// `mcp-remote` refuses plain http beyond this computer.
    HttpNotAllowed,
    /// The cache of npm is broken.
    NpmCacheBroken,
    /// The server's process ended.
    Exited,
    /// The connector has no such transport (code `mcp.transport_unsupported`).
    TransportUnsupported,
}
