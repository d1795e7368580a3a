//! The connector over the SDK, and its connections.

use std::sync::Arc;

use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, RequestId};
use rmcp::service::PeerRequestOptions;
use toolgate_core::server::ServerConfig;

use super::headers::Target;
use super::lifecycle::{self, Start, Started};
use super::tap::Tap;
use super::{
    BoxFuture, Connection, Connector, Failure, FailureClass, NetLimits, ProxySettings, ServerIdentity, Step, tls,
};

/// Connects to MCP servers over Streamable HTTP.
pub struct RmcpConnector {
    direct: reqwest::Client,
    /// For everything beyond this computer.
    outward: reqwest::Client,
    proxies: Vec<String>,
    limits: NetLimits,
}

/// Why there can be no connector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectorError {
    /// A proxy variable, named here, holds no usable address.
    #[error("the environment variable {0} holds no proxy address that can be used; correct it or unset it")]
    Proxy(String),
    /// TLS could not be set up.
    #[error("the HTTP client could not be set up; this build of Toolgate has no usable TLS")]
    Client,
}

impl RmcpConnector {
    /// A connector with these limits, which goes through these proxies except to this computer itself.
    pub fn new(limits: NetLimits, proxies: &ProxySettings) -> Result<Self, ConnectorError> {
        let tls = tls::config()?;
        Ok(Self {
            direct: tls::client(&limits, tls.clone(), Vec::new())?,
            outward: tls::client(&limits, tls, proxies.rules()?)?,
            proxies: proxies.names(),
            limits,
        })
    }

    /// The names of the proxy variables in force.
    pub fn proxies(&self) -> &[String] {
        &self.proxies
    }

    async fn open(&self, config: &ServerConfig) -> Result<Box<dyn Connection>, Failure> {
        let ServerConfig::Http(config) = config else {
            return Err(Failure::new(FailureClass::TransportUnsupported, Step::Prepare));
        };
        let target = Target::new(config)?;
        let http = if target.is_loopback() {
            &self.direct
        } else {
            &self.outward
        };
        let start = Start {
            http: http.clone(),
            target: Arc::new(target),
            limits: self.limits.clone(),
            setting: config.protocol_version,
        };
        let started = start.run().await?;
        Ok(Box::new(RmcpConnection::new(started, self.limits.clone())))
    }
}

impl Connector for RmcpConnector {
    fn connect<'a>(&'a self, config: &'a ServerConfig) -> BoxFuture<'a, Result<Box<dyn Connection>, Failure>> {
        Box::pin(self.open(config))
    }
}

struct RmcpConnection {
    started: Started,
    identity: ServerIdentity,
    offers_tools: bool,
    limits: NetLimits,
}

impl RmcpConnection {
    fn new(started: Started, limits: NetLimits) -> Self {
        let info = started.service.peer_info();
        let server = info.as_ref().and_then(|info| info.server_info.as_ref());
        let said = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        let identity = ServerIdentity {
            protocol_version: info
                .as_ref()
                .map(|info| info.protocol_version.as_str().to_owned())
                .unwrap_or_default(),
            name: server.and_then(|server| said(&server.name)),
            version: server.and_then(|server| said(&server.version)),
        };
        let offers_tools = info.as_ref().is_some_and(|info| info.capabilities.tools.is_some());
        Self {
            started,
            identity,
            offers_tools,
            limits,
        }
    }

    async fn list(&self, cursor: Option<&str>) -> Result<String, Failure> {
        if !self.offers_tools {
            return Err(Failure::new(FailureClass::ToolsCapabilityMissing, Step::ListTools));
        }
        let mut request = ListToolsRequest::default();
        if let Some(cursor) = cursor {
            request.params = Some(PaginatedRequestParams::default().with_cursor(Some(cursor.to_owned())));
        }
        self.request(ClientRequest::ListToolsRequest(request), Step::ListTools)
            .await
    }

    /// Sends a request once and waits for its raw result.
    async fn request(&self, request: ClientRequest, step: Step) -> Result<String, Failure> {
        let lost = || Failure::new(FailureClass::ConnectionReset, step);
        let mut handle = self
            .started
            .service
            .send_cancellable_request(request, PeerRequestOptions::no_options())
            .await
            .map_err(|_| lost())?;
        let waiting = Waiting {
            tap: &self.started.tap,
            id: handle.id.clone(),
        };
        tokio::select! {
            biased;
            outcome = waiting.tap.finished(&waiting.id) => outcome,
            // The SDK gave up without an answer having passed: what is known of it says why.
            _ = &mut handle.rx => waiting.tap.known(&waiting.id).unwrap_or_else(|| Err(lost())),
        }
    }
}

impl Connection for RmcpConnection {
    fn server(&self) -> &ServerIdentity {
        &self.identity
    }

    fn list_tools<'a>(&'a self, cursor: Option<&'a str>) -> BoxFuture<'a, Result<String, Failure>> {
        Box::pin(self.list(cursor))
    }

    fn close(self: Box<Self>) -> BoxFuture<'static, ()> {
        Box::pin(async move { lifecycle::close(self.started, &self.limits).await })
    }
}

/// A request somebody waits for; its record goes when the waiting ends.
struct Waiting<'a> {
    tap: &'a Tap,
    id: RequestId,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.tap.forget(&self.id);
    }
}
