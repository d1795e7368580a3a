//! The event stream that answers a request, or that a server sends on by itself: bounded, and ended at once where it
//! is bad, so that nobody waits for an answer that cannot come.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt};
use http::StatusCode;
use rmcp::transport::streamable_http_client::SseError;
use sse_stream::Sse;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::exchange::{Exchange, Passed, failed_answer};
use super::http_client::{Answering, Question};
use super::sse::{Event, EventReader};
use super::tap::Tap;
use super::{Failure, FailureClass, cause, envelope};

/// What the SDK reads from.
pub(super) type SdkStream = BoxStream<'static, Result<Sse, SseError>>;

/// What an event stream is for.
pub(super) struct Events {
    /// What it answers.
    pub(super) exchange: Exchange,
    pub(super) tap: Arc<Tap>,
    pub(super) cancelled: CancellationToken,
    /// Bytes of the whole answer, or of one event on a stream the server sends on by itself.
    pub(super) limit: usize,
    /// The server may close the stream and go on with it on another (MCP 2025-11-25, removed in 2026-07-28).
    pub(super) may_resume: bool,
    /// When an answer that has not come counts as a refusal.
    pub(super) deadline: Option<Instant>,
    /// Answers what the server asks on it; none where it has nothing to ask.
    pub(super) answering: Option<Answering>,
}

/// An event stream under way.
struct Reading {
    events: Events,
    body: BoxStream<'static, reqwest::Result<Bytes>>,
    reader: EventReader,
    ready: VecDeque<Sse>,
    /// What the server asked while there was no room for the answer.
    asked: VecDeque<Question>,
    start_bytes: usize,
    saw_event_id: bool,
    progress: Progress,
}

/// How far a stream is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// The answer is still to come.
    Waiting,
    /// It has come; the server may have more to say.
    Answered,
    /// Nothing more is read.
    Over,
}

/// Given to the SDK where a stream broke off and may be resumed.
#[derive(Debug, thiserror::Error)]
#[error("the stream broke off")]
struct BrokeOff;

impl Events {
    /// The events of a response, as the SDK reads them.
    pub(super) fn of(self, response: reqwest::Response) -> SdkStream {
        let reading = Reading {
            events: self,
            body: response.bytes_stream().boxed(),
            reader: EventReader::default(),
            ready: VecDeque::new(),
            asked: VecDeque::new(),
            start_bytes: 0,
            saw_event_id: false,
            progress: Progress::Waiting,
        };
        stream::unfold(reading, |mut reading| async move {
            let next = reading.next().await?;
            Some((next, reading))
        })
        .boxed()
    }
}

impl Reading {
    async fn next(&mut self) -> Option<Result<Sse, SseError>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            if self.progress == Progress::Over {
                return None;
            }
            let deadline = self.events.deadline.filter(|_| self.progress == Progress::Waiting);
            let chunk = tokio::select! {
                biased;
                () = self.events.cancelled.cancelled() => None,
                () = at(deadline) => {
                    self.timed_out();
                    continue;
                }
                // Until all is answered that the server asked, nothing more of the stream is read.
                () = answer_first(self.events.answering.as_ref(), &mut self.asked), if !self.asked.is_empty() => continue,
                chunk = self.body.next(), if self.asked.is_empty() => Some(chunk),
            };
            match chunk {
                None => self.progress = Progress::Over,
                Some(Some(Ok(chunk))) => self.read(&chunk),
                Some(Some(Err(error))) => {
                    if let Exchange::Standing = self.events.exchange {
                        self.events.tap.lose_stream();
                    }
                    let failure = cause::of_request(&error, self.events.exchange.step());
                    if self.unfinished(failure) {
                        return Some(Err(SseError::Body(Box::new(BrokeOff))));
                    }
                }
                Some(None) => {
                    let failure = Failure::new(FailureClass::MalformedResponse, self.events.exchange.step())
                        .with_detail("the event stream ended without an answer");
                    self.unfinished(failure);
                }
            }
        }
    }

    fn read(&mut self, chunk: &[u8]) {
        let mut events = Vec::new();
        self.reader.push(chunk, &mut events);
        let bytes = match &self.events.exchange {
            Exchange::Request { id, .. } => self.events.tap.count(id, chunk.len()),
            Exchange::Start { .. } | Exchange::OneWay => {
                self.start_bytes = self.start_bytes.saturating_add(chunk.len());
                self.start_bytes
            }
            Exchange::Standing => self.reader.held_bytes(),
        };
        // After the answer too: what comes then is read for a while, and could be a line without end.
        if bytes > self.events.limit {
            self.bad(
                FailureClass::ResponseTooLarge,
                &format!("the limit is {} bytes", self.events.limit),
            );
            return;
        }
        for event in events {
            if self.progress == Progress::Over {
                return;
            }
            self.event(&event);
        }
    }

    fn event(&mut self, event: &Event) {
        if let Some(id) = &event.id {
            self.saw_event_id = true;
            if let Some(request) = self.events.exchange.request() {
                self.events.tap.resumable_after(request, id);
            }
        }
        let text = event.data.as_deref().filter(|data| !data.trim().is_empty());
        let (Some(text), true) = (text, event.is_message()) else {
            self.ready.push_back(for_sdk(event, None));
            return;
        };
        if event.is_mended {
            self.bad(FailureClass::MalformedResponse, "it is not UTF-8");
            return;
        }
        let Ok(messages) = envelope::split(text) else {
            self.bad(FailureClass::MalformedResponse, "an event holds no JSON-RPC message");
            return;
        };
        let mut passed = Vec::new();
        for message in &messages {
            match self.events.exchange.take(&self.events.tap, message, StatusCode::OK) {
                Passed::Answer(text) => {
                    self.progress = Progress::Answered;
                    passed.push(text);
                }
                Passed::Other(text) => passed.push(text),
                Passed::Asked(question) => self.asked(question),
                Passed::Stray => {}
            }
        }
        self.ready
            .extend(passed.into_iter().map(|text| for_sdk(event, Some(text))));
    }

    fn asked(&mut self, question: Question) {
        let Some(answering) = &self.events.answering else {
            return;
        };
        // At once, where it can be: with the answer to our own request the stream may end.
        match answering.room_now().filter(|_| self.asked.is_empty()) {
            Some(room) => answering.answer(question, room),
            None => self.asked.push_back(question),
        }
    }

    /// The stream ended before the answer. Whether it may go on elsewhere; if not, the exchange has failed.
    fn unfinished(&mut self, failure: Failure) -> bool {
        if std::mem::replace(&mut self.progress, Progress::Over) != Progress::Waiting {
            return false;
        }
        match self.events.exchange.request() {
            Some(request) if self.events.may_resume && self.saw_event_id => {
                self.events.tap.note(request, failure);
                true
            }
            _ => {
                self.give_up(failure);
                false
            }
        }
    }

    /// The stream is bad: no more of it will be used.
    fn bad(&mut self, class: FailureClass, detail: &str) {
        if self.progress == Progress::Waiting {
            self.give_up(Failure::new(class, self.events.exchange.step()).with_detail(detail));
        }
        self.progress = Progress::Over;
    }

    /// The probe was not answered in time; the SDK takes a refusal for a sign of an older server.
    fn timed_out(&mut self) {
        self.give_up(Failure::new(FailureClass::Timeout, self.events.exchange.step()));
        if let Exchange::Start { id, .. } = &self.events.exchange {
            self.ready.push_back(Sse::default().data(failed_answer(id)));
        }
    }

    fn give_up(&mut self, failure: Failure) {
        self.progress = Progress::Over;
        self.events.exchange.failed(&self.events.tap, failure);
        if let Some(request) = self.events.exchange.request() {
            // An error in the stream would make the SDK ask for it again; an answer ends it.
            self.ready.push_back(Sse::default().data(failed_answer(request)));
        }
    }
}

/// Answers the first of the server's questions once there is room. Dropped before, it leaves the question where it is.
async fn answer_first(answering: Option<&Answering>, asked: &mut VecDeque<Question>) {
    let Some(answering) = answering else {
        return asked.clear();
    };
    if let (Some(room), Some(question)) = (answering.room().await, asked.pop_front()) {
        answering.answer(question, room);
    }
}

/// Waits until then; for ever where there is no such time.
async fn at(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

fn for_sdk(event: &Event, data: Option<String>) -> Sse {
    Sse {
        event: event.name.clone(),
        data: data.or_else(|| event.data.clone()),
        id: event.id.clone(),
        retry: event.retry,
    }
}
