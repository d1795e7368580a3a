//! The event stream that answers a request, or that a server sends on by itself: bounded, and ended at once where it
//! is bad, so that nobody waits for an answer that cannot come.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt};
use http::StatusCode;
use rmcp::transport::streamable_http_client::SseError;
use sse_stream::Sse;
use tokio_util::sync::CancellationToken;

use super::exchange::{Exchange, Passed, failed_answer};
use super::sse::{Event, EventReader};
use super::tap::Tap;
use super::{Failure, FailureClass, cause, envelope};

/// What the SDK reads from.
pub(super) type SdkStream = BoxStream<'static, Result<Sse, SseError>>;

/// An event stream under way.
pub(super) struct Events {
    body: BoxStream<'static, reqwest::Result<Bytes>>,
    reader: EventReader,
    ready: VecDeque<Sse>,
    exchange: Exchange,
    tap: Arc<Tap>,
    cancelled: CancellationToken,
    limit: usize,
    start_bytes: usize,
    /// The server may close the stream and go on with it on another (MCP 2025-11-25, removed in 2026-07-28).
    may_resume: bool,
    saw_event_id: bool,
    answered: bool,
    ended: bool,
}

/// Given to the SDK where a stream broke off and may be resumed.
#[derive(Debug, thiserror::Error)]
#[error("the stream broke off")]
struct BrokeOff;

impl Events {
    /// The events of `response`, which answers `exchange`.
    pub(super) fn new(
        response: reqwest::Response,
        exchange: Exchange,
        tap: Arc<Tap>,
        cancelled: CancellationToken,
        limit: usize,
        may_resume: bool,
    ) -> Self {
        Self {
            body: response.bytes_stream().boxed(),
            reader: EventReader::default(),
            ready: VecDeque::new(),
            exchange,
            tap,
            cancelled,
            limit,
            start_bytes: 0,
            may_resume,
            saw_event_id: false,
            answered: false,
            ended: false,
        }
    }

    /// As the SDK reads it.
    pub(super) fn into_stream(self) -> SdkStream {
        stream::unfold(self, |mut events| async move {
            let next = events.next().await?;
            Some((next, events))
        })
        .boxed()
    }

    async fn next(&mut self) -> Option<Result<Sse, SseError>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            if self.ended {
                return None;
            }
            let chunk = tokio::select! {
                biased;
                () = self.cancelled.cancelled() => None,
                chunk = self.body.next() => Some(chunk),
            };
            match chunk {
                None => self.ended = true,
                Some(Some(Ok(chunk))) => self.read(&chunk),
                Some(Some(Err(error))) => {
                    self.ended = true;
                    let failure = cause::of_request(&error, self.exchange.step());
                    if self.unfinished(failure) {
                        return Some(Err(SseError::Body(Box::new(BrokeOff))));
                    }
                }
                Some(None) => {
                    self.ended = true;
                    let failure = Failure::new(FailureClass::MalformedResponse, self.exchange.step())
                        .with_detail("the event stream ended without an answer");
                    self.unfinished(failure);
                }
            }
        }
    }

    fn read(&mut self, chunk: &[u8]) {
        let mut events = Vec::new();
        self.reader.push(chunk, &mut events);
        let bytes = match &self.exchange {
            Exchange::Request { id } => self.tap.count(id, chunk.len()),
            Exchange::Start { .. } | Exchange::OneWay => {
                self.start_bytes = self.start_bytes.saturating_add(chunk.len());
                self.start_bytes
            }
            Exchange::Standing => self.reader.held_bytes(),
        };
        if bytes > self.limit && !self.answered {
            self.bad(
                FailureClass::ResponseTooLarge,
                &format!("the limit is {} bytes", self.limit),
            );
            return;
        }
        for event in events {
            if self.ended {
                return;
            }
            self.event(event);
        }
    }

    fn event(&mut self, event: Event) {
        if let Some(id) = &event.id {
            self.saw_event_id = true;
            if let Some(request) = self.exchange.request() {
                self.tap.resumable_after(request, id);
            }
        }
        let text = event.data.as_deref().filter(|data| !data.trim().is_empty());
        let (Some(text), true) = (text, event.is_message()) else {
            self.ready.push_back(for_sdk(&event, None));
            return;
        };
        let Ok(messages) = envelope::split(text) else {
            self.bad(FailureClass::MalformedResponse, "an event holds no JSON-RPC message");
            return;
        };
        let mut passed = Vec::new();
        for message in &messages {
            match self.exchange.take(&self.tap, message, StatusCode::OK) {
                Passed::Answer(text) => {
                    self.answered = true;
                    passed.push(text);
                }
                Passed::Other(text) => passed.push(text),
                Passed::Stray => {}
            }
        }
        self.ready
            .extend(passed.into_iter().map(|text| for_sdk(&event, Some(text))));
    }

    /// The stream ended before the answer. Whether it may go on elsewhere; if not, the exchange has failed.
    fn unfinished(&mut self, failure: Failure) -> bool {
        if self.answered {
            return false;
        }
        match self.exchange.request() {
            Some(request) if self.may_resume && self.saw_event_id => {
                self.tap.note(request, failure);
                true
            }
            _ => {
                self.give_up(failure);
                false
            }
        }
    }

    /// The stream is bad: no answer of it will be used.
    fn bad(&mut self, class: FailureClass, detail: &str) {
        self.give_up(Failure::new(class, self.exchange.step()).with_detail(detail));
    }

    fn give_up(&mut self, failure: Failure) {
        self.ended = true;
        self.exchange.failed(&self.tap, failure);
        if let Some(request) = self.exchange.request() {
            // An error in the stream would make the SDK ask for it again; an answer ends it.
            self.ready.push_back(Sse::default().data(failed_answer(request)));
        }
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
