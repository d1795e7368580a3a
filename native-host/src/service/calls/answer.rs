//! A call from the moment it was handed over, whoever made it: what becomes of it is known, or it is unknown, never that
//! it was not sent (manager contract §6).

use std::time::Duration;

use tokio::time::Instant;
use toolgate_core::outcome::{self, CallOutcome};
use toolgate_core::{Code, Diagnostic};

use super::attempt::Attempt;
use crate::mcp::{CallAnswer, Failure, FailureClass, PendingCall};
use crate::service::Service;

/// How the waiting for an answer ended.
pub(in crate::service) enum Ended {
    Answered(CallAnswer),
    Failed(Failure),
    Cancelled,
    Stopping,
    Deadline,
    /// Its connection was given up because the server was changed, paused or removed.
    Withdrawn,
}

impl Ended {
    /// Whether the server still works on the call for all that is known, and is to be told that nobody waits.
    pub(in crate::service) const fn leaves_it_running(&self) -> bool {
        match self {
            Self::Answered(_) | Self::Failed(_) => false,
            Self::Cancelled | Self::Stopping | Self::Deadline | Self::Withdrawn => true,
        }
    }
}

impl Attempt {
    /// Waits for the answer to the call that was handed over, or for what ends the waiting.
    pub(in crate::service) async fn answer(
        &mut self,
        pending: &mut Box<dyn PendingCall>,
        withdrawn: impl Future<Output = ()>,
    ) -> Ended {
        let deadline = Instant::now() + self.service.options.budgets.call;
        tokio::select! {
            // An answer that is here counts, whatever else happened meanwhile.
            biased;
            answer = pending.answer() => match answer {
                Ok(answer) => {
                    if let Some(generation) = self.handed_over.get() {
                        self.service.reached(self.id, generation);
                    }
                    Ended::Answered(answer)
                }
                Err(failure) => Ended::Failed(failure),
            },
            () = self.cancelled.cancelled() => Ended::Cancelled,
            _ = self.stopping.wait_for(|stopping| *stopping) => Ended::Stopping,
            () = withdrawn => Ended::Withdrawn,
            () = tokio::time::sleep_until(deadline) => Ended::Deadline,
        }
    }
}

impl Service {
    /// What became of a call by how the waiting for its answer ended, and the answer as it came.
    pub(in crate::service) async fn outcome(&self, ended: Ended) -> (CallOutcome, Option<CallAnswer>) {
        let unknown = match ended {
            Ended::Answered(answer) => return self.read_answer(answer).await,
            Ended::Failed(failure) => no_answer(&failure),
            Ended::Cancelled => cancelled(),
            Ended::Stopping => stopping(),
            Ended::Deadline => timed_out(self.options.budgets.call),
            Ended::Withdrawn => withdrawn(),
        };
        (CallOutcome::unknown(unknown), None)
    }

    /// Reads an answer, which may be large, where it holds nobody up.
    async fn read_answer(&self, answer: CallAnswer) -> (CallOutcome, Option<CallAnswer>) {
        let read = self.with_store(move |_| {
            let outcome = match &answer {
                CallAnswer::Result(result) => outcome::from_result(result),
                CallAnswer::Error(error) => outcome::from_error(error),
            };
            Ok((outcome, Some(answer)))
        });
        // Only a runtime that is being shut down reads nothing any more.
        read.await.unwrap_or_else(|_| (CallOutcome::unknown(stopping()), None))
    }
}

fn no_answer(failure: &Failure) -> Diagnostic {
    let what = match failure.class {
        // It took the call before: what is refused now is the question for the answer that was broken off.
        FailureClass::ConnectionRefused => {
            "The server closed the connection and does not listen any more; it may have ended.".to_owned()
        }
        _ => failure.what(),
    };
    Diagnostic::new(
        Code::CallResponseFailed,
        format!(
            "The call was handed over, but no answer to it could be read; it may have been carried out, and is not \
             repeated. {what}"
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

fn withdrawn() -> Diagnostic {
    Diagnostic::new(
        Code::CallCancelled,
        "The server was paused, changed or removed while it worked on the call, and the connection was closed; it may \
         have carried out the call, which is not repeated.",
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
