//! One look at every registration: the good ones, and an issue for each file that is not one (manager contract §3).

use std::ffi::OsString;
use std::path::PathBuf;

use toolgate_core::identity::RegistrationId;
use toolgate_core::server::Registration;
use toolgate_core::{Code, Diagnostic};

use super::credentials::CredentialProvider;
use super::data_file::{DataFile, PARTNERS};
use super::pending::PENDING;
use super::registrations::{RecordNow, Stored};
use super::{Files, SETTINGS, Store, atomic, holds_id, named_id, registration_record, settings};
use crate::bridge::messages::StorageIssue;

/// Every registration and every bad file.
pub(crate) struct Scan {
    /// By display name, then by id.
    pub(crate) registrations: Vec<Registration>,
    /// By file name.
    pub(crate) issues: Vec<StorageIssue>,
    /// How many of the registrations keep their connection otherwise than the provider in force does.
    pub(crate) otherwise_kept: usize,
}

impl Scan {
    /// How many servers there are, those whose files are bad included.
    pub(crate) fn servers(&self) -> usize {
        let is_server =
            |issue: &&StorageIssue| issue.registration_id.is_some() && issue.code != Code::StorageRegistrationMissing;
        let bad = self.issues.iter().filter(is_server);
        self.registrations.len() + bad.count()
    }
}

/// A file that is bad.
pub(crate) struct BadFile {
    file: PathBuf,
    issue: StorageIssue,
}

impl BadFile {
    /// The server whose file it is; none where it is another file, or named as none of ours is.
    pub(crate) const fn server(&self) -> Option<RegistrationId> {
        self.issue.registration_id
    }
}

/// The good registrations, and each bad file with its issue.
struct Looked {
    record: RecordNow,
    registrations: Vec<Stored>,
    bad: Vec<(PathBuf, StorageIssue)>,
}

impl Store {
    /// Looks at every registration. An error where the folder itself cannot be read.
    pub(crate) fn scan(&self) -> Result<Scan, Diagnostic> {
        let looked = self.look()?;
        let mut scan = Scan {
            otherwise_kept: self.otherwise_kept(&looked),
            registrations: looked
                .registrations
                .into_iter()
                .map(|stored| stored.registration)
                .collect(),
            issues: looked.bad.into_iter().map(|(_, issue)| issue).collect(),
        };
        scan.registrations
            .sort_by(|one, other| (&one.display_name, one.id).cmp(&(&other.display_name, other.id)));
        Ok(scan)
    }

    /// A file that is bad at this moment, by the name its issue has.
    pub(crate) fn bad_file(&self, file_name: &str) -> Result<BadFile, Diagnostic> {
        let bad = self.look()?.bad.into_iter();
        bad.map(|(file, issue)| BadFile { file, issue })
            .find(|bad| bad.issue.file_name == file_name)
            .ok_or_else(|| {
                Diagnostic::new(
                    Code::StorageIssueNotFound,
                    "No file of this name is in the present list of storage issues; read the list again.",
                )
                .at("fileName")
            })
    }

    /// Removes a bad file. With the file of a server goes, in the same change, what is kept apart of it and what is
    /// granted of it: without the file nothing says any more that they are there.
    pub(crate) fn remove_bad_file(&self, bad: &BadFile) -> Result<(), Diagnostic> {
        if bad.issue.code == Code::StorageChangePending {
            // Whole and decided: it is gone once it is made.
            return self.files.settle();
        }
        if let Some(id) = bad.server() {
            return self.remove_server(id);
        }
        if bad.file != self.data_dir.join(PENDING) {
            self.files.settle()?;
        }
        atomic::remove(&self.files, &bad.file).map_err(|error| {
            Diagnostic::new(
                Code::StorageWriteFailed,
                format!(
                    "{} could not be removed ({}). Remove it by hand.",
                    bad.file.display(),
                    error.kind()
                ),
            )
        })
    }

    fn otherwise_kept(&self, looked: &Looked) -> usize {
        let is_sealed = matches!(looked.record.get(self), Ok(Some(record)) if record.is_sealed());
        let as_provided = |stored: &&Stored| match self.credentials.provider {
            CredentialProvider::Inline => stored.is_inline(),
            CredentialProvider::File => stored.is_apart() && (stored.is_inline() || !is_sealed),
            CredentialProvider::Keyring => stored.is_apart() && (stored.is_inline() || is_sealed),
        };
        looked.registrations.len() - looked.registrations.iter().filter(as_provided).count()
    }

    fn look(&self) -> Result<Looked, Diagnostic> {
        let _together = self.files.together();
        let record = RecordNow::default();
        let mut names = self.files.list(&self.registrations).map_err(|error| {
            Diagnostic::new(
                Code::StorageFolderUnreadable,
                format!(
                    "The folder {} cannot be read ({}). Check that it is a folder you may read.",
                    self.registrations.display(),
                    error.kind()
                ),
            )
        })?;
        names.retain(|name| !atomic::is_temporary(name));
        names.sort();
        let mut registrations = Vec::new();
        let mut bad = Vec::new();
        for name in &names {
            match self.look_at(name, &record).and_then(|found| match found {
                Some(stored) => Ok(Some(stored)),
                None => self.look_again_at(name, &record),
            }) {
                Ok(Some(mut stored)) => {
                    self.see(&mut stored.registration);
                    registrations.push(stored);
                }
                Ok(None) => {}
                Err(issue) => bad.push((self.registrations.join(name), issue)),
            }
        }
        bad.extend(self.left_connections(&names, &record));
        let settings = settings::read(&self.files, &self.settings).map(drop);
        let partners = self.read_partners().map(drop);
        let single = [
            (
                settings,
                self.settings.clone(),
                SETTINGS,
                "The settings cannot be used, so that saved tool lists of programs are not recognized after a start",
            ),
            (
                partners,
                DataFile::Partners.path(&self.data_dir),
                PARTNERS,
                "The partners and their grants cannot be used",
            ),
        ];
        for (read, file, file_name, what) in single {
            let Err(fault) = read else { continue };
            let (code, message) = registration_record::issue(&fault);
            bad.push((
                file,
                StorageIssue {
                    file_name: file_name.to_owned(),
                    registration_id: None,
                    code,
                    message: format!("{what}: {message} {}", registration_record::remedy(&fault)),
                },
            ));
        }
        if let Err(fault) = record.get(self) {
            let (code, message) = registration_record::issue(fault);
            let name = DataFile::Credentials.name();
            bad.push((
                DataFile::Credentials.path(&self.data_dir),
                StorageIssue {
                    file_name: name.rsplit('/').next().unwrap_or(&name).to_owned(),
                    registration_id: None,
                    code,
                    message: format!(
                        "The connections in it cannot be used: {message} Without this file they are lost, so mend it or put \
                         it back from a copy before you remove it."
                    ),
                },
            ));
        }
        if let Some((code, message)) = self.files.issue() {
            let file_name = PENDING.to_owned();
            bad.push((
                self.data_dir.join(PENDING),
                StorageIssue {
                    file_name,
                    registration_id: None,
                    code,
                    message,
                },
            ));
        }
        Ok(Looked {
            record,
            registrations,
            bad,
        })
    }

    /// An issue for each server whose connection is kept and whose file is gone, as it is where somebody removed it by
    /// hand: nothing else would say that a secret is still there. It is kept, since the file may come back.
    fn left_connections(&self, names: &[OsString], record: &RecordNow) -> Vec<(PathBuf, StorageIssue)> {
        let Ok(Some(kept)) = record.get(self) else {
            return Vec::new();
        };
        let is_there = holds_id(names);
        let left = kept.ids().filter(|id| !is_there(*id));
        left.map(|id| {
            let file = DataFile::Registration(id);
            let issue = StorageIssue {
                file_name: format!("{id}.json"),
                registration_id: Some(id),
                code: Code::StorageRegistrationMissing,
                message: format!(
                    "The server's file is gone, and its connection is still kept in {}. Put the file back from a copy; or \
                     remove it here, which forgets the connection and what partners are granted of the server.",
                    DataFile::Credentials.name()
                ),
            };
            (file.path(&self.data_dir), issue)
        })
        .collect()
    }

    /// Tells a file that is gone since the folder was read from a name that leads to none.
    fn look_again_at(&self, name: &OsString, record: &RecordNow) -> Result<Option<Stored>, StorageIssue> {
        let is_listed = self
            .files
            .list(&self.registrations)
            .is_ok_and(|names| names.contains(name));
        if !is_listed {
            return Ok(None);
        }
        match self.look_at(name, record)? {
            Some(stored) => Ok(Some(stored)),
            None => Err(StorageIssue {
                file_name: name.to_string_lossy().into_owned(),
                registration_id: named_id(name),
                code: Code::StorageUnreadable,
                message: "The file cannot be used: it is a link to a file that is not there. Put that file \
                          back, or remove the link."
                    .to_owned(),
            }),
        }
    }

    fn look_at(&self, name: &OsString, record: &RecordNow) -> Result<Option<Stored>, StorageIssue> {
        let issue = |registration_id, code, message: String| StorageIssue {
            file_name: name.to_string_lossy().into_owned(),
            registration_id,
            code,
            message,
        };
        let stem = name.to_str().and_then(|name| name.strip_suffix(".json"));
        match stem.map(RegistrationId::parse) {
            Some(Ok(id)) => self.read_registration(id, record).map_err(|fault| {
                let (code, message) = registration_record::issue(&fault);
                let remedy = registration_record::remedy(&fault);
                issue(Some(id), code, format!("The file cannot be used: {message} {remedy}"))
            }),
            Some(Err(diagnostic)) if diagnostic.code == Code::RegistrationIdNoncanonical => Err(issue(
                None,
                Code::StorageNameNoncanonical,
                "The file is not named by a registration id in lowercase with hyphens; rename it so, or remove it.".to_owned(),
            )),
            _ => Err(issue(
                None,
                Code::StorageForeignFile,
                "The file does not belong here: registrations are named <id>.json. Move it elsewhere if you need it, or \
                 remove it."
                    .to_owned(),
            )),
        }
    }
}
