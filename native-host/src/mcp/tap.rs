//! What passed through the transport, kept beside the SDK: the raw text of results by request id, and why things
//! failed. The SDK carries only placeholders and texts; the host reads here.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::StatusCode;
use rmcp::model::RequestId;
use tokio::sync::Notify;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::hello::Said;
use super::{Failure, FailureClass, Step};

/// How long the reason is waited for why nothing more comes: it comes by another way.
pub(super) const REASON_COMES: Duration = Duration::from_secs(3);

/// The server's answer, or why there is none.
pub(super) type Outcome = Result<Answered, Failure>;

/// What a server answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answered {
    /// The raw text of a result.
    Result(String),
    /// A JSON-RPC error.
    Error {
        /// The raw text of the error object.
        error: String,
        /// The HTTP status it came with.
        status: StatusCode,
    },
}

/// One connection's record.
#[derive(Debug, Default)]
pub(super) struct Tap {
    state: Mutex<State>,
    changed: Notify,
    /// Nothing more comes over the connection.
    closed: CancellationToken,
    /// The stream that the server kept open by itself broke off.
    stream_lost: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    requests: HashMap<RequestId, Request>,
    start: Option<StartNote>,
    said: Option<Said>,
    /// Why nothing more comes, where that is known.
    ended: Option<Failure>,
}

/// One request that is under way.
#[derive(Debug)]
struct Request {
    step: Step,
    outcome: Option<Outcome>,
    /// What went wrong without being the end yet: the server may still resume the stream.
    note: Option<Failure>,
    last_event_id: Option<String>,
    wire_bytes: usize,
}

/// What the last request of the start came to, where it was not a good answer.
#[derive(Clone, Debug)]
pub(super) struct StartNote {
    pub(super) failure: Failure,
    /// The code, where the failure is a JSON-RPC error.
    pub(super) error_code: Option<i64>,
}

impl Tap {
    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere cannot leave the maps half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request is about to be sent; its answer is to be kept.
    pub(super) fn open(&self, id: &RequestId, step: Step) {
        self.state().requests.entry(id.clone()).or_insert(Request {
            step,
            outcome: None,
            note: None,
            last_event_id: None,
            wire_bytes: 0,
        });
    }

    /// Whether this is a request whose answer has not come.
    pub(super) fn awaits(&self, id: &RequestId) -> bool {
        self.state()
            .requests
            .get(id)
            .is_some_and(|request| request.outcome.is_none())
    }

    /// The answer has come, or it is certain that none will. The first word counts.
    pub(super) fn finish(&self, id: &RequestId, outcome: Outcome) {
        if let Some(request) = self.state().requests.get_mut(id) {
            request.outcome.get_or_insert(outcome);
        }
        self.changed.notify_waiters();
    }

    /// The answer to this request cannot be used; whether there is such a request.
    pub(super) fn fail_one(&self, id: &RequestId, failure: Failure) -> bool {
        let step = match self.state().requests.get(id) {
            Some(request) if request.outcome.is_none() => request.step,
            _ => return false,
        };
        self.finish(id, Err(Failure { step, ..failure }));
        true
    }

    /// No request that is under way will be answered.
    pub(super) fn fail_open(&self, failure: &Failure) {
        let mut state = self.state();
        state.ended.get_or_insert_with(|| failure.clone());
        for request in state.requests.values_mut() {
            let step = request.step;
            request.outcome.get_or_insert_with(|| {
                Err(Failure {
                    step,
                    ..failure.clone()
                })
            });
        }
        drop(state);
        self.changed.notify_waiters();
    }

    /// Why nothing more comes. It may become known a little later than that it is so.
    pub(super) async fn why_ended(&self, step: Step) -> Failure {
        let known = async {
            loop {
                let changed = self.changed.notified();
                if let Some(failure) = self.state().ended.clone() {
                    return failure;
                }
                changed.await;
            }
        };
        match timeout(REASON_COMES, known).await {
            Ok(failure) => Failure { step, ..failure },
            Err(_) => Failure::new(FailureClass::ConnectionReset, step),
        }
    }

    /// The one request that is under way will not be answered. Where there are several, nothing is known of any.
    pub(super) fn fail_only(&self, class: FailureClass, detail: &str) {
        let mut state = self.state();
        let mut open = state.requests.values_mut().filter(|request| request.outcome.is_none());
        if let (Some(request), None) = (open.next(), open.next()) {
            request.outcome = Some(Err(Failure::new(class, request.step).with_detail(detail)));
        }
        drop(state);
        self.changed.notify_waiters();
    }

    /// Nothing more comes over the connection.
    pub(super) fn close(&self) {
        self.closed.cancel();
    }

    /// Whether that is so.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.is_cancelled()
    }

    /// The stream that the server kept open by itself broke off in the middle: the server, or the way to it, went away.
    pub(super) fn lose_stream(&self) {
        self.stream_lost.store(true, Ordering::Relaxed);
    }

    /// Whether it did.
    pub(super) fn has_lost_stream(&self) -> bool {
        self.stream_lost.load(Ordering::Relaxed)
    }

    /// Waits until nothing more comes.
    pub(super) async fn closed(&self) {
        self.closed.cancelled().await;
    }

    /// Something went wrong that may still mend.
    pub(super) fn note(&self, id: &RequestId, failure: Failure) {
        if let Some(request) = self.state().requests.get_mut(id) {
            request.note = Some(failure);
        }
    }

    /// Waits for the outcome. Never ends for a request that was not opened.
    pub(super) async fn finished(&self, id: &RequestId) -> Outcome {
        loop {
            let changed = self.changed.notified();
            if let Some(outcome) = self
                .state()
                .requests
                .get(id)
                .and_then(|request| request.outcome.clone())
            {
                return outcome;
            }
            changed.await;
        }
    }

    /// What is known of a request that the SDK says is over.
    pub(super) fn known(&self, id: &RequestId) -> Option<Outcome> {
        let state = self.state();
        let request = state.requests.get(id)?;
        request.outcome.clone().or_else(|| request.note.clone().map(Err))
    }

    /// Nobody waits for this request any longer.
    pub(super) fn forget(&self, id: &RequestId) {
        self.state().requests.remove(id);
    }

    /// Counts bytes of the answer to a request, over all streams it came in; answers the sum.
    pub(super) fn count(&self, id: &RequestId, bytes: usize) -> usize {
        let mut state = self.state();
        let Some(request) = state.requests.get_mut(id) else {
            return bytes;
        };
        request.wire_bytes = request.wire_bytes.saturating_add(bytes);
        request.wire_bytes
    }

    /// The stream that answers a request can be resumed after this event.
    pub(super) fn resumable_after(&self, id: &RequestId, event_id: &str) {
        if let Some(request) = self.state().requests.get_mut(id) {
            request.last_event_id = Some(event_id.to_owned());
        }
    }

    /// The request whose stream is resumed after this event, and what is done by it.
    pub(super) fn resumed_request(&self, event_id: &str) -> Option<(RequestId, Step)> {
        self.state()
            .requests
            .iter()
            .find(|(_, request)| request.last_event_id.as_deref() == Some(event_id))
            .map(|(id, request)| (id.clone(), request.step))
    }

    /// A request of the start is about to be sent.
    pub(super) fn start_begins(&self) {
        self.state().start = None;
    }

    /// A request of the start failed.
    pub(super) fn start_failed(&self, failure: Failure, error_code: Option<i64>) {
        self.state().start = Some(StartNote { failure, error_code });
    }

    /// The server has answered the start.
    pub(super) fn server_said(&self, said: Said) {
        self.state().said = Some(said);
    }

    /// What the server says of itself.
    pub(super) fn said(&self) -> Said {
        self.state().said.clone().unwrap_or_default()
    }

    /// Whether the server has given the start a usable answer.
    pub(super) fn has_answered_start(&self) -> bool {
        self.state().said.is_some()
    }

    /// Why the last request of the start failed.
    pub(super) fn start_note(&self) -> Option<StartNote> {
        self.state().start.clone()
    }
}
