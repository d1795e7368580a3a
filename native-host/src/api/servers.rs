//! Servers and what is decided about their tools (manager contract §4 and §5).

use std::collections::BTreeMap;

use toolgate_core::Refusal;
use toolgate_core::identity::RegistrationId;
use toolgate_core::projection::DiscoveryResult;
use toolgate_core::server::{DescriptionOverride, Permission, ServerConfig, ServerState};

use super::Requests;
use crate::bridge::messages::{
    CreateParams, EditableConfig, ListParams, ReadConfigParams, SaveConfigParams, ServerList, ServerParams,
    ServerSummary, SetDescriptionOverrideParams, SetPermissionParams, SetPermissionsParams, SetStateParams,
};

/// The servers of a host. Cheap to clone.
///
/// Errors are those of the bridge's methods; a server that does not exist is `mcp.registration_not_found`.
#[derive(Clone)]
pub struct Servers(Requests);

impl Servers {
    pub(crate) const fn new(requests: Requests) -> Self {
        Self(requests)
    }

    /// Every server and every bad file at one moment; configurations, secrets included, only with `reveal`.
    pub async fn list(&self, reveal: bool) -> Result<ServerList, Refusal> {
        let params = ListParams { reveal };
        self.0
            .carry_out(|service| async move { service.list(params).await })
            .await
    }

    /// Registers a server. It is paused: nothing connects before [`set_state`](Self::set_state). Errors: those of its
    /// name and configuration, `mcp.server_limit`, `mcp.transport_unsupported`.
    pub async fn create(
        &self,
        display_name: impl Into<String>,
        config: ServerConfig,
    ) -> Result<ServerSummary, Refusal> {
        let params = CreateParams {
            display_name: display_name.into(),
            config,
        };
        self.0
            .carry_out(|service| async move { service.create(params).await })
            .await
    }

    /// A server's name, configuration (masked without `reveal`) and the revision that a save carries back.
    pub async fn read_config(&self, id: RegistrationId, reveal: bool) -> Result<EditableConfig, Refusal> {
        let params = ReadConfigParams {
            id: id.to_string(),
            reveal,
        };
        self.0
            .carry_out(|service| async move { service.read_config(params).await })
            .await
    }

    /// Saves a server's name and configuration; placeholders stand for what is to stay. Errors: `mcp.config_conflict`
    /// where somebody saved since `revision` was read, `mcp.mask_placeholder_…`, and those of [`create`](Self::create).
    pub async fn save_config(
        &self,
        id: RegistrationId,
        display_name: impl Into<String>,
        config: ServerConfig,
        revision: impl Into<String>,
    ) -> Result<ServerSummary, Refusal> {
        let params = SaveConfigParams {
            id: id.to_string(),
            display_name: display_name.into(),
            config,
            revision: revision.into(),
        };
        self.0
            .carry_out(|service| async move { service.save_config(params).await })
            .await
    }

    /// Activates or pauses a server. Activate it once a person has seen the exact endpoint or command.
    pub async fn set_state(&self, id: RegistrationId, state: ServerState) -> Result<ServerSummary, Refusal> {
        let params = SetStateParams {
            id: id.to_string(),
            state,
            revision: None,
        };
        self.0
            .carry_out(|service| async move { service.set_state(params).await })
            .await
    }

    /// Removes a server with its decisions and its catalog.
    pub async fn remove(&self, id: RegistrationId) -> Result<(), Refusal> {
        let params = ServerParams { id: id.to_string() };
        self.0
            .carry_out(|service| async move { service.remove(params).await })
            .await
    }

    /// The tools of an active server, from memory, its file, or the server itself, in this order (at most 30 s). Errors:
    /// `mcp.server_paused`, `mcp.connection_…`, `mcp.discovery_…`, `mcp.catalog_…`.
    pub async fn discover(&self, id: RegistrationId) -> Result<DiscoveryResult, Refusal> {
        let params = ServerParams { id: id.to_string() };
        self.0
            .carry_out(|service| async move { service.discover(params).await })
            .await
    }

    /// The same, always from the server.
    pub async fn refresh(&self, id: RegistrationId) -> Result<DiscoveryResult, Refusal> {
        let params = ServerParams { id: id.to_string() };
        self.0
            .carry_out(|service| async move { service.refresh(params).await })
            .await
    }

    /// Decides about one tool. Off removes what was decided.
    pub async fn set_permission(
        &self,
        id: RegistrationId,
        native_name: impl Into<String>,
        permission: Permission,
    ) -> Result<ServerSummary, Refusal> {
        let params = SetPermissionParams {
            id: id.to_string(),
            native_name: native_name.into(),
            permission,
        };
        self.0
            .carry_out(|service| async move { service.set_permission(params).await })
            .await
    }

    /// Decides about many tools of a server with one write, by native name.
    pub async fn set_permissions(
        &self,
        id: RegistrationId,
        changes: BTreeMap<String, Permission>,
    ) -> Result<ServerSummary, Refusal> {
        let params = SetPermissionsParams {
            id: id.to_string(),
            changes,
        };
        self.0
            .carry_out(|service| async move { service.set_permissions(params).await })
            .await
    }

    /// Says how models are told about a tool; none removes what was said. An empty override is refused
    /// (`mcp.description_override_empty`).
    pub async fn set_description_override(
        &self,
        id: RegistrationId,
        native_name: impl Into<String>,
        description_override: Option<DescriptionOverride>,
    ) -> Result<ServerSummary, Refusal> {
        let params = SetDescriptionOverrideParams {
            id: id.to_string(),
            native_name: native_name.into(),
            description_override,
        };
        self.0
            .carry_out(|service| async move { service.set_description_override(params).await })
            .await
    }
}
