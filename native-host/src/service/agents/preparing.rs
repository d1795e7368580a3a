//! `agent.prepare`: the tools of an invocation from memory and disk, never from a server.

use std::collections::HashMap;
use std::sync::Arc;

use toolgate_core::identity::{RegistrationId, ToolId};
use toolgate_core::layers::agent::{AgentTools, ServerSnapshot, freeze};
use toolgate_core::model_text::agent::InlineLimit;
use toolgate_core::server::{Registration, ServerState};
use toolgate_core::{Code, Diagnostic, Refusal};

use crate::bridge::messages::{AgentPrepareParams, AgentPrepared, AgentProfileTools};
use crate::service::Service;
use crate::service::memory::Snapshot;

/// A server with what is known of its catalog.
type Found = (Registration, Result<Option<Arc<Snapshot>>, Diagnostic>);

impl Service {
    /// Begins an invocation with the tools that the profile allows and that can go to a model now. Each that is left out
    /// has a diagnostic. Nothing is read from a server, whatever is missing (manager contract §7).
    pub(crate) async fn prepare_agent(self: &Arc<Self>, params: AgentPrepareParams) -> Result<AgentPrepared, Refusal> {
        let AgentPrepareParams { profile, local_names } = params;
        let AgentProfileTools {
            allow,
            tool_descriptions,
            mcp_result_inline_char_limit,
        } = profile.tools;
        let limits = &self.options.limits;
        let limit = InlineLimit::new(mcp_result_inline_char_limit, limits).map_err(|mut reason| {
            reason.path = reason.path.map(|path| format!("profile.{path}"));
            reason
        })?;
        self.forget_unused_invocations();
        let (mut tools, mut diagnostics) = AgentTools::read(&allow, tool_descriptions, limits);
        let (servers, unreadable) = self.find_servers(&tools.allow).await;
        tools.allow.retain(|id| match unreadable.get(&id.registration_id()) {
            None => true,
            Some(reason) => {
                diagnostics.push(about(reason, id));
                false
            }
        });
        let offer = self
            .with_store(move |_| {
                let snapshots = servers.iter().map(|(registration, snapshot)| ServerSnapshot {
                    registration,
                    catalog: snapshot
                        .as_ref()
                        .map(|snapshot| snapshot.as_ref().map(|snapshot| &snapshot.catalog)),
                });
                Ok(freeze(&tools, snapshots, local_names.iter().map(String::as_str)))
            })
            .await?;
        diagnostics.extend(offer.diagnostics);
        Ok(AgentPrepared {
            invocation_id: self.invocations.open(&offer.tools, limit)?,
            bindings: offer.tools,
            diagnostics,
        })
    }

    /// The servers of these tools at one moment; those whose registration cannot be read with the reason.
    async fn find_servers(&self, tools: &[ToolId]) -> (Vec<Found>, HashMap<RegistrationId, Diagnostic>) {
        let mut ids: Vec<RegistrationId> = tools.iter().map(ToolId::registration_id).collect();
        ids.sort_unstable();
        ids.dedup();
        self.warm(ids.clone()).await;
        let _reading = self.files.read().await;
        let mut servers = Vec::new();
        let mut unreadable = HashMap::new();
        for id in ids {
            match self.with_store(move |store| store.registration(id)).await {
                Ok(registration) => {
                    // Of a paused server nothing is looked up.
                    let snapshot = match registration.state {
                        ServerState::Active => self.snapshot(&registration).await,
                        ServerState::Paused => Ok(None),
                    };
                    servers.push((registration, snapshot));
                }
                // That a server is missing is found again below.
                Err(reason) if reason.code == Code::RegistrationNotFound => {}
                Err(reason) => {
                    unreadable.insert(id, reason);
                }
            }
        }
        (servers, unreadable)
    }
}

fn about(reason: &Diagnostic, id: &ToolId) -> Diagnostic {
    reason
        .clone()
        .about_tool(id.native_name())
        .about_server(id.registration_id())
}
