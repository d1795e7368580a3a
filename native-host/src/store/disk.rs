//! The real file system.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use super::Files;

/// The system's files. Files are made with mode 0600, folders with 0700, where the system has modes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        match fs::read_dir(folder) {
            Ok(entries) => entries.map(|entry| Ok(entry?.file_name())).collect(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    fn read(&self, file: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
        // Opening a pipe would wait for its other end.
        let metadata = fs::metadata(file)?;
        if !metadata.is_file() {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        // A file that grows or shrinks meanwhile is read as it is.
        let bytes = usize::try_from(metadata.len().min(max_bytes)).unwrap_or_default();
        let mut content = Vec::with_capacity(bytes.saturating_add(1));
        File::open(file)?
            .take(max_bytes.saturating_add(1))
            .read_to_end(&mut content)?;
        if u64::try_from(content.len()).is_ok_and(|length| length > max_bytes) {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        Ok(content)
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        if folder.is_dir() {
            return Ok(());
        }
        if let Some(parent) = folder.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            self.create_folder(parent)?;
        }
        #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(folder) {
            Ok(()) => {}
            // Another thread made it meanwhile.
            Err(_) if folder.is_dir() => return Ok(()),
            Err(error) => return Err(error),
        }
        match folder.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            Some(parent) => self.sync_folder(parent),
            None => Ok(()),
        }
    }

    fn create(&self, file: &Path, content: &[u8]) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(file)?;
        file.write_all(content)?;
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, file: &Path) -> io::Result<()> {
        fs::remove_file(file)
    }

    #[cfg(unix)]
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        match File::open(folder)?.sync_all() {
            // Some file systems (network shares, folders of the machine around a virtual one) cannot flush a folder. No
            // change would ever be taken there, though each is in place; they keep names as well as they can.
            Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
            flushed => flushed,
        }
    }

    // Elsewhere a folder cannot be opened as a file; the system itself keeps its names durable.
    #[cfg(not(unix))]
    fn sync_folder(&self, _folder: &Path) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_its_file_system_cannot_flush_is_taken_as_it_is() {
        // Of the file systems that every Linux has, this one cannot.
        let folder = Path::new("/proc/self");
        let refused = File::open(folder).and_then(|folder| folder.sync_all());
        assert_eq!(refused.map_err(|error| error.kind()), Err(io::ErrorKind::InvalidInput));
        assert_eq!(Disk.sync_folder(folder).map_err(|error| error.kind()), Ok(()));
        let missing = Disk.sync_folder(Path::new("/proc/self/nothing"));
        assert_eq!(missing.map_err(|error| error.kind()), Err(io::ErrorKind::NotFound));
    }
}
