//! What a person decides about tools: permissions and description overrides (manager contract §4).

use std::sync::Arc;

use toolgate_core::identity;
use toolgate_core::server::{Permission, Registration};
use toolgate_core::{Diagnostic, Refusal, validate};

use super::registrations::Change;
use super::{Service, registration_id};
use crate::bridge::messages::{ServerSummary, SetDescriptionOverrideParams, SetPermissionParams, SetPermissionsParams};

impl Service {
    /// Decides about one tool. Off removes what was decided.
    pub(crate) async fn set_permission(
        self: &Arc<Self>,
        params: SetPermissionParams,
    ) -> Result<ServerSummary, Refusal> {
        let SetPermissionParams {
            id,
            native_name,
            permission,
        } = params;
        let id = registration_id(&id)?;
        self.check_tool_name(&native_name, "nativeName")?;
        self.change(id, Change::Decision, move |registration| {
            permit(registration, native_name, permission);
            Ok(())
        })
        .await
    }

    /// Decides about many tools of a server with one write: all or nothing.
    pub(crate) async fn set_permissions(
        self: &Arc<Self>,
        params: SetPermissionsParams,
    ) -> Result<ServerSummary, Refusal> {
        let SetPermissionsParams { id, changes } = params;
        let id = registration_id(&id)?;
        for native_name in changes.keys() {
            self.check_tool_name(native_name, "changes")?;
        }
        self.change(id, Change::Decision, move |registration| {
            for (native_name, permission) in changes {
                permit(registration, native_name, permission);
            }
            Ok(())
        })
        .await
    }

    /// Says how models are told about a tool. Null removes it, an empty override is refused.
    pub(crate) async fn set_description_override(
        self: &Arc<Self>,
        params: SetDescriptionOverrideParams,
    ) -> Result<ServerSummary, Refusal> {
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
        self.change(id, Change::Decision, move |registration| {
            match description_override {
                Some(description_override) => registration
                    .tool_description_overrides
                    .insert(native_name, description_override),
                None => registration.tool_description_overrides.remove(&native_name),
            };
            Ok(())
        })
        .await
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
