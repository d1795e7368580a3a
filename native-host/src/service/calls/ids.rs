//! Call ids: each is good for one call. An id is announced, then asked for once; a cancellation may come at any moment,
//! also before either (manager contract §6).
//!
//! Why announce: a cancellation and the call it is meant for reach the host on two ways, in any order. Why remember:
//! browsers send a POST a second time by themselves when the connection it went out on was cut.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Every call id that is remembered.
pub(in crate::service) struct CallIds {
    /// How long an id is remembered that is not in use.
    memory: Duration,
    ids: Mutex<HashMap<String, Remembered>>,
}

/// An id that was announced, cancelled or used.
struct Remembered {
    used: bool,
    cancelled: CancellationToken,
    /// When it is forgotten; never while its call runs.
    until: Option<Instant>,
}

/// The id was used before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service) struct AlreadyUsed;

/// What came of asking for a call.
pub(in crate::service) enum Claim<'a> {
    /// The id is this call's.
    Granted(Claimed<'a>),
    /// It was never announced, or so long ago that it is forgotten. It cannot be used any more.
    NotAnnounced,
    /// It was used before.
    AlreadyUsed,
}

/// The use of an id by its call. Dropping it says that the call has ended.
pub(in crate::service) struct Claimed<'a> {
    ids: &'a CallIds,
    /// None where the caller gave no id, so that nobody can name this call.
    id: Option<String>,
    /// Cancelled once the caller wants the call no more.
    pub(in crate::service) cancelled: CancellationToken,
}

impl CallIds {
    /// None are remembered yet.
    pub(in crate::service) fn new(memory: Duration) -> Self {
        Self {
            memory,
            ids: Mutex::default(),
        }
    }

    /// Registers an id before its call is asked for. The same again changes nothing.
    pub(in crate::service) fn announce(&self, id: &str) -> Result<(), AlreadyUsed> {
        let mut ids = self.lock();
        let remembered = ids.entry(id.to_owned()).or_insert_with(|| self.remembered());
        if remembered.used {
            return Err(AlreadyUsed);
        }
        remembered.until = self.later();
        Ok(())
    }

    /// Takes an id for its one call. Without an id nothing has to be announced.
    pub(in crate::service) fn claim(&self, id: Option<String>) -> Claim<'_> {
        let cancelled = match &id {
            None => CancellationToken::new(),
            Some(id) => match self.lock().entry(id.clone()) {
                Entry::Occupied(known) if known.get().used => return Claim::AlreadyUsed,
                Entry::Occupied(mut known) => {
                    let remembered = known.get_mut();
                    remembered.used = true;
                    remembered.until = None;
                    remembered.cancelled.clone()
                }
                Entry::Vacant(unknown) => {
                    // An announcement that comes later must not revive a call of which was said that it is none.
                    unknown.insert(Remembered {
                        used: true,
                        ..self.remembered()
                    });
                    return Claim::NotAnnounced;
                }
            },
        };
        Claim::Granted(Claimed {
            ids: self,
            id,
            cancelled,
        })
    }

    /// Takes an id that need not be announced for its one call. A cancellation may have come before.
    pub(in crate::service) fn claim_at_once(&self, id: Option<String>) -> Result<Claimed<'_>, AlreadyUsed> {
        if let Some(id) = &id {
            self.announce(id)?;
        }
        match self.claim(id) {
            Claim::Granted(claimed) => Ok(claimed),
            // Announced just now, another call was quicker.
            Claim::NotAnnounced | Claim::AlreadyUsed => Err(AlreadyUsed),
        }
    }

    /// Cancels the call with an id: the one that runs, or the one that will be asked for.
    pub(in crate::service) fn cancel(&self, id: &str) {
        let mut ids = self.lock();
        let remembered = ids.entry(id.to_owned()).or_insert_with(|| self.remembered());
        remembered.cancelled.cancel();
    }

    fn remembered(&self) -> Remembered {
        Remembered {
            used: false,
            cancelled: CancellationToken::new(),
            until: self.later(),
        }
    }

    fn later(&self) -> Option<Instant> {
        Instant::now().checked_add(self.memory)
    }

    /// The ids that are not to be forgotten by now.
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Remembered>> {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        ids.retain(|_, remembered| remembered.until.is_none_or(|until| until > now));
        ids
    }
}

impl Drop for Claimed<'_> {
    fn drop(&mut self) {
        let Some(id) = &self.id else { return };
        if let Some(remembered) = self.ids.lock().get_mut(id) {
            remembered.until = self.ids.later();
        }
    }
}
