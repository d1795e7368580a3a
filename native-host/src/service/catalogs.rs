//! `servers.discover` and `servers.refresh`: the catalog from memory, from its file, or from the server, always under
//! the decisions of the registration as it is now (manager contract §5).

use std::sync::Arc;

use toolgate_core::Refusal;
use toolgate_core::identity::RegistrationId;
use toolgate_core::projection::{self, DiscoveryResult};
use toolgate_core::server::Registration;

use super::discovery::superseded;
use super::memory::Snapshot;
use super::warming::Saved;
use super::{Service, registration_id};
use crate::bridge::messages::ServerParams;

impl Service {
    /// The catalog from memory, else from its file, else from the server. A file that cannot be used is an error; only
    /// a refresh replaces it.
    pub(crate) async fn discover(self: &Arc<Self>, params: ServerParams) -> Result<DiscoveryResult, Refusal> {
        let id = registration_id(&params.id)?;
        let landing = loop {
            let unchecked = {
                let _reading = self.files.read().await;
                let registration = self.active_registration(id).await?;
                match self.saved(&registration).await? {
                    Saved::InMemory(snapshot) => return Ok(self.project(&registration, &snapshot)),
                    Saved::Missing => break self.join_flight(id)?,
                    Saved::Unchecked(unchecked) => unchecked,
                }
            };
            // Then it is in memory, or the server is another one than it was.
            self.take_in(unchecked).await?;
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
        let too_large = snapshot.too_large(&self.options.limits);
        result
            .diagnostics
            .extend(too_large.map(|reason| reason.about_server(registration.id)));
        result
    }
}
