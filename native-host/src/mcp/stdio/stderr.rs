//! A server's standard error: read for as long as it lives, so that it never waits for a reader. The end of it is kept
//! in memory while the connection starts, where it may tell why that fails, and is then dropped. It is never shown,
//! logged or stored: it may hold anything, secrets too (partner contract).

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt as _};

use crate::guard::Report;

/// What is kept of it at most.
const TAIL_BYTES: usize = 16 * 1024;
/// No report is longer.
const REPORT_BYTES: usize = 128;
const CHUNK_BYTES: usize = 8 * 1024;

/// The end of what a server has written to its standard error. Clones share it.
#[derive(Clone, Default)]
pub(in super::super) struct Tail(Arc<Mutex<State>>);

#[derive(Default)]
enum State {
    /// The connection is being started.
    #[default]
    Empty,
    Kept(VecDeque<u8>),
    /// Nothing is kept any more.
    Dropped,
}

impl Tail {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, bytes: &[u8]) {
        let mut state = self.state();
        let kept = match &mut *state {
            State::Dropped => return,
            State::Kept(kept) => kept,
            State::Empty => {
                *state = State::Kept(VecDeque::with_capacity(TAIL_BYTES));
                let State::Kept(kept) = &mut *state else { return };
                kept
            }
        };
        let bytes = bytes.get(bytes.len().saturating_sub(TAIL_BYTES)..).unwrap_or_default();
        let surplus = (kept.len() + bytes.len()).saturating_sub(TAIL_BYTES);
        kept.drain(..surplus.min(kept.len()));
        kept.extend(bytes);
    }

    /// What is kept, as text.
    pub(in super::super) fn text(&self) -> String {
        match &mut *self.state() {
            State::Kept(kept) => String::from_utf8_lossy(kept.make_contiguous()).into_owned(),
            State::Empty | State::Dropped => String::new(),
        }
    }

    /// Forgets what is kept and keeps nothing any more.
    pub(super) fn drop_for_good(&self) {
        *self.state() = State::Dropped;
    }
}

impl fmt::Debug for Tail {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Tail").finish_non_exhaustive()
    }
}

/// Reads standard error to its end. Lines that begin with the guard's word are its reports.
pub(super) async fn drain(
    mut stderr: impl AsyncRead + Unpin,
    tail: Tail,
    word: Option<String>,
    mut reported: impl FnMut(Report),
) {
    let mut chunk = vec![0; CHUNK_BYTES];
    let mut line = Vec::new();
    loop {
        let bytes = match stderr.read(&mut chunk).await {
            Ok(0) | Err(_) => return,
            Ok(count) => chunk.get(..count).unwrap_or_default(),
        };
        tail.push(bytes);
        let Some(word) = &word else { continue };
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = REPORT_BYTES.saturating_sub(line.len());
            line.extend_from_slice(piece.get(..piece.len().min(room)).unwrap_or_default());
            if piece.ends_with(b"\n") {
                if let Some(report) = Report::read(&line, word) {
                    reported(report);
                }
                line.clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_end_is_kept_and_reports_are_heard() {
        let tail = Tail::default();
        let mut text = vec![b'x'; 3 * TAIL_BYTES];
        text.extend_from_slice(b"\nw0rd exited 3\nthe end");
        let mut heard = Vec::new();
        drain(text.as_slice(), tail.clone(), Some("w0rd".to_owned()), |report| {
            heard.push(report)
        })
        .await;
        assert_eq!(heard, [Report::Exited(3)]);
        let kept = tail.text();
        assert_eq!(kept.len(), TAIL_BYTES);
        assert!(kept.ends_with("the end"));
        tail.drop_for_good();
        tail.push(b"more");
        assert_eq!(tail.text(), "");
        assert_eq!(format!("{tail:?}"), "Tail { .. }");
    }
}
