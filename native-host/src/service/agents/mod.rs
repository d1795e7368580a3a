//! Tools for agents (manager contract §7): the bridge's methods. Each run of an agent, each child and each handoff
//! prepares an invocation of its own, whose tools are frozen.

mod invocations;
mod preparing;
mod results;

use std::sync::Arc;

use toolgate_core::model_text::ModelResult;
use toolgate_core::outcome::{Caller, admit};
use toolgate_core::{Code, Refusal, arguments};

pub(super) use self::invocations::Invocations;
use super::Service;
use super::calls::{cancel_call, claim_call, not_sent};
use super::shared::{SharedCall, SharedOutcome};
use crate::bridge::messages::{AgentCallParams, AgentCallResult, AgentInvocationParams, AgentToolResult, CallIdParams};

impl Service {
    /// Calls a tool of an invocation for its model, once. Errors: `mcp.agent_invocation_not_found`,
    /// `mcp.agent_invocation_ended`, `mcp.call_already_dispatched`; whatever else keeps the call from being sent is a
    /// result that tells the model.
    pub(crate) async fn agent_call(self: &Arc<Self>, params: AgentCallParams) -> Result<AgentCallResult, Refusal> {
        let AgentCallParams {
            invocation_id,
            call_id,
            alias,
            arguments_json,
        } = params;
        let in_use = self.invocations.enter(&invocation_id)?;
        let invocation = &in_use.invocation;
        invocation.goes_on()?;
        let claimed = claim_call(&self.agent_call_ids, call_id)?;
        let Some(tool) = invocation.tool(&alias) else {
            return Ok(AgentCallResult::ToolResult(not_bound()));
        };
        let arguments = match arguments::check(&arguments_json, &self.options.limits) {
            Ok(arguments) => arguments,
            Err(reason) => {
                let made = SharedOutcome::not_sent(reason);
                return self.conclude(invocation, &alias, &tool.id, made).await;
            }
        };
        let native_name = tool.id.native_name().to_owned();
        let open = Arc::clone(invocation);
        let checked_name = native_name.clone();
        let made = self
            .shared_call(SharedCall {
                id: tool.id.registration_id(),
                native_name,
                arguments,
                input_schema: tool.input_schema.clone(),
                check: Arc::new(move |_, registration| {
                    // Another call's outcome may have become unknown since.
                    open.goes_on().map_err(|_| not_sent::run_over())?;
                    admit(registration, &checked_name, Caller::Model)
                }),
                cancelled: claimed.cancelled.clone(),
            })
            .await;
        self.conclude(invocation, &alias, &tool.id, made).await
    }

    /// Cancels an agent's call: the one that runs, or the one that will be asked for. One that was under way already has
    /// an unknown outcome, and ends its invocation.
    #[expect(clippy::unused_async, reason = "the table awaits every method alike")]
    pub(crate) async fn cancel_agent_call(&self, params: CallIdParams) -> Result<(), Refusal> {
        cancel_call(&self.agent_call_ids, &params.call_id)
    }

    /// Ends an invocation: its long results can be read no more, calls that were not sent yet are not sent, those under
    /// way go on.
    pub(crate) async fn end_agent(self: &Arc<Self>, params: AgentInvocationParams) -> Result<(), Refusal> {
        let views = self.invocations.end(&params.invocation_id)?;
        self.with_store(move |store| {
            store.remove_views(views);
            Ok(())
        })
        .await?;
        Ok(())
    }

    /// Ends the invocations that were not used for too long, and removes their files without anybody waiting.
    fn forget_unused_invocations(self: &Arc<Self>) {
        let views = self.invocations.expire();
        if views.is_empty() {
            return;
        }
        let service = Arc::clone(self);
        let work = self.work.subscribe();
        self.runtime.spawn(async move {
            let removed = service.with_store(move |store| {
                store.remove_views(views);
                Ok(())
            });
            // A runtime that ends leaves them to the next start.
            let _ = removed.await;
            drop(work);
        });
    }
}

fn not_bound() -> AgentToolResult {
    ModelResult {
        is_error: true,
        error_code: Some(Code::AgentToolNotBound),
        content: format!(
            "The call was not sent ({}): there is no tool of this name; call one of those that you were given.",
            Code::AgentToolNotBound
        ),
        structured: None,
        resource_refs: Vec::new(),
    }
    .into()
}
