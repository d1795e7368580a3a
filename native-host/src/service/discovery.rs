//! One discovery: connecting, reading every page, and publishing what was found, if it may still be published
//! (manager contract §5).

use std::sync::Arc;

use tokio::sync::oneshot;
use tokio::time::Instant;
use toolgate_core::catalog::{Catalog, CatalogContext, CatalogPages, NextPage};
use toolgate_core::identity::RegistrationId;
use toolgate_core::server::{Registration, ServerConfig, ServerState};
use toolgate_core::{Code, Diagnostic, Refusal};

use super::flights::{Generation, Outcome, broke_off};
use super::memory::Snapshot;
use super::{Service, stopping};
use crate::bridge::messages::{ChangedArea, LastFailure};
use crate::mcp::{Connection, Failure, FailureClass, Progress, Step};

/// Why a discovery found nothing.
enum Stop {
    /// It failed.
    Failed(Diagnostic),
    /// It was told to end.
    Ended,
}

impl Service {
    /// Discovers the tools of a server over a new connection and publishes them.
    pub(super) async fn fly(self: &Arc<Self>, id: RegistrationId, generation: Generation) -> Outcome {
        let registration = self.active_registration(id).await?;
        let config = registration.config;
        match self.find(&config, &generation).await {
            Ok(catalog) => self.publish(id, &generation, config, catalog).await,
            Err(Stop::Failed(diagnostic)) => {
                let diagnostic = diagnostic.about_server(id);
                self.may_publish(id, &generation, &config).await?;
                self.remember_failure(id, &generation, &diagnostic);
                Err(diagnostic.into())
            }
            Err(Stop::Ended) => {
                self.may_publish(id, &generation, &config).await?;
                Err(stopping().into())
            }
        }
    }

    /// A server's registration, where the server is active and can be connected with.
    pub(super) async fn active_registration(&self, id: RegistrationId) -> Result<Registration, Diagnostic> {
        let registration = self.with_store(move |store| store.registration(id)).await?;
        if registration.state == ServerState::Paused {
            return Err(Diagnostic::new(
                Code::ServerPaused,
                "The server is paused. Activate it, once you have seen the exact address or command, to read its tools.",
            )
            .about_server(id));
        }
        Ok(registration)
    }

    async fn find(&self, config: &ServerConfig, generation: &Generation) -> Result<Catalog, Stop> {
        let transport = config.transport();
        self.supports(transport).map_err(Stop::Failed)?;
        let deadline = Instant::now() + self.options.budgets.discovery;
        let progress = Progress::default();
        let connecting = self.connector.connect_telling(config, &progress);
        let connection = self
            .within(deadline, |detail| progress.timed_out(detail), generation, connecting)
            .await?;
        let mut pages = CatalogPages::new(&self.options.limits);
        let read = self
            .read_pages(connection.as_ref(), &mut pages, deadline, generation)
            .await;
        let server = connection.server().clone();
        self.close_after(connection, std::future::ready(()));
        read?;
        let context = CatalogContext {
            protocol_version: server.protocol_version,
            server_name: server.name,
            server_version: server.version,
            transport,
        };
        let schemas = Arc::clone(&self.options.schemas);
        let checking = self.apart(move || pages.build(context, schemas.as_ref()));
        self.within(deadline, timed_out(Step::Check), generation, checking)
            .await?
    }

    async fn read_pages(
        &self,
        connection: &dyn Connection,
        pages: &mut CatalogPages,
        deadline: Instant,
        generation: &Generation,
    ) -> Result<(), Stop> {
        let mut cursor = None;
        loop {
            let asking = connection.list_tools(cursor.as_deref());
            let page = self
                .within(deadline, timed_out(Step::ListTools), generation, asking)
                .await?;
            match pages.push(&page).map_err(Stop::Failed)? {
                NextPage::Cursor(next) => cursor = Some(next),
                NextPage::End => return Ok(()),
            }
        }
    }

    /// Waits for an answer of the server, or for what is made of one, until the deadline or until nobody wants it any more.
    async fn within<T>(
        &self,
        deadline: Instant,
        timed_out: impl FnOnce(String) -> Failure + Send,
        generation: &Generation,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Stop> {
        let mut stopping = self.stopping.subscribe();
        tokio::select! {
            biased;
            () = generation.ended() => Err(Stop::Ended),
            _ = stopping.wait_for(|stopping| *stopping) => Err(Stop::Ended),
            answer = tokio::time::timeout_at(deadline, work) => {
                let answer = answer.unwrap_or_else(|_| {
                    let detail = format!("the whole discovery may take {:?}", self.options.budgets.discovery);
                    Err(timed_out(detail))
                });
                answer.map_err(|failure| Stop::Failed(failure.to_diagnostic()))
            }
        }
    }

    /// Does work that cannot be broken off on a thread of its own, for which neither a shutdown of the host nor the runtime's
    /// end waits: when nobody waits any more the thread goes on to its end, and what it made is dropped. The work must hold
    /// nothing that others need.
    async fn apart<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Result<T, Stop>, Failure> {
        let (done, result) = oneshot::channel();
        let work = Box::new(move || {
            // Nobody waiting any more is no failure.
            let _ = done.send(work());
        });
        let result = match self.options.threads.apart(&self.runtime, work) {
            Ok(()) => result.await.map_err(|_| broke_off()),
            Err(error) => Err(Diagnostic::new(
                Code::BridgeInternalError,
                format!(
                    "The system has no room for another thread ({}); try again later.",
                    error.kind()
                ),
            )),
        };
        Ok(result.map_err(Stop::Failed))
    }

    /// Ends a connection, after something else, without anybody waiting for it but a shutdown.
    pub(super) fn close_after(
        &self,
        connection: Box<dyn Connection>,
        before: impl Future<Output = ()> + Send + 'static,
    ) {
        let work = self.work.subscribe();
        self.runtime.spawn(async move {
            before.await;
            connection.close().await;
            drop(work);
        });
    }

    async fn publish(
        self: &Arc<Self>,
        id: RegistrationId,
        generation: &Generation,
        config: ServerConfig,
        catalog: Catalog,
    ) -> Outcome {
        let _writing = self.files.write().await;
        let registration = self.publishable(id, generation, &config).await?;
        let (catalog, written) = self
            .with_store(move |store| {
                let written = store.write_catalog(&registration, &catalog);
                Ok((catalog, written))
            })
            .await?;
        let persistence = written.err();
        if let Some(diagnostic) = &persistence {
            tracing::warn!(%id, %diagnostic, "a catalog could not be written");
        }
        let snapshot = Arc::new(Snapshot::new(config, catalog, persistence));
        let mut memory = self.memory();
        let server = memory.entry(id).or_default();
        server.counted = Some((
            snapshot.config.clone(),
            u32::try_from(snapshot.catalog.tools.len()).ok(),
        ));
        server.snapshot = Some(Arc::clone(&snapshot));
        server.last_failure = None;
        drop(memory);
        self.events.changed(ChangedArea::Catalog, Some(id));
        Ok(snapshot)
    }

    /// What was found on this connection may still be published, or the reason why not.
    async fn may_publish(
        &self,
        id: RegistrationId,
        generation: &Generation,
        config: &ServerConfig,
    ) -> Result<(), Refusal> {
        let _reading = self.files.read().await;
        self.publishable(id, generation, config).await.map(drop)
    }

    async fn publishable(
        &self,
        id: RegistrationId,
        generation: &Generation,
        config: &ServerConfig,
    ) -> Result<Registration, Refusal> {
        let registration = self.active_registration(id).await?;
        if !generation.holds() || registration.config != *config {
            return Err(superseded(id).into());
        }
        Ok(registration)
    }

    /// The server answered a call: that it could not be reached before is over. What was wrong with its list of tools
    /// is not.
    pub(super) fn reached(&self, id: RegistrationId, generation: &Generation) {
        let mut memory = self.memory();
        let Some(server) = memory.get_mut(&id) else {
            return;
        };
        let is_over = server.last_failure.as_ref().is_some_and(|failure| {
            matches!(
                failure.code,
                Code::ConnectionDns
                    | Code::ConnectionRefused
                    | Code::ConnectionReset
                    | Code::ConnectionTlsCertificate
                    | Code::ConnectionUnauthorized
                    | Code::ConnectionNotFound
                    | Code::ConnectionCommandMissing
                    | Code::ConnectionExited
            )
        });
        if !is_over || !generation.holds() {
            return;
        }
        server.last_failure = None;
        drop(memory);
        self.events.changed(ChangedArea::Catalog, Some(id));
    }

    fn remember_failure(&self, id: RegistrationId, generation: &Generation, diagnostic: &Diagnostic) {
        let mut memory = self.memory();
        let server = memory.entry(id).or_default();
        if !generation.holds() {
            return;
        }
        server.last_failure = Some(LastFailure {
            code: diagnostic.code,
            message: diagnostic.message.clone(),
            at_ms: self.options.clock.now_ms(),
        });
        drop(memory);
        self.events.changed(ChangedArea::Catalog, Some(id));
    }
}

/// What running out of time in a step is, given how much there was.
fn timed_out(step: Step) -> impl FnOnce(String) -> Failure + Send {
    move |detail| Failure::new(FailureClass::Timeout, step).with_detail(detail)
}

pub(super) fn superseded(id: RegistrationId) -> Diagnostic {
    Diagnostic::new(
        Code::DiscoverySuperseded,
        "The server was changed, paused or removed while its tools were being read. Nothing of that was kept; read \
         them again.",
    )
    .about_server(id)
}
