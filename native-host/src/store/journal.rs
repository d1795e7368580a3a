//! Changes of several files that a crash at any point leaves all made or all not made.
//!
//! A change is written whole to `pending.json` first. From the moment that file is in place durably, the change is
//! decided, and from then on it only ever goes forward: what fails is tried again, at once, before every further change
//! and at each start. Going back instead would need a second record of what the files held, and could fail just the
//! same; going forward is what a start after a crash does anyway. All that takes room on the disk is done before the
//! decision, so that a full disk refuses the change with nothing changed. Where a decided change still cannot be carried
//! out (a folder lost its permissions), whoever reads through here sees it as made: what is answered, what is remembered
//! and what the next start finds are the same. It is a storage issue for as long, and nothing else is written meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use toolgate_core::{Code, Diagnostic};

use super::data_file::DataFile;
use super::pending::{self, FileChange, PENDING};
use super::record::Fault;
use super::unfinished::Unfinished;
use super::{Files, atomic, registration_record, write_failed};

/// Far above what the limits of the other files and of a message allow.
const MAX_PENDING_BYTES: u64 = 256 * 1024 * 1024;

/// The files of a data directory as they are once a decided change is made.
pub(super) struct Journal {
    files: Arc<dyn Files>,
    data_dir: PathBuf,
    pending: PathBuf,
    state: Mutex<State>,
    /// Held for reading by whoever needs several files to fit each other, for writing while any is replaced.
    together: RwLock<()>,
}

#[derive(Default)]
struct State {
    /// A decided change that is not made in all files.
    unfinished: Option<Unfinished>,
    /// Whether `pending.json` is there or gone is not known to be on the disk.
    unsynced: bool,
}

/// A step that failed, and at which file.
struct Failed {
    file: PathBuf,
    error: io::Error,
}

impl Failed {
    fn at(file: &Path) -> impl FnOnce(io::Error) -> Self {
        let file = file.to_path_buf();
        |error| Self { file, error }
    }

    fn refusal(&self) -> Diagnostic {
        write_failed(&self.error, &self.file)
    }
}

impl Journal {
    /// The files of a data directory. A pending change that is found is made; where that fails it is kept, and what is
    /// damaged is left as it is.
    pub(super) fn open(files: Arc<dyn Files>, data_dir: &Path) -> Self {
        let journal = Self {
            files,
            data_dir: data_dir.to_path_buf(),
            pending: data_dir.join(PENDING),
            state: Mutex::default(),
            together: RwLock::default(),
        };
        if let Err(diagnostic) = journal.settle() {
            tracing::warn!(code = %diagnostic.code, "{}", diagnostic.message);
        }
        journal
    }

    /// While this is held no file is replaced, so that what is read of several fits together.
    pub(super) fn together(&self) -> RwLockReadGuard<'_, ()> {
        self.together.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn alone(&self) -> RwLockWriteGuard<'_, ()> {
        self.together.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes or removes files, all or none, whatever fails and wherever the power goes. An error means that nothing was
    /// changed, save where even taking back what was just written down failed; then what is read from here on says
    /// which it is.
    pub(super) fn apply(&self, changes: &[FileChange]) -> Result<(), Diagnostic> {
        self.settle()?;
        let _alone = self.alone();
        match changes {
            [] => Ok(()),
            // One file is whole by itself.
            [change] => self.put(change).map_err(|failed| failed.refusal()),
            changes => self.apply_several(changes),
        }
    }

    fn apply_several(&self, changes: &[FileChange]) -> Result<(), Diagnostic> {
        let record = pending::write(changes).map_err(|error| write_failed(&error.into(), &self.pending))?;
        if u64::try_from(record.len()).is_ok_and(|bytes| bytes > MAX_PENDING_BYTES) {
            return Err(write_failed(&io::ErrorKind::FileTooLarge.into(), &self.pending));
        }
        let mut prepared = BTreeMap::new();
        let decided = self
            .prepare(changes, &mut prepared)
            .and_then(|()| self.decide(changes, &record));
        if let Err(failed) = decided {
            self.discard(prepared.into_values());
            return Err(failed.refusal());
        }
        if let Err(failed) = self.carry_out(changes, &mut prepared) {
            self.discard(prepared.into_values());
            tracing::warn!(file = %failed.file.display(), error = %failed.error.kind(), "a decided change is tried again");
            // A virus scanner that held a file has let go of it, or not; else the next change or start tries again.
            if let Err(failed) = self.finish(changes) {
                self.keep(changes, &failed);
            }
        }
        Ok(())
    }

    /// Makes each new file beside the one it will replace, and sees to it that nothing stands in the way of the rest:
    /// what is decided can no longer be refused.
    fn prepare(&self, changes: &[FileChange], prepared: &mut BTreeMap<DataFile, PathBuf>) -> Result<(), Failed> {
        for FileChange { file, content } in changes {
            let path = file.path(&self.data_dir);
            let folder = path.parent().unwrap_or(&self.data_dir);
            match self.files.read(&path, 0) {
                // A folder under the name of the file, for example.
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Err(Failed::at(&path)(error)),
                Err(error) if error.kind() == io::ErrorKind::NotFound && content.is_none() => continue,
                _ => {}
            }
            let temporary = atomic::temporary_in(folder);
            self.files.create_folder(folder).map_err(Failed::at(&path))?;
            prepared.insert(*file, temporary.clone());
            self.files
                .create(&temporary, content.as_deref().unwrap_or_default().as_bytes())
                .map_err(Failed::at(&path))?;
            if content.is_none() {
                // It has shown that names in this folder can be made and removed.
                self.files.remove(&temporary).map_err(Failed::at(&path))?;
                prepared.remove(file);
            }
        }
        Ok(())
    }

    /// Puts `pending.json` in place. An error where it is not, or where neither that nor the opposite can be made sure.
    fn decide(&self, changes: &[FileChange], record: &str) -> Result<(), Failed> {
        let Err(error) = atomic::write(self.files.as_ref(), &self.pending, record.as_bytes()) else {
            return Ok(());
        };
        let failed = Failed::at(&self.pending)(error);
        let is_there =
            !matches!(self.files.read(&self.pending, 0), Err(error) if error.kind() == io::ErrorKind::NotFound);
        if is_there {
            if self.files.remove(&self.pending).is_ok() {
                self.state().unsynced = self.files.sync_folder(&self.data_dir).is_err();
            } else {
                self.state().unsynced = true;
                self.keep(changes, &failed);
            }
        }
        Err(failed)
    }

    /// Puts the prepared files in place, removes what is to go, and takes `pending.json` away.
    fn carry_out(&self, changes: &[FileChange], prepared: &mut BTreeMap<DataFile, PathBuf>) -> Result<(), Failed> {
        for change in changes {
            let path = change.file.path(&self.data_dir);
            match prepared.get(&change.file) {
                Some(temporary) => {
                    self.files.rename(temporary, &path).map_err(Failed::at(&path))?;
                    prepared.remove(&change.file);
                }
                None => self.take_away(&path)?,
            }
        }
        self.close(changes)
    }

    /// Makes a decided change, as far as it is not made already.
    fn finish(&self, changes: &[FileChange]) -> Result<(), Failed> {
        for FileChange { file, content } in changes {
            let path = file.path(&self.data_dir);
            match content {
                Some(content) => {
                    let max_bytes = u64::try_from(content.len()).unwrap_or(u64::MAX);
                    let is_made = self
                        .files
                        .read(&path, max_bytes)
                        .is_ok_and(|now| now == content.as_bytes());
                    if !is_made {
                        atomic::write(self.files.as_ref(), &path, content.as_bytes()).map_err(Failed::at(&path))?;
                    }
                }
                None => self.take_away(&path)?,
            }
        }
        self.close(changes)
    }

    /// Makes sure of what was done in each folder, and then of `pending.json` being gone.
    fn close(&self, changes: &[FileChange]) -> Result<(), Failed> {
        let folders: BTreeSet<PathBuf> = changes
            .iter()
            .filter_map(|change| Some(change.file.path(&self.data_dir).parent()?.to_path_buf()))
            .collect();
        for folder in folders {
            match self.files.sync_folder(&folder) {
                Ok(()) => {}
                // Nothing was ever in it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(Failed { file: folder, error }),
            }
        }
        self.take_away(&self.pending)?;
        self.state().unsynced = true;
        self.files
            .sync_folder(&self.data_dir)
            .map_err(Failed::at(&self.pending))?;
        *self.state() = State::default();
        Ok(())
    }

    fn take_away(&self, path: &Path) -> Result<(), Failed> {
        match self.files.remove(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Failed::at(path)(error)),
            _ => Ok(()),
        }
    }

    fn put(&self, change: &FileChange) -> Result<(), Failed> {
        let path = change.file.path(&self.data_dir);
        match &change.content {
            Some(content) => atomic::write(self.files.as_ref(), &path, content.as_bytes()),
            None => atomic::remove(self.files.as_ref(), &path),
        }
        .map_err(Failed::at(&path))
    }

    fn discard(&self, temporary: impl IntoIterator<Item = PathBuf>) {
        for file in temporary {
            // What cannot be removed now is swept at the next start.
            let _ = self.files.remove(&file);
        }
    }

    /// From now on a change is seen as made.
    fn keep(&self, changes: &[FileChange], failed: &Failed) {
        let why = format!(
            "{} could not be changed ({})",
            failed.file.display(),
            failed.error.kind()
        );
        tracing::warn!("{why}; the change is kept in {PENDING}");
        self.state().unfinished = Some(Unfinished::new(changes, &self.data_dir, why));
    }

    /// Makes a pending change, so that nothing written after it can be undone by it. A refusal where that is not
    /// possible, or where `pending.json` is damaged.
    pub(super) fn settle(&self) -> Result<(), Diagnostic> {
        let _alone = self.alone();
        let unsynced = self.state().unsynced;
        if unsynced {
            self.files
                .sync_folder(&self.data_dir)
                .map_err(|error| write_failed(&error, &self.pending))?;
            self.state().unsynced = false;
        }
        match self.pending() {
            Ok(None) => {
                *self.state() = State::default();
                Ok(())
            }
            Ok(Some(changes)) => self.finish(&changes).map_err(|failed| {
                self.keep(&changes, &failed);
                let (code, message) = self.issue().unwrap_or_else(|| unfinished(&failed.refusal().message));
                Diagnostic::new(code, message)
            }),
            Err(fault) => {
                let (code, message) = damaged(&fault);
                Err(Diagnostic::new(code, message))
            }
        }
    }

    fn pending(&self) -> Result<Option<Vec<FileChange>>, Fault> {
        match self.files.read(&self.pending, MAX_PENDING_BYTES) {
            Ok(content) => pending::read(&content).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Fault::from_io(&error)),
        }
    }

    /// What there is to say about `pending.json`; nothing where there is none.
    pub(super) fn issue(&self) -> Option<(Code, String)> {
        match self.pending() {
            Ok(None) => None,
            Ok(Some(_)) => {
                let state = self.state();
                let why = state.unfinished.as_ref().map(|unfinished| unfinished.why.as_str());
                Some(unfinished(why.unwrap_or("it was put there while Toolgate runs")))
            }
            Err(fault) => Some(damaged(&fault)),
        }
    }
}

fn unfinished(why: &str) -> (Code, String) {
    (
        Code::StorageChangePending,
        format!(
            "A change of several files is decided and could not be made in all of them: {why}. Toolgate shows it as \
             made, writes nothing else, and tries again with your next change and at each start. See that the disk has \
             room and that the folder may be written to; do not remove {PENDING}."
        ),
    )
}

fn damaged(fault: &Fault) -> (Code, String) {
    let (code, sentence) = registration_record::issue(fault);
    (
        code,
        format!(
            "A change of several files was interrupted, and what is left of it cannot be used: {sentence} Nothing is \
             written meanwhile. Put back {PENDING} from a copy and start Toolgate again; or look at your servers, then \
             remove the file, which gives up what is missing of the change."
        ),
    )
}

/// The files as they are once the decided change is made. What changes a file here changes just that file.
impl Files for Journal {
    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        let mut names = self.files.list(folder)?;
        if let Some(unfinished) = &self.state().unfinished {
            unfinished.list(folder, &mut names);
        }
        Ok(names)
    }

    fn read(&self, file: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
        let unfinished = self
            .state()
            .unfinished
            .as_ref()
            .and_then(|change| change.read(file, max_bytes));
        unfinished.unwrap_or_else(|| self.files.read(file, max_bytes))
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        self.files.create_folder(folder)
    }

    fn create(&self, file: &Path, content: &[u8]) -> io::Result<()> {
        self.files.create(file, content)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.files.rename(from, to)
    }

    fn remove(&self, file: &Path) -> io::Result<()> {
        self.files.remove(file)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.files.sync_folder(folder)
    }
}
