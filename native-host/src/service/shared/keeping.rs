//! The task behind each shared connection: it makes it, whoever waits, and keeps it until it has not been used for a
//! while, its server changes, or it is given up.

use std::sync::Arc;

use futures_util::FutureExt;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use toolgate_core::Diagnostic;
use toolgate_core::identity::RegistrationId;
use toolgate_core::server::ServerConfig;

use super::lines::{Landing, Line, Slot};
use crate::mcp::Progress;
use crate::service::calls::not_sent;
use crate::service::flights::{Generation, broke_off};
use crate::service::memory::next_number;
use crate::service::{Service, WorkGuard};

/// A slot's task. However it ends, the slot is free then.
struct Keeper {
    service: Arc<Service>,
    id: RegistrationId,
    number: u64,
    generation: Generation,
    given_up: CancellationToken,
    /// A shutdown waits until the connection is being closed.
    _work: WorkGuard,
}

impl Service {
    /// The connection of a server as it is now: the one there is, the one that is being made, or a new one.
    pub(super) fn line(
        self: &Arc<Self>,
        id: RegistrationId,
        config: &ServerConfig,
        generation: &Generation,
    ) -> Landing {
        let mut slots = self.shared.lock();
        if let Some(slot) = slots.get(&id).filter(|slot| slot.serves(config, generation.number())) {
            return slot.landing.clone();
        }
        let (landed, landing) = oneshot::channel();
        let landing = landing
            .map(|landed| landed.unwrap_or_else(|_| Err(not_sent::transport(&broke_off()))))
            .boxed()
            .shared();
        let slot = Slot {
            number: next_number(),
            config: config.clone(),
            generation: generation.number(),
            landing: landing.clone(),
            line: None,
            given_up: CancellationToken::new(),
        };
        let keeper = Keeper {
            service: Arc::clone(self),
            id,
            number: slot.number,
            generation: generation.clone(),
            given_up: slot.given_up.clone(),
            _work: self.work.subscribe(),
        };
        if let Some(before) = slots.insert(id, slot) {
            before.given_up.cancel();
        }
        drop(slots);
        let config = config.clone();
        self.runtime.spawn(async move {
            let mut keeper = keeper;
            let line = keeper.make(&config).await;
            let made = line.as_ref().ok().cloned();
            if made.is_none() {
                // Whoever comes from now on tries anew.
                drop(keeper);
                let _ = landed.send(line);
                return;
            }
            // Nobody waiting any more is no failure.
            let _ = landed.send(line);
            if let Some(line) = made {
                keeper.keep(line).await;
            }
        });
        landing
    }
}

impl Keeper {
    async fn make(&mut self, config: &ServerConfig) -> Result<Arc<Line>, Diagnostic> {
        let service = Arc::clone(&self.service);
        let budget = service.options.budgets.call_start;
        let mut stopping = service.stopping.subscribe();
        let progress = Progress::default();
        let connecting = service.connector.connect_telling(config, &progress);
        let connection = tokio::select! {
            biased;
            () = self.generation.ended() => return Err(not_sent::changed()),
            () = self.given_up.cancelled() => return Err(not_sent::changed()),
            _ = stopping.wait_for(|stopping| *stopping) => return Err(not_sent::stopping()),
            connected = tokio::time::timeout(budget, connecting) => match connected {
                Ok(connected) => connected.map_err(|failure| not_sent::connection(&failure))?,
                Err(_) => return Err(not_sent::given_up(&progress, budget)),
            },
        };
        let line = Arc::new(Line::new(&service, connection));
        if let Some(slot) = service
            .shared
            .lock()
            .get_mut(&self.id)
            .filter(|slot| slot.number == self.number)
        {
            slot.line = Some(Arc::clone(&line));
        }
        Ok(line)
    }

    /// Keeps a connection until it is to be released. Calls that use it then hold it on.
    async fn keep(self, line: Arc<Line>) {
        let service = Arc::clone(&self.service);
        let idle = service.options.budgets.shared_idle;
        let mut stopping = service.stopping.subscribe();
        let mut users = line.users.subscribe();
        let unused = async {
            loop {
                // The sender is the line's, which is held here.
                let _ = users.wait_for(|users| *users == 0).await;
                let used = tokio::time::timeout(idle, users.changed());
                if used.await.is_err() && service.shared.remove(self.id, self.number, true) {
                    return;
                }
            }
        };
        tokio::select! {
            biased;
            () = self.generation.ended() => {}
            () = self.given_up.cancelled() => {}
            _ = stopping.wait_for(|stopping| *stopping) => {}
            () = unused => {}
        }
        self.service.shared.remove(self.id, self.number, false);
        // Before the end of the work that a shutdown waits for.
        drop(line);
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.service.shared.remove(self.id, self.number, false);
    }
}
