//! Reads what a server writes to its standard output: messages, one a line, between whatever else it may write there.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use rmcp::model::{RequestId, ServerJsonRpcMessage};
use serde_json::value::RawValue;
use tokio::io::BufReader;
use tokio::process::ChildStdout;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::super::envelope::{self, Message};
use super::super::exchange::{Exchange, Passed, failed_answer};
use super::super::{Failure, FailureClass, Step};
use super::ended::hung_up;
use super::lines::{Line, Lines};
use super::loose::known_id;
use super::process::End;
use super::stderr::Tail;
use super::transport::{Outgoing, Pending};

/// How long a server that closed its output is given to end, so that it is known how.
const ENDS: Duration = Duration::from_millis(500);
/// How long what a server wrote before it ended may take to be read.
const LAST_OUTPUT: Duration = Duration::from_secs(2);
/// How much of a line that is too long is passed over before the connection is given up, in limits of a line.
const PASSED_OVER: usize = 16;

/// Reads until the server has nothing more to say; then everything that waits fails, and the SDK is told of the end.
pub(super) async fn read(
    output: ChildStdout,
    limit: usize,
    pending: Arc<Pending>,
    mut end: End,
    tail: Tail,
    passed_on: mpsc::Sender<ServerJsonRpcMessage>,
    lines_out: mpsc::Sender<Outgoing>,
) {
    let mut reader = Reader {
        lines: Lines::new(BufReader::with_capacity(64 * 1024, output), limit),
        limit,
        pending: &pending,
        passed_on,
        lines_out,
    };
    let mut known = end.clone();
    let failure = tokio::select! {
        biased;
        failure = reader.until_the_end() => failure,
        // What holds the pipe open now is something else than the server.
        () = async {
            known.known().await;
            tokio::time::sleep(LAST_OUTPUT).await;
        } => None,
    };
    pending.tap.close();
    let failure = match failure {
        Some(failure) => failure,
        None => match timeout(ENDS, end.known()).await {
            Ok(ended) => ended.failure(Step::Start, Some(&tail.text())),
            Err(_) => hung_up(Step::Start),
        },
    };
    pending.fail(&failure);
}

struct Reader<'a> {
    lines: Lines<BufReader<ChildStdout>>,
    limit: usize,
    pending: &'a Pending,
    passed_on: mpsc::Sender<ServerJsonRpcMessage>,
    /// Takes what answers the server's own requests.
    lines_out: mpsc::Sender<Outgoing>,
}

impl Reader<'_> {
    /// Reads to the end of the output; answers why it was given up before, where it was.
    async fn until_the_end(&mut self) -> Option<Failure> {
        loop {
            match self.lines.next().await {
                Ok(Line::Whole(line)) => self.line(&line).await,
                Ok(Line::TooLong(beginning)) => {
                    let failure = Failure::new(FailureClass::ResponseTooLarge, Step::Start)
                        .with_detail(format!("the limit is {} bytes", self.limit));
                    let text = String::from_utf8_lossy(&beginning);
                    // Where it cannot be told what it answers, it may be anything that is waited for.
                    let is_known = match known_id(&text) {
                        Some(id) => self.bad_answer(&id, failure.clone()).await,
                        None => false,
                    };
                    if !is_known {
                        return Some(failure);
                    }
                    match self.lines.pass_over(self.limit.saturating_mul(PASSED_OVER)).await {
                        Ok(true) => {}
                        Ok(false) => return Some(failure),
                        Err(_) => return None,
                    }
                }
                Ok(Line::End) | Err(_) => return None,
            }
        }
    }

    async fn line(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_matches(|character: char| character.is_whitespace() || character == '\0');
        if !text.trim_start_matches('\u{feff}').starts_with(['{', '[']) {
            // Noise.
            return;
        }
        if std::str::from_utf8(line).is_err() {
            self.malformed(text, "it is not UTF-8").await;
            return;
        }
        match envelope::split(text) {
            Ok(messages) => {
                for message in &messages {
                    self.message(message).await;
                }
            }
            // One bad message in an array costs none of the others.
            Err(_) if text.starts_with('[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
                for item in items {
                    self.item(item).await;
                }
            }
            // Nor does a message whose line end was forgotten cost the one after it.
            Err(_) => match several(text) {
                Some(messages) => {
                    for message in messages {
                        self.item(message).await;
                    }
                }
                None => self.malformed(text, NO_ANSWER).await,
            },
        }
    }

    /// One of several messages of a line.
    async fn item(&mut self, item: &RawValue) {
        match envelope::split(item.get()).as_deref() {
            Ok([message]) => self.message(message).await,
            _ => self.malformed(item.get(), NO_ANSWER).await,
        }
    }

    async fn message(&mut self, message: &Message<'_>) {
        match message {
            Message::Result { id: Some(id), .. } if self.pending.is_late(id, true) => return,
            Message::Error { id: Some(id), .. } if self.pending.is_late(id, false) => return,
            _ => {}
        }
        let passed = {
            let mut start = self.pending.start();
            let tap = &self.pending.tap;
            let standing = Exchange::Standing;
            let exchange = start.as_ref().map_or(&standing, |starting| &starting.exchange);
            let passed = exchange.take(tap, message, StatusCode::OK);
            match (&passed, message) {
                (Passed::Answer(_), _) => *start = None,
                // Of a server that could not read what it was sent: that may have been the one thing it was asked.
                (Passed::Stray, Message::Error { id: None, .. }) => tap.fail_only(
                    FailureClass::Refused,
                    "the server answers with an error that names no request",
                ),
                _ => {}
            }
            passed
        };
        match passed {
            Passed::Answer(text) | Passed::Other(text) => self.pass_on(&text).await,
            // While there is no room for the answer nothing more is read.
            Passed::Asked(question) => drop(self.lines_out.send(Outgoing::answer(question)).await),
            Passed::Stray => {}
        }
    }

    /// What is JSON-RPC's by its looks, and no message: it ends what it answers.
    async fn malformed(&mut self, text: &str, detail: &str) {
        if let Some(id) = known_id(text) {
            let failure = Failure::new(FailureClass::MalformedResponse, Step::Start).with_detail(detail);
            self.bad_answer(&id, failure).await;
        }
    }

    /// Ends a request whose answer cannot be used; whether there is one.
    async fn bad_answer(&mut self, id: &RequestId, failure: Failure) -> bool {
        let is_start = {
            let mut start = self.pending.start();
            let ours = |exchange: &Exchange| matches!(exchange, Exchange::Start { id: ours, .. } if ours == id);
            match start.take_if(|starting| ours(&starting.exchange)) {
                Some(starting) => {
                    starting.exchange.failed(&self.pending.tap, failure.clone());
                    true
                }
                None => false,
            }
        };
        if !is_start && !self.pending.tap.fail_one(id, failure) {
            return false;
        }
        self.pass_on(&failed_answer(id)).await;
        true
    }

    async fn pass_on(&self, text: &str) {
        if let Ok(message) = serde_json::from_str(text) {
            // The SDK may have ended before.
            let _ = self.passed_on.send(message).await;
        } else {
            tracing::debug!("a server sent a message that the SDK has no form for; it is passed over");
        }
    }
}

const NO_ANSWER: &str = "the line is no JSON-RPC message";

/// The JSON values that stand one behind the other in a text; `None` where it holds anything else, or not several.
fn several(text: &str) -> Option<Vec<&RawValue>> {
    let values: Result<Vec<&RawValue>, _> = serde_json::Deserializer::from_str(text).into_iter().collect();
    values.ok().filter(|values| values.len() > 1)
}
