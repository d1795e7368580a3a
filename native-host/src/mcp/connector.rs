//! The connector over the SDK, and its connections.

use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, RequestId};
use rmcp::service::{PeerRequestOptions, RequestHandle};
use toolgate_core::server::ServerConfig;

use super::exchange::refused;
use super::headers::Target;
use super::lifecycle::{self, Start, Started};
use super::outgoing::Outgoing;
use super::stdio::{Launcher, StdioStart};
use super::tap::{Answered, Outcome, Tap};
use super::{
    BoxFuture, CallAnswer, Connection, Connector, Failure, FailureClass, NetLimits, PendingCall, Progress,
    ProxySettings, ServerIdentity, Step, ToolCall, tls,
};
use crate::guard::Guard;

/// Connects to MCP servers over Streamable HTTP, and to ones that it starts as child processes.
pub struct RmcpConnector {
    direct: reqwest::Client,
    /// For everything beyond this computer. Where a proxy variable is wrong there is none, and servers on this computer
    /// are reached all the same.
    outward: Result<reqwest::Client, ConnectorError>,
    proxies: Vec<String>,
    launcher: Launcher,
    limits: NetLimits,
}

/// Why there can be no connector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectorError {
    /// A proxy variable, named here, holds no usable address.
    #[error("the environment variable {0} holds no proxy address that can be used")]
    Proxy(String),
    /// TLS could not be set up.
    #[error("the HTTP client could not be set up; this build of Toolgate has no usable TLS")]
    Client,
}

impl RmcpConnector {
    /// A connector with these limits, which goes through these proxies except to this computer itself. A proxy variable
    /// that cannot be used fails the connections that would need it, not the connector.
    pub fn new(limits: NetLimits, proxies: &ProxySettings) -> Result<Self, ConnectorError> {
        let tls = tls::config()?;
        let outward = proxies
            .rules()
            .and_then(|rules| tls::client(&limits, tls.clone(), rules));
        if let Err(error) = &outward {
            tracing::warn!(%error, "servers beyond this computer cannot be reached");
        }
        Ok(Self {
            direct: tls::client(&limits, tls, Vec::new())?,
            outward,
            proxies: proxies.names(),
            launcher: Launcher::new(None, limits.clone()),
            limits,
        })
    }

    /// The same with a guard for servers that are child processes. Without one they end with the connection, but what
    /// has left their process group, or outlives this process, does not.
    #[must_use]
    pub fn with_guard(mut self, guard: Option<Guard>) -> Self {
        self.launcher = Launcher::new(guard, self.limits.clone());
        self
    }

    /// The names of the proxy variables in force.
    pub fn proxies(&self) -> &[String] {
        &self.proxies
    }

    async fn open(&self, config: &ServerConfig, progress: Progress) -> Result<Box<dyn Connection>, Failure> {
        let config = match config {
            ServerConfig::Http(config) => config,
            ServerConfig::Stdio(config) => {
                let start = StdioStart {
                    config,
                    launcher: &self.launcher,
                    limits: self.limits.clone(),
                    progress,
                };
                let started = start.run().await?;
                return Ok(Box::new(RmcpConnection::new(started, self.limits.clone())));
            }
        };
        let target = Target::new(config)?;
        let http = if target.is_loopback() {
            &self.direct
        } else {
            self.outward.as_ref().map_err(|error| {
                Failure::new(FailureClass::HttpClientUnavailable, Step::Prepare).with_detail(error.to_string())
            })?
        };
        let start = Start {
            http: http.clone(),
            target: Arc::new(target),
            limits: self.limits.clone(),
            setting: config.protocol_version,
            progress,
        };
        let started = start.run().await?;
        Ok(Box::new(RmcpConnection::new(started, self.limits.clone())))
    }
}

impl Connector for RmcpConnector {
    fn connect<'a>(&'a self, config: &'a ServerConfig) -> BoxFuture<'a, Result<Box<dyn Connection>, Failure>> {
        Box::pin(self.open(config, Progress::default()))
    }

    fn connect_telling<'a>(
        &'a self,
        config: &'a ServerConfig,
        progress: &'a Progress,
    ) -> BoxFuture<'a, Result<Box<dyn Connection>, Failure>> {
        Box::pin(self.open(config, progress.clone()))
    }

    fn nothing_left(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.launcher.nothing_left())
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
        let said = started.tap.said();
        let identity = ServerIdentity {
            protocol_version: info
                .as_ref()
                .map(|info| info.protocol_version.as_str().to_owned())
                .unwrap_or_default(),
            name: said.name,
            version: said.version,
        };
        let offers_tools = said.offers_tools;
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
        let step = Step::ListTools;
        let mut queued = self.queue(ClientRequest::ListToolsRequest(request), step).await?;
        match queued.answered().await? {
            Answered::Result(result) => Ok(result),
            Answered::Error { error, status } => Err(refused(step, &error, status)),
        }
    }

    async fn call(&self, call: ToolCall) -> Result<Box<dyn PendingCall>, Failure> {
        let queued = self.queue(Outgoing::request(call)?, Step::Call).await?;
        Ok(Box::new(queued))
    }

    /// Hands a request over to the SDK, once.
    async fn queue(&self, request: ClientRequest, step: Step) -> Result<Queued, Failure> {
        if self.started.tap.is_closed() {
            return Err(self.started.tap.why_ended(step).await);
        }
        let handle = self
            .started
            .service
            .send_cancellable_request(request, PeerRequestOptions::no_options())
            .await;
        let Ok(handle) = handle else {
            return Err(if self.started.tap.is_closed() {
                self.started.tap.why_ended(step).await
            } else {
                Failure::new(FailureClass::ConnectionReset, step)
            });
        };
        Ok(Queued {
            tap: Arc::clone(&self.started.tap),
            id: handle.id.clone(),
            handle: Some(handle),
            step,
            close: self.limits.close,
        })
    }
}

impl Connection for RmcpConnection {
    fn server(&self) -> &ServerIdentity {
        &self.identity
    }

    fn list_tools<'a>(&'a self, cursor: Option<&'a str>) -> BoxFuture<'a, Result<String, Failure>> {
        Box::pin(self.list(cursor))
    }

    fn offers_tools(&self) -> bool {
        self.offers_tools
    }

    fn call_tool(&self, call: ToolCall) -> BoxFuture<'_, Result<Box<dyn PendingCall>, Failure>> {
        Box::pin(self.call(call))
    }

    fn is_open(&self) -> bool {
        let Started { service, tap, .. } = &self.started;
        !service.is_closed() && !service.is_transport_closed() && !tap.is_closed() && !tap.has_lost_stream()
    }

    fn close(self: Box<Self>) -> BoxFuture<'static, ()> {
        Box::pin(async move { lifecycle::close(self.started, &self.limits).await })
    }
}

/// A request that was handed over to the SDK. Its record goes when this does.
struct Queued {
    tap: Arc<Tap>,
    id: RequestId,
    /// None once the server was told that nobody waits.
    handle: Option<RequestHandle<RoleClient>>,
    step: Step,
    close: Duration,
}

impl Queued {
    async fn answered(&mut self) -> Outcome {
        let lost = || Err(Failure::new(FailureClass::ConnectionReset, self.step));
        let Some(handle) = &mut self.handle else { return lost() };
        tokio::select! {
            biased;
            outcome = self.tap.finished(&self.id) => outcome,
            // The SDK gave up without an answer having passed: what is known of it says why.
            _ = &mut handle.rx => self.tap.known(&self.id).unwrap_or_else(lost),
        }
    }
}

impl PendingCall for Queued {
    fn answer(&mut self) -> BoxFuture<'_, Result<CallAnswer, Failure>> {
        Box::pin(async move {
            Ok(match self.answered().await? {
                Answered::Result(result) => CallAnswer::Result(result),
                Answered::Error { error, .. } => CallAnswer::Error(error),
            })
        })
    }

    fn cancel(mut self: Box<Self>) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let Some(handle) = self.handle.take() else { return };
            // The SDK closes the request, and where the protocol has it sends the notification.
            let told = tokio::time::timeout(self.close, handle.cancel(None)).await;
            if !matches!(told, Ok(Ok(()))) {
                tracing::debug!("a server could not be told that a call was cancelled");
            }
        })
    }
}

impl Drop for Queued {
    fn drop(&mut self) {
        self.tap.forget(&self.id);
    }
}
