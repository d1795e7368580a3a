//! A call from the moment it is handed over: what becomes of it is known, or it is unknown, never that it was not sent
//! (manager contract §6).

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use toolgate_core::outcome::{self, CallOutcome};
use toolgate_core::{Code, Diagnostic};

use super::preparing::{HandedOver, Preparing};
use crate::mcp::{CallAnswer, Failure};
use crate::service::Service;

/// How the waiting for an answer ended.
enum Ended {
    Answered(CallAnswer),
    Failed(Failure),
    Cancelled,
    Stopping,
    Deadline,
}

impl Service {
    /// Makes a call, once, and says what became of it. Neither the server's being paused or removed meanwhile nor the
    /// loss of the connection on which the call was asked for ends it.
    pub(super) async fn dispatch(self: &Arc<Self>, mut preparing: Preparing) -> CallOutcome {
        let HandedOver {
            mut pending,
            connection,
        } = match preparing.hand_over().await {
            Ok(handed_over) => handed_over,
            Err(reason) => return CallOutcome::not_sent(reason),
        };
        let budget = self.options.budgets.call;
        let deadline = Instant::now() + budget;
        let ended = tokio::select! {
            // An answer that is here counts, whatever else happened meanwhile.
            biased;
            answer = pending.answer() => match answer {
                Ok(answer) => Ended::Answered(answer),
                Err(failure) => Ended::Failed(failure),
            },
            () = preparing.cancelled.cancelled() => Ended::Cancelled,
            _ = preparing.stopping.wait_for(|stopping| *stopping) => Ended::Stopping,
            () = tokio::time::sleep_until(deadline) => Ended::Deadline,
        };
        // What is left to do with the server is nobody's business who waits for the outcome.
        match ended {
            Ended::Answered(_) | Ended::Failed(_) => connection.close_after(std::future::ready(())),
            Ended::Cancelled | Ended::Stopping | Ended::Deadline => connection.close_after(pending.cancel()),
        }
        match ended {
            Ended::Answered(answer) => self.read_answer(answer).await,
            Ended::Failed(failure) => CallOutcome::unknown(no_answer(&failure)),
            Ended::Cancelled => CallOutcome::unknown(cancelled()),
            Ended::Stopping => CallOutcome::unknown(stopping()),
            Ended::Deadline => CallOutcome::unknown(timed_out(budget)),
        }
    }

    /// Reads an answer, which may be large, where it holds nobody up.
    async fn read_answer(&self, answer: CallAnswer) -> CallOutcome {
        let read = self.with_store(move |_| {
            Ok(match answer {
                CallAnswer::Result(result) => outcome::from_result(&result),
                CallAnswer::Error(error) => outcome::from_error(&error),
            })
        });
        // Only a runtime that is being shut down reads nothing any more.
        read.await.unwrap_or_else(|_| CallOutcome::unknown(stopping()))
    }
}

fn no_answer(failure: &Failure) -> Diagnostic {
    Diagnostic::new(
        Code::CallResponseFailed,
        format!(
            "The call was handed over, but no answer to it could be read; it may have been carried out, and is not \
             repeated. {}",
            failure.what()
        ),
    )
}

fn cancelled() -> Diagnostic {
    Diagnostic::new(
        Code::CallCancelled,
        "The call was cancelled when it had been handed over already. The server is told, but may have carried it out.",
    )
}

fn stopping() -> Diagnostic {
    Diagnostic::new(
        Code::CallCancelled,
        "Toolgate is shutting down and waits for the answer no longer; the server may have carried out the call.",
    )
}

fn timed_out(budget: Duration) -> Diagnostic {
    Diagnostic::new(
        Code::CallTimeout,
        format!(
            "The server did not answer the call within {budget:?}. It may have carried it out, and the call is not \
             repeated."
        ),
    )
}
