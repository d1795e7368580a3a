//! A call until it is handed over to be sent, whoever makes it and on whatever connection: what is asked of its server
//! before, and what may break the preparation off. Whatever ends it here, the server has not seen it.

use std::sync::{Arc, OnceLock};

use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use toolgate_core::Diagnostic;
use toolgate_core::identity::RegistrationId;
use toolgate_core::json::JsonText;
use toolgate_core::server::{Registration, ServerConfig};

use super::not_sent;
use crate::mcp::{Connection, Failure, FailureClass, PendingCall, Step, ToolCall};
use crate::service::Service;
use crate::service::flights::Generation;
use crate::store::Store;

/// The first protocol version that repeats arguments in headers.
pub(in crate::service) const MIRRORING: &str = "2026-07-28";

/// What is asked beside the server's being active, under the files' read lock, of the files as they are at that moment:
/// before anything connects, and again right before the call is handed over. It blocks. An error is a reason why the
/// call is not sent; its code is one of [`NOT_SENT`](toolgate_core::outcome::NOT_SENT) or the caller's own.
pub(in crate::service) type Recheck = Arc<dyn Fn(&Store, &Registration) -> Result<(), Diagnostic> + Send + Sync>;

/// A call that is to be made.
pub(in crate::service) struct Attempt {
    pub(in crate::service) service: Arc<Service>,
    pub(in crate::service) id: RegistrationId,
    pub(in crate::service) native_name: String,
    pub(in crate::service) arguments: JsonText,
    check: Recheck,
    deadline: Instant,
    /// What its server was when the call was handed over.
    pub(super) handed_over: OnceLock<Generation>,
    pub(super) cancelled: CancellationToken,
    pub(super) stopping: watch::Receiver<bool>,
}

/// Why a piece of work was not waited for to its end.
pub(in crate::service) enum Interrupted {
    Cancelled,
    Stopping,
    /// The server was changed, paused or removed.
    Superseded,
    Deadline,
}

/// Why a call was not handed over.
pub(in crate::service) enum Unsent {
    /// It must not be sent.
    Refused(Diagnostic),
    /// The connection did not take it, and the server cannot have seen it.
    NotTaken(Failure),
}

impl Attempt {
    /// A call whose time to be handed over begins now.
    pub(in crate::service) fn new(
        service: &Arc<Service>,
        id: RegistrationId,
        native_name: String,
        arguments: JsonText,
        check: Recheck,
        cancelled: CancellationToken,
    ) -> Self {
        Self {
            service: Arc::clone(service),
            id,
            native_name,
            arguments,
            check,
            deadline: Instant::now() + service.options.budgets.call_start,
            handed_over: OnceLock::new(),
            cancelled,
            stopping: service.stopping.subscribe(),
        }
    }

    /// The server's configuration, where it may be called, and the generation it belongs to.
    pub(in crate::service) async fn server(&self) -> Result<(ServerConfig, Generation), Diagnostic> {
        let _reading = self.service.files.read().await;
        self.registered().await
    }

    /// The same for a caller that holds the files.
    async fn registered(&self) -> Result<(ServerConfig, Generation), Diagnostic> {
        let registration = self.service.active_registration(self.id).await;
        let registration = registration.map_err(|reason| not_sent::registration(&reason))?;
        let check = Arc::clone(&self.check);
        let checked = self
            .service
            .with_store(move |store| Ok(check(store, &registration).map(|()| registration.config)));
        // Only a runtime that is being shut down checks nothing any more.
        let config = checked.await.map_err(|_| not_sent::stopping())??;
        Ok((config, self.service.generation(self.id)))
    }

    /// Waits for a step of the preparation, or for what ends it.
    pub(in crate::service) async fn unless_interrupted<T>(
        &self,
        generation: &Generation,
        work: impl Future<Output = T>,
    ) -> Result<T, Interrupted> {
        let mut stopping = self.stopping.clone();
        tokio::select! {
            biased;
            () = self.cancelled.cancelled() => Err(Interrupted::Cancelled),
            _ = stopping.wait_for(|stopping| *stopping) => Err(Interrupted::Stopping),
            () = generation.ended() => Err(Interrupted::Superseded),
            done = timeout_at(self.deadline, work) => done.map_err(|_| Interrupted::Deadline),
        }
    }

    /// The reason to give for an interruption; `timeout` for that of the time limit.
    pub(in crate::service) async fn why(&self, interrupted: Interrupted, timeout: Diagnostic) -> Diagnostic {
        match interrupted {
            Interrupted::Cancelled => not_sent::cancelled(),
            Interrupted::Stopping => not_sent::stopping(),
            Interrupted::Superseded => match self.server().await {
                Ok(_) => not_sent::changed(),
                Err(reason) => reason,
            },
            Interrupted::Deadline => timeout,
        }
    }

    /// Hands the call over, once, where the server is as it was when its connection was made and may still be called; with
    /// `must_be_open` only over a connection that is not known to be closed.
    pub(in crate::service) async fn send(
        &self,
        connection: &dyn Connection,
        config: &ServerConfig,
        generation: &Generation,
        mirrored: Vec<(String, String)>,
        must_be_open: bool,
    ) -> Result<Box<dyn PendingCall>, Unsent> {
        // No change of the server can come between this look at it and the call: what was paused before is not called.
        let _reading = self.service.files.read().await;
        let (now, _) = self.registered().await.map_err(Unsent::Refused)?;
        if now != *config || !generation.holds() {
            return Err(Unsent::Refused(not_sent::changed()));
        }
        if self.cancelled.is_cancelled() {
            return Err(Unsent::Refused(not_sent::cancelled()));
        }
        if *self.stopping.borrow() {
            return Err(Unsent::Refused(not_sent::stopping()));
        }
        if must_be_open && !connection.is_open() {
            let closed = Failure::new(FailureClass::ConnectionReset, Step::Call);
            return Err(Unsent::NotTaken(closed));
        }
        let call = ToolCall {
            name: self.native_name.clone(),
            arguments: self.arguments.clone(),
            mirrored,
        };
        let pending = connection.call_tool(call).await.map_err(Unsent::NotTaken)?;
        // It is sent once; a second would be of the same generation.
        let _ = self.handed_over.set(generation.clone());
        Ok(pending)
    }
}

impl From<Unsent> for Diagnostic {
    fn from(unsent: Unsent) -> Self {
        match unsent {
            Unsent::Refused(reason) => reason,
            Unsent::NotTaken(failure) => not_sent::not_queued(&failure),
        }
    }
}
