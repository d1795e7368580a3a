//! The seam to the threads on which blocking work runs, so that a test decides when each piece of it is done: with all
//! of it on one thread, in an order that a seed gives, two runs are the same.

use std::io;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

/// A piece of work that blocks.
pub type Work = Box<dyn FnOnce() + Send>;

/// Where blocking work runs.
pub trait Threads: Send + Sync + 'static {
    /// Runs work on files, of which each piece is short. The runtime does not end before it.
    fn on_files(&self, runtime: &Handle, work: Work) -> JoinHandle<()>;

    /// Runs work that can take long and that nobody's end waits for: neither a shutdown of the host nor the runtime's.
    /// An error where there is no room for it.
    fn apart(&self, runtime: &Handle, work: Work) -> io::Result<()>;
}

/// The runtime's threads for blocking work, and a thread of its own for what can take long.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemThreads;

impl Threads for SystemThreads {
    fn on_files(&self, runtime: &Handle, work: Work) -> JoinHandle<()> {
        runtime.spawn_blocking(work)
    }

    fn apart(&self, _runtime: &Handle, work: Work) -> io::Result<()> {
        std::thread::Builder::new()
            .name("toolgate-check".to_owned())
            .spawn(work)
            .map(drop)
    }
}
