//! At most one discovery of a server runs at a time. A cold discover joins the one that runs; a refresh never joins
//! one that began before it: it waits, together with every other refresh that comes meanwhile, for the next one.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use toolgate_core::identity::RegistrationId;
use toolgate_core::{Code, Diagnostic, Refusal};

use super::discovery::superseded;
use super::memory::{ServerMemory, Snapshot, next_number};
use super::{Service, WorkGuard};
use crate::bridge::messages::ChangedArea;

/// How a discovery ended: with the catalog that was published, or with the reason why none was.
pub(super) type Outcome = Result<Arc<Snapshot>, Refusal>;

/// The end of a discovery, which any number of requests can wait for.
pub(super) type Landing = Shared<BoxFuture<'static, Outcome>>;

/// A discovery that runs.
pub(super) struct Flight {
    number: u64,
    landing: Landing,
}

/// A discovery that begins when the running one has ended.
pub(super) struct Queued {
    outcome: oneshot::Sender<Outcome>,
    landing: Landing,
    work: WorkGuard,
}

impl Queued {
    fn new(work: WorkGuard) -> Self {
        let (outcome, receiver) = oneshot::channel();
        let landing = receiver
            .map(|outcome| outcome.unwrap_or_else(|_| Err(broke_off().into())))
            .boxed()
            .shared();
        Self { outcome, landing, work }
    }
}

impl Service {
    /// Joins the discovery that runs, or begins one.
    pub(super) fn join_flight(self: &Arc<Self>, id: RegistrationId) -> Result<Landing, Refusal> {
        let work = self.start_work()?;
        let mut memory = self.memory();
        let server = memory.entry(id).or_default();
        if let Some(flight) = &server.flight {
            return Ok(flight.landing.clone());
        }
        let queued = Queued::new(work);
        let landing = queued.landing.clone();
        self.begin(server, id, queued);
        Ok(landing)
    }

    /// Begins a discovery, or joins the one that begins next.
    pub(super) fn next_flight(self: &Arc<Self>, id: RegistrationId) -> Result<Landing, Refusal> {
        let work = self.start_work()?;
        let mut memory = self.memory();
        let server = memory.entry(id).or_default();
        Ok(match (&server.flight, &server.queued) {
            (None, _) => {
                let queued = Queued::new(work);
                let landing = queued.landing.clone();
                self.begin(server, id, queued);
                landing
            }
            (Some(_), Some(queued)) => queued.landing.clone(),
            (Some(_), None) => {
                let queued = server.queued.insert(Queued::new(work));
                queued.landing.clone()
            }
        })
    }

    /// From now on what runs for this server publishes nothing; it is told to end. What waited for it begins.
    pub(super) fn supersede(self: &Arc<Self>, server: &mut ServerMemory, id: RegistrationId) {
        std::mem::replace(&mut server.generation, Generation::next()).end();
        server.flight = None;
        if let Some(queued) = server.queued.take() {
            self.begin(server, id, queued);
        }
    }

    /// Ends what runs for a server, and what waits to begin, where a person wants it to stop and that could not be saved:
    /// it is paused for as long as this host runs. Answers the refusal that says both. The caller holds the files for
    /// writing.
    pub(super) fn stop_unsaved(self: &Arc<Self>, id: RegistrationId, mut reason: Diagnostic) -> Diagnostic {
        let is_there = reason.code != Code::RegistrationNotFound;
        if is_there {
            // Before what ran is ended, so that nothing begins in between.
            self.store.hold(id);
        }
        // Without an entry nothing ever ran for it.
        if let Some(server) = self.memory().get_mut(&id) {
            if let Some(queued) = server.queued.take() {
                // Nobody waiting any more is no failure.
                let _ = queued.outcome.send(Err(superseded(id).into()));
            }
            self.supersede(server, id);
        }
        if is_there {
            self.events.changed(ChangedArea::Servers, Some(id));
            reason.message.push_str(
                " Nothing was saved, and the server's file is as it was. What ran for the server was ended all the same, and \
                 it is paused until Toolgate ends; after that it is what its file says. Repeat this once it can be saved.",
            );
        }
        reason
    }

    /// The present generation of a server, for work that wants to know when it ends.
    pub(super) fn generation(&self, id: RegistrationId) -> Generation {
        let mut memory = self.memory();
        memory.entry(id).or_default().generation.clone()
    }

    fn begin(self: &Arc<Self>, server: &mut ServerMemory, id: RegistrationId, queued: Queued) {
        let Queued { outcome, landing, work } = queued;
        let number = next_number();
        server.flight = Some(Flight { number, landing });
        let generation = server.generation.clone();
        let ending = Ending {
            service: Arc::clone(self),
            id,
            number,
        };
        self.runtime.spawn(async move {
            let result = ending.service.fly(id, generation).await;
            // The next one begins before this one's end is known, so that nobody finds neither.
            drop(ending);
            // Nobody waiting any more is no failure.
            let _ = outcome.send(result);
            drop(work);
        });
    }
}

/// What is said of a discovery that ended without an outcome.
pub(super) fn broke_off() -> Diagnostic {
    Diagnostic::new(
        Code::BridgeInternalError,
        "Reading the tools broke off; that is a mistake in Toolgate. Its log says more.",
    )
}

/// A time of a server in which work that began in it may publish what it finds. Those who wait for its end are told in the
/// order in which they began to wait.
#[derive(Clone)]
pub(super) struct Generation {
    number: u64,
    ended: CancellationToken,
}

impl Generation {
    /// One that begins now.
    pub(super) fn next() -> Self {
        Self {
            number: next_number(),
            ended: CancellationToken::new(),
        }
    }

    fn end(self) {
        self.ended.cancel();
    }

    /// Its number, which no other one has.
    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// Whether what began in it may still publish.
    pub(super) fn holds(&self) -> bool {
        !self.ended.is_cancelled()
    }

    /// Waits until it may not.
    pub(super) async fn ended(&self) {
        self.ended.cancelled().await;
    }
}

/// Makes room for the next discovery, also where this one ends in a panic.
struct Ending {
    service: Arc<Service>,
    id: RegistrationId,
    number: u64,
}

impl Drop for Ending {
    fn drop(&mut self) {
        let mut memory = self.service.memory();
        let Some(server) = memory.get_mut(&self.id) else {
            return;
        };
        if server
            .flight
            .as_ref()
            .is_some_and(|flight| flight.number == self.number)
        {
            server.flight = None;
            if let Some(queued) = server.queued.take() {
                self.service.begin(server, self.id, queued);
            }
        }
    }
}
