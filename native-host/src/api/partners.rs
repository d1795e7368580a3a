//! Partners, their sessions, turns and calls (partner contract).

use toolgate_core::Refusal;
use toolgate_core::identity::{RegistrationId, ToolId};
use toolgate_core::partner::{GrantScope, Partner, PartnerId};

use super::Requests;
use crate::bridge::NoParams;
use crate::bridge::messages::CallIdParams;
use crate::bridge::messages::partners::{
    CreatePartnerParams, GrantParams, OpenSessionParams, PartnerCallParams, PartnerCallResult, PartnerList,
    PartnerParams, PartnerPreview, PartnerTurn, RenamePartnerParams, RevokeParams, SessionKind, SessionParams,
    SetPartnerEnabledParams, TurnParams,
};

/// Partners of a host. Cheap to clone. `docs/partners.md` says what each step means. Errors of all that take a partner's
/// id: `mcp.partner_not_found`; of all that read or change partners: `mcp.storage_…` while their file cannot be used.
#[derive(Clone)]
pub struct Partners(Requests);

impl Partners {
    pub(crate) const fn new(requests: Requests) -> Self {
        Self(requests)
    }

    /// Every partner with its grants, by name, then by id.
    pub async fn list(&self) -> Result<PartnerList, Refusal> {
        self.0
            .carry_out(|service| async move { service.list_partners(NoParams {}).await })
            .await
    }

    /// Makes a partner: its MCP switch is off, nothing is granted. Errors: `mcp.display_name_…`, `mcp.partner_limit`.
    pub async fn create(&self, name: impl Into<String>) -> Result<Partner, Refusal> {
        let params = CreatePartnerParams { name: name.into() };
        self.0
            .carry_out(|service| async move { service.create_partner(params).await })
            .await
    }

    /// Gives a partner another name. Errors: `mcp.display_name_…`.
    pub async fn rename(&self, id: PartnerId, name: impl Into<String>) -> Result<Partner, Refusal> {
        let params = RenamePartnerParams {
            partner_id: id.to_string(),
            name: name.into(),
        };
        self.0
            .carry_out(|service| async move { service.rename_partner(params).await })
            .await
    }

    /// Removes a partner with its grants.
    pub async fn remove(&self, id: PartnerId) -> Result<(), Refusal> {
        let params = PartnerParams {
            partner_id: id.to_string(),
        };
        self.0
            .carry_out(|service| async move { service.remove_partner(params).await })
            .await
    }

    /// Switches MCP on or off for a partner; off keeps its grants.
    pub async fn set_enabled(&self, id: PartnerId, enabled: bool) -> Result<Partner, Refusal> {
        let params = SetPartnerEnabledParams {
            partner_id: id.to_string(),
            enabled,
        };
        self.0
            .carry_out(|service| async move { service.set_partner_enabled(params).await })
            .await
    }

    /// Grants a partner a server, or changes the scope of a grant. Error: `mcp.registration_not_found`.
    pub async fn grant(&self, id: PartnerId, server: RegistrationId, scope: GrantScope) -> Result<Partner, Refusal> {
        let params = GrantParams {
            partner_id: id.to_string(),
            server_id: server.to_string(),
            scope,
        };
        self.0
            .carry_out(|service| async move { service.grant_partner(params).await })
            .await
    }

    /// Withdraws a server; its tools are not called any more from now on.
    pub async fn revoke(&self, id: PartnerId, server: RegistrationId) -> Result<Partner, Refusal> {
        let params = RevokeParams {
            partner_id: id.to_string(),
            server_id: server.to_string(),
        };
        self.0
            .carry_out(|service| async move { service.revoke_partner(params).await })
            .await
    }

    /// What the next turn would offer of each granted server, and why something is missing.
    pub async fn preview(&self, id: PartnerId) -> Result<PartnerPreview, Refusal> {
        let params = PartnerParams {
            partner_id: id.to_string(),
        };
        self.0
            .carry_out(|service| async move { service.preview_partner(params).await })
            .await
    }

    /// Opens a session for a conversation with a partner; its id. Error: `mcp.partner_session_limit`.
    pub async fn open_session(&self, id: PartnerId) -> Result<String, Refusal> {
        self.open(id, SessionKind::Partner, None).await
    }

    /// Opens a session for a temporary task on a partner's behalf; its id. With a filter, no other tools are offered.
    /// Error: `mcp.partner_session_limit`.
    pub async fn open_task(
        &self,
        id: PartnerId,
        filter: Option<impl IntoIterator<Item = ToolId> + Send>,
    ) -> Result<String, Refusal> {
        let filter = filter.map(|filter| filter.into_iter().map(|id| id.to_string()).collect());
        self.open(id, SessionKind::Task, filter).await
    }

    async fn open(&self, id: PartnerId, kind: SessionKind, filter: Option<Vec<String>>) -> Result<String, Refusal> {
        let params = OpenSessionParams {
            kind,
            partner_id: id.to_string(),
            tool_filter: filter,
        };
        let opened = self
            .0
            .carry_out(|service| async move { service.open_partner_session(params).await })
            .await?;
        Ok(opened.session_id)
    }

    /// Begins a turn: freezes the session's tools, from memory and disk only, with aliases beside the local names. Error:
    /// `mcp.partner_session_not_found`.
    pub async fn turn(
        &self,
        session_id: impl Into<String>,
        local_names: impl IntoIterator<Item = impl Into<String>> + Send,
    ) -> Result<PartnerTurn, Refusal> {
        let params = TurnParams {
            session_id: session_id.into(),
            local_names: local_names.into_iter().map(Into::into).collect(),
        };
        self.0
            .carry_out(|service| async move { service.begin_partner_turn(params).await })
            .await
    }

    /// Calls a tool of the present turn, once. Errors: `mcp.partner_session_not_found`, `mcp.call_already_dispatched`.
    /// Everything else that keeps the call from being sent is a result for the model.
    pub async fn call(&self, call: PartnerCallParams) -> Result<PartnerCallResult, Refusal> {
        self.0
            .carry_out(|service| async move { service.call_partner_tool(call).await })
            .await
    }

    /// Cancels the call with this id: the one that runs, or the one that will be asked for.
    pub async fn cancel(&self, call_id: impl Into<String>) -> Result<(), Refusal> {
        let params = CallIdParams {
            call_id: call_id.into(),
        };
        self.0
            .carry_out(|service| async move { service.cancel_partner_call(params).await })
            .await
    }

    /// Closes a session. Calls under way go on.
    pub async fn close_session(&self, session_id: impl Into<String>) -> Result<(), Refusal> {
        let params = SessionParams {
            session_id: session_id.into(),
        };
        self.0
            .carry_out(|service| async move { service.close_partner_session(params).await })
            .await
    }
}
