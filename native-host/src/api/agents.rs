//! Tools for agents (manager contract §7).

use toolgate_core::Refusal;

use super::Requests;
use crate::bridge::messages::{
    AgentCallParams, AgentCallResult, AgentInvocationParams, AgentPrepareParams, AgentPrepared, AgentProfile,
    AgentReadResultParams, AgentResultPart, CallIdParams,
};

/// What an agent's loop needs of a host. Cheap to clone. `docs/bridge.md`, "Agents", says what each step means.
#[derive(Clone)]
pub struct Agents(Requests);

impl Agents {
    pub(crate) const fn new(requests: Requests) -> Self {
        Self(requests)
    }

    /// Begins an invocation: freezes the tools that the profile allows and that can go to a model now, from memory and
    /// disk only, with aliases beside the local names. What is left out has a diagnostic. Errors:
    /// `mcp.inline_char_limit_invalid`, `mcp.agent_invocation_limit`.
    pub async fn prepare(
        &self,
        profile: AgentProfile,
        local_names: impl IntoIterator<Item = impl Into<String>> + Send,
    ) -> Result<AgentPrepared, Refusal> {
        let params = AgentPrepareParams {
            profile,
            local_names: local_names.into_iter().map(Into::into).collect(),
        };
        self.0
            .carry_out(|service| async move { service.prepare_agent(params).await })
            .await
    }

    /// Calls a tool for the model, once. Errors: `mcp.agent_invocation_not_found`, `mcp.agent_invocation_ended`,
    /// `mcp.call_already_dispatched`. Everything else that keeps the call from being sent is a result for the model.
    pub async fn call(&self, call: AgentCallParams) -> Result<AgentCallResult, Refusal> {
        self.0
            .carry_out(|service| async move { service.agent_call(call).await })
            .await
    }

    /// Cancels the call with this id: the one that runs, or the one that will be asked for.
    pub async fn cancel(&self, call_id: impl Into<String>) -> Result<(), Refusal> {
        let params = CallIdParams {
            call_id: call_id.into(),
        };
        self.0
            .carry_out(|service| async move { service.cancel_agent_call(params).await })
            .await
    }

    /// Lines of a long result of the same invocation. Errors: `mcp.agent_invocation_not_found`,
    /// `mcp.result_file_not_found`, `mcp.result_range_invalid`.
    pub async fn read_result(&self, part: AgentReadResultParams) -> Result<AgentResultPart, Refusal> {
        self.0
            .carry_out(|service| async move { service.read_agent_result(part).await })
            .await
    }

    /// Ends an invocation.
    pub async fn end(&self, invocation_id: impl Into<String>) -> Result<(), Refusal> {
        let params = AgentInvocationParams {
            invocation_id: invocation_id.into(),
        };
        self.0
            .carry_out(|service| async move { service.end_agent(params).await })
            .await
    }
}
