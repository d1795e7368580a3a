//! A person's call until it is handed over: on a new connection, with what the call's headers need read from the
//! server's own list.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use toolgate_core::catalog::{Mirror, MirrorSearch, MirrorStep};
use toolgate_core::identity::{self, RegistrationId};
use toolgate_core::server::TransportKind;
use toolgate_core::{Diagnostic, arguments};

use super::attempt::{Attempt, MIRRORING};
use super::not_sent;
use crate::mcp::{Connection, Failure, PendingCall, Progress};
use crate::service::Service;
use crate::service::flights::Generation;

/// A call that is being prepared.
pub(super) struct Preparing {
    pub(super) attempt: Attempt,
}

/// A call that was handed over, and the connection it went out on.
pub(super) struct HandedOver {
    pub(super) pending: Box<dyn PendingCall>,
    pub(super) connection: Open,
    /// Of a server that is a child process, whose end ends the call: it does not outlive its being paused, changed or
    /// removed (partner contract).
    pub(super) process: Option<Generation>,
}

/// A connection that ends when nobody has use for it any more.
pub(super) struct Open {
    service: Arc<Service>,
    connection: Option<Box<dyn Connection>>,
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
        // A person may call what is off.
        let check = Arc::new(|_: &_, _: &_| Ok(()));
        Ok(Preparing {
            attempt: Attempt::new(self, id, native_name, arguments, check, cancelled.clone()),
        })
    }
}

impl Preparing {
    /// Connects, reads what the call's headers need, and hands the call over.
    pub(super) async fn hand_over(&mut self) -> Result<HandedOver, Diagnostic> {
        let attempt = &self.attempt;
        let (config, generation) = attempt.server().await?;
        let service = Arc::clone(&attempt.service);
        service
            .supports(config.transport())
            .map_err(|reason| not_sent::transport(&reason))?;
        let budget = service.options.budgets.call_start;

        let progress = Progress::default();
        let connecting = service.connector.connect_telling(&config, &progress);
        let connected = match attempt.unless_interrupted(&generation, connecting).await {
            Ok(connected) => connected.map_err(|failure| not_sent::connection(&failure))?,
            Err(interrupted) => return Err(attempt.why(interrupted, not_sent::given_up(&progress, budget)).await),
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
            mirrored = match attempt.unless_interrupted(&generation, looking).await {
                Ok(mirror) => mirror?.headers(&attempt.arguments),
                Err(interrupted) => return Err(attempt.why(interrupted, not_sent::metadata_timeout(budget)).await),
            };
        }
        let pending = attempt.send(open, &config, &generation, mirrored, false).await?;
        let process = (config.transport() == TransportKind::Stdio).then_some(generation);
        Ok(HandedOver {
            pending,
            connection,
            process,
        })
    }

    /// What the tool's annotations say, read from the server's list until the tool is found. Nothing of the list is kept.
    async fn mirror(&self, connection: &dyn Connection) -> Result<Mirror, Diagnostic> {
        let Attempt {
            native_name, service, ..
        } = &self.attempt;
        let mut search = MirrorSearch::new(native_name, &service.options.limits);
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
