//! `servers.discover` and `servers.refresh`: the catalog from memory, from its file, or from the server, always under
//! the decisions of the registration as it is now (manager contract §5).

use std::sync::Arc;

use toolgate_core::catalog;
use toolgate_core::identity::RegistrationId;
use toolgate_core::partner;
use toolgate_core::projection::{self, DiscoveryResult};
use toolgate_core::schema::JsonSchemaCheck;
use toolgate_core::server::Registration;
use toolgate_core::{Diagnostic, Refusal};

use super::discovery::superseded;
use super::memory::Snapshot;
use super::{Service, registration_id};
use crate::bridge::messages::ServerParams;
use crate::store::Store;

impl Service {
    /// The catalog from memory, else from its file, else from the server. A file that cannot be used is an error; only
    /// a refresh replaces it.
    pub(crate) async fn discover(self: &Arc<Self>, params: ServerParams) -> Result<DiscoveryResult, Refusal> {
        let id = registration_id(&params.id)?;
        let landing = {
            let _reading = self.files.read().await;
            let registration = self.active_registration(id).await?;
            if let Some(snapshot) = self.snapshot(&registration).await? {
                return Ok(self.project(&registration, &snapshot));
            }
            self.join_flight(id)?
        };
        let snapshot = landing.await?;
        self.project_published(id, &snapshot).await
    }

    /// The catalog from the server, over a new connection, whatever is in memory and in the file.
    pub(crate) async fn refresh(self: &Arc<Self>, params: ServerParams) -> Result<DiscoveryResult, Refusal> {
        let id = registration_id(&params.id)?;
        let landing = {
            let _reading = self.files.read().await;
            self.active_registration(id).await?;
            self.next_flight(id)?
        };
        let snapshot = landing.await?;
        self.project_published(id, &snapshot).await
    }

    /// The snapshot of a server in memory or in its file. The caller holds the files for reading.
    pub(super) async fn snapshot(
        self: &Arc<Self>,
        registration: &Registration,
    ) -> Result<Option<Arc<Snapshot>>, Diagnostic> {
        if let Some(snapshot) = self.remembered(registration) {
            return Ok(Some(snapshot));
        }
        let service = Arc::clone(self);
        let registration = registration.clone();
        self.with_store(move |store| service.snapshot_in(store, &registration))
            .await
    }

    /// The same for a caller that may block, and does.
    pub(super) fn snapshot_in(
        &self,
        store: &Store,
        registration: &Registration,
    ) -> Result<Option<Arc<Snapshot>>, Diagnostic> {
        if let Some(snapshot) = self.remembered(registration) {
            return Ok(Some(snapshot));
        }
        let id = registration.id;
        let Some(catalog) = store.catalog(registration)? else {
            return Ok(None);
        };
        let transport = registration.config.transport();
        let catalog = catalog::revalidate(catalog, transport, &self.options.limits, &JsonSchemaCheck)
            .map_err(|diagnostic| diagnostic.about_server(id))?;
        let snapshot = Arc::new(Snapshot {
            config: registration.config.clone(),
            catalog,
            persistence: None,
        });
        self.memory().entry(id).or_default().snapshot = Some(Arc::clone(&snapshot));
        Ok(Some(snapshot))
    }

    /// The snapshot in memory, where it is of the server as it is reached now.
    fn remembered(&self, registration: &Registration) -> Option<Arc<Snapshot>> {
        let memory = self.memory();
        let snapshot = memory.get(&registration.id)?.snapshot.as_ref()?;
        (snapshot.config == registration.config).then(|| Arc::clone(snapshot))
    }

    /// Projects what a discovery has just published, if that is still the server's catalog.
    async fn project_published(&self, id: RegistrationId, snapshot: &Snapshot) -> Result<DiscoveryResult, Refusal> {
        let registration = self.active_registration(id).await?;
        if registration.config != snapshot.config {
            return Err(superseded(id).into());
        }
        Ok(self.project(&registration, snapshot))
    }

    fn project(&self, registration: &Registration, snapshot: &Snapshot) -> DiscoveryResult {
        let mut result = projection::project_discovery(registration, &snapshot.catalog);
        result.diagnostics.extend(snapshot.persistence.clone());
        let too_large = partner::too_large(&snapshot.catalog, &self.options.limits);
        result
            .diagnostics
            .extend(too_large.map(|reason| reason.about_server(registration.id)));
        result
    }
}
