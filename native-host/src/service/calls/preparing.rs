//! A call until it is handed over to be sent. Whatever ends it here, the server has not seen it.

use std::sync::Arc;

use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use toolgate_core::catalog::{Mirror, MirrorSearch, MirrorStep};
use toolgate_core::identity::{self, RegistrationId};
use toolgate_core::json::JsonText;
use toolgate_core::server::{ServerConfig, TransportKind};
use toolgate_core::{Diagnostic, arguments};

use super::super::flights::Generation;
use super::not_sent;
use crate::mcp::{Connection, Failure, PendingCall, ToolCall};
use crate::service::Service;

/// The first protocol version that repeats arguments in headers.
const MIRRORING: &str = "2026-07-28";

/// A call that is being prepared.
pub(super) struct Preparing {
    service: Arc<Service>,
    id: RegistrationId,
    native_name: String,
    arguments: JsonText,
    deadline: Instant,
    pub(super) cancelled: CancellationToken,
    pub(super) stopping: watch::Receiver<bool>,
}

/// A call that was handed over, and the connection it went out on.
pub(super) struct HandedOver {
    pub(super) pending: Box<dyn PendingCall>,
    pub(super) connection: Open,
}

/// A connection that ends when nobody has use for it any more.
pub(super) struct Open {
    service: Arc<Service>,
    connection: Option<Box<dyn Connection>>,
}

/// Why a piece of work was not waited for to its end.
enum Interrupted {
    Cancelled,
    Stopping,
    /// The server was changed, paused or removed.
    Superseded,
    Deadline,
}

impl Service {
    /// Looks at what a call was asked with, before anything is done.
    pub(super) fn prepare_call(
        self: &Arc<Self>,
        id: &str,
        native_name: String,
        arguments_json: &str,
        cancelled: &CancellationToken,
    ) -> Result<Preparing, Diagnostic> {
        if cancelled.is_cancelled() {
            return Err(not_sent::cancelled());
        }
        let id = RegistrationId::parse(id).map_err(|reason| not_sent::registration_invalid(&reason))?;
        let limits = &self.options.limits;
        identity::check_tool_name(&native_name, limits).map_err(|reason| not_sent::tool_name_invalid(&reason))?;
        let arguments = arguments::check(arguments_json, limits)?;
        Ok(Preparing {
            service: Arc::clone(self),
            id,
            native_name,
            arguments,
            deadline: Instant::now() + self.options.budgets.call_start,
            cancelled: cancelled.clone(),
            stopping: self.stopping.subscribe(),
        })
    }
}

impl Preparing {
    /// Connects, reads what the call's headers need, and hands the call over.
    pub(super) async fn hand_over(&mut self) -> Result<HandedOver, Diagnostic> {
        let (config, mut generation) = self.server().await?;
        let service = Arc::clone(&self.service);
        service
            .supports(config.transport())
            .map_err(|reason| not_sent::transport(&reason))?;
        let budget = service.options.budgets.call_start;

        let connecting = service.connector.connect(&config);
        let connected = match self.unless_interrupted(&mut generation, connecting).await {
            Ok(connected) => connected.map_err(|failure| not_sent::connection(&failure))?,
            Err(interrupted) => return Err(self.why(interrupted, not_sent::connection_timeout(budget)).await),
        };
        let connection = Open {
            service: Arc::clone(&service),
            connection: Some(connected),
        };
        let open = connection.get()?;
        if !open.offers_tools() {
            return Err(not_sent::no_tools());
        }

        let mut mirrored = Vec::new();
        if config.transport() == TransportKind::Http && open.server().protocol_version == MIRRORING {
            let looking = self.mirror(open);
            mirrored = match self.unless_interrupted(&mut generation, looking).await {
                Ok(mirror) => mirror?.headers(&self.arguments),
                Err(interrupted) => return Err(self.why(interrupted, not_sent::metadata_timeout(budget)).await),
            };
        }

        // No change of the server can come between this look at it and the call: what was paused before is not called.
        let pending = {
            let _reading = service.files.read().await;
            let (now, _) = self.registered().await?;
            if now != config || !generation.holds() {
                return Err(not_sent::changed());
            }
            if self.cancelled.is_cancelled() {
                return Err(not_sent::cancelled());
            }
            if *self.stopping.borrow() {
                return Err(not_sent::stopping());
            }
            let call = ToolCall {
                name: self.native_name.clone(),
                arguments: self.arguments.clone(),
                mirrored,
            };
            let queued = open.call_tool(call).await;
            queued.map_err(|failure| not_sent::not_queued(&failure))?
        };
        Ok(HandedOver { pending, connection })
    }

    /// The server's configuration, where it may be called, and the generation it belongs to.
    async fn server(&self) -> Result<(ServerConfig, Generation), Diagnostic> {
        let _reading = self.service.files.read().await;
        self.registered().await
    }

    /// The same for a caller that holds the files.
    async fn registered(&self) -> Result<(ServerConfig, Generation), Diagnostic> {
        let registration = self.service.active_registration(self.id).await;
        let registration = registration.map_err(|reason| not_sent::registration(&reason))?;
        Ok((registration.config, self.service.generation(self.id)))
    }

    /// What the tool's annotations say, read from the server's list until the tool is found. Nothing of the list is kept.
    async fn mirror(&self, connection: &dyn Connection) -> Result<Mirror, Diagnostic> {
        let mut search = MirrorSearch::new(&self.native_name, &self.service.options.limits);
        let mut cursor = None;
        loop {
            let page = connection.list_tools(cursor.as_deref()).await;
            let page = page.map_err(|failure: Failure| not_sent::metadata(&failure))?;
            match search
                .push(&page)
                .map_err(|reason| not_sent::metadata_unusable(&reason))?
            {
                MirrorStep::Found(mirror) => return Ok(mirror),
                MirrorStep::Next(next) => cursor = Some(next),
                MirrorStep::Absent => return Err(not_sent::tool_unavailable()),
            }
        }
    }

    async fn unless_interrupted<T>(
        &self,
        generation: &mut Generation,
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

    async fn why(&self, interrupted: Interrupted, timeout: Diagnostic) -> Diagnostic {
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
}

impl Open {
    fn get(&self) -> Result<&dyn Connection, Diagnostic> {
        // It is only taken out to be closed.
        self.connection.as_deref().ok_or_else(not_sent::stopping)
    }

    /// Ends it once this was done, without anybody waiting but a shutdown.
    pub(super) fn close_after(mut self, before: impl Future<Output = ()> + Send + 'static) {
        if let Some(connection) = self.connection.take() {
            self.service.close_after(connection, before);
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            self.service.close_after(connection, std::future::ready(()));
        }
    }
}
