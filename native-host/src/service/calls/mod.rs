//! Calls of tools by a person (manager contract §6): the bridge's methods. Each call id is good for one call, and a call
//! leaves this computer at most once.

pub(super) mod answer;
pub(super) mod attempt;
mod dispatch;
pub(super) mod ids;
pub(super) mod not_sent;
mod preparing;

use std::sync::Arc;

use toolgate_core::outcome::CallOutcome;
use toolgate_core::{Code, Diagnostic, Refusal};

use self::ids::{AlreadyUsed, CallIds, Claim, Claimed};
use super::Service;
use crate::bridge::messages::{CallIdParams, TestCallParams};

/// The longest call id, in characters.
const CALL_ID_CHARS: usize = 128;

impl Service {
    /// Registers the id of a test call before the call is asked for, so that a cancellation finds it.
    #[expect(clippy::unused_async, reason = "the table awaits every method alike")]
    pub(crate) async fn start_test_call(&self, params: CallIdParams) -> Result<(), Refusal> {
        check_call_id(&params.call_id)?;
        self.call_ids
            .announce(&params.call_id)
            .map_err(|AlreadyUsed| already_dispatched().into())
    }

    /// Calls a tool, whatever its permission is, and changes none. What became of the call is the outcome, never an
    /// error; an error, `mcp.call_already_dispatched`, says that this request made no call because another one did.
    pub(crate) async fn test_call(self: &Arc<Self>, params: TestCallParams) -> Result<CallOutcome, Refusal> {
        let TestCallParams {
            call_id,
            id,
            native_name,
            arguments_json,
        } = params;
        if let Some(call_id) = &call_id {
            check_call_id(call_id)?;
        }
        let claimed = match self.call_ids.claim(call_id) {
            Claim::Granted(claimed) => claimed,
            Claim::NotAnnounced => return Ok(CallOutcome::not_sent(not_sent::not_announced("tools.startTestCall"))),
            Claim::AlreadyUsed => return Err(already_dispatched().into()),
        };
        let outcome = match self.prepare_call(&id, native_name, &arguments_json, &claimed.cancelled) {
            Ok(preparing) => self.dispatch(preparing).await,
            Err(reason) => CallOutcome::not_sent(reason),
        };
        Ok(outcome)
    }

    /// Cancels a test call: the one that runs, or the one that will be asked for. One that has ended is none of these.
    #[expect(clippy::unused_async, reason = "the table awaits every method alike")]
    pub(crate) async fn cancel_test_call(&self, params: CallIdParams) -> Result<(), Refusal> {
        cancel_call(&self.call_ids, &params.call_id)
    }
}

/// Takes the id of a model's call, which need not be announced. Errors: `mcp.bridge_params_invalid` for an id that is
/// none, `mcp.call_already_dispatched` for one that was used.
pub(super) fn claim_call(ids: &CallIds, call_id: Option<String>) -> Result<Claimed<'_>, Refusal> {
    if let Some(call_id) = &call_id {
        check_call_id(call_id)?;
    }
    ids.claim_at_once(call_id)
        .map_err(|AlreadyUsed| already_dispatched().into())
}

/// Cancels a model's call: the one that runs, or the one that will be asked for.
pub(super) fn cancel_call(ids: &CallIds, call_id: &str) -> Result<(), Refusal> {
    check_call_id(call_id)?;
    ids.cancel(call_id);
    Ok(())
}

fn check_call_id(id: &str) -> Result<(), Diagnostic> {
    if (1..=CALL_ID_CHARS).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(());
    }
    Err(Diagnostic::new(
        Code::BridgeParamsInvalid,
        format!("callId must be 1 to {CALL_ID_CHARS} visible ASCII characters; a UUID is a good one."),
    )
    .at("callId"))
}

pub(super) fn already_dispatched() -> Diagnostic {
    Diagnostic::new(
        Code::CallAlreadyDispatched,
        "A call with this id was asked for before. It is not made a second time; its outcome goes to whoever asked \
         first.",
    )
    .at("callId")
}
