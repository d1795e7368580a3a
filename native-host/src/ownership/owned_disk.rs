//! The real file system for the owner of a data directory, for as long as the directory is the one it owns.
//!
//! The lock belongs to a file. Where that file is moved away, removed or replaced with its directory (a backup put back,
//! a clean-up, a program that synchronises) another program can own what has its name now, and two would write there. So
//! each step that changes something first looks whether the lock is still in its place.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::store::{Disk, Files};

/// The directory is not the one that this program owns.
#[derive(Debug, thiserror::Error)]
#[error(
    "the data folder was moved, removed or replaced while this program had it open, so that nothing more is written \
     there; end the program and start it again"
)]
pub(crate) struct NotOwned;

/// The system's files, of which none is changed once the directory is another one.
#[derive(Clone, Debug)]
pub struct OwnedDisk {
    lock: PathBuf,
    identity: Identity,
}

/// What tells a file from every other one, whatever its name.
#[cfg(unix)]
type Identity = (u64, u64);

// Elsewhere a file that is open, and a folder with it, is not moved or removed.
#[cfg(not(unix))]
type Identity = ();

#[cfg(unix)]
fn identity(metadata: &std::fs::Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity(_metadata: &std::fs::Metadata) -> Identity {}

impl OwnedDisk {
    /// For the holder of the lock, which has this name.
    pub(super) fn new(held: &File, lock: PathBuf) -> io::Result<Self> {
        Ok(Self {
            lock,
            identity: identity(&held.metadata()?),
        })
    }

    /// Fails where the lock is not in its place.
    pub(super) fn is_owned(&self) -> io::Result<()> {
        match std::fs::metadata(&self.lock) {
            Ok(metadata) if identity(&metadata) == self.identity => Ok(()),
            Ok(_) => Err(io::Error::other(NotOwned)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(io::Error::other(NotOwned)),
            // Whatever forbids to look forbids to write, or is for the step itself to say.
            Err(_) => Ok(()),
        }
    }
}

impl Files for OwnedDisk {
    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        Disk.list(folder)
    }

    fn read(&self, file: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
        Disk.read(file, max_bytes)
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        self.is_owned()?;
        Disk.create_folder(folder)
    }

    fn create(&self, file: &Path, content: &[u8]) -> io::Result<()> {
        self.is_owned()?;
        Disk.create(file, content)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.is_owned()?;
        Disk.rename(from, to)
    }

    fn remove(&self, file: &Path) -> io::Result<()> {
        self.is_owned()?;
        Disk.remove(file)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        Disk.sync_folder(folder)
    }
}
