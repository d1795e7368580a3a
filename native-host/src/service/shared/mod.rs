//! Calls that models make: over one connection for each server as it is configured now, which all of them share (partner
//! contract), and with the same facts about what became of a call as a person's have (manager contract §6).
//!
//! Who may call what is the caller's business: [`SharedCall::check`] is asked before anything connects, and again right
//! before the call is handed over.

mod keeping;
mod lines;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use toolgate_core::Diagnostic;
use toolgate_core::catalog::Mirror;
use toolgate_core::identity::RegistrationId;
use toolgate_core::json::JsonText;
use toolgate_core::outcome::CallOutcome;
use toolgate_core::server::{ServerConfig, TransportKind};

pub(super) use self::lines::SharedLines;
use self::lines::{Landing, Use};
use super::Service;
use super::calls::answer::Ended;
use super::calls::attempt::{Attempt, MIRRORING, Recheck, Unsent};
use super::calls::not_sent;
use super::flights::Generation;
use crate::mcp::{CallAnswer, Failure, FailureClass, PendingCall, Step};

/// How often a call looks for a connection: a closed one is replaced once.
const CONNECTIONS: usize = 2;

/// One call of a tool by a model.
pub(super) struct SharedCall {
    /// The server.
    pub(super) id: RegistrationId,
    /// The tool's native name, verbatim.
    pub(super) native_name: String,
    /// A JSON object, checked by [`arguments::check`](toolgate_core::arguments::check).
    pub(super) arguments: JsonText,
    /// The input schema that the model was shown: where the protocol has it, its annotations say which arguments are
    /// repeated in headers (SEP-2243).
    pub(super) input_schema: JsonText,
    /// What is asked beside the server's being active.
    pub(super) check: Recheck,
    /// Cancelled once the call is wanted no more.
    pub(super) cancelled: CancellationToken,
}

/// What became of a call, and the server's answer as it came, where there was one.
pub(super) struct SharedOutcome {
    pub(super) outcome: CallOutcome,
    pub(super) answer: Option<CallAnswer>,
}

/// A call that was handed over.
struct Sent {
    pending: Box<dyn PendingCall>,
    line: Use,
    generation: Generation,
}

impl Service {
    /// Makes a call over the server's shared connection, once, and says what became of it. Dropping the future tells the
    /// server nothing: run it in a task.
    ///
    /// A connection that is known to be closed is replaced before the call is handed over, never after. Only an error of
    /// the connection retires it: not an answer, whatever it says, nor a cancellation or the time limit. Where the server
    /// is paused, changed or removed meanwhile the connection ends at once, and the call's outcome is unknown.
    pub(super) async fn shared_call(self: &Arc<Self>, call: SharedCall) -> SharedOutcome {
        let SharedCall {
            id,
            native_name,
            arguments,
            input_schema,
            check,
            cancelled,
        } = call;
        if cancelled.is_cancelled() {
            return SharedOutcome::not_sent(not_sent::cancelled());
        }
        let mut attempt = Attempt::new(self, id, native_name, arguments, check, cancelled);
        let Sent {
            mut pending,
            line,
            generation,
        } = match self.send_shared(&attempt, &input_schema).await {
            Ok(sent) => sent,
            Err(reason) => return SharedOutcome::not_sent(reason),
        };
        let ended = attempt.answer(&mut pending, generation.ended()).await;
        if let Ended::Failed(_) = ended {
            self.shared.retire(id, &line);
        }
        if ended.leaves_it_running() {
            let work = self.work.subscribe();
            self.runtime.spawn(async move {
                pending.cancel().await;
                drop((line, work));
            });
        } else {
            drop((pending, line));
        }
        let (outcome, answer) = self.outcome(ended).await;
        SharedOutcome { outcome, answer }
    }

    async fn send_shared(self: &Arc<Self>, attempt: &Attempt, input_schema: &JsonText) -> Result<Sent, Diagnostic> {
        let (config, generation) = attempt.server().await?;
        self.supports(config.transport())
            .map_err(|reason| not_sent::transport(&reason))?;
        let mut failure = Failure::new(FailureClass::ConnectionReset, Step::Call);
        for _ in 0..CONNECTIONS {
            let line = self.take_line(attempt, &config, &generation).await?;
            // It is only taken out to be closed, when nobody uses it any more.
            let connection = line.connection().ok_or_else(not_sent::stopping)?;
            if !connection.offers_tools() {
                return Err(not_sent::no_tools());
            }
            let mirrored = mirrored(&config, &connection.server().protocol_version, attempt, input_schema)?;
            // One that was just made is tried whatever is known of it: some servers break off their own stream at once.
            let must_be_open = !line.is_first;
            let sending = attempt.send(connection, &config, &generation, mirrored, must_be_open);
            match sending.await {
                Ok(pending) => {
                    return Ok(Sent {
                        pending,
                        line,
                        generation,
                    });
                }
                Err(Unsent::NotTaken(lost)) if !connection.is_open() => {
                    self.shared.retire(attempt.id, &line);
                    failure = lost;
                }
                Err(unsent) => return Err(unsent.into()),
            }
        }
        Err(not_sent::not_queued(&failure))
    }

    /// The server's connection, made where there is none.
    async fn take_line(
        self: &Arc<Self>,
        attempt: &Attempt,
        config: &ServerConfig,
        generation: &Generation,
    ) -> Result<Use, Diagnostic> {
        let budget = self.options.budgets.call_start;
        loop {
            let landing: Landing = self.line(attempt.id, config, generation);
            let line = match attempt.unless_interrupted(generation, landing).await {
                Ok(line) => line?,
                Err(interrupted) => return Err(attempt.why(interrupted, not_sent::connection_timeout(budget)).await),
            };
            // It may have been given up since; then there is none any more, and another is made.
            if let Some(line) = self.shared.take(attempt.id, &line) {
                return Ok(line);
            }
        }
    }
}

fn mirrored(
    config: &ServerConfig,
    version: &str,
    attempt: &Attempt,
    input_schema: &JsonText,
) -> Result<Vec<(String, String)>, Diagnostic> {
    if config.transport() != TransportKind::Http || version != MIRRORING {
        return Ok(Vec::new());
    }
    let mirror = Mirror::of_schema(input_schema.as_raw()).map_err(|reason| not_sent::metadata_unusable(&reason))?;
    Ok(mirror.headers(&attempt.arguments))
}

impl SharedOutcome {
    /// That of a call that was not sent.
    pub(super) fn not_sent(reason: Diagnostic) -> Self {
        Self {
            outcome: CallOutcome::not_sent(reason),
            answer: None,
        }
    }
}
