//! Saved catalogs on their way into memory. They are checked again, which compiles every schema and can take a while;
//! nobody who wants to change a file waits for that.

use std::sync::Arc;

use toolgate_core::Diagnostic;
use toolgate_core::catalog::{self, Catalog};
use toolgate_core::server::Registration;

use super::Service;
use super::flights::Generation;
use super::memory::Snapshot;

/// What there is of a server's catalog without asking the server.
pub(super) enum Saved {
    /// It is in memory.
    InMemory(Arc<Snapshot>),
    /// It was read from its file.
    Unchecked(Box<Unchecked>),
    /// Nothing.
    Missing,
}

/// A catalog as its file holds it.
pub(super) struct Unchecked {
    registration: Registration,
    catalog: Catalog,
    generation: Generation,
}

impl Service {
    /// What is saved of an active server. The caller holds the files for reading.
    pub(super) async fn saved(&self, registration: &Registration) -> Result<Saved, Diagnostic> {
        if let Some(snapshot) = self.in_memory(registration) {
            return Ok(Saved::InMemory(snapshot));
        }
        let reading = registration.clone();
        let catalog = self.with_store(move |store| store.catalog(&reading)).await?;
        Ok(catalog.map_or(Saved::Missing, |catalog| {
            Saved::Unchecked(Box::new(Unchecked {
                registration: registration.clone(),
                catalog,
                generation: self.generation(registration.id),
            }))
        }))
    }

    /// Checks a catalog and takes it into memory, unless the server was changed meanwhile. The caller does not hold the
    /// files.
    pub(super) async fn take_in(&self, unchecked: Box<Unchecked>) -> Result<(), Diagnostic> {
        let Unchecked {
            registration,
            catalog,
            generation,
        } = *unchecked;
        let id = registration.id;
        let transport = registration.config.transport();
        let limits = self.options.limits.clone();
        let schemas = Arc::clone(&self.options.schemas);
        let checked = self
            .with_store(move |_| catalog::revalidate(catalog, transport, &limits, schemas.as_ref()))
            .await;

        let _reading = self.files.read().await;
        // What a discovery has published meanwhile is newer, and repairs what was saved before.
        if !generation.holds() || self.in_memory(&registration).is_some() {
            return Ok(());
        }
        let snapshot = Arc::new(Snapshot {
            config: registration.config,
            catalog: checked.map_err(|reason| reason.about_server(id))?,
            persistence: None,
        });
        self.memory().entry(id).or_default().snapshot = Some(snapshot);
        Ok(())
    }

    /// The catalog in memory, where it is one of the server as it is reached now.
    fn in_memory(&self, registration: &Registration) -> Option<Arc<Snapshot>> {
        let memory = self.memory();
        let snapshot = memory.get(&registration.id)?.snapshot.as_ref()?;
        (snapshot.config == registration.config).then(|| Arc::clone(snapshot))
    }
}
