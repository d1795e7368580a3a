//! What a person decides about tools: permissions and description overrides (manager contract §4).

use std::collections::HashSet;
use std::sync::Arc;

use toolgate_core::identity::{self, RegistrationId};
use toolgate_core::server::{Permission, Registration};
use toolgate_core::{Code, Diagnostic, Refusal, validate};

use super::registrations::Change;
use super::{Service, registration_id};
use crate::bridge::messages::{
    DecidedServer, ServerSummary, SetDescriptionOverrideParams, SetPermissionParams, SetPermissionsParams,
};

impl Service {
    /// Decides about one tool. Off removes what was decided.
    pub(crate) async fn set_permission(
        self: &Arc<Self>,
        params: SetPermissionParams,
    ) -> Result<DecidedServer, Refusal> {
        let SetPermissionParams {
            id,
            native_name,
            permission,
        } = params;
        let id = registration_id(&id)?;
        self.check_tool_name(&native_name, "nativeName")?;
        let named = Vec::from_iter((permission != Permission::Off).then(|| native_name.clone()));
        let server = self
            .change(id, Change::Decision, move |registration| {
                permit(registration, native_name, permission);
                Ok(())
            })
            .await?;
        Ok(self.decided(id, server, named).await)
    }

    /// Decides about many tools of a server with one write: all or nothing.
    pub(crate) async fn set_permissions(
        self: &Arc<Self>,
        params: SetPermissionsParams,
    ) -> Result<DecidedServer, Refusal> {
        let SetPermissionsParams { id, changes } = params;
        let id = registration_id(&id)?;
        for native_name in changes.keys() {
            self.check_tool_name(native_name, "changes")?;
        }
        let named = changes
            .iter()
            .filter(|(_, permission)| **permission != Permission::Off)
            .map(|(native_name, _)| native_name.clone())
            .collect();
        let server = self
            .change(id, Change::Decision, move |registration| {
                for (native_name, permission) in changes {
                    permit(registration, native_name, permission);
                }
                Ok(())
            })
            .await?;
        Ok(self.decided(id, server, named).await)
    }

    /// Says how models are told about a tool. Null removes it, an empty override is refused.
    pub(crate) async fn set_description_override(
        self: &Arc<Self>,
        params: SetDescriptionOverrideParams,
    ) -> Result<DecidedServer, Refusal> {
        let SetDescriptionOverrideParams {
            id,
            native_name,
            description_override,
        } = params;
        let id = registration_id(&id)?;
        self.check_tool_name(&native_name, "nativeName")?;
        if let Some(description_override) = &description_override {
            validate::description_override(description_override)
                .map_err(|diagnostic| diagnostic.at("override").about_tool(&native_name))?;
        }
        let named = Vec::from_iter(description_override.is_some().then(|| native_name.clone()));
        let server = self
            .change(id, Change::Decision, move |registration| {
                match description_override {
                    Some(description_override) => registration
                        .tool_description_overrides
                        .insert(native_name, description_override),
                    None => registration.tool_description_overrides.remove(&native_name),
                };
                Ok(())
            })
            .await?;
        Ok(self.decided(id, server, named).await)
    }

    /// Adds a note for each of the named tools that the server's catalog does not have. Without a catalog that can be read
    /// nothing is known about names, and nothing is said.
    async fn decided(self: &Arc<Self>, id: RegistrationId, server: ServerSummary, named: Vec<String>) -> DecidedServer {
        let notes = if named.is_empty() {
            Vec::new()
        } else {
            self.names_missing(id, named).await.unwrap_or_default()
        };
        let notes = (!notes.is_empty()).then_some(notes);
        DecidedServer { server, notes }
    }

    async fn names_missing(
        self: &Arc<Self>,
        id: RegistrationId,
        named: Vec<String>,
    ) -> Result<Vec<Diagnostic>, Diagnostic> {
        let _reading = self.files.read().await;
        let registration = self.with_store(move |store| store.registration(id)).await?;
        // The names are all that is asked for: nobody waits for a check of the schemas.
        let saved = self.saved(&registration).await?;
        let Some(catalog) = saved.catalog() else {
            return Ok(Vec::new());
        };
        let offered: HashSet<&str> = catalog.tools.iter().map(|tool| tool.native_name.as_str()).collect();
        let missing = named.into_iter().filter(|name| !offered.contains(name.as_str()));
        Ok(missing
            .map(|name| {
                Diagnostic::new(
                    Code::ToolNotInCatalog,
                    "The server's list of tools, as it was read last, has no tool of this name. What you set is kept and \
                     counts once there is one. If the name is misspelled, set it to off, or remove the description, and \
                     use the name that `servers.discover` gives.",
                )
                .about_tool(&name)
            })
            .collect())
    }

    fn check_tool_name(&self, native_name: &str, path: &str) -> Result<(), Diagnostic> {
        identity::check_tool_name(native_name, &self.options.limits).map_err(|diagnostic| diagnostic.at(path))
    }
}

fn permit(registration: &mut Registration, native_name: String, permission: Permission) {
    match permission {
        Permission::Off => registration.tool_permissions.remove(&native_name),
        Permission::Ask | Permission::Allow => registration.tool_permissions.insert(native_name, permission),
    };
}
