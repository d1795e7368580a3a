//! Calls of tools (manager contract §6).

mod ids;

use std::sync::Arc;

use toolgate_core::outcome::CallOutcome;
use toolgate_core::{Code, Diagnostic, Refusal};

use self::ids::AlreadyUsed;
pub(super) use self::ids::{CallIds, Claim};
use super::Service;
use crate::bridge::messages::{CallIdParams, TestCallParams};

/// The longest call id, in characters.
const CALL_ID_CHARS: usize = 128;

impl Service {
    /// Registers the id of a test call before the call is asked for.
    #[expect(clippy::unused_async, reason = "the table awaits every method alike")]
    pub(crate) async fn start_test_call(&self, params: CallIdParams) -> Result<(), Refusal> {
        check_call_id(&params.call_id)?;
        self.call_ids
            .announce(&params.call_id)
            .map_err(|AlreadyUsed| already_dispatched())?;
        Ok(())
    }

    /// Cancels a test call: the one that runs, or the one that will be asked for.
    #[expect(clippy::unused_async, reason = "the table awaits every method alike")]
    pub(crate) async fn cancel_test_call(&self, params: CallIdParams) -> Result<(), Refusal> {
        check_call_id(&params.call_id)?;
        self.call_ids.cancel(&params.call_id);
        Ok(())
    }

    /// Calls a tool for a person, once.
    #[expect(clippy::unused_async, reason = "the table awaits every method alike")]
    pub(crate) async fn test_call(self: &Arc<Self>, params: TestCallParams) -> Result<CallOutcome, Refusal> {
        if let Some(id) = &params.call_id {
            check_call_id(id)?;
        }
        let claimed = match self.call_ids.claim(params.call_id) {
            Claim::Granted(claimed) => claimed,
            Claim::NotAnnounced => {
                return Ok(CallOutcome::not_sent(Diagnostic::new(
                    Code::CallNotStarted,
                    Code::CallNotStarted.meaning(),
                )));
            }
            Claim::AlreadyUsed => return Err(already_dispatched().into()),
        };
        drop(claimed);
        Ok(CallOutcome::not_sent(Diagnostic::new(
            Code::CallNotQueued,
            Code::CallNotQueued.meaning(),
        )))
    }
}

fn check_call_id(id: &str) -> Result<(), Diagnostic> {
    let fits = (1..=CALL_ID_CHARS).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic());
    if fits {
        return Ok(());
    }
    Err(Diagnostic::new(
        Code::BridgeParamsInvalid,
        format!("callId must be 1 to {CALL_ID_CHARS} visible ASCII characters; a UUID is a good one."),
    )
    .at("callId"))
}

fn already_dispatched() -> Diagnostic {
    Diagnostic::new(
        Code::CallAlreadyDispatched,
        "A call with this id was asked for before. It is not made a second time; its outcome went to whoever asked first.",
    )
    .at("callId")
}
