//! How a connection starts: which of MCP's two lifecycles, with which versions, and what a failed start was.

use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::model::{ClientCapabilities, ClientConfig, ErrorCode, ErrorData, Implementation, ProtocolVersion as Version};
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, RunningService, serve_client_with_lifecycle_and_ct};
use rmcp::transport::common::client_side_sse::NeverRetry;
use rmcp::transport::streamable_http_client::{StreamableHttpClientTransport, StreamableHttpClientTransportConfig};
use serde_json::Value;
use tokio_util::sync::{CancellationToken, DropGuard};
use toolgate_core::server::ProtocolVersion;

use super::headers::Target;
use super::http_client::HttpClient;
use super::tap::Tap;
use super::{Failure, FailureClass, NetLimits, Progress, Step, status};

/// The SDK's side of an open connection.
pub(super) type Service = RunningService<RoleClient, ClientConfig>;

/// A started connection. Dropping it ends every request of it.
pub(super) struct Started {
    pub(super) service: Service,
    pub(super) tap: Arc<Tap>,
    /// Ends everything the HTTP client still does.
    pub(super) cancel_on_drop: DropGuard,
}

/// What a start needs.
pub(super) struct Start {
    pub(super) http: reqwest::Client,
    pub(super) target: Arc<Target>,
    pub(super) limits: NetLimits,
    pub(super) setting: ProtocolVersion,
    /// Told when the first request is on its way.
    pub(super) progress: Progress,
}

/// A start that failed.
pub(super) struct Failed {
    pub(super) failure: Failure,
    /// The failure is one of those after which an older server may still answer `initialize` (manager contract §5).
    pub(super) worth_initialize: bool,
}

/// What the setting of the protocol version means for a start, over whatever transport.
#[derive(Clone, Copy)]
pub(super) struct Setting(pub(super) ProtocolVersion);

impl Start {
    /// Starts a connection in the way the setting asks for (manager contract §5): `auto` tries every version, newest
    /// first, then `initialize` once more on a new peer where the contract says so; a fixed version takes its own
    /// lifecycle alone.
    pub(super) async fn run(&self) -> Result<Started, Failure> {
        let setting = Setting(self.setting);
        let first = self.attempt(setting.mode()).await;
        let started = match first {
            Err(failed) if failed.worth_initialize && setting.is_auto() => {
                self.attempt(ClientLifecycleMode::Initialize).await
            }
            other => other,
        };
        let started = started.map_err(|failed| failed.failure)?;
        match setting.check_version(&started.service) {
            Ok(()) => Ok(started),
            Err(failure) => {
                close(started, &self.limits).await;
                Err(failure)
            }
        }
    }

    async fn attempt(&self, mode: ClientLifecycleMode) -> Result<Started, Failed> {
        let tap = Arc::new(Tap::default());
        let cancelled = CancellationToken::new();
        let cancel_on_drop = cancelled.clone().drop_guard();
        let falls_back = matches!(mode, ClientLifecycleMode::Auto { .. });
        let client = HttpClient::new(self, falls_back, Arc::clone(&tap), cancelled.clone());
        // The endpoint stays in our client: the SDK has no need of it, and writes what it has to logs.
        let mut config =
            StreamableHttpClientTransportConfig::with_uri("toolgate:endpoint").reinit_on_expired_session(false);
        config.retry_config = Arc::new(NeverRetry::default());
        config.allow_stateless = true;
        let transport = StreamableHttpClientTransport::with_client(client.clone(), config);

        let setting = Setting(self.setting);
        match serve_client_with_lifecycle_and_ct(setting.client(), transport, mode, cancelled.child_token()).await {
            Ok(service) => {
                client.standing_settled().await;
                Ok(Started {
                    service,
                    tap,
                    cancel_on_drop,
                })
            }
            Err(error) => {
                let mut failed = setting.what_failed(&error, &tap);
                // With these three a server of the 2024 transport refuses (MCP 2025-11-25, backward compatibility).
                let may_be_legacy = matches!(
                    failed.failure.class,
                    FailureClass::NotFound | FailureClass::MethodNotAllowed
                ) || failed.failure == status::bad_request(Step::Start);
                if may_be_legacy && !tap.has_answered_start() && client.speaks_legacy_sse().await {
                    failed.failure = Failure::new(FailureClass::LegacySse, Step::Start);
                }
                Err(failed)
            }
        }
    }
}

impl Setting {
    pub(super) fn is_auto(self) -> bool {
        self.0 == ProtocolVersion::Auto
    }

    pub(super) fn mode(self) -> ClientLifecycleMode {
        match self.0 {
            ProtocolVersion::Auto => ClientLifecycleMode::Auto {
                preferred_versions: self.0.allowed().map(sdk_version).collect(),
                legacy_version: Some(Version::V_2025_11_25),
            },
            ProtocolVersion::V20260728 => self.discover(),
            ProtocolVersion::V20251125 | ProtocolVersion::V20250618 | ProtocolVersion::V20250326 => {
                ClientLifecycleMode::Initialize
            }
        }
    }

    /// The version `initialize` asks for. The SDK's own default is none of ours to rely on.
    fn initialize_version(self) -> Version {
        match self.0 {
            ProtocolVersion::Auto => Version::V_2025_11_25,
            fixed => sdk_version(fixed),
        }
    }

    /// `server/discover` and nothing else, for every version of the setting.
    pub(super) fn discover(self) -> ClientLifecycleMode {
        ClientLifecycleMode::Discover {
            preferred_versions: self.0.allowed().map(sdk_version).collect(),
        }
    }

    /// What the SDK is told of us.
    pub(super) fn client(self) -> ClientConfig {
        let mut info = ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("toolgate", env!("CARGO_PKG_VERSION")),
        );
        info.protocol_version = self.initialize_version();
        info
    }

    /// The SDK takes whatever version the server answers.
    pub(super) fn check_version(self, service: &Service) -> Result<(), Failure> {
        let spoken = service.peer_info().map(|info| info.protocol_version.clone());
        let spoken = spoken.as_ref().map_or("", Version::as_str);
        if self.0.allowed().any(|version| version.as_str() == spoken) {
            return Ok(());
        }
        Err(self.version_failure(std::iter::once(spoken)))
    }

    /// The failure behind the SDK's error: the recorded cause where there is one, else by the kind of error.
    pub(super) fn what_failed(self, error: &ClientInitializeError, tap: &Tap) -> Failed {
        let note = tap.start_note();
        let worth_initialize = match error {
            ClientInitializeError::JsonRpcError(data) => data.code == ErrorCode(-32000),
            // The SDK says so of every answer that did not come. What is known to be something else is no older server.
            ClientInitializeError::ConnectionClosed(_) => note
                .as_ref()
                .is_none_or(|note| note.error_code.is_some() || note.failure.class == FailureClass::MalformedResponse),
            _ => false,
        };
        let malformed = |detail| Failure::new(FailureClass::MalformedResponse, Step::Start).with_detail(detail);
        let failure = match (innermost(error), note) {
            (ClientInitializeError::NoCompatibleProtocolVersion { server_supported, .. }, _) => {
                self.version_failure(server_supported.iter().map(Version::as_str))
            }
            (ClientInitializeError::JsonRpcError(data), Some(note)) => {
                self.refused(data, note.error_code).unwrap_or(note.failure)
            }
            (_, Some(note)) => note.failure,
            (ClientInitializeError::ExpectedInitResult(_), None) => {
                malformed("the answer to the first request is not what MCP says")
            }
            (_, None) => malformed("no usable answer came"),
        };
        Failed {
            failure,
            worth_initialize,
        }
    }

    /// Where a JSON-RPC error says that the lifecycle or version is not the server's, that failure.
    fn refused(self, error: &ErrorData, code: Option<i64>) -> Option<Failure> {
        let supported = error.data.as_ref().and_then(|data| data.get("supported")?.as_array());
        if let Some(versions) = supported {
            return Some(self.version_failure(versions.iter().filter_map(Value::as_str)));
        }
        let method = match self.0 {
            ProtocolVersion::Auto => return None,
            ProtocolVersion::V20260728 => "server/discover",
            ProtocolVersion::V20251125 | ProtocolVersion::V20250618 | ProtocolVersion::V20250326 => "initialize",
        };
        let unknown = match method {
            // Older servers refuse what they do not know in many ways, a newer one with a code of its revision.
            "server/discover" => !matches!(code?, -32603 | -32020 | -32021),
            _ => code? == -32601,
        };
        unknown.then(|| {
            Failure::new(FailureClass::ProtocolVersion, Step::Start).with_detail(format!(
                "the server does not know {method}; the setting allows {}",
                self.0.as_str()
            ))
        })
    }

    fn version_failure<'a>(self, spoken: impl Iterator<Item = &'a str>) -> Failure {
        // Only what looks like a version is repeated; the rest is the server's text.
        let spoken: Vec<_> = spoken.filter(|version| is_date(version)).take(8).collect();
        let spoken = if spoken.is_empty() {
            "none that MCP has".to_owned()
        } else {
            spoken.join(", ")
        };
        let allowed: Vec<_> = self.0.allowed().map(ProtocolVersion::as_str).collect();
        Failure::new(FailureClass::ProtocolVersion, Step::Start).with_detail(format!(
            "the server speaks {spoken}; the setting allows {}",
            allowed.join(", ")
        ))
    }
}

/// Ends a connection in order: a session is given back to the server, within the close budget.
pub(super) async fn close(mut started: Started, limits: &NetLimits) {
    if !matches!(started.service.close_with_timeout(limits.close).await, Ok(Some(_))) {
        tracing::debug!("a connection was abandoned while closing");
    }
    drop(started.cancel_on_drop);
}

fn sdk_version(version: ProtocolVersion) -> Version {
    match version {
        ProtocolVersion::Auto | ProtocolVersion::V20260728 => Version::V_2026_07_28,
        ProtocolVersion::V20251125 => Version::V_2025_11_25,
        ProtocolVersion::V20250618 => Version::V_2025_06_18,
        ProtocolVersion::V20250326 => Version::V_2025_03_26,
    }
}

/// Of a start in two steps, the error of the second.
fn innermost(error: &ClientInitializeError) -> &ClientInitializeError {
    match error {
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => innermost(fallback),
        other => other,
    }
}

fn is_date(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| {
            if at == 4 || at == 7 {
                byte == b'-'
            } else {
                byte.is_ascii_digit()
            }
        })
}
