//! What the host remembers of a server until it ends: the catalog in use, how the last discovery failed, and which
//! discovery is running.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use toolgate_core::Diagnostic;
use toolgate_core::catalog::Catalog;
use toolgate_core::server::ServerConfig;

use super::flights::{Flight, Generation, Queued};
use crate::bridge::messages::LastFailure;

/// A catalog together with the connection it was found on.
pub(super) struct Snapshot {
    pub(super) config: ServerConfig,
    pub(super) catalog: Catalog,
    /// `mcp.catalog_persistence_failed`, where the catalog is in memory only.
    pub(super) persistence: Option<Diagnostic>,
}

/// What is remembered of one server.
pub(super) struct ServerMemory {
    /// Another number whenever work begun before must publish nothing: the connection changed, the server was paused
    /// or removed. Numbers are never used twice, so that a server that comes back under its old id is another one.
    pub(super) generation: Generation,
    pub(super) snapshot: Option<Arc<Snapshot>>,
    /// The number of tools in the saved catalog, as counted for this connection; none where there is no usable catalog.
    pub(super) counted: Option<(ServerConfig, Option<u32>)>,
    pub(super) last_failure: Option<LastFailure>,
    pub(super) flight: Option<Flight>,
    pub(super) queued: Option<Queued>,
}

impl Default for ServerMemory {
    fn default() -> Self {
        Self {
            generation: Generation::next(),
            snapshot: None,
            counted: None,
            last_failure: None,
            flight: None,
            queued: None,
        }
    }
}

/// A number that was not used before in this process.
pub(super) fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
