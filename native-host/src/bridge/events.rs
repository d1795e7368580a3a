//! `host.changed`: what every open page is told when something changes.

use futures_util::Stream;
use futures_util::stream;
use serde::Serialize;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::watch;
use toolgate_core::identity::RegistrationId;

use super::messages::{ChangedArea, HostChanged};

/// How many changes a reader may fall behind before it is told that everything changed.
const BACKLOG: usize = 256;

/// Where changes are announced and read.
pub(crate) struct Events {
    changes: broadcast::Sender<HostChanged>,
    open: watch::Sender<bool>,
}

impl Events {
    pub(crate) fn new() -> Self {
        Self {
            changes: broadcast::Sender::new(BACKLOG),
            open: watch::Sender::new(true),
        }
    }

    /// Tells every reader.
    pub(crate) fn changed(&self, area: ChangedArea, id: Option<RegistrationId>) {
        // Nobody listening is no failure.
        let _ = self.changes.send(HostChanged { area, id });
    }

    /// Ends every stream, the present ones and later ones.
    pub(crate) fn close(&self) {
        self.open.send_replace(false);
    }

    /// The changes from now on, as messages.
    pub(super) fn stream(&self) -> impl Stream<Item = String> + Send + 'static + use<> {
        let reader = Reader {
            changes: self.changes.subscribe(),
            open: self.open.subscribe(),
            missed: Vec::new(),
        };
        stream::unfold(reader, |mut reader| async move {
            let change = reader.next().await?;
            Some((message(&change), reader))
        })
    }
}

struct Reader {
    changes: broadcast::Receiver<HostChanged>,
    open: watch::Receiver<bool>,
    missed: Vec<HostChanged>,
}

impl Reader {
    async fn next(&mut self) -> Option<HostChanged> {
        if let Some(change) = self.missed.pop() {
            return Some(change);
        }
        tokio::select! {
            // What was announced before the end is still told.
            biased;
            change = self.changes.recv() => match change {
                Ok(change) => Some(change),
                Err(RecvError::Lagged(_)) => {
                    self.missed = [ChangedArea::Partners, ChangedArea::Catalog, ChangedArea::Servers]
                        .map(|area| HostChanged { area, id: None })
                        .into();
                    Some(HostChanged { area: ChangedArea::Storage, id: None })
                }
                Err(RecvError::Closed) => None,
            },
            _ = self.open.wait_for(|open| !open) => None,
        }
    }
}

fn message(change: &HostChanged) -> String {
    #[derive(Serialize)]
    struct Notification<'a> {
        jsonrpc: &'static str,
        method: &'static str,
        params: &'a HostChanged,
    }
    // Two texts under fixed names always have a JSON form.
    serde_json::to_string(&Notification {
        jsonrpc: "2.0",
        method: "host.changed",
        params: change,
    })
    .unwrap_or_default()
}
