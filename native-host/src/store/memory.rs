//! A file system in memory for tests: any step can be made to fail, and a loss of power can be looked at from both
//! ends, as if everything unflushed were lost and as if nothing were.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Files;

/// A step that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileStep {
    /// Reading a folder's names.
    List,
    /// Reading a file.
    Read,
    /// Making a folder.
    CreateFolder,
    /// Making an empty file.
    Create,
    /// Writing its content; a failure leaves the first half.
    Write,
    /// Flushing its content.
    SyncFile,
    /// Giving a file another name.
    Rename,
    /// Removing a file.
    Remove,
    /// Flushing a folder's names.
    SyncFolder,
}

impl FileStep {
    /// Whether the step changes anything.
    pub const fn changes(self) -> bool {
        !matches!(self, Self::List | Self::Read)
    }
}

/// Decides which step fails.
type Fault = Box<dyn FnMut(FileStep, &Path) -> bool + Send>;

/// Files in memory. Clones are the same file system.
#[derive(Clone, Default)]
pub struct MemoryFiles {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    folders: BTreeSet<PathBuf>,
    entries: BTreeMap<PathBuf, u64>,
    flushed_entries: BTreeMap<PathBuf, u64>,
    contents: BTreeMap<u64, Content>,
    next: u64,
    fault: Option<Fault>,
}

#[derive(Clone, Default)]
struct Content {
    bytes: Vec<u8>,
    flushed: Vec<u8>,
}

impl MemoryFiles {
    /// An empty file system.
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on a step fails where this says so; it is asked at each step with the file or folder.
    pub fn fail_when(&self, fault: impl FnMut(FileStep, &Path) -> bool + Send + 'static) {
        self.lock().fault = Some(Box::new(fault));
    }

    /// No step fails any more.
    pub fn heal(&self) {
        self.lock().fault = None;
    }

    /// Puts a file there as another program would, durably.
    pub fn put(&self, file: impl Into<PathBuf>, content: impl Into<Vec<u8>>) {
        let file = file.into();
        let mut state = self.lock();
        let bytes: Vec<u8> = content.into();
        let number = state.add(Content {
            flushed: bytes.clone(),
            bytes,
        });
        if let Some(folder) = file.parent() {
            state.folders.insert(folder.to_path_buf());
        }
        state.flushed_entries.insert(file.clone(), number);
        state.entries.insert(file, number);
    }

    /// The content of a file.
    pub fn get(&self, file: impl AsRef<Path>) -> Option<Vec<u8>> {
        let state = self.lock();
        let number = state.entries.get(file.as_ref())?;
        Some(state.contents.get(number)?.bytes.clone())
    }

    /// Every file there is, in order.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.lock().entries.keys().cloned().collect()
    }

    /// What is there after a loss of power that took everything not flushed.
    #[must_use]
    pub fn after_losing_unflushed(&self) -> Self {
        let state = self.lock();
        let kept = Self::new();
        // Folders are made durably.
        kept.lock().folders.clone_from(&state.folders);
        for (path, number) in &state.flushed_entries {
            if let Some(content) = state.contents.get(number) {
                kept.put(path, content.flushed.clone());
            }
        }
        kept
    }

    /// What is there after a loss of power that happened to take nothing.
    #[must_use]
    pub fn after_keeping_unflushed(&self) -> Self {
        let state = self.lock();
        let kept = Self::new();
        // Folders are made durably.
        kept.lock().folders.clone_from(&state.folders);
        for (path, number) in &state.entries {
            if let Some(content) = state.contents.get(number) {
                kept.put(path, content.bytes.clone());
            }
        }
        kept
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn add(&mut self, content: Content) -> u64 {
        self.next += 1;
        self.contents.insert(self.next, content);
        self.next
    }

    fn step(&mut self, step: FileStep, path: &Path) -> io::Result<()> {
        let fails = self.fault.as_mut().is_some_and(|fault| fault(step, path));
        if fails {
            return Err(io::Error::other("a failure made by a test"));
        }
        Ok(())
    }
}

impl Files for MemoryFiles {
    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        let mut state = self.lock();
        state.step(FileStep::List, folder)?;
        let files = state.entries.keys().chain(&state.folders);
        Ok(files
            .filter(|path| path.parent() == Some(folder))
            .filter_map(|path| path.file_name().map(OsString::from))
            .collect())
    }

    fn read(&self, file: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
        let mut state = self.lock();
        state.step(FileStep::Read, file)?;
        if state.folders.contains(file) {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        let number = state.entries.get(file).ok_or(io::ErrorKind::NotFound)?;
        let bytes = state
            .contents
            .get(number)
            .map(|content| content.bytes.clone())
            .unwrap_or_default();
        if u64::try_from(bytes.len()).is_ok_and(|length| length > max_bytes) {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        Ok(bytes)
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        let mut state = self.lock();
        if state.folders.contains(folder) {
            return Ok(());
        }
        state.step(FileStep::CreateFolder, folder)?;
        for folder in folder.ancestors().filter(|folder| !folder.as_os_str().is_empty()) {
            state.folders.insert(folder.to_path_buf());
        }
        Ok(())
    }

    fn create(&self, file: &Path, content: &[u8]) -> io::Result<()> {
        let mut state = self.lock();
        state.step(FileStep::Create, file)?;
        if state.entries.contains_key(file) {
            return Err(io::Error::from(io::ErrorKind::AlreadyExists));
        }
        let number = state.add(Content::default());
        state.entries.insert(file.to_path_buf(), number);
        let written = state.step(FileStep::Write, file);
        let bytes = match &written {
            Ok(()) => content,
            Err(_) => content.get(..content.len() / 2).unwrap_or_default(),
        };
        state.contents.entry(number).or_default().bytes = bytes.to_vec();
        written?;
        state.step(FileStep::SyncFile, file)?;
        let content = state.contents.entry(number).or_default();
        content.flushed = content.bytes.clone();
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.lock();
        state.step(FileStep::Rename, from)?;
        let number = state.entries.remove(from).ok_or(io::ErrorKind::NotFound)?;
        state.entries.insert(to.to_path_buf(), number);
        Ok(())
    }

    fn remove(&self, file: &Path) -> io::Result<()> {
        let mut state = self.lock();
        state.step(FileStep::Remove, file)?;
        if state.entries.remove(file).is_none() {
            return Err(io::Error::from(io::ErrorKind::NotFound));
        }
        Ok(())
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        let mut state = self.lock();
        state.step(FileStep::SyncFolder, folder)?;
        let inside = |path: &PathBuf| path.parent() == Some(folder);
        let State {
            entries,
            flushed_entries,
            ..
        } = &mut *state;
        flushed_entries.retain(|path, _| !inside(path));
        let present = entries.iter().filter(|(path, _)| inside(path));
        flushed_entries.extend(present.map(|(path, number)| (path.clone(), *number)));
        Ok(())
    }
}
