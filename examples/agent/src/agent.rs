//! The loop: ask the model, make its calls, ask again.

use serde_json::{json, value::to_raw_value};
use toolgate_host::Host;
use toolgate_host::api::Agents;
use toolgate_host::bridge::messages::{AgentCallParams, AgentCallResult, AgentPrepared, AgentProfile};
use toolgate_host::toolgate_core::outcome::CallFailure;
use toolgate_host::toolgate_core::{Diagnostic, Refusal};

use crate::chat::{Call, ChatError, Endpoint, Message};
use crate::tools::{self, READ};

/// How a run ended.
#[derive(Debug)]
pub enum Ended {
    /// The model answered.
    Answered(String),
    /// What became of a call is unknown: the model was not asked again, and nothing was repeated.
    OutcomeUnknown(CallFailure),
    /// The model went on calling tools for as many rounds as it may.
    TooManyRounds,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The model gave no answer.
    #[error(transparent)]
    Chat(#[from] ChatError),
    /// Toolgate refused.
    #[error(transparent)]
    Toolgate(#[from] Refusal),
    /// A message could not be written.
    #[error("a message could not be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// An agent: a model, and what its profile allows.
pub struct Agent<'a> {
    /// Whose tools.
    pub host: &'a Host,
    /// Which model.
    pub endpoint: &'a Endpoint,
    /// What it may use.
    pub profile: AgentProfile,
    /// How often the model is asked at most.
    pub most_rounds: usize,
}

impl Agent<'_> {
    /// Carries out a task. `on_left_out` is told of each tool that the profile allows and the model does not get.
    ///
    /// # Errors
    ///
    /// The endpoint or Toolgate failed.
    pub async fn run(&self, task: &str, on_left_out: impl Fn(&Diagnostic)) -> Result<Ended, RunError> {
        let agents = self.host.agents();
        let prepared = agents.prepare(self.profile.clone(), [READ]).await?;
        prepared.diagnostics.iter().for_each(on_left_out);
        let ended = self.converse(&agents, &prepared, task).await;
        // However it ended, its long results are needed no more.
        agents.end(prepared.invocation_id).await?;
        ended
    }

    async fn converse(&self, agents: &Agents, prepared: &AgentPrepared, task: &str) -> Result<Ended, RunError> {
        let offered = tools::offered(&prepared.bindings)?;
        let mut messages: Vec<Message> = vec![to_raw_value(&json!({"role": "user", "content": task}))?];
        for _ in 0..self.most_rounds {
            let said = self.endpoint.ask(&messages, &offered).await?;
            if said.calls.is_empty() {
                return Ok(Ended::Answered(said.text));
            }
            messages.push(said.message);
            for call in said.calls {
                let content = match result_of(agents, &prepared.invocation_id, &call).await? {
                    Ok(content) => content,
                    // No result is made up, and the model is not asked again.
                    Err(unknown) => return Ok(Ended::OutcomeUnknown(unknown)),
                };
                let message = json!({"role": "tool", "tool_call_id": call.id, "content": content});
                messages.push(to_raw_value(&message)?);
            }
        }
        Ok(Ended::TooManyRounds)
    }
}

/// What the model reads of one of its calls.
async fn result_of(agents: &Agents, invocation_id: &str, call: &Call) -> Result<Result<String, CallFailure>, Refusal> {
    let function = &call.function;
    if function.name == READ {
        return Ok(Ok(tools::read(agents, invocation_id, &function.arguments).await));
    }
    let result = agents
        .call(AgentCallParams {
            invocation_id: invocation_id.to_owned(),
            call_id: None,
            alias: function.name.clone(),
            arguments_json: function.arguments.clone(),
        })
        .await?;
    Ok(match result {
        AgentCallResult::ToolResult(result) => Ok(result.content),
        AgentCallResult::InvocationEnded(unknown) => Err(unknown),
    })
}
