//! The process that dies at a step of its writing: a host on a real folder, as `toolgate bridge` is one, whose files end
//! it by SIGKILL at the step that its parent has named. It is this test program, started again.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use toolgate_host::mcp::{NetLimits, ProxySettings, RmcpConnector};
use toolgate_host::ownership::{self, Patience, Role};
use toolgate_host::store::{CredentialProvider, Disk, Files};
use toolgate_host::{Host, HostOptions};

use crate::process::Death;

/// The variables by which the parent says what is to be done.
pub(crate) const FOLDER: &str = "SOAK_FOLDER";
pub(crate) const PROVIDER: &str = "SOAK_PROVIDER";
pub(crate) const DEATH: &str = "SOAK_DEATH";

/// The system's files, until the step at which the process dies.
struct DyingFiles {
    /// How many steps are left; a number that is never reached where it does not die.
    left: Arc<AtomicUsize>,
}

impl DyingFiles {
    /// A change of the disk has been made, or half of it.
    fn step(&self) {
        if self.left.fetch_sub(1, Ordering::SeqCst) == 0 {
            die();
        }
    }
}

fn die() -> ! {
    #[cfg(unix)]
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    std::process::abort();
}

impl Files for DyingFiles {
    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        Disk.list(folder)
    }

    fn read(&self, file: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
        Disk.read(file, max_bytes)
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        if folder.is_dir() {
            return Ok(());
        }
        self.step();
        Disk.create_folder(folder)
    }

    fn create(&self, file: &Path, content: &[u8]) -> io::Result<()> {
        self.step();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file: File = options.open(file)?;
        self.step();
        let (half, rest) = content.split_at(content.len() / 2);
        file.write_all(half)?;
        self.step();
        file.write_all(rest)?;
        self.step();
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step();
        Disk.rename(from, to)
    }

    fn remove(&self, file: &Path) -> io::Result<()> {
        self.step();
        Disk.remove(file)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.step();
        Disk.sync_folder(folder)
    }
}

/// Runs the host that is asked for; false where none is.
pub(crate) fn run_if_asked() -> bool {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return false;
    };
    let provider = match std::env::var(PROVIDER).as_deref() {
        Ok("inline") => CredentialProvider::Inline,
        _ => CredentialProvider::File,
    };
    let death = Death::parse(&std::env::var(DEATH).unwrap_or_default());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(host(PathBuf::from(folder), provider, death));
    true
}

async fn host(folder: PathBuf, provider: CredentialProvider, death: Death) {
    let claim = ownership::claim(&folder, Role::Bridge, Patience::default())
        .await
        .unwrap();
    let Ok(ownership) = claim.owned() else {
        panic!("the folder is owned by another process")
    };
    let left = Arc::new(AtomicUsize::new(match death {
        Death::AtStart(steps) => steps,
        Death::Never | Death::AtWork(_) => usize::MAX,
    }));
    let mut options = HostOptions::new(ownership.directory());
    options.credentials = provider;
    options.files = Arc::new(DyingFiles {
        left: Arc::clone(&left),
    });
    let connector = RmcpConnector::new(NetLimits::default(), &ProxySettings::none()).unwrap();
    let host = Host::open(options, Arc::new(connector)).unwrap();
    if let Death::AtWork(steps) = death {
        left.store(steps, Ordering::SeqCst);
    }
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let output = Arc::new(tokio::sync::Mutex::new(tokio::io::stdout()));
    while let Some(line) = lines.next_line().await.unwrap() {
        let answer = host.bridge().handle(line);
        let output = Arc::clone(&output);
        tokio::spawn(async move {
            let answer = answer.await + "\n";
            let mut output = output.lock().await;
            output.write_all(answer.as_bytes()).await.unwrap();
            output.flush().await.unwrap();
        });
    }
    host.shutdown().await;
}
