//! The seam to the file system: single steps, each of which can fail, so that what a failure at any of them leaves
//! behind can be tested. [`Disk`](super::Disk) is the real one, [`MemoryFiles`](super::MemoryFiles) the one for tests.

use std::ffi::OsString;
use std::io;
use std::path::Path;

/// A file system, as far as the store needs one.
pub trait Files: Send + Sync + 'static {
    /// The names in a folder, in any order; none where there is no such folder.
    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>>;

    /// The content of a regular file. `NotFound` where there is nothing, `FileTooLarge` above `max_bytes`,
    /// `InvalidInput` where it is no regular file.
    fn read(&self, file: &Path, max_bytes: u64) -> io::Result<Vec<u8>>;

    /// Makes a folder that only its owner may enter, parents included, durably. Nothing where it is there already.
    fn create_folder(&self, folder: &Path) -> io::Result<()>;

    /// Makes a new file that only its owner may read, writes it whole and flushes it to the disk. `AlreadyExists` where
    /// there is one. After an error a part of it may be left.
    fn create(&self, file: &Path, content: &[u8]) -> io::Result<()>;

    /// Gives a file another name in the same folder, in place of what has that name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file. `NotFound` where there is none.
    fn remove(&self, file: &Path) -> io::Result<()>;

    /// Flushes what names are in a folder to the disk.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}
