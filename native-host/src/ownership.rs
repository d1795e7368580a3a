//! Which program owns a data directory: exactly one at a time, and the others find it.
//!
//! Ownership is an exclusive lock on `host.lock`, which the system releases when the owner ends, however it ends. The
//! file itself is never renamed, replaced or deleted, because the lock belongs to the file and not to its name. Beside
//! it, `host.json` says who the owner is and how to become its client; it counts only while the lock is held, so what
//! a killed owner left behind misleads nobody. What the data is, is left to the store.

mod owned_disk;

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use toolgate_core::{Code, Diagnostic};

pub(crate) use self::owned_disk::NotOwned;
pub use self::owned_disk::OwnedDisk;
use crate::secret::Secret;

const LOCK_FILE: &str = "host.lock";
const RECORD_FILE: &str = "host.json";
const TEMPORARY_PREFIX: &str = ".host.json.";
const SCHEMA_VERSION: u32 = 1;
/// A record is a few hundred bytes; nothing longer is read.
const MAX_RECORD_BYTES: u64 = 64 * 1024;
/// There is no event for "the lock or the record of another process changed", so both are looked at this often.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// What an owner does with the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Serves a page, and takes clients as soon as [`Ownership::take_clients`] has said where.
    Serve,
    /// Belongs to one application and takes no clients.
    Bridge,
    /// Carries out one request and ends.
    Request,
}

/// How long [`claim`] waits for owners that are about to change.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For an owner that has the lock and has not yet said who it is, or is ending.
    pub unknown: Duration,
    /// For an owner that carries out one request.
    pub request: Duration,
}

impl Default for Patience {
    /// Five seconds for a start, and somewhat more than the longest single request (a discovery) for a request.
    fn default() -> Self {
        Self {
            unknown: Duration::from_secs(5),
            request: Duration::from_mins(1),
        }
    }
}

/// What came of a [`claim`].
#[derive(Debug)]
pub enum Claim {
    /// The data is ours until the value is dropped.
    Owned(Ownership),
    /// Another program owns it and takes clients.
    Clients(ClientAccess),
    /// Another program owns it and takes no clients, or could not be waited for.
    Busy(Busy),
}

impl Claim {
    /// The ownership, for a program that needs a host of its own: messages and events of an application do. Where another
    /// program owns the data, that is `mcp.host_busy`, with what can be done.
    pub fn owned(self) -> Result<Ownership, Diagnostic> {
        match self {
            Self::Owned(ownership) => Ok(ownership),
            Self::Busy(busy) => Err(busy.to_diagnostic()),
            Self::Clients(ClientAccess { pid, port, .. }) => Err(Diagnostic::new(
                Code::HostBusy,
                format!(
                    "Toolgate runs on this data directory already (process id {pid}, at http://127.0.0.1:{port}), and \
                     this program needs one of its own. `toolgate rpc` works beside it, and `toolgate serve` prints the \
                     address of its page; else end it, or use another --data-dir."
                ),
            )),
        }
    }
}

/// How to become a client of the owner.
#[derive(Debug)]
pub struct ClientAccess {
    /// The owner's process id.
    pub pid: u32,
    /// The port it answers on, at 127.0.0.1.
    pub port: u16,
    /// The bearer token it accepts.
    pub token: Secret,
}

/// An owner that takes no clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy {
    /// The owner's process id, where it has said so.
    pub pid: Option<u32>,
}

impl Busy {
    /// The same as a diagnostic, `mcp.host_busy`.
    pub fn to_diagnostic(self) -> Diagnostic {
        let owner = self.pid.map_or_else(
            || "A program that has not said who it is".to_owned(),
            |pid| format!("The program with process id {pid}"),
        );
        Diagnostic::new(
            Code::HostBusy,
            format!("{owner} owns the data directory and takes no clients; end it, or use another --data-dir."),
        )
    }
}

/// Why a data directory could not be claimed.
#[derive(Debug, thiserror::Error)]
pub enum OwnershipError {
    /// No directory was given and the system does not say where the user's home is.
    #[error("there is no home directory to keep data in; name a directory with --data-dir or TOOLGATE_DATA_DIR")]
    NoHome,
    /// A file or folder could not be used.
    #[error(
        "cannot {action} {}: {source}; check that you may write there and that the disk has room, or name another directory with \
         --data-dir",
        path.display()
    )]
    Io {
        /// What was being done.
        action: &'static str,
        /// With what.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

impl OwnershipError {
    /// The same as a diagnostic, `mcp.data_directory_unusable`.
    pub fn to_diagnostic(&self) -> Diagnostic {
        Diagnostic::new(Code::DataDirectoryUnusable, format!("{self}."))
    }
}

/// The data directory: the one given (`--data-dir` or `TOOLGATE_DATA_DIR`), else `toolgate` in the platform's usual
/// place for a user's data (`~/.local/share`, `~/Library/Application Support`, `%APPDATA%`).
pub fn data_directory(given: Option<PathBuf>) -> Result<PathBuf, OwnershipError> {
    use etcetera::base_strategy::{BaseStrategy as _, choose_native_strategy};
    match given.filter(|path| !path.as_os_str().is_empty()) {
        // Absolute, so that it means the same to whoever reads it later.
        Some(path) => std::path::absolute(&path).map_err(io_error("use", &path)),
        None => choose_native_strategy()
            .map(|strategy| strategy.data_dir().join("toolgate"))
            .map_err(|_| OwnershipError::NoHome),
    }
}

/// Becomes the owner of a data directory, or finds out who is. Makes the directory (0700) where there is none. Waits,
/// within `patience`, for owners that are starting, ending or carrying out a single request.
pub async fn claim(directory: &Path, role: Role, patience: Patience) -> Result<Claim, OwnershipError> {
    make_directory(directory).map_err(io_error("make", directory))?;
    let began = Instant::now();
    loop {
        if let Some(lock) = try_lock(directory)? {
            return Ownership::begin(lock, directory, role).map(Claim::Owned);
        }
        let record = read_record(directory);
        let pid = record.as_ref().map(|record| record.pid);
        let waits = match record {
            Some(Record {
                role: Role::Serve,
                pid,
                clients: Some(RecordedClients { port, token }),
                ..
            }) => return Ok(Claim::Clients(ClientAccess { pid, port, token })),
            Some(Record { role: Role::Bridge, .. }) => return Ok(Claim::Busy(Busy { pid })),
            Some(Record {
                role: Role::Request, ..
            }) => patience.request,
            Some(Record { role: Role::Serve, .. }) | None => patience.unknown,
        };
        if began.elapsed() >= waits {
            return Ok(Claim::Busy(Busy { pid }));
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

/// The lock on a data directory. Dropping it removes `host.json` and lets the next owner in.
#[derive(Debug)]
pub struct Ownership {
    directory: PathBuf,
    role: Role,
    disk: OwnedDisk,
    // Held for the life of the value; dropped after `drop` below has removed the record.
    _lock: File,
}

impl Ownership {
    fn begin(lock: File, directory: &Path, role: Role) -> Result<Self, OwnershipError> {
        let path = directory.join(LOCK_FILE);
        let ownership = Self {
            directory: directory.to_owned(),
            role,
            disk: OwnedDisk::new(&lock, path.clone()).map_err(io_error("look at", &path))?,
            _lock: lock,
        };
        // What an earlier owner left is wrong from here on. Ours replaces it in one step.
        sweep_temporary_files(directory);
        ownership.write_record(None)?;
        Ok(ownership)
    }

    /// The data directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The system's files, for a host on the data directory: none is changed once the directory is another one.
    pub fn disk(&self) -> &OwnedDisk {
        &self.disk
    }

    /// Says that from now on clients are answered at 127.0.0.1 on this port, with this bearer token.
    pub fn take_clients(&self, port: u16, token: &Secret) -> Result<(), OwnershipError> {
        self.write_record(Some(RecordedClients {
            port,
            token: token.clone(),
        }))
    }

    fn write_record(&self, clients: Option<RecordedClients>) -> Result<(), OwnershipError> {
        let record = Record {
            schema_version: SCHEMA_VERSION,
            pid: std::process::id(),
            role: self.role,
            clients,
        };
        let path = self.directory.join(RECORD_FILE);
        let write = || -> io::Result<()> {
            let mut text = serde_json::to_vec_pretty(&record)?;
            text.push(b'\n');
            // Made with mode 0600; renamed over the old one, so that no reader sees half of it.
            let mut file = tempfile::Builder::new()
                .prefix(TEMPORARY_PREFIX)
                .tempfile_in(&self.directory)?;
            file.write_all(&text)?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        write().map_err(io_error("write", &path))
    }
}

impl Drop for Ownership {
    fn drop(&mut self) {
        // In another directory of this name it is another owner's.
        if self.disk.is_owned().is_err() {
            return;
        }
        // It does not count without the lock; removing it is tidiness.
        let _ = std::fs::remove_file(self.directory.join(RECORD_FILE));
    }
}

/// `host.json`
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Record {
    schema_version: u32,
    pid: u32,
    role: Role,
    #[serde(skip_serializing_if = "Option::is_none")]
    clients: Option<RecordedClients>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedClients {
    port: u16,
    #[serde(serialize_with = "Secret::reveal_into", deserialize_with = "Secret::take_from")]
    token: Secret,
}

/// The record, where there is a whole one that this version understands.
fn read_record(directory: &Path) -> Option<Record> {
    let file = File::open(directory.join(RECORD_FILE)).ok()?;
    let mut text = String::new();
    io::Read::read_to_string(&mut io::Read::take(file, MAX_RECORD_BYTES), &mut text).ok()?;
    let record: Record = serde_json::from_str(&text).ok()?;
    (record.schema_version == SCHEMA_VERSION).then_some(record)
}

fn try_lock(directory: &Path) -> Result<Option<File>, OwnershipError> {
    let path = directory.join(LOCK_FILE);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&path).map_err(io_error("open", &path))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(source)) => Err(io_error("lock", &path)(source)),
    }
}

fn make_directory(directory: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

fn sweep_temporary_files(directory: &Path) {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return;
    };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(TEMPORARY_PREFIX) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn io_error<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> OwnershipError + 'a {
    move |source| OwnershipError::Io {
        action,
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests;
