//! Which server has which shared connection, who uses it, and when it may not be used any more.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::{BoxFuture, Shared};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use toolgate_core::Diagnostic;
use toolgate_core::identity::RegistrationId;
use toolgate_core::server::ServerConfig;

use crate::mcp::Connection;
use crate::service::Service;

/// The end of an attempt to connect, which any number of calls can wait for. An error says why a call is not sent.
pub(super) type Landing = Shared<BoxFuture<'static, Result<Arc<Line>, Diagnostic>>>;

/// The shared connections, at most one for each server.
#[derive(Default)]
pub(in crate::service) struct SharedLines {
    slots: Mutex<HashMap<RegistrationId, Slot>>,
}

/// A server's place for its connection, from when it is asked for until it is given up.
pub(super) struct Slot {
    /// No two slots have the same.
    pub(super) number: u64,
    /// What the connection leads to, and the generation of the server it belongs to.
    pub(super) config: ServerConfig,
    pub(super) generation: u64,
    pub(super) landing: Landing,
    /// None while it is being made.
    pub(super) line: Option<Arc<Line>>,
    /// Ends the making and the keeping of the connection.
    pub(super) given_up: CancellationToken,
}

/// A connection that calls share. It is closed when nobody holds it any more.
pub(super) struct Line {
    service: Arc<Service>,
    /// None once it is being closed.
    connection: Option<Box<dyn Connection>>,
    /// How many calls use it; each beginning and each end of a use is a change.
    pub(super) users: watch::Sender<usize>,
    was_used: AtomicBool,
}

/// The use of a connection by one call. With the last one of a connection that was given up the connection ends.
pub(super) struct Use {
    line: Arc<Line>,
    /// No call used the connection before.
    pub(super) is_first: bool,
}

impl Slot {
    /// Whether a call to this server, as it is now, may go out here.
    pub(super) fn serves(&self, config: &ServerConfig, generation: u64) -> bool {
        let is_open = self.line.as_ref().is_none_or(|line| line.is_open());
        is_open && !self.given_up.is_cancelled() && self.generation == generation && self.config == *config
    }
}

impl SharedLines {
    pub(super) fn lock(&self) -> MutexGuard<'_, HashMap<RegistrationId, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a use of this connection, if it is still the server's.
    pub(super) fn take(&self, id: RegistrationId, line: &Arc<Line>) -> Option<Use> {
        let slots = self.lock();
        let current = slots.get(&id)?.line.as_ref()?;
        if !Arc::ptr_eq(current, line) {
            return None;
        }
        // Under the lock, so that it is not released as idle at the same moment.
        line.users.send_modify(|users| *users += 1);
        Some(Use {
            line: Arc::clone(line),
            is_first: !line.was_used.swap(true, Ordering::Relaxed),
        })
    }

    /// Gives up the connection of this use: the next call gets another one. Other calls on it go on.
    pub(super) fn retire(&self, id: RegistrationId, used: &Use) {
        let mut slots = self.lock();
        let is_current = slots
            .get(&id)
            .and_then(|slot| slot.line.as_ref())
            .is_some_and(|line| Arc::ptr_eq(line, &used.line));
        if is_current && let Some(slot) = slots.remove(&id) {
            slot.given_up.cancel();
        }
    }

    /// Removes the slot with this number, if it is still there, and nobody uses its connection where only that counts.
    /// Whether it is gone.
    pub(super) fn remove(&self, id: RegistrationId, number: u64, only_idle: bool) -> bool {
        let mut slots = self.lock();
        let Some(slot) = slots.get(&id).filter(|slot| slot.number == number) else {
            return true;
        };
        let is_used = slot.line.as_ref().is_some_and(|line| *line.users.borrow() > 0);
        if only_idle && is_used {
            return false;
        }
        slots.remove(&id);
        true
    }
}

impl Line {
    pub(super) fn new(service: &Arc<Service>, connection: Box<dyn Connection>) -> Self {
        Self {
            service: Arc::clone(service),
            connection: Some(connection),
            users: watch::Sender::new(0),
            was_used: AtomicBool::new(false),
        }
    }

    fn is_open(&self) -> bool {
        self.connection.as_ref().is_some_and(|connection| connection.is_open())
    }
}

impl Use {
    pub(super) fn connection(&self) -> Option<&dyn Connection> {
        self.line.connection.as_deref()
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        self.line.users.send_modify(|users| *users = users.saturating_sub(1));
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            self.service.close_after(connection, std::future::ready(()));
        }
    }
}
