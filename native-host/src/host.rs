//! Putting the host together: options in, a bridge out.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use toolgate_core::Limits;
use toolgate_core::schema::{JsonSchemaCheck, SchemaCheck};
use toolgate_core::server::TransportKind;

use crate::api::{Agents, Partners, Requests, Servers};
use crate::bridge::Bridge;
use crate::clock::{Clock, SystemClock};
use crate::mcp::Connector;
use crate::ownership::Ownership;
use crate::service::Service;
use crate::store::{CredentialProvider, Disk, Files, Keyring, KeyringError};
use crate::threads::{SystemThreads, Threads};

/// How long things may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budgets {
    /// A discovery or refresh: connecting, agreeing on a version and every page together (partner contract).
    pub discovery: Duration,
    /// A call until it is handed over to be sent: connecting, agreeing on a version, and reading what its headers need.
    pub call_start: Duration,
    /// A call from then on until its answer is whole.
    pub call: Duration,
    /// How long a call id is remembered once its call has ended, or, where none is asked for, once it was announced or
    /// cancelled.
    pub call_ids: Duration,
    /// How long a connection that models share is kept without a call (partner contract).
    pub shared_idle: Duration,
    /// How long a partner's session may be left alone, without a turn or a call, until it is closed.
    pub partner_session_idle: Duration,
    /// How long an agent's invocation stays open that is not used.
    pub agent_idle: Duration,
}

impl Default for Budgets {
    fn default() -> Self {
        Self {
            discovery: Duration::from_secs(30),
            call_start: Duration::from_secs(30),
            call: Duration::from_mins(1),
            call_ids: Duration::from_mins(10),
            shared_idle: Duration::from_mins(1),
            partner_session_idle: Duration::from_hours(24),
            agent_idle: Duration::from_hours(1),
        }
    }
}

/// What a host is made with.
#[derive(Clone)]
pub struct HostOptions {
    /// The data directory. The caller owns it: no two hosts may be open on one.
    pub data_dir: PathBuf,
    /// The numbers of the domain.
    pub limits: Limits,
    /// How long things may take.
    pub budgets: Budgets,
    /// The bytes of the largest message the bridge takes.
    pub message_bytes: usize,
    /// The transports the connector can connect with, as `host.info` says.
    pub transports: Vec<TransportKind>,
    /// The names of the proxy variables in force, as `host.info` says.
    pub proxies: Vec<String>,
    /// Where connections are kept that are saved from now on; what is there opens in any case.
    pub credentials: CredentialProvider,
    /// The system's keyring, where there is one: [`CredentialProvider::Keyring`] seals with it, and what is sealed is
    /// opened with it.
    pub keyring: Option<Arc<dyn Keyring>>,
    /// The file system.
    pub files: Arc<dyn Files>,
    /// The clock for times that people read.
    pub clock: Arc<dyn Clock>,
    /// Where work runs that blocks.
    pub threads: Arc<dyn Threads>,
    /// What checks the schemas of tools that were just read.
    pub schemas: Arc<dyn SchemaCheck + Send + Sync>,
}

impl HostOptions {
    /// The defaults for a data directory that this program owns: as [`new`](Self::new), and no file is changed once the
    /// directory was moved, removed or replaced.
    pub fn owned(ownership: &Ownership) -> Self {
        let mut options = Self::new(ownership.directory());
        options.files = Arc::new(ownership.disk().clone());
        options
    }

    /// The defaults for a data directory: the system's files, keyring (with the feature `keyring`) and clock, both
    /// transports, connections in the registration files (manager contract §4).
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            data_dir: data_dir.into(),
            limits: Limits::default(),
            budgets: Budgets::default(),
            message_bytes: 8 * 1024 * 1024,
            transports: vec![TransportKind::Http, TransportKind::Stdio],
            proxies: Vec::new(),
            credentials: CredentialProvider::Inline,
            keyring: system_keyring(),
            files: Arc::new(Disk),
            clock: Arc::new(SystemClock),
            threads: Arc::new(SystemThreads),
            schemas: Arc::new(JsonSchemaCheck),
        }
    }
}

#[cfg(feature = "keyring")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature there is none")]
fn system_keyring() -> Option<Arc<dyn Keyring>> {
    Some(Arc::new(crate::store::SystemKeyring))
}

#[cfg(not(feature = "keyring"))]
const fn system_keyring() -> Option<Arc<dyn Keyring>> {
    None
}

/// Why a host could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// A host runs its requests as tasks and was opened outside of a tokio runtime.
    #[error("a host must be opened inside a tokio runtime")]
    NoRuntime,
    /// The system gives no random numbers.
    #[error("the system gives no random numbers")]
    NoRandomness,
    /// Credentials are to be sealed with a key from the system's keyring, and that cannot be used.
    #[error("the system's keyring cannot be used: {0}; keep the credentials in a file with --credentials file")]
    NoKeyring(KeyringError),
    /// The data directory cannot be written to.
    #[error("{} cannot be written: {source}; choose another data directory or make this one writable", file.display())]
    NotWritable {
        /// The file.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// A running host on one data directory.
pub struct Host {
    data_dir: PathBuf,
    service: Arc<Service>,
    bridge: Bridge,
    requests: Requests,
}

impl Host {
    /// Opens a data directory, which need not exist. Must be called inside a tokio runtime, on which the host's work
    /// will run. The caller sees to it that no other host has the directory open.
    pub fn open(options: HostOptions, connector: Arc<dyn Connector>) -> Result<Self, OpenError> {
        let runtime = Handle::try_current().map_err(|_| OpenError::NoRuntime)?;
        let data_dir = options.data_dir.clone();
        let message_bytes = options.message_bytes;
        let service = Arc::new(Service::open(options, connector, runtime.clone())?);
        let bridge = Bridge::new(Arc::clone(&service), runtime.clone(), message_bytes);
        let requests = Requests::new(Arc::clone(&service), runtime);
        Ok(Self {
            data_dir,
            service,
            bridge,
            requests,
        })
    }

    /// Its servers, as functions of Rust.
    pub fn servers(&self) -> Servers {
        Servers::new(self.requests.clone())
    }

    /// Tools for agents, as functions of Rust.
    pub fn agents(&self) -> Agents {
        Agents::new(self.requests.clone())
    }

    /// Partners, their sessions and turns.
    pub fn partners(&self) -> Partners {
        Partners::new(self.requests.clone())
    }

    /// A way to the host by messages.
    pub fn bridge(&self) -> Bridge {
        self.bridge.clone()
    }

    /// The data directory.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// Stops: network work is abandoned, what is being written is finished, event streams end, and servers that were
    /// started as child processes are gone. Requests that come in later are refused with `mcp.host_stopping`.
    pub async fn shutdown(self) {
        self.service.stop().await;
    }
}
