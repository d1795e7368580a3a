//! What the host remembers of a server until it ends: the catalog in use, how the last discovery failed, and which
//! discovery is running.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use toolgate_core::catalog::Catalog;
use toolgate_core::partner::{self, CatalogNow};
use toolgate_core::server::ServerConfig;
use toolgate_core::{Diagnostic, Limits};

use super::flights::{Flight, Generation, Queued};
use crate::bridge::messages::LastFailure;

/// A catalog together with the connection it was found on.
pub(super) struct Snapshot {
    pub(super) config: ServerConfig,
    pub(super) catalog: Catalog,
    /// `mcp.catalog_persistence_failed`, where the catalog is in memory only.
    pub(super) persistence: Option<Diagnostic>,
    /// What takes a look at all of the catalog's text to know, once somebody asked. A snapshot never changes.
    hash: OnceLock<String>,
    bytes: OnceLock<usize>,
}

impl Snapshot {
    pub(super) fn new(config: ServerConfig, catalog: Catalog, persistence: Option<Diagnostic>) -> Self {
        Self {
            config,
            catalog,
            persistence,
            hash: OnceLock::new(),
            bytes: OnceLock::new(),
        }
    }

    /// The catalog with what every turn and call of a partner asks of it.
    pub(super) fn now(&self) -> CatalogNow<'_> {
        CatalogNow {
            catalog: &self.catalog,
            content_hash: self.hash.get_or_init(|| self.catalog.content_hash()),
            json_bytes: self.json_bytes(),
        }
    }

    /// Why the server cannot be offered to partners, where it is too large.
    pub(super) fn too_large(&self, limits: &Limits) -> Option<Diagnostic> {
        partner::too_large(self.catalog.tools.len(), self.json_bytes(), limits)
    }

    fn json_bytes(&self) -> usize {
        *self.bytes.get_or_init(|| self.catalog.json_bytes())
    }
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
