//! The requests of one page or program: how many are worked on at once.
//!
//! Those that wait for servers, which may take minutes, are bounded in number and in bytes, and refused beyond that. The
//! others (what cancels, pauses, removes, reads) are never held up by them: they have room of their own, and only a reader
//! that does not take its answers makes them wait.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use toolgate_core::{Code, Diagnostic};

use super::envelope::{self, Failed};
use super::{Bridge, methods};

/// Requests at once that wait for no server, those being refused included.
const MOMENTARY: u32 = 16;
/// The bytes of all the messages that wait for servers, in KiB.
const WAITING_KIB: usize = 512 * 1024;

/// Takes the messages of one page or program, and sends each answer when it comes.
pub(crate) struct Intake {
    bridge: Bridge,
    answers: mpsc::Sender<String>,
    momentary: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    waiting_kib: Arc<Semaphore>,
    waiting_requests: usize,
}

/// Room for one message more.
pub(crate) type Room = OwnedSemaphorePermit;

impl Intake {
    /// With at most so many requests at once that wait for servers.
    pub(crate) fn new(bridge: Bridge, answers: mpsc::Sender<String>, waiting_requests: usize) -> Self {
        let waiting_requests = waiting_requests.min(Semaphore::MAX_PERMITS);
        Self {
            bridge,
            answers,
            momentary: Arc::new(Semaphore::new(MOMENTARY as usize)),
            waiting: Arc::new(Semaphore::new(waiting_requests)),
            waiting_kib: Arc::new(Semaphore::new(WAITING_KIB)),
            waiting_requests,
        }
    }

    /// Comes when a further message may be read, which no server holds up. `None` never happens while this is there.
    pub(crate) async fn room(&self) -> Option<Room> {
        Arc::clone(&self.momentary).acquire_owned().await.ok()
    }

    /// Carries out a message, or refuses it where it would wait for a server with too many others.
    pub(crate) fn take(&self, room: Room, message: String) {
        let answers = self.answers.clone();
        if !waits(&message) {
            let answer = self.bridge.handle(message);
            tokio::spawn(async move {
                // Held until the answer is in the queue. Fails where nobody reads any more.
                let _ = answers.send(answer.await).await;
                drop(room);
            });
            return;
        }
        let Some(place) = self.place(message.len()) else {
            let refused = self.refused(&message);
            tokio::spawn(async move {
                let _ = answers.send(refused).await;
                drop(room);
            });
            return;
        };
        let answer = self.bridge.handle(message);
        tokio::spawn(async move {
            let _ = answers.send(answer.await).await;
            drop(place);
        });
    }

    /// Ends when every message that was taken is answered.
    pub(crate) async fn answered(self) {
        let waiting = u32::try_from(self.waiting_requests).unwrap_or(u32::MAX);
        let _ = self.momentary.acquire_many(MOMENTARY).await;
        let _ = self.waiting.acquire_many(waiting).await;
    }

    fn place(&self, bytes: usize) -> Option<(OwnedSemaphorePermit, OwnedSemaphorePermit)> {
        let kib = u32::try_from(bytes.div_ceil(1024)).ok()?;
        let place = Arc::clone(&self.waiting).try_acquire_owned().ok()?;
        let kib = Arc::clone(&self.waiting_kib).try_acquire_many_owned(kib).ok()?;
        Some((place, kib))
    }

    fn refused(&self, message: &str) -> String {
        let sentence = format!(
            "This request was not carried out, because too many wait for servers: there may be {}, of {} MiB together. \
             Send it again when some are answered.",
            self.waiting_requests,
            WAITING_KIB / 1024,
        );
        let failed = Failed::Refused(Diagnostic::new(Code::BridgeRequestsLimit, sentence).into());
        let id = envelope::parse(message).ok().map(|request| request.id);
        envelope::error(id, &failed)
    }
}

/// Whether a message is a request that waits for a server.
fn waits(message: &str) -> bool {
    envelope::parse(message).is_ok_and(|request| methods::WAITING.contains(&request.method.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::methods::{METHODS, WAITING};

    #[test]
    fn every_method_that_waits_is_one() {
        for method in WAITING {
            assert!(METHODS.contains(method), "{method}");
        }
    }
}
