//! Who may hold a connection: there is a number of places, and a connection that has not shown by what it is let in
//! holds its place only until somebody else needs it. So nobody keeps others out by connecting and saying nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The places of a server.
#[derive(Debug)]
pub(super) struct Places {
    number: usize,
    held: Mutex<Held>,
    freed: Notify,
}

/// The connections that hold a place, in the order in which they came.
#[derive(Debug, Default)]
struct Held {
    next: u64,
    connections: BTreeMap<u64, Holder>,
}

#[derive(Debug)]
struct Holder {
    proven: bool,
    given_up: CancellationToken,
}

/// A place that a connection holds. Dropping it frees the place.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    number: u64,
    given_up: CancellationToken,
}

impl Places {
    pub(super) fn new(number: usize) -> Arc<Self> {
        Arc::new(Self {
            number,
            held: Mutex::default(),
            freed: Notify::new(),
        })
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        // A panic elsewhere cannot leave the map half changed.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place. Where all are held, the oldest connection that has not shown by what it is let in gives its up;
    /// where all have, this waits.
    pub(super) async fn take(self: &Arc<Self>) -> Place {
        loop {
            let freed = self.freed.notified();
            if let Some(place) = self.try_take() {
                return place;
            }
            freed.await;
        }
    }

    fn try_take(self: &Arc<Self>) -> Option<Place> {
        let mut held = self.held();
        if held.connections.len() >= self.number {
            let mut others = held.connections.values();
            if let Some(oldest) = others.find(|holder| !holder.proven && !holder.given_up.is_cancelled()) {
                oldest.given_up.cancel();
            }
            return None;
        }
        let number = held.next;
        held.next += 1;
        let given_up = CancellationToken::new();
        let holder = Holder {
            proven: false,
            given_up: given_up.clone(),
        };
        held.connections.insert(number, holder);
        Some(Place {
            places: Arc::clone(self),
            number,
            given_up,
        })
    }
}

impl Place {
    /// A request on the connection was let in: it keeps its place now.
    pub(super) fn prove(&self) {
        if let Some(holder) = self.places.held().connections.get_mut(&self.number) {
            holder.proven = true;
        }
    }

    /// Waits until the place is needed by another.
    pub(super) async fn given_up(&self) {
        self.given_up.cancelled().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.held().connections.remove(&self.number);
        // Each listener may wait.
        self.places.freed.notify_waiters();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A test may fail loudly.
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn the_oldest_that_has_shown_nothing_gives_its_place_up() {
        let places = Places::new(3);
        let (first, second, third) = (places.take().await, places.take().await, places.take().await);
        first.prove();
        let mut fourth = Box::pin(places.take());
        assert!(fourth.as_mut().now_or_never().is_none());
        // Told once, however often it is asked.
        assert!(fourth.as_mut().now_or_never().is_none());
        assert!(second.given_up().now_or_never().is_some());
        assert!(first.given_up().now_or_never().is_none());
        assert!(third.given_up().now_or_never().is_none());
        drop(second);
        fourth.await;
    }

    #[tokio::test]
    async fn where_all_are_let_in_a_newcomer_waits() {
        let places = Places::new(1);
        let first = places.take().await;
        first.prove();
        let mut second = Box::pin(places.take());
        assert!(second.as_mut().now_or_never().is_none());
        assert!(first.given_up().now_or_never().is_none());
        drop(first);
        second.await;
    }
}
