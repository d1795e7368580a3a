//! The files of a data directory: registrations, credentials, catalogs, settings (manager contract §4), partners. Knows
//! their form and keeps them whole; what may be done to a server is the service's business. Calls block; nothing here is
//! cached, so that what was changed by hand counts at once.

mod atomic;
mod catalog_record;
mod catalogs;
mod checked;
mod credentials;
mod data_file;
mod disk;
mod files;
mod held;
mod journal;
mod memory;
mod partners_record;
mod pending;
mod record;
mod registration_record;
mod registrations;
mod revision;
mod scan;
mod settings;
mod tool_results;
mod unfinished;

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use toolgate_core::identity::RegistrationId;
use toolgate_core::server::{Registration, ServerConfig};
use toolgate_core::{Code, Diagnostic, Limits};

pub(crate) use self::catalogs::SavedCatalog;
pub(crate) use self::credentials::Credentials;
#[cfg(feature = "keyring")]
pub use self::credentials::SystemKeyring;
pub use self::credentials::{CredentialProvider, Keyring, KeyringError};
pub(crate) use self::data_file::DataFile;
use self::data_file::{CATALOGS, CREDENTIALS, REGISTRATIONS};
pub use self::disk::Disk;
pub use self::files::Files;
use self::held::Held;
use self::journal::Journal;
pub use self::memory::{FileStep, MemoryFiles};
pub(crate) use self::pending::FileChange;
use self::record::Fault;
pub(crate) use self::scan::Scan;
use self::settings::{Salt, Settings};
use crate::host::OpenError;
use crate::ownership::NotOwned;

const SETTINGS: &str = "settings.json";

/// The files of one data directory.
pub(crate) struct Store {
    files: Journal,
    data_dir: PathBuf,
    limits: Limits,
    credentials: Credentials,
    registrations: PathBuf,
    catalogs: PathBuf,
    settings: PathBuf,
    tool_results: PathBuf,
    salt: Salt,
    held: Held,
    /// Held while what was checked is noted.
    checking: Mutex<()>,
}

impl Store {
    /// Opens a data directory: sweeps what a crash left, makes a change that it interrupted, and makes the salt where
    /// there is none. A settings file that
    /// cannot be used is left as it is and shown as a storage issue; revisions then hold until the next start.
    pub(crate) fn open(
        files: Arc<dyn Files>,
        data_dir: &Path,
        limits: Limits,
        credentials: Credentials,
    ) -> Result<Self, OpenError> {
        credentials.check().map_err(OpenError::NoKeyring)?;
        let registrations = data_dir.join(REGISTRATIONS);
        let catalogs = data_dir.join(CATALOGS);
        let settings = data_dir.join(SETTINGS);
        for folder in [data_dir, &registrations, &catalogs, &data_dir.join(CREDENTIALS)] {
            atomic::sweep(files.as_ref(), folder);
        }
        let files = Journal::open(files, data_dir);
        let salt = match settings::read(&files, &settings) {
            Ok(Some(found)) => found.salt,
            Ok(None) => {
                let new = Settings {
                    salt: Salt::random().map_err(|_| OpenError::NoRandomness)?,
                    recommended_offered: false,
                };
                settings::write(&files, &settings, &new).map_err(|source| OpenError::NotWritable {
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
            data_dir: data_dir.to_path_buf(),
            limits,
            credentials,
            registrations,
            catalogs,
            settings,
            tool_results: data_dir.join(tool_results::FOLDER),
            salt,
            held: Held::default(),
            checking: Mutex::new(()),
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
        let is_there = holds_id(&registrations);
        for id in catalogs.iter().filter_map(|name| named_id(name)) {
            if is_there(id) {
                continue;
            }
            if let Err(error) = self.remove_catalog(id) {
                tracing::warn!(%id, %error, "the catalog of a removed server could not be removed");
            }
        }
    }

    /// The revision of a registration's display name and configuration.
    pub(crate) fn revision(&self, registration: &Registration) -> String {
        revision::of_registration(&self.salt, &registration.display_name, &registration.config)
    }

    /// The revision of a connection: another one means that the server is reached in another way.
    pub(crate) fn connection_revision(&self, config: &ServerConfig) -> String {
        revision::of_connection(&self.salt, config)
    }

    /// Whether the recommended server was offered. An error, the code of the storage issue, where the settings cannot be
    /// used.
    pub(crate) fn recommended_offered(&self) -> Result<bool, Diagnostic> {
        let settings = settings::read(&self.files, &self.settings).map_err(|fault| {
            let (code, sentence) = registration_record::issue(&fault);
            Diagnostic::new(
                code,
                format!("{SETTINGS} cannot be used: {sentence} Mend the file or remove it."),
            )
        })?;
        Ok(settings.is_some_and(|settings| settings.recommended_offered))
    }

    /// Notes that the recommended server was offered, and saves it where it is to be added: both or neither, so that it is
    /// neither lost nor added twice. The caller has found the settings usable.
    pub(crate) fn offer_recommended(&self, added: Option<&Registration>) -> Result<(), Diagnostic> {
        let settings = settings::text(&Settings {
            salt: self.salt.clone(),
            recommended_offered: true,
        })
        .map_err(|error| write_failed(&error.into(), &self.settings))?;
        let mut changes = match added {
            Some(registration) => self.saved(std::slice::from_ref(registration))?,
            None => Vec::new(),
        };
        changes.push(FileChange::write(DataFile::Settings, settings));
        self.apply(&changes)
    }

    /// Writes or removes several files, all or none (see [`journal`]): an error means that nothing was changed. The
    /// caller has read each file before, or makes it, so that none that cannot be read is overwritten.
    pub(crate) fn apply(&self, changes: &[FileChange]) -> Result<(), Diagnostic> {
        self.files.apply(changes)
    }

    /// The content of a file that may be one of several in a change; none where there is none.
    fn read_file(&self, file: DataFile, max_bytes: u64) -> Result<Option<Vec<u8>>, Fault> {
        match self.files.read(&file.path(&self.data_dir), max_bytes) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Fault::from_io(&error)),
        }
    }
}

/// Whether any of these names holds an id: of a good file, a bad one, or one whose name is to be mended.
fn holds_id(names: &[OsString]) -> impl Fn(RegistrationId) -> bool + use<> {
    let names: Vec<_> = names
        .iter()
        .map(|name| name.to_string_lossy().to_ascii_lowercase())
        .collect();
    move |id| {
        let id = id.to_string();
        names.iter().any(|name| name.contains(&id))
    }
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
            match error.get_ref().and_then(|inner| inner.downcast_ref::<NotOwned>()) {
                Some(not_owned) => not_owned.to_string(),
                None => error.kind().to_string(),
            }
        ),
    )
}
