//! Catalog files: which connection they belong to, reading, writing, removing.

use std::io;

use toolgate_core::catalog::{Catalog, revalidate};
use toolgate_core::identity::RegistrationId;
use toolgate_core::schema::{CompiledBefore, SchemaCheck};
use toolgate_core::server::{Registration, ServerConfig, TransportKind};
use toolgate_core::{Code, Diagnostic, Limits, mask};

use super::catalog_record::{Binding, Bindings};
use super::checked::Seal;
use super::credentials::CredentialProvider;
use super::data_file::DataFile;
use super::pending::FileChange;
use super::record::Fault;
use super::{Files, Store, catalog_record, revision, write_failed};

const MAX_CATALOG_BYTES: u64 = 128 * 1024 * 1024;

/// A catalog as its file holds it.
pub(crate) struct SavedCatalog {
    /// Its names and sizes can be relied on, its schemas only once they were compiled.
    pub(crate) catalog: Catalog,
    seal: Seal,
}

impl SavedCatalog {
    /// Checks the catalog in full, but for its schemas where a file with this very content was checked before.
    pub(crate) fn checked(
        self,
        store: &Store,
        transport: TransportKind,
        limits: &Limits,
        schemas: &dyn SchemaCheck,
    ) -> Result<Catalog, Diagnostic> {
        if store.was_checked(&self.seal) {
            return revalidate(self.catalog, transport, limits, &CompiledBefore);
        }
        let catalog = revalidate(self.catalog, transport, limits, schemas)?;
        store.note_checked(&self.seal);
        Ok(catalog)
    }
}

impl Store {
    /// The saved catalog of a server as it is reached now; none where there is none, an error where the file is bad or
    /// belongs to another connection.
    pub(crate) fn catalog(&self, registration: &Registration) -> Result<Option<SavedCatalog>, Diagnostic> {
        let read = |content: &[u8], id, bindings: &Bindings| {
            let catalog = catalog_record::read(content, id, bindings)?;
            let seal = self.seal(content);
            Ok(SavedCatalog { catalog, seal })
        };
        self.with_catalog(registration, read)
            .map_err(|fault| catalog_record::refusal(&fault, registration.id))
    }

    /// How many tools the saved catalog has; none where there is none that can be used.
    pub(crate) fn tool_count(&self, registration: &Registration) -> Option<usize> {
        self.with_catalog(registration, catalog_record::count).ok().flatten()
    }

    fn with_catalog<T>(
        &self,
        registration: &Registration,
        read: impl FnOnce(&[u8], RegistrationId, &Bindings) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        match self.read_file(DataFile::Catalog(registration.id), MAX_CATALOG_BYTES)? {
            Some(content) => read(&content, registration.id, &self.bindings(&registration.config)).map(Some),
            None => Ok(None),
        }
    }

    /// Writes the catalog of a server, which was checked in full, in place of what is there, good or bad.
    pub(crate) fn write_catalog(&self, registration: &Registration, catalog: &Catalog) -> Result<(), Diagnostic> {
        self.catalog_change(registration, catalog)
            .and_then(|change| {
                let seal = change.content.as_ref().map(|content| self.seal(content.as_bytes()));
                self.apply(&[change])?;
                if let Some(seal) = seal {
                    self.note_checked(&seal);
                }
                Ok(())
            })
            .map_err(|diagnostic| {
                Diagnostic::new(
                    Code::CatalogPersistenceFailed,
                    format!(
                        "The tool list could not be saved; it is kept until Toolgate ends. {} Then refresh again.",
                        diagnostic.message
                    ),
                )
            })
    }

    /// Removes the catalog of a server; nothing where there is none.
    pub(crate) fn remove_catalog(&self, id: RegistrationId) -> Result<(), Diagnostic> {
        self.apply(&[FileChange::remove(DataFile::Catalog(id))])
    }

    /// The removal of a catalog, where there is one.
    pub(super) fn catalog_removal(&self, id: RegistrationId) -> Option<FileChange> {
        let file = DataFile::Catalog(id);
        match self.files.read(&file.path(&self.data_dir), 0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            _ => Some(FileChange::remove(file)),
        }
    }

    /// The catalog of a server bound as it would be now, where it is bound otherwise: one found while the registration
    /// held its endpoint in the open may repeat what is no longer to stand there.
    pub(super) fn rebound_catalog(&self, registration: &Registration) -> Option<FileChange> {
        let bound_otherwise = self.with_catalog(registration, catalog_record::is_bound_otherwise);
        if !matches!(bound_otherwise, Ok(Some(true))) {
            return None;
        }
        let catalog = self.catalog(registration).ok().flatten()?;
        self.catalog_change(registration, &catalog.catalog).ok()
    }

    fn catalog_change(&self, registration: &Registration, catalog: &Catalog) -> Result<FileChange, Diagnostic> {
        let file = DataFile::Catalog(registration.id);
        catalog_record::write(registration.id, self.bindings(&registration.config).written, catalog)
            .map(|text| FileChange::write(file, text))
            .map_err(|error| write_failed(&error.into(), &file.path(&self.data_dir)))
    }

    /// What a catalog of this server is bound to: the endpoint where that may stand in the open, else the connection
    /// revision. A catalog that was written under another provider has the other one.
    fn bindings(&self, config: &ServerConfig) -> Bindings {
        let revision = Binding::ConnectionRevision(revision::of_connection(&self.salt, config));
        let ServerConfig::Http(http) = config else {
            return Bindings {
                written: revision,
                accepted: None,
            };
        };
        let endpoint = Binding::Endpoint(http.url.clone());
        let in_the_open = self.credentials.provider == CredentialProvider::Inline || !mask::holds_secret(&http.url);
        let (written, accepted) = if in_the_open {
            (endpoint, revision)
        } else {
            (revision, endpoint)
        };
        Bindings {
            written,
            accepted: Some(accepted),
        }
    }
}
