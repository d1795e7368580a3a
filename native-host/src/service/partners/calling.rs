//! `partners.call`: a model's call of a tool that its turn offers, checked again when it is made, sent at most once over
//! the server's shared connection (partner contract).

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use toolgate_core::model_text::ModelResult;
use toolgate_core::model_text::partner::partner_result;
use toolgate_core::outcome::{CallFailure, CallOutcome};
use toolgate_core::partner::{FrozenTool, recheck};
use toolgate_core::{Code, Diagnostic, Refusal, arguments};

use super::servers::Server;
use super::sessions::{Session, Turn};
use crate::bridge::messages::CallIdParams;
use crate::bridge::messages::partners::{PartnerCallParams, PartnerCallResult, PartnerToolResult};
use crate::service::calls::attempt::Recheck;
use crate::service::calls::{cancel_call, claim_call};
use crate::service::shared::SharedCall;
use crate::service::{Service, stopping};

impl Service {
    /// Calls a tool of the session's present turn. What became of the call is the outcome; an error says that this
    /// request made no call: there is no such session, or the call id was used before.
    pub(crate) async fn call_partner_tool(
        self: &Arc<Self>,
        params: PartnerCallParams,
    ) -> Result<PartnerCallResult, Refusal> {
        let PartnerCallParams {
            session_id,
            call_id,
            alias,
            arguments_json,
        } = params;
        let session = self.sessions.enter(&session_id)?;
        let claimed = claim_call(&self.partner_call_ids, call_id)?;
        let Some(turn) = session.turn() else {
            return self.settle(None, CallOutcome::not_sent(not_offered())).await;
        };
        let call = self.shared_call_of(&session, &turn, &alias, &arguments_json, &claimed.cancelled);
        let outcome = match call {
            Ok(call) => self.shared_call(call).await.outcome,
            Err(reason) => CallOutcome::not_sent(reason),
        };
        self.settle(Some(&turn), outcome).await
    }

    /// Cancels a partner's call: the one that runs, or the one that will be asked for.
    #[expect(clippy::unused_async, reason = "the table awaits every method alike")]
    pub(crate) async fn cancel_partner_call(self: &Arc<Self>, params: CallIdParams) -> Result<(), Refusal> {
        cancel_call(&self.partner_call_ids, &params.call_id)
    }

    fn shared_call_of(
        self: &Arc<Self>,
        session: &Arc<Session>,
        turn: &Arc<Turn>,
        alias: &str,
        arguments_json: &str,
        cancelled: &CancellationToken,
    ) -> Result<SharedCall, Diagnostic> {
        if turn.has_ended() {
            return Err(turn_ended());
        }
        let tool = turn.tool(alias).ok_or_else(not_offered)?;
        let arguments = arguments::check(arguments_json, &self.options.limits)?;
        Ok(SharedCall {
            id: tool.model.tool_id.registration_id(),
            native_name: tool.model.tool_id.native_name().to_owned(),
            arguments,
            input_schema: tool.input_schema.clone(),
            check: self.second_check(session, turn, tool),
            cancelled: cancelled.clone(),
        })
    }

    /// What is asked of the files right before the call is sent.
    fn second_check(self: &Arc<Self>, session: &Arc<Session>, turn: &Arc<Turn>, tool: &FrozenTool) -> Recheck {
        let service = Arc::clone(self);
        let session = Arc::clone(session);
        let turn = Arc::clone(turn);
        let tool = tool.clone();
        Arc::new(move |store, registration| {
            if turn.has_ended() {
                return Err(turn_ended());
            }
            let partners = store.partners().map_err(|reason| unreadable(&reason))?;
            let partner = partners.iter().find(|partner| partner.id == session.partner);
            let server = Server::read(&service, store, registration.clone());
            let grants = partner.map(|partner| session.grants(partner));
            recheck(&tool, grants.as_ref(), Some(server.now()), &service.options.limits)
        })
    }

    /// Makes of an outcome what the model reads. An unknown one ends the turn.
    async fn settle(&self, turn: Option<&Arc<Turn>>, outcome: CallOutcome) -> Result<PartnerCallResult, Refusal> {
        if let (CallOutcome::OutcomeUnknown(_), Some(turn)) = (&outcome, turn) {
            turn.end();
        }
        let limits = self.options.limits.clone();
        // A large result is written where it holds nobody up.
        let read = self.with_store(move |_| Ok(partner_result(&outcome, &limits)));
        // Only a runtime that is being shut down reads nothing any more.
        let result = read.await.unwrap_or_else(|_| {
            Err(CallFailure {
                code: Code::CallCancelled,
                message: stopping().message,
            })
        });
        Ok(match result {
            Ok(ModelResult {
                is_error,
                error_code,
                content,
                structured,
                resource_refs,
            }) => PartnerCallResult::ToolResult(PartnerToolResult {
                content,
                is_error,
                error_code,
                structured_json: structured,
                resource_refs,
            }),
            Err(unknown) => PartnerCallResult::TurnEnded(unknown),
        })
    }
}

fn not_offered() -> Diagnostic {
    Diagnostic::new(
        Code::PartnerToolNotOffered,
        "The tool is not among those of this turn, and nothing was sent. Call one that is, by its exact name.",
    )
}

fn turn_ended() -> Diagnostic {
    Diagnostic::new(
        Code::PartnerTurnEnded,
        "The outcome of another call of this turn is unknown; nothing more is sent before the next turn.",
    )
}

fn unreadable(reason: &Diagnostic) -> Diagnostic {
    Diagnostic::new(
        Code::PartnerGrantWithdrawn,
        format!(
            "Whether the partner may still use the tool could not be read, and the call was not sent. {}",
            reason.message
        ),
    )
}
