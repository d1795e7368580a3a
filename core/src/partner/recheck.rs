//! The second check of a call: whether the frozen tool may still be called as it was offered.

use super::offer::{GrantedServer, ServerNow, offer};
use super::{FrozenTool, GrantScope, PartnerGrant, SessionGrants};
use crate::json;
use crate::server::{Permission, ServerState};
use crate::{Code, Diagnostic, Limits};

/// Whether a call of a frozen tool may be sent, by what is true now: the grants, the server's state, its connection
/// revision and the tool's schema (partner contract). `grants` are those that count for the session now, none where its
/// partner was removed; `server` is none where it was removed. Each refusal is a call that was not sent:
/// - `mcp.partner_grant_withdrawn`: the partner, its switch or its grant is gone;
/// - `mcp.call_registration_not_found`, `mcp.call_server_paused`, and at scope `permitted` `mcp.call_permission_off`;
/// - `mcp.partner_tool_changed`: the server is reached in another way, its tools cannot be read, the tool is gone, or its
///   schema is another value; the next turn offers what there is.
pub fn recheck(
    tool: &FrozenTool,
    grants: Option<&SessionGrants>,
    server: Option<ServerNow<'_>>,
    limits: &Limits,
) -> Result<(), Diagnostic> {
    let id = &tool.model.tool_id;
    let refused = |code, message: &str| {
        Err(Diagnostic::new(code, message)
            .about_tool(id.native_name())
            .about_server(id.registration_id()))
    };
    let withdrawn = |message| refused(Code::PartnerGrantWithdrawn, message);
    let Some(grants) = grants else {
        return withdrawn("The partner was removed, and the call was not sent.");
    };
    if !grants.mcp_enabled {
        return withdrawn("MCP was switched off for the partner, and the call was not sent.");
    }
    let server_id = id.registration_id();
    let Some(grant) = grants.grants.iter().find(|grant| grant.server_id == server_id) else {
        return withdrawn("The partner may not use the tool's server any more, and the call was not sent.");
    };
    let Some(server) = server else {
        return refused(
            Code::CallRegistrationNotFound,
            "The tool's server was removed, and the call was not sent.",
        );
    };
    if server.registration.state == ServerState::Paused {
        return refused(
            Code::CallServerPaused,
            "The tool's server is paused, and the call was not sent.",
        );
    }
    let permission = server.registration.tool_permissions.get(id.native_name()).copied();
    if grant.scope == GrantScope::Permitted && permission.unwrap_or_default() == Permission::Off {
        return refused(Code::CallPermissionOff, "The tool is off, and the call was not sent.");
    }
    if server.connection != tool.connection || !is_offered_alike(tool, *grant, server, limits) {
        return refused(
            Code::PartnerToolChanged,
            "The tool or its server was changed since this turn began, and the call was not sent. Try again in the next \
             turn, with the tools as they are then.",
        );
    }
    Ok(())
}

/// Whether the server would be offered the tool with the same schema.
fn is_offered_alike(tool: &FrozenTool, grant: PartnerGrant, server: ServerNow<'_>, limits: &Limits) -> bool {
    let grants = SessionGrants {
        mcp_enabled: true,
        grants: vec![grant],
        filter: Some([tool.model.tool_id.clone()].into()),
    };
    let granted = GrantedServer {
        grant,
        server: Ok(server),
    };
    let now = offer(&grants, &[granted], limits);
    now.servers
        .iter()
        .flat_map(|server| &server.tools)
        .any(|now| json::equal(now.input_schema.as_str(), tool.input_schema.as_str()))
}
