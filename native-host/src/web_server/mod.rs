//! The web server: the page at `/`, the bridge by `POST /rpc` and by WebSocket at `/ws`.
//!
//! What may be asked and by whom is decided here, before the bridge sees anything: whose name the request is addressed
//! to, whose page sent it, and what it shows to be let in by. What a message means is the bridge's business.

mod access;
mod answers;
mod files;
mod listen;
mod names;
mod places;
mod refusal_page;
mod routes;
mod rpc;
mod socket;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use self::access::Access;
pub use self::names::{AllowedHost, AllowedOrigin};
use self::names::{Names, bracketed};
use self::places::Places;
pub(crate) use self::routes::{ADDRESS_PATH, AddressAnswer, RPC_PATH};
use crate::bridge::Bridge;
use crate::page::Page;
use crate::secret::Secret;

/// The port that is used where none is named.
pub const DEFAULT_PORT: u16 = 7640;

/// What a web server is started with.
#[derive(Debug)]
pub struct WebServerOptions {
    /// The address to listen at.
    pub bind: IpAddr,
    /// The port to listen at; 0 takes a free one.
    pub port: u16,
    /// Further names for `Host`.
    pub hosts: Vec<AllowedHost>,
    /// Pages elsewhere that may open the WebSocket.
    pub origins: Vec<AllowedOrigin>,
    /// The token that the person chose; `None` makes a random one, which is enough on loopback only.
    pub token: Option<Secret>,
    /// The page.
    pub page: Page,
    /// The numbers.
    pub limits: WebLimits,
}

impl Default for WebServerOptions {
    /// Loopback, the default port, the embedded page, a random token.
    fn default() -> Self {
        Self {
            bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: DEFAULT_PORT,
            hosts: Vec::new(),
            origins: Vec::new(),
            token: None,
            page: Page::embedded(),
            limits: WebLimits::default(),
        }
    }
}

impl WebServerOptions {
    /// What can be told before anything is started: an address that other machines reach needs a token.
    pub fn check(&self) -> Result<(), StartError> {
        if self.token.is_none() && !self.bind.is_loopback() {
            return Err(StartError::TokenNeeded { bind: self.bind });
        }
        Ok(())
    }
}

/// How much is taken, and for how long.
#[derive(Clone, Debug)]
pub struct WebLimits {
    /// The bytes of a message, by `POST /rpc` or WebSocket.
    pub message_bytes: usize,
    /// From a connection's start, or its last answer, until the next request's head is there.
    pub head_timeout: Duration,
    /// From a request's head until its body is there.
    pub body_timeout: Duration,
    /// How long one WebSocket message may take to be written to a slow reader before the connection is given up.
    pub write_timeout: Duration,
    /// How long a stop waits for answers that are being written.
    pub stop_timeout: Duration,
    /// HTTP connections at once. For a further one the oldest gives way on which nothing was let in yet; where there is
    /// none, it waits to be accepted.
    pub connections: usize,
    /// Sockets (`/ws`) at once; further ones are refused.
    pub sockets: usize,
    /// Requests at once on one WebSocket that wait for servers (calls, discovery); further ones are refused,
    /// `mcp.bridge_requests_limit`. All others are carried out whatever waits.
    pub requests_per_socket: usize,
}

impl Default for WebLimits {
    fn default() -> Self {
        Self {
            message_bytes: 8 * 1024 * 1024,
            head_timeout: Duration::from_secs(30),
            body_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            stop_timeout: Duration::from_secs(2),
            connections: 256,
            sockets: 128,
            requests_per_socket: 256,
        }
    }
}

/// Why the web server could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is reachable from other machines, where a random token printed here is of no use.
    #[error(
        "listening at {bind} lets other machines in, which needs a token of your own: put at least {} characters in a \
         file (`openssl rand -hex 32`) and name it with --token-file, or set TOOLGATE_TOKEN",
        Secret::MIN_GIVEN_CHARS
    )]
    TokenNeeded {
        /// The address.
        bind: IpAddr,
    },
    /// Something else listens there.
    #[error("port {} at {} is in use by another program; use --port 0 to take a free one, or name another with --port", .0.port(), .0.ip())]
    PortInUse(SocketAddr),
    /// The address cannot be listened at.
    #[error("cannot listen at {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
    /// The system gives no random numbers.
    #[error("the system gives no random numbers for a token: {0}")]
    Random(#[from] getrandom::Error),
}

/// A running web server. Dropping it ends it at once; [`WebServer::stop`] lets answers be written first.
pub struct WebServer {
    shared: Arc<Shared>,
    port: u16,
    client_port: u16,
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

/// What every connection needs.
struct Shared {
    bridge: Bridge,
    access: Access,
    page: Page,
    limits: WebLimits,
    addresses: Addresses,
    sockets: Arc<Semaphore>,
    stopping: watch::Receiver<bool>,
    page_opened: watch::Sender<bool>,
}

/// Where a person finds the page.
#[derive(Clone)]
pub struct Addresses {
    /// What may be printed: with the random token, but without one that the person chose and knows.
    pub printed: String,
    /// With the token in either case. Never printed.
    pub with_token: Secret,
}

impl WebServer {
    /// Starts to listen. Clients of `host.json` are answered at 127.0.0.1 whatever the address is.
    pub async fn start(options: WebServerOptions, bridge: Bridge) -> Result<Self, StartError> {
        options.check()?;
        let WebServerOptions {
            bind,
            port,
            hosts,
            origins,
            token,
            page,
            limits,
        } = options;
        let token_given = token.is_some();
        let launch_token = token.map_or_else(Secret::random, Ok)?;

        let (listener, port) = listen(SocketAddr::new(bind, port)).await?;
        let mut listeners = vec![listener];
        let reaches_loopback = bind == Ipv4Addr::LOCALHOST || bind == Ipv4Addr::UNSPECIFIED;
        let client_port = if reaches_loopback {
            port
        } else {
            let (listener, port) = listen(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
            listeners.push(listener);
            port
        };

        let (stop, stopping) = watch::channel(false);
        let names = Names::new(vec![port, client_port], bind, hosts, origins);
        let shared = Arc::new(Shared {
            bridge,
            addresses: Addresses::new(bind, port, &launch_token, token_given),
            access: Access::new(names, launch_token, Secret::random()?, port),
            page,
            sockets: Arc::new(Semaphore::new(limits.sockets)),
            limits,
            stopping,
            page_opened: watch::Sender::new(false),
        });
        let mut tasks = JoinSet::new();
        let places = Places::new(shared.limits.connections);
        for listener in listeners {
            tasks.spawn(listen::accept(listener, Arc::clone(&shared), Arc::clone(&places)));
        }
        Ok(Self {
            shared,
            port,
            client_port,
            stop,
            tasks,
        })
    }

    /// The port it listens at.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Where a person finds the page.
    pub fn addresses(&self) -> &Addresses {
        &self.shared.addresses
    }

    /// The port at 127.0.0.1 and the token by which other programs of the same person become clients.
    pub fn client_access(&self) -> (u16, &Secret) {
        (self.client_port, &self.shared.access.client_token)
    }

    /// Waits until the page has been opened with the token for the first time.
    pub async fn page_opened(&self) {
        // The sender lives as long as the server.
        let _ = self.shared.page_opened.subscribe().wait_for(|opened| *opened).await;
    }

    /// Stops listening, lets answers that are being written be finished within `stop_timeout`, closes sockets.
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        let sockets = u32::try_from(self.shared.limits.sockets).unwrap_or(u32::MAX);
        let finish = async {
            while self.tasks.join_next().await.is_some() {}
            // Each open socket holds one.
            let _ = self.shared.sockets.acquire_many(sockets).await;
        };
        if tokio::time::timeout(self.shared.limits.stop_timeout, finish)
            .await
            .is_err()
        {
            tracing::debug!("some connections did not end by themselves");
        }
    }
}

impl Addresses {
    fn new(bind: IpAddr, port: u16, token: &Secret, token_given: bool) -> Self {
        let host = match bind {
            IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(address) if address.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            address => address,
        };
        let plain = format!("http://{}:{port}/", bracketed(host));
        let with_token = format!("{plain}?token={}", token.reveal());
        Self {
            printed: if token_given { plain } else { with_token.clone() },
            with_token: Secret::from_text(with_token),
        }
    }
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, u16), StartError> {
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::AddrInUse => StartError::PortInUse(address),
        _ => StartError::Listen { address, source },
    };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let port = listener
        .local_addr()
        .map_err(|source| StartError::Listen { address, source })?
        .port();
    Ok((listener, port))
}
