//! Saved catalogs on their way into memory. They are checked again, which compiles every schema and can take a while;
//! nobody who wants to change a file waits for that.

use std::sync::Arc;

use toolgate_core::catalog::Catalog;
use toolgate_core::identity::RegistrationId;
use toolgate_core::schema::SchemaCheck;
use toolgate_core::server::Registration;
use toolgate_core::{Diagnostic, Limits};

use super::Service;
use super::flights::Generation;
use super::memory::Snapshot;
use crate::store::{SavedCatalog, Store};

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
    catalog: SavedCatalog,
    generation: Generation,
}

impl Saved {
    /// The catalog, checked or not; none where nothing is saved. Its names and sizes can be relied on, its schemas only
    /// once it was checked.
    pub(super) fn catalog(&self) -> Option<&Catalog> {
        match self {
            Self::InMemory(snapshot) => Some(&snapshot.catalog),
            Self::Unchecked(unchecked) => Some(&unchecked.catalog.catalog),
            Self::Missing => None,
        }
    }
}

impl Service {
    /// What is saved of a server. The caller holds the files for reading.
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
            .with_store(move |store| catalog.checked(store, transport, &limits, schemas.as_ref()))
            .await;

        let _reading = self.files.read().await;
        // What a discovery has published meanwhile is newer, and repairs what was saved before.
        if !generation.holds() || self.in_memory(&registration).is_some() {
            return Ok(());
        }
        let catalog = checked.map_err(|reason| reason.about_server(id))?;
        let snapshot = Arc::new(Snapshot::new(registration.config, catalog, None));
        self.memory().entry(id).or_default().snapshot = Some(snapshot);
        Ok(())
    }

    /// Takes the saved catalogs of these servers into memory, so that those who look at them next, holding the files, find
    /// them there. What cannot be used they find again, with its reason.
    pub(super) async fn warm(&self, ids: Vec<RegistrationId>) {
        for id in ids {
            let saved = {
                let _reading = self.files.read().await;
                match self.with_store(move |store| store.registration(id)).await {
                    Ok(registration) => self.saved(&registration).await,
                    Err(reason) => Err(reason),
                }
            };
            let taken = match saved {
                Ok(Saved::Unchecked(unchecked)) => self.take_in(unchecked).await,
                Ok(Saved::InMemory(_) | Saved::Missing) => Ok(()),
                Err(reason) => Err(reason),
            };
            if let Err(reason) = taken {
                tracing::debug!(%id, code = %reason.code, "a saved catalog was not taken into memory");
            }
        }
    }

    /// The catalog of a server without asking it. The caller holds the files for reading, and has [warmed](Self::warm)
    /// the server before: what is not in memory is checked on the spot.
    pub(super) async fn snapshot(&self, registration: &Registration) -> Result<Option<Arc<Snapshot>>, Diagnostic> {
        if let Some(snapshot) = self.in_memory(registration) {
            return Ok(Some(snapshot));
        }
        let reading = registration.clone();
        let limits = self.options.limits.clone();
        let schemas = Arc::clone(&self.options.schemas);
        let loaded = self
            .with_store(move |store| load(store, &reading, &limits, schemas.as_ref()))
            .await?;
        Ok(loaded.map(|snapshot| self.remember(registration.id, snapshot)))
    }

    /// The same for a caller that may block, and does.
    pub(super) fn snapshot_in(
        &self,
        store: &Store,
        registration: &Registration,
    ) -> Result<Option<Arc<Snapshot>>, Diagnostic> {
        if let Some(snapshot) = self.in_memory(registration) {
            return Ok(Some(snapshot));
        }
        let loaded = load(store, registration, &self.options.limits, self.options.schemas.as_ref())?;
        Ok(loaded.map(|snapshot| self.remember(registration.id, snapshot)))
    }

    fn remember(&self, id: RegistrationId, snapshot: Snapshot) -> Arc<Snapshot> {
        let snapshot = Arc::new(snapshot);
        self.memory().entry(id).or_default().snapshot = Some(Arc::clone(&snapshot));
        snapshot
    }

    /// The catalog in memory, where it is one of the server as it is reached now.
    fn in_memory(&self, registration: &Registration) -> Option<Arc<Snapshot>> {
        let memory = self.memory();
        let snapshot = memory.get(&registration.id)?.snapshot.as_ref()?;
        (snapshot.config == registration.config).then(|| Arc::clone(snapshot))
    }
}

/// Reads the saved catalog of a server and checks it again in full.
fn load(
    store: &Store,
    registration: &Registration,
    limits: &Limits,
    schemas: &dyn SchemaCheck,
) -> Result<Option<Snapshot>, Diagnostic> {
    let Some(catalog) = store.catalog(registration)? else {
        return Ok(None);
    };
    let transport = registration.config.transport();
    let catalog = catalog
        .checked(store, transport, limits, schemas)
        .map_err(|reason| reason.about_server(registration.id))?;
    Ok(Some(Snapshot::new(registration.config.clone(), catalog, None)))
}
