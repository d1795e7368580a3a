//! The pipes of a server that is a child process, as the SDK's transport: it hands the SDK placeholders of results, whose
//! text goes to the [`Tap`], and ends at once what cannot be answered any more.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::AsyncWriteExt as _;
use tokio::process::ChildStdin;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::super::exchange::{Exchange, failed_answer};
use super::super::http_client::Question;
use super::super::outgoing;
use super::super::tap::{REASON_COMES, Tap};
use super::super::{Failure, FailureClass, NetLimits, Step};
use super::ended::closed_input;
use super::process::{End, Process};
use super::reader;

/// Messages that wait to be read by the SDK, or to be written.
const QUEUED: usize = 16;

/// What the SDK sees of a message that could not be sent; the rest is in the tap.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct NotSent(&'static str);

/// One connection's transport.
pub(super) struct StdioTransport {
    lines: mpsc::Sender<Outgoing>,
    received: mpsc::Receiver<ServerJsonRpcMessage>,
    pending: Arc<Pending>,
    /// How long the answer to `server/discover` is waited for, where `initialize` may follow.
    discover: Option<Duration>,
    process: Option<Process>,
}

/// A line on its way out, and who waits until it is written.
pub(super) struct Outgoing {
    line: Vec<u8>,
    written: Option<oneshot::Sender<()>>,
}

impl Outgoing {
    /// What answers a request of the server's; nobody waits for it.
    pub(super) fn answer(question: Question) -> Self {
        Self {
            line: one_line(String::from(question).into_bytes()),
            written: None,
        }
    }
}

/// What is waited for.
pub(super) struct Pending {
    pub(super) tap: Arc<Tap>,
    start: Mutex<Option<Starting>>,
    late: Mutex<Late>,
}

/// The probe that was not answered in time.
#[derive(Default)]
struct Late {
    id: Option<RequestId>,
    /// The server knew it after all: it was slow to begin.
    is_known: bool,
}

/// The request of the start that is under way.
pub(super) struct Starting {
    pub(super) exchange: Exchange,
    deadline: Option<Instant>,
}

impl Pending {
    pub(super) fn start(&self) -> MutexGuard<'_, Option<Starting>> {
        self.start.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nothing will be answered any more.
    pub(super) fn fail(&self, failure: &Failure) {
        if let Some(starting) = self.start().take() {
            let failure = Failure {
                step: starting.exchange.step(),
                ..failure.clone()
            };
            starting.exchange.failed(&self.tap, failure);
        }
        self.tap.fail_open(failure);
    }

    /// Whether an answer is that to the probe that nobody waits for any more; `is_result` if it is a good one.
    pub(super) fn is_late(&self, id: &RequestId, is_result: bool) -> bool {
        let mut late = self.late();
        let is_late = late.id.as_ref() == Some(id);
        late.is_known |= is_late && is_result;
        is_late
    }

    /// Whether the server knows the probe, though it answered late.
    pub(super) fn knows_the_probe(&self) -> bool {
        self.late().is_known
    }

    fn late(&self) -> MutexGuard<'_, Late> {
        self.late.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn deadline(&self) -> Option<Instant> {
        self.start().as_ref().and_then(|starting| starting.deadline)
    }

    /// The probe was not answered in time; the SDK takes a refusal for a sign of an older server.
    fn timed_out(&self) -> Option<ServerJsonRpcMessage> {
        let starting = self.start().take_if(|starting| starting.deadline.is_some())?;
        let Exchange::Start { id, .. } = &starting.exchange else {
            return None;
        };
        self.late().id = Some(id.clone());
        let failure = Failure::new(FailureClass::Timeout, starting.exchange.step());
        starting.exchange.failed(&self.tap, failure);
        serde_json::from_str(&failed_answer(id)).ok()
    }
}

impl StdioTransport {
    /// A transport to a process that was just started. `falls_back`: where `server/discover` is not answered in time,
    /// `initialize` follows.
    pub(super) fn new(mut process: Process, tap: Arc<Tap>, limits: &NetLimits, falls_back: bool) -> Self {
        let pending = Arc::new(Pending {
            tap,
            start: Mutex::default(),
            late: Mutex::default(),
        });
        let (lines, queue) = mpsc::channel(QUEUED);
        if let Some(input) = process.input.take() {
            let (end, waiting) = (process.end.clone(), Arc::clone(&pending));
            tokio::spawn(write(input, queue, process.closing(), end, waiting));
        }
        let (passed_on, received) = mpsc::channel(QUEUED);
        if let Some(output) = process.output.take() {
            let (end, tail) = (process.end.clone(), process.tail.clone());
            let reading = reader::read(
                output,
                limits.response_bytes,
                Arc::clone(&pending),
                end,
                tail,
                passed_on,
                lines.clone(),
            );
            let closing = process.closing();
            tokio::spawn(async move {
                tokio::select! {
                    () = reading => {}
                    () = closing.cancelled() => {}
                }
            });
        }
        Self {
            lines,
            received,
            pending,
            discover: falls_back.then_some(limits.discover),
            process: Some(process),
        }
    }

    /// What is waited for, which outlives the transport.
    pub(super) fn pending(&self) -> Arc<Pending> {
        Arc::clone(&self.pending)
    }

    /// Takes note of what a message expects back.
    fn expect(&self, exchange: Exchange) {
        let tap = &self.pending.tap;
        match &exchange {
            Exchange::Start { discover, .. } => {
                tap.start_begins();
                let limit = self.discover.filter(|_| *discover);
                *self.pending.start() = Some(Starting {
                    deadline: limit.map(|limit| Instant::now() + limit),
                    exchange,
                });
            }
            Exchange::Request { id, step } => tap.open(id, *step),
            Exchange::OneWay | Exchange::Standing => {}
        }
    }
}

impl Transport<RoleClient> for StdioTransport {
    type Error = NotSent;

    fn name() -> Cow<'static, str> {
        "stdio".into()
    }

    fn send(&mut self, message: ClientJsonRpcMessage) -> impl Future<Output = Result<(), NotSent>> + Send + 'static {
        self.expect(Exchange::of(&message));
        let line = outgoing::write(&message);
        let (lines, tap) = (self.lines.clone(), Arc::clone(&self.pending.tap));
        async move {
            let line = match line {
                Ok(Some(written)) => one_line(written.body),
                Ok(None) => return Err(NotSent("it was sent before")),
                Err(_) => return Err(NotSent("it has no JSON form")),
            };
            let (written, acknowledged) = oneshot::channel();
            if lines
                .send(Outgoing {
                    line,
                    written: Some(written),
                })
                .await
                .is_ok()
                && acknowledged.await.is_ok()
            {
                return Ok(());
            }
            let _ = timeout(REASON_COMES, tap.closed()).await;
            Err(NotSent("the pipe is closed"))
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let deadline = self.pending.deadline();
            tokio::select! {
                biased;
                message = self.received.recv() => return message,
                () = at(deadline) => {
                    if let Some(refusal) = self.pending.timed_out() {
                        return Some(refusal);
                    }
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), NotSent> {
        self.pending.tap.close();
        if let Some(process) = self.process.take() {
            process.end().await;
        }
        Ok(())
    }
}

/// Waits until then; for ever where there is no such time.
async fn at(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

/// Writes lines until the connection is to end or the server takes no more. Closing the pipe tells the server to end.
async fn write(
    mut input: ChildStdin,
    mut queue: mpsc::Receiver<Outgoing>,
    closing: CancellationToken,
    mut end: End,
    pending: Arc<Pending>,
) {
    let writing = async {
        while let Some(Outgoing { line, written }) = queue.recv().await {
            if input.write_all(&line).await.is_err() || input.flush().await.is_err() {
                // A server that has ended takes nothing either; the end of its output says more of that.
                if timeout(REASON_COMES / 2, end.known()).await.is_err() {
                    pending.fail(&closed_input(Step::Start));
                    pending.tap.close();
                }
                return;
            }
            // Whoever waited may be gone.
            let _ = written.map(|written| written.send(()));
        }
    };
    tokio::select! {
        () = writing => {}
        () = closing.cancelled() => {}
    }
}

/// A message as one line. Between tokens a line break is white space; inside of a string it cannot stand.
fn one_line(mut message: Vec<u8>) -> Vec<u8> {
    for byte in &mut message {
        if matches!(*byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    message.push(b'\n');
    message
}
