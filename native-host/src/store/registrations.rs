//! Registrations with what is kept apart of them: reading both as one, writing both or none.

use std::cell::OnceCell;

use toolgate_core::identity::{self, RegistrationId};
use toolgate_core::server::{Registration, ServerConfig};
use toolgate_core::{Code, Diagnostic, mask};

use super::credentials::{CredentialProvider, CredentialRecord};
use super::data_file::DataFile;
use super::pending::FileChange;
use super::record::{self, Fault};
use super::{Store, registration_record, write_failed};

/// Headers have no limit of their own (manager contract §4), but a file this large is none of ours.
pub(super) const MAX_REGISTRATION_BYTES: u64 = 32 * 1024 * 1024;
pub(super) const MAX_CREDENTIAL_BYTES: u64 = 96 * 1024 * 1024;

/// A registration, and how its file has it.
pub(super) struct Stored {
    pub(super) registration: Registration,
    /// What stands in the file in place of the configuration.
    in_file: ServerConfig,
}

impl Stored {
    /// Whether the connection stands in the file.
    pub(super) fn is_inline(&self) -> bool {
        self.in_file == self.registration.config
    }

    /// Whether nothing that is to be kept apart stands in the file. A program without arguments and variables has nothing
    /// of the kind, so that both are true.
    pub(super) fn is_apart(&self) -> bool {
        self.in_file == mask::detach(&self.registration.config)
    }
}

/// The credential record as it is now, read once, and only if it is needed.
#[derive(Default)]
pub(super) struct RecordNow(OnceCell<Result<Option<CredentialRecord>, Fault>>);

impl RecordNow {
    pub(super) fn get(&self, store: &Store) -> Result<Option<&CredentialRecord>, &Fault> {
        match self.0.get_or_init(|| store.credential_record()) {
            Ok(record) => Ok(record.as_ref()),
            Err(fault) => Err(fault),
        }
    }
}

impl Store {
    /// A server's registration. `mcp.registration_not_found` where there is none, the code of the storage issue where
    /// its file is bad, or what is kept apart of it.
    pub(crate) fn registration(&self, id: RegistrationId) -> Result<Registration, Diagnostic> {
        self.stored(id).map(|stored| stored.registration)
    }

    /// Whether a server has a file, good or bad; it counts as there where nobody knows.
    pub(crate) fn has_file(&self, id: RegistrationId) -> bool {
        !matches!(self.read_file(DataFile::Registration(id), 0), Ok(None))
    }

    fn stored(&self, id: RegistrationId) -> Result<Stored, Diagnostic> {
        let _together = self.files.together();
        match self.read_registration(id, &RecordNow::default()) {
            Ok(Some(mut stored)) => {
                self.see(&mut stored.registration);
                Ok(stored)
            }
            Ok(None) => Err(Diagnostic::new(
                Code::RegistrationNotFound,
                format!(
                    "There is no server with the id {id}; it may have been removed. Read the list of servers again."
                ),
            )
            .about_server(id)),
            Err(fault) => Err(registration_record::refusal(&fault, id)),
        }
    }

    /// Reads a registration with what is kept apart of it. The caller sees to it that no file is replaced meanwhile.
    pub(super) fn read_registration(&self, id: RegistrationId, record: &RecordNow) -> Result<Option<Stored>, Fault> {
        let Some(content) = self.read_file(DataFile::Registration(id), MAX_REGISTRATION_BYTES)? else {
            return Ok(None);
        };
        let mut parts = registration_record::read(&content, id)?;
        if !mask::is_masked(&parts.config) {
            let registration = parts.checked(id, &self.limits)?;
            let in_file = registration.config.clone();
            return Ok(Some(Stored { registration, in_file }));
        }
        let in_file = parts.config.clone();
        let name = identity::normalize_display_name(&parts.display_name, &self.limits)
            .map_err(|diagnostic| record::invalid(&diagnostic.at("displayName")))?;
        let saved = match record.get(self) {
            Ok(record) => record.map(|record| record.connection(id)).transpose()?.flatten(),
            Err(fault) => {
                return Err(Fault::CredentialsUnreadable(format!(
                    "the connection of \"{name}\" is kept in {}, which cannot be used: {}",
                    DataFile::Credentials.name(),
                    fault.sentence().trim_end_matches('.')
                )));
            }
        };
        let missing = |what: &str| {
            Fault::CredentialsMissing(format!(
                "{what} of \"{name}\" is kept in {}, and is not there",
                DataFile::Credentials.name()
            ))
        };
        let saved = saved.ok_or_else(|| missing("the connection"))?;
        parts.config = mask::restore(parts.config, Some(&saved)).map_err(|refusal| {
            let field = refusal.first.path.as_deref().unwrap_or("a value");
            missing(&format!("what {field} stands for"))
        })?;
        let registration = parts.checked(id, &self.limits)?;
        Ok(Some(Stored { registration, in_file }))
    }

    /// The credential record; none where there is none.
    pub(super) fn credential_record(&self) -> Result<Option<CredentialRecord>, Fault> {
        self.read_file(DataFile::Credentials, MAX_CREDENTIAL_BYTES)?
            .map(|content| CredentialRecord::read(&content, self.credentials.keyring.as_deref()))
            .transpose()
    }

    /// Writes what was decided about a server, its state, its tools: its connection stays where and as it is kept.
    pub(crate) fn write_decisions(&self, registration: &Registration) -> Result<(), Diagnostic> {
        let stored = self.stored(registration.id)?;
        self.registration_change(registration, stored.in_file)
            .and_then(|change| self.apply(&[change]))
            .map(|()| self.release(registration.id))
            .map_err(|diagnostic| diagnostic.about_server(registration.id))
    }

    /// Saves servers that a person made, all or none, their connections where the provider keeps them.
    pub(crate) fn save_new(&self, registrations: &[Registration]) -> Result<(), Diagnostic> {
        self.apply(&self.saved(registrations)?)
    }

    /// Saves a server that a person edited. Another connection than before costs the catalog, in the same change, so
    /// that none is ever taken for one of the new connection.
    pub(crate) fn save(&self, registration: &Registration, is_reconnected: bool) -> Result<(), Diagnostic> {
        self.saved(std::slice::from_ref(registration))
            .and_then(|mut changes| {
                changes.extend(if is_reconnected {
                    self.catalog_removal(registration.id)
                } else {
                    self.rebound_catalog(registration)
                });
                self.apply(&changes)
            })
            .map(|()| self.release(registration.id))
            .map_err(|diagnostic| diagnostic.about_server(registration.id))
    }

    /// Removes a server, also one whose file is bad, with what is kept apart of it and what partners are granted of it: all
    /// or none. Its catalog, which means nothing without it, is left to the caller.
    pub(crate) fn remove_server(&self, id: RegistrationId) -> Result<(), Diagnostic> {
        let mut changes = vec![FileChange::remove(DataFile::Registration(id))];
        // What is kept apart of a server that is read is in a record that can be read. A record that cannot is left alone.
        if let Ok(Some(record)) = self.credential_record() {
            changes.extend(self.forgotten(record, &[id])?);
        }
        changes.extend(self.grants_removal(id));
        self.apply(&changes)
            .map(|()| self.release(id))
            .map_err(|diagnostic| diagnostic.about_server(id))
    }

    /// The record without these servers, where it has any of them.
    pub(super) fn forgotten(
        &self,
        mut record: CredentialRecord,
        ids: &[RegistrationId],
    ) -> Result<Option<FileChange>, Diagnostic> {
        if !ids.iter().any(|id| record.has(*id)) {
            return Ok(None);
        }
        for id in ids {
            record.remove(*id);
        }
        // Without it the next start finds a data directory whose connections are all in the registrations.
        if record.is_empty() && self.credentials.provider == CredentialProvider::Inline {
            return Ok(Some(FileChange::remove(DataFile::Credentials)));
        }
        self.record_change(&record).map(Some)
    }

    /// What becomes of the files of servers that are saved.
    pub(super) fn saved(&self, registrations: &[Registration]) -> Result<Vec<FileChange>, Diagnostic> {
        let provider = self.credentials.provider;
        // A saved value that looks like a placeholder, which only a file written by hand can hold, stays apart.
        let is_apart = |registration: &Registration| {
            provider != CredentialProvider::Inline || mask::is_masked(&registration.config)
        };
        let mut changes = Vec::with_capacity(registrations.len() + 1);
        let record = self.credential_record();
        if registrations.iter().any(is_apart) {
            let mut record = record.map_err(|fault| record_refusal(&fault))?.unwrap_or_default();
            for registration in registrations.iter().filter(|registration| is_apart(registration)) {
                record
                    .set(registration.id, &registration.config)
                    .map_err(|error| write_failed(&error.into(), &DataFile::Credentials.path(&self.data_dir)))?;
            }
            changes.push(self.record_change(&record)?);
        } else if let Ok(Some(record)) = record {
            let ids: Vec<_> = registrations.iter().map(|registration| registration.id).collect();
            changes.extend(self.forgotten(record, &ids)?);
        }
        for registration in registrations {
            let in_file = if is_apart(registration) {
                mask::detach(&registration.config)
            } else {
                registration.config.clone()
            };
            changes.push(self.registration_change(registration, in_file)?);
        }
        Ok(changes)
    }

    fn record_change(&self, record: &CredentialRecord) -> Result<FileChange, Diagnostic> {
        let is_sealed = match self.credentials.provider {
            CredentialProvider::File => false,
            CredentialProvider::Keyring => true,
            CredentialProvider::Inline => record.is_sealed(),
        };
        let keyring = self.credentials.keyring.as_deref().filter(|_| is_sealed);
        if is_sealed && keyring.is_none() {
            return Err(record_refusal(&Fault::KeyringUnavailable(
                "it is to be sealed, and there is no keyring".to_owned(),
            )));
        }
        let text = record.write(keyring).map_err(|fault| record_refusal(&fault))?;
        no_larger(&text, MAX_CREDENTIAL_BYTES, "The credential file")?;
        Ok(FileChange::write(DataFile::Credentials, text))
    }

    fn registration_change(
        &self,
        registration: &Registration,
        in_file: ServerConfig,
    ) -> Result<FileChange, Diagnostic> {
        let file = DataFile::Registration(registration.id);
        let text = |config| {
            let text = registration_record::write(registration, config)
                .map_err(|error| write_failed(&error.into(), &file.path(&self.data_dir)))?;
            no_larger(&text, MAX_REGISTRATION_BYTES, "The server's file")?;
            Ok(text)
        };
        // A connection has the same bound wherever it is kept.
        if in_file != registration.config {
            text(registration.config.clone())?;
        }
        text(in_file).map(|text| FileChange::write(file, text))
    }
}

/// The refusal of a change that needs the credential record.
fn record_refusal(fault: &Fault) -> Diagnostic {
    let (code, sentence) = registration_record::issue(fault);
    Diagnostic::new(
        code,
        format!(
            "{} cannot be used: {sentence} Nothing was changed. Mend the file, put it back from a copy, or remove it.",
            DataFile::Credentials.name()
        ),
    )
}

/// Refuses what could not be read again.
fn no_larger(text: &str, max_bytes: u64, what: &str) -> Result<(), Diagnostic> {
    if u64::try_from(text.len()).is_ok_and(|bytes| bytes <= max_bytes) {
        return Ok(());
    }
    Err(Diagnostic::new(
        Code::RegistrationSizeLimit,
        format!(
            "{what} would have {} bytes and may have {max_bytes}; nothing was changed. Shorten its headers, arguments, \
             environment or description overrides.",
            text.len()
        ),
    ))
}
