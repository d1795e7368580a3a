//! How far an attempt to connect has come, for whoever gives up on it: whether the server was reached is known only
//! down here.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};

use super::stdio::{self, Tail};
use super::{Failure, FailureClass, Step};

/// How far one attempt has come. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    is_reached: AtomicBool,
    /// What processes that were started write: it may explain why no answer came.
    tails: [OnceLock<Tail>; PROCESSES],
}

/// Processes that one attempt starts at most.
const PROCESSES: usize = 2;

impl Progress {
    /// What is being done now: [`Step::Connect`] until the server is reached, then [`Step::Start`].
    pub fn step(&self) -> Step {
        if self.0.is_reached.load(Ordering::Relaxed) {
            Step::Start
        } else {
            Step::Connect
        }
    }

    /// The server is reached, and the first request on its way.
    pub fn reached(&self) {
        self.0.is_reached.store(true, Ordering::Relaxed);
    }

    /// The failure that giving up on the attempt now is; `detail` says how long was waited.
    pub fn timed_out(&self, detail: String) -> Failure {
        self.explained()
            .unwrap_or_else(|| Failure::new(FailureClass::Timeout, self.step()).with_detail(detail))
    }

    /// Why no answer has come, where a process that was started has said so in a way that is known.
    pub fn explained(&self) -> Option<Failure> {
        self.0.tails.iter().filter_map(OnceLock::get).find_map(stdio::explained)
    }

    /// A process was started for the attempt.
    pub(super) fn process_runs(&self, tail: &Tail) {
        self.reached();
        let mut tail = Some(tail.clone());
        for place in &self.0.tails {
            tail = tail.and_then(|tail| place.set(tail).err());
        }
    }

    /// The body of a request that says when it is being sent: nobody asks for it before there is a connection.
    pub(super) fn watch(&self, body: Vec<u8>) -> reqwest::Body {
        reqwest::Body::wrap(Watched {
            progress: self.clone(),
            body: Some(Bytes::from(body)),
        })
    }
}

struct Watched {
    progress: Progress,
    body: Option<Bytes>,
}

impl Body for Watched {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let this = self.get_mut();
        this.progress.reached();
        Poll::Ready(this.body.take().map(|body| Ok(Frame::data(body))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_none()
    }

    // Exact, so that the request says how long it is.
    fn size_hint(&self) -> SizeHint {
        let bytes = self.body.as_ref().map_or(0, Bytes::len);
        SizeHint::with_exact(u64::try_from(bytes).unwrap_or(u64::MAX))
    }
}
