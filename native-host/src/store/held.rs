//! Servers that a person paused, or wanted removed, where that could not be saved. Whoever reads them through the store
//! sees them paused until this process ends or their files can be written again: nothing that was stopped starts again
//! because a disk is full.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use toolgate_core::identity::RegistrationId;
use toolgate_core::server::{Registration, ServerState};

use super::Store;

/// The servers that are held.
#[derive(Default)]
pub(super) struct Held(Mutex<BTreeSet<RegistrationId>>);

impl Held {
    fn lock(&self) -> MutexGuard<'_, BTreeSet<RegistrationId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store {
    /// From now on a server is seen as paused. The next change of it that can be saved saves that too, unless it is what
    /// activates the server.
    pub(crate) fn hold(&self, id: RegistrationId) {
        self.held.lock().insert(id);
    }

    /// Whether a server is paused in this process, and active in its file.
    pub(crate) fn is_held(&self, id: RegistrationId) -> bool {
        self.held.lock().contains(&id)
    }

    /// What is saved of a server is what is seen of it.
    pub(super) fn release(&self, id: RegistrationId) {
        self.held.lock().remove(&id);
    }

    /// A registration as its file has it becomes the one that is seen.
    pub(super) fn see(&self, registration: &mut Registration) {
        match registration.state {
            // Somebody has saved it by hand.
            ServerState::Paused => self.release(registration.id),
            ServerState::Active if self.is_held(registration.id) => registration.state = ServerState::Paused,
            ServerState::Active => {}
        }
    }
}
