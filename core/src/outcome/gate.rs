//! What is asked before a call is sent, whoever makes it. Each refusal is a call that was not sent.

use crate::identity::{RegistrationId, ToolId, check_tool_name};
use crate::server::{Permission, Registration, ServerState};
use crate::{Code, Diagnostic, Limits};

/// Who makes a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A person who tries a tool: whatever its permission (manager contract §6).
    Person,
    /// A model, for an agent or in a Legacy chat: ask and allow both go ahead (manager contract §7 and §8).
    Model,
}

/// The tool that a call names. Errors: `mcp.call_registration_invalid`, `mcp.call_tool_name_invalid`.
pub fn target(registration_id: &str, native_name: &str, limits: &Limits) -> Result<ToolId, Diagnostic> {
    let registration_id = RegistrationId::parse(registration_id)
        .map_err(|reason| Diagnostic::new(Code::CallRegistrationInvalid, reason.message))?;
    check_tool_name(native_name, limits)
        .map_err(|reason| Diagnostic::new(Code::CallToolNameInvalid, reason.message))?;
    Ok(ToolId::new(registration_id, native_name.to_owned()))
}

/// Whether a call may be sent as its server is now; asked again right before it is. Errors: `mcp.call_server_paused`,
/// and for a model `mcp.call_permission_off`.
pub fn admit(registration: &Registration, native_name: &str, caller: Caller) -> Result<(), Diagnostic> {
    let refused = |code, message: &str| {
        Err(Diagnostic::new(code, message)
            .about_tool(native_name)
            .about_server(registration.id))
    };
    if registration.state == ServerState::Paused {
        return refused(
            Code::CallServerPaused,
            "The server is paused; activate it to use its tools.",
        );
    }
    let permission = registration.tool_permissions.get(native_name).copied();
    if caller == Caller::Model && permission.unwrap_or_default() == Permission::Off {
        return refused(Code::CallPermissionOff, "The tool is off; it may not be used.");
    }
    Ok(())
}
