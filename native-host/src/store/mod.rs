//! The files of a data directory: registrations, catalogs, settings (manager contract §4). Knows their form and keeps
//! them whole; what may be done to a server is the service's business. Calls block; nothing here is cached, so that
//! what was changed by hand counts at once.

mod atomic;
mod catalog_record;
mod disk;
mod files;
mod memory;
mod record;
mod registration_record;
mod revision;
mod scan;
mod settings;
mod tool_results;

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolgate_core::catalog::Catalog;
use toolgate_core::identity::RegistrationId;
use toolgate_core::server::{Registration, ServerConfig};
use toolgate_core::{Code, Diagnostic, Limits};

use self::catalog_record::Binding;
pub use self::disk::Disk;
pub use self::files::Files;
pub use self::memory::{FileStep, MemoryFiles};
use self::record::Fault;
pub(crate) use self::scan::Scan;
use self::settings::{Salt, Settings};
use crate::host::OpenError;

const REGISTRATIONS: &str = "_tauritavern/mcp/registrations";
const CATALOGS: &str = "_tauritavern/mcp/catalogs";
const SETTINGS: &str = "settings.json";

/// Headers have no limit of their own (manager contract §4), but a file this large is none of ours.
const MAX_REGISTRATION_BYTES: u64 = 32 * 1024 * 1024;
const MAX_CATALOG_BYTES: u64 = 128 * 1024 * 1024;

/// The files of one data directory.
pub(crate) struct Store {
    files: Arc<dyn Files>,
    limits: Limits,
    registrations: PathBuf,
    catalogs: PathBuf,
    settings: PathBuf,
    tool_results: PathBuf,
    salt: Salt,
}

impl Store {
    /// Opens a data directory: sweeps what a crash left, and makes the salt where there is none. A settings file that
    /// cannot be used is left as it is and shown as a storage issue; revisions then hold until the next start.
    pub(crate) fn open(files: Arc<dyn Files>, data_dir: &Path, limits: Limits) -> Result<Self, OpenError> {
        let registrations = data_dir.join(REGISTRATIONS);
        let catalogs = data_dir.join(CATALOGS);
        let settings = data_dir.join(SETTINGS);
        for folder in [data_dir, &registrations, &catalogs] {
            atomic::sweep(files.as_ref(), folder);
        }
        let salt = match settings::read(files.as_ref(), &settings) {
            Ok(Some(found)) => found.salt,
            Ok(None) => {
                let new = Settings {
                    salt: Salt::random().map_err(|_| OpenError::NoRandomness)?,
                    recommended_offered: false,
                };
                settings::write(files.as_ref(), &settings, &new).map_err(|source| OpenError::NotWritable {
                    file: settings.clone(),
                    source,
                })?;
                new.salt
            }
            Err(fault) => {
                tracing::warn!(file = %settings.display(), fault = fault.sentence(), "the settings cannot be used");
                Salt::random().map_err(|_| OpenError::NoRandomness)?
            }
        };
        let store = Self {
            files,
            limits,
            registrations,
            catalogs,
            settings,
            tool_results: data_dir.join(tool_results::FOLDER),
            salt,
        };
        store.sweep_catalogs();
        store.sweep_tool_results();
        Ok(store)
    }

    /// Removes the catalogs of servers that are gone: a crash can come between the removal of a server and of its
    /// catalog. A server counts as there while any name holds its id, of a good file or a bad one, and all do where the folder
    /// cannot be read or is missing, as it may be while a disk is not mounted.
    fn sweep_catalogs(&self) {
        // What is listed of a missing folder is nothing; reading one that is there says that it is no file.
        let folder = self.files.read(&self.registrations, 0).map_err(|error| error.kind());
        if folder != Err(io::ErrorKind::InvalidInput) {
            return;
        }
        let (Ok(registrations), Ok(catalogs)) = (self.files.list(&self.registrations), self.files.list(&self.catalogs))
        else {
            return;
        };
        let there: Vec<_> = registrations
            .iter()
            .map(|name| name.to_string_lossy().to_ascii_lowercase())
            .collect();
        for id in catalogs.iter().filter_map(|name| named_id(name)) {
            let name = id.to_string();
            if there.iter().any(|registration| registration.contains(&name)) {
                continue;
            }
            if let Err(error) = self.remove_catalog(id) {
                tracing::warn!(%id, error = %error.kind(), "the catalog of a removed server could not be removed");
            }
        }
    }

    /// The revision of a registration's display name and configuration.
    pub(crate) fn revision(&self, registration: &Registration) -> String {
        revision::of_registration(&self.salt, &registration.display_name, &registration.config)
    }

    /// Whether the recommended server was offered. An error, the code of the storage issue, where the settings cannot be
    /// used.
    pub(crate) fn recommended_offered(&self) -> Result<bool, Diagnostic> {
        let settings = settings::read(self.files.as_ref(), &self.settings).map_err(|fault| {
            let (code, sentence) = registration_record::issue(&fault);
            Diagnostic::new(
                code,
                format!("{SETTINGS} cannot be used: {sentence} Mend the file or remove it."),
            )
        })?;
        Ok(settings.is_some_and(|settings| settings.recommended_offered))
    }

    /// Notes whether the recommended server was offered. The caller has found the settings usable.
    pub(crate) fn set_recommended_offered(&self, recommended_offered: bool) -> Result<(), Diagnostic> {
        let settings = Settings {
            salt: self.salt.clone(),
            recommended_offered,
        };
        settings::write(self.files.as_ref(), &self.settings, &settings)
            .map_err(|error| write_failed(&error, &self.settings))
    }

    /// A server's registration. `mcp.registration_not_found` where there is none, the code of the storage issue where
    /// its file is bad.
    pub(crate) fn registration(&self, id: RegistrationId) -> Result<Registration, Diagnostic> {
        match self.read_registration(id) {
            Ok(Some(registration)) => Ok(registration),
            Ok(None) => Err(Diagnostic::new(
                Code::RegistrationNotFound,
                format!("There is no server with the id {id}."),
            )
            .about_server(id)),
            Err(fault) => Err(registration_record::refusal(&fault, id)),
        }
    }

    fn read_registration(&self, id: RegistrationId) -> Result<Option<Registration>, Fault> {
        match self.files.read(&self.registration_file(id), MAX_REGISTRATION_BYTES) {
            Ok(content) => registration_record::read(&content, id, &self.limits).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Fault::from_io(&error)),
        }
    }

    /// Writes a registration, which the caller has read before, or made. One that could not be read again is refused.
    pub(crate) fn write_registration(&self, registration: &Registration) -> Result<(), Diagnostic> {
        let id = registration.id;
        let file = self.registration_file(id);
        registration_text(registration, &file)
            .and_then(|text| {
                atomic::write(self.files.as_ref(), &file, text.as_bytes()).map_err(|error| write_failed(&error, &file))
            })
            .map_err(|diagnostic| diagnostic.about_server(id))
    }

    /// Writes a registration whose connection is another than before, and removes its catalog: in this order of what a
    /// crash can leave, that no catalog is ever taken for one of the new connection. Where the registration cannot be
    /// written the catalog stays.
    pub(crate) fn write_reconnected(&self, registration: &Registration) -> Result<(), Diagnostic> {
        let id = registration.id;
        // What is refused is refused before anything is touched.
        registration_text(registration, &self.registration_file(id))
            .map_err(|diagnostic| diagnostic.about_server(id))?;
        let file = self.catalog_file(id);
        let aside = atomic::set_aside(self.files.as_ref(), &file)
            .map_err(|error| write_failed(&error, &file).about_server(id))?;
        let written = self.write_registration(registration);
        if let Some(aside) = aside {
            let reconnected = written.is_ok()
                || matches!(self.read_registration(id), Ok(Some(now)) if now.config == registration.config);
            let settled = if reconnected {
                atomic::remove(self.files.as_ref(), &aside)
            } else {
                self.files.rename(&aside, &file)
            };
            if let Err(error) = settled {
                tracing::warn!(%id, error = %error.kind(), "a catalog that was set aside could not be settled");
            }
        }
        written
    }

    /// Removes a registration.
    pub(crate) fn remove_registration(&self, id: RegistrationId) -> Result<(), Diagnostic> {
        let file = self.registration_file(id);
        atomic::remove(self.files.as_ref(), &file).map_err(|error| write_failed(&error, &file).about_server(id))
    }

    /// The saved catalog of a server as it is reached now; none where there is none, an error where the file is bad or
    /// belongs to another connection.
    pub(crate) fn catalog(&self, registration: &Registration) -> Result<Option<Catalog>, Diagnostic> {
        self.with_catalog(registration, catalog_record::read)
            .map_err(|fault| catalog_record::refusal(&fault, registration.id))
    }

    /// How many tools the saved catalog has; none where there is none that can be used.
    pub(crate) fn tool_count(&self, registration: &Registration) -> Option<usize> {
        self.with_catalog(registration, catalog_record::count).ok().flatten()
    }

    fn with_catalog<T>(
        &self,
        registration: &Registration,
        read: impl FnOnce(&[u8], RegistrationId, &Binding) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        match self.files.read(&self.catalog_file(registration.id), MAX_CATALOG_BYTES) {
            Ok(content) => read(&content, registration.id, &self.binding(&registration.config)).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Fault::from_io(&error)),
        }
    }

    /// Writes the catalog of a server, in place of what is there, good or bad.
    pub(crate) fn write_catalog(&self, registration: &Registration, catalog: &Catalog) -> Result<(), Diagnostic> {
        let id = registration.id;
        let file = self.catalog_file(id);
        catalog_record::write(id, self.binding(&registration.config), catalog)
            .map_err(io::Error::from)
            .and_then(|text| atomic::write(self.files.as_ref(), &file, text.as_bytes()))
            .map_err(|error| {
                let reason = error.kind();
                Diagnostic::new(
                    Code::CatalogPersistenceFailed,
                    format!(
                        "The tool list could not be written to {} ({reason}). It is kept until Toolgate ends; refresh \
                         again once the file can be written.",
                        file.display()
                    ),
                )
            })
    }

    /// Removes the catalog of a server; nothing where there is none.
    pub(crate) fn remove_catalog(&self, id: RegistrationId) -> io::Result<()> {
        atomic::remove(self.files.as_ref(), &self.catalog_file(id))
    }

    fn registration_file(&self, id: RegistrationId) -> PathBuf {
        self.registrations.join(format!("{id}.json"))
    }

    fn catalog_file(&self, id: RegistrationId) -> PathBuf {
        self.catalogs.join(format!("{id}.json"))
    }

    /// What a catalog of this server is bound to. The registration holds the endpoint in the open (the `inline`
    /// provider), so its catalog may too.
    fn binding(&self, config: &ServerConfig) -> Binding {
        match config {
            ServerConfig::Http(config) => Binding::Endpoint(config.url.clone()),
            ServerConfig::Stdio(_) => Binding::ConnectionRevision(revision::of_connection(&self.salt, config)),
        }
    }
}

/// What a registration's file would hold, if that is no more than is ever read.
fn registration_text(registration: &Registration, file: &Path) -> Result<String, Diagnostic> {
    let text = registration_record::write(registration).map_err(|error| write_failed(&error.into(), file))?;
    if u64::try_from(text.len()).is_ok_and(|bytes| bytes <= MAX_REGISTRATION_BYTES) {
        return Ok(text);
    }
    Err(Diagnostic::new(
        Code::RegistrationSizeLimit,
        format!(
            "The server's file would have {} bytes and may have {MAX_REGISTRATION_BYTES}; nothing was changed. Shorten \
             its headers, arguments, environment or description overrides.",
            text.len()
        ),
    ))
}

/// The id that a file is named by, in exactly our form.
fn named_id(name: &OsStr) -> Option<RegistrationId> {
    RegistrationId::parse(name.to_str()?.strip_suffix(".json")?).ok()
}

fn write_failed(error: &io::Error, file: &Path) -> Diagnostic {
    Diagnostic::new(
        Code::StorageWriteFailed,
        format!(
            "{} could not be written ({}). Check that the disk has room and that the folder may be written to.",
            file.display(),
            error.kind()
        ),
    )
}
