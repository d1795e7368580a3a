//! What the grants of a session come to, server by server, and why something is missing.

use std::collections::HashSet;

use super::{GrantScope, PartnerGrant, SessionGrants, too_large};
use crate::catalog::{Catalog, CatalogTool};
use crate::identity::ToolId;
use crate::json::JsonText;
use crate::layers::{ToolDescriptor, described};
use crate::projection;
use crate::server::{Permission, Registration, ServerState};
use crate::{Code, Diagnostic, Limits};

/// A server as memory and disk have it at one moment.
#[derive(Clone, Copy, Debug)]
pub struct ServerNow<'a> {
    /// The server.
    pub registration: &'a Registration,
    /// Its connection revision: another one means that it is reached in another way.
    pub connection: &'a str,
    /// Its catalog: none where its tools were never read, or the reason why the saved one cannot be used.
    pub catalog: Result<Option<CatalogNow<'a>>, &'a Diagnostic>,
}

/// A catalog, and what takes a look at all of its text to know. Every turn and call asks for that; a catalog stays the same
/// from one discovery to the next, so that it can be kept beside it.
#[derive(Clone, Copy, Debug)]
pub struct CatalogNow<'a> {
    /// The catalog.
    pub catalog: &'a Catalog,
    /// Its [`Catalog::content_hash`].
    pub content_hash: &'a str,
    /// Its [`Catalog::json_bytes`].
    pub json_bytes: usize,
}

/// A granted server: as it is, or the reason why it cannot be read (`mcp.registration_not_found`, `mcp.storage_…`).
#[derive(Clone, Copy, Debug)]
pub struct GrantedServer<'a> {
    /// What is granted of it.
    pub grant: PartnerGrant,
    /// The server.
    pub server: Result<ServerNow<'a>, &'a Diagnostic>,
}

/// What a session would be offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartnerOffer {
    /// Whether tools are offered at all; where not, `servers` says what would be.
    pub mcp_enabled: bool,
    /// Each granted server, by display name, then by id; those that cannot be read last.
    pub servers: Vec<ServerOffer>,
    /// What is not about one granted server: `mcp.partner_mcp_off`, and `mcp.partner_tool_not_offered` for each tool of
    /// the session's filter that nothing was found for.
    pub diagnostics: Vec<Diagnostic>,
}

/// What a session would be offered of one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerOffer {
    /// What is granted.
    pub grant: PartnerGrant,
    /// The server's display name, where it can be read.
    pub server_name: Option<String>,
    /// The tools, in the catalog's order.
    pub tools: Vec<OfferedTool>,
    /// Tools of the server that are off, whether or not the scope leaves them out.
    pub off_tools: usize,
    /// Why the server, or one of its tools, is missing; descriptions that found no place. All are about this server.
    pub diagnostics: Vec<Diagnostic>,
    /// What decides about the offer, for the revision.
    pub(super) facts: Facts,
}

impl ServerOffer {
    /// The server's state, where it can be read.
    pub const fn state(&self) -> Option<ServerState> {
        self.facts.state
    }
}

/// One tool that is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedTool {
    /// The tool as models are told of it.
    pub descriptor: ToolDescriptor,
    /// The input schema as the server gave it, to which a call's check holds the server.
    pub input_schema: JsonText,
    /// What is decided about it.
    pub permission: Permission,
    /// The connection it was found on.
    pub connection: String,
}

/// What the revision is made of besides the offered tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) state: Option<ServerState>,
    pub(super) connection: Option<String>,
    /// The content hash of the catalog.
    pub(super) catalog: Option<String>,
    /// Why there is no server or no catalog.
    pub(super) fault: Option<Code>,
}

/// What a session is offered of the servers it is granted: every tool of a server at scope `all`, those at Ask or Allow at
/// scope `permitted`; with the registration's descriptions over the catalog's, and only what a model can be given (root
/// type `object`). A paused server, one whose tools were not read, and one that is too large for partners offer nothing.
///
/// Everything that is missing has a diagnostic, but for what the session's filter leaves out: that is what was asked for.
/// `servers` are the granted ones; one that is missing there counts as one that is gone.
pub fn offer(grants: &SessionGrants, servers: &[GrantedServer<'_>], limits: &Limits) -> PartnerOffer {
    let mut offers: Vec<ServerOffer> = servers
        .iter()
        .map(|granted| server_offer(grants, granted, limits))
        .collect();
    offers.sort_by(|one, other| {
        let key = |offer: &ServerOffer| {
            (
                offer.server_name.is_none(),
                offer.server_name.clone(),
                offer.grant.server_id,
            )
        };
        key(one).cmp(&key(other))
    });
    let mut diagnostics = Vec::new();
    if !grants.mcp_enabled {
        diagnostics.push(Diagnostic::new(
            Code::PartnerMcpOff,
            "MCP is off for the partner; its grants are kept. Switch it on to offer it the tools.",
        ));
    }
    diagnostics.extend(lost_of_filter(grants, &offers));
    PartnerOffer {
        mcp_enabled: grants.mcp_enabled,
        servers: offers,
        diagnostics,
    }
}

fn server_offer(grants: &SessionGrants, granted: &GrantedServer<'_>, limits: &Limits) -> ServerOffer {
    let id = granted.grant.server_id;
    let mut offer = ServerOffer {
        grant: granted.grant,
        server_name: None,
        tools: Vec::new(),
        off_tools: 0,
        diagnostics: Vec::new(),
        facts: Facts::default(),
    };
    let server = match granted.server {
        Ok(server) => server,
        Err(reason) => {
            offer.facts.fault = Some(reason.code);
            offer.diagnostics.push(reason.clone().about_server(id));
            return offer;
        }
    };
    let registration = server.registration;
    offer.server_name = Some(registration.display_name.clone());
    offer.facts.state = Some(registration.state);
    offer.facts.connection = Some(server.connection.to_owned());
    let catalog = match server.catalog {
        Ok(catalog) => catalog,
        Err(reason) => {
            offer.facts.fault = Some(reason.code);
            offer.diagnostics.push(reason.clone().about_server(id));
            None
        }
    };
    offer.facts.catalog = catalog.map(|catalog| catalog.content_hash.to_owned());
    if registration.state == ServerState::Paused {
        let message = "The server is paused; activate it to use its tools.";
        offer.diagnostics = vec![Diagnostic::new(Code::ToolServerPaused, message).about_server(id)];
        return offer;
    }
    let Some(CatalogNow {
        catalog, json_bytes, ..
    }) = catalog
    else {
        if offer.diagnostics.is_empty() {
            let message = "The tools of the server have not been read yet. Refresh them.";
            offer.diagnostics = vec![Diagnostic::new(Code::ToolCatalogMissing, message).about_server(id)];
        }
        return offer;
    };
    if let Some(reason) = too_large(catalog.tools.len(), json_bytes, limits) {
        offer.diagnostics.push(reason.about_server(id));
        return offer;
    }
    for tool in &catalog.tools {
        let permission = projection::permission(registration, tool);
        offer.off_tools += usize::from(permission == Permission::Off);
        let tool_id = ToolId::new(id, tool.native_name.clone());
        if grants.filter.as_ref().is_some_and(|filter| !filter.contains(&tool_id)) {
            continue;
        }
        if let Some(reason) = missing(tool, permission, granted.grant.scope) {
            let reason = reason.about_tool(&tool.native_name).about_server(id);
            offer.diagnostics.push(reason);
            continue;
        }
        let (descriptor, skipped) = described(registration, tool);
        offer.diagnostics.extend(skipped);
        offer.tools.push(OfferedTool {
            descriptor,
            input_schema: tool.input_schema.clone(),
            permission,
            connection: server.connection.to_owned(),
        });
    }
    offer
}

/// Why a tool of a server that offers some is left out.
fn missing(tool: &CatalogTool, permission: Permission, scope: GrantScope) -> Option<Diagnostic> {
    if scope == GrantScope::Permitted && permission == Permission::Off {
        let message = "The tool is off, and only permitted tools are granted; set it to Ask or Allow, or grant all.";
        return Some(Diagnostic::new(Code::ToolPermissionOff, message));
    }
    projection::root_type_reason(tool)
}

/// A word about each tool of the filter of which nothing else is said.
fn lost_of_filter(grants: &SessionGrants, offers: &[ServerOffer]) -> Vec<Diagnostic> {
    let Some(filter) = &grants.filter else {
        return Vec::new();
    };
    let tools = offers.iter().flat_map(|offer| &offer.tools);
    let offered: HashSet<&ToolId> = tools.map(|tool| &tool.descriptor.tool_id).collect();
    let mut whole_servers = HashSet::new();
    let mut tools = HashSet::new();
    for diagnostic in offers.iter().flat_map(|offer| &offer.diagnostics) {
        match &diagnostic.native_name {
            None => whole_servers.insert(diagnostic.registration_id),
            Some(name) => tools.insert((diagnostic.registration_id, name.as_str())),
        };
    }
    let is_silent = |id: &&ToolId| {
        let server = Some(id.registration_id());
        !offered.contains(id) && !whole_servers.contains(&server) && !tools.contains(&(server, id.native_name()))
    };
    filter
        .iter()
        .filter(is_silent)
        .map(|id| {
            Diagnostic::new(
                Code::PartnerToolNotOffered,
                "The session's filter names the tool, but the partner was not granted its server, or the server does not \
                 offer it.",
            )
            .about_tool(id.native_name())
            .about_server(id.registration_id())
        })
        .collect()
}
