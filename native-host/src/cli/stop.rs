//! The wish of a person or the system that the program ends.

use std::io;

/// SIGINT and SIGTERM, or Ctrl-C where there are no signals. From its making on they no longer end the process by
/// themselves.
pub(super) struct Stop {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Stop {
    #[cfg(unix)]
    pub(super) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    #[cfg(not(unix))]
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the next one.
    #[cfg(unix)]
    pub(super) async fn wanted(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    /// Waits for the next one.
    #[cfg(not(unix))]
    pub(super) async fn wanted(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            // There is no way to be told; the system ends the process.
            std::future::pending::<()>().await;
        }
    }
}
