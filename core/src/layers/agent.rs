//! The tools of one agent invocation (manager contract §7).

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{ModelTool, Offer, ToolDescriptor, descriptor, with_aliases};
use crate::catalog::{Catalog, CatalogTool};
use crate::identity::{RegistrationId, ToolId};
use crate::path;
use crate::server::{DescriptionOverride, Registration, ServerState};
use crate::{Code, Diagnostic, Limits, validate};

/// What a profile says about MCP tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentTools {
    /// The tools it allows, in the order in which the model is told of them; one that stands twice counts once.
    pub allow: Vec<ToolId>,
    /// Its layer of descriptions, by tool.
    pub descriptions: BTreeMap<ToolId, DescriptionOverride>,
}

impl AgentTools {
    /// Reads a profile's `tools.allow` and `tools.toolDescriptions` (manager contract §7). What cannot be used is left
    /// out, each with a diagnostic at its place: a text that is no tool id (the codes of [`ToolId::parse`]), a tool that
    /// stands twice (`mcp.tool_allowed_twice`), a description of a tool that is not allowed
    /// (`mcp.description_tool_missing`) or that says nothing (`mcp.description_override_empty`).
    pub fn read(
        allow: &[String],
        descriptions: BTreeMap<String, DescriptionOverride>,
        limits: &Limits,
    ) -> (Self, Vec<Diagnostic>) {
        let mut tools = Self::default();
        let mut diagnostics = Vec::new();
        let mut seen = HashSet::new();
        for (index, text) in allow.iter().enumerate() {
            let place = path::element("tools.allow", index);
            match ToolId::parse(text, limits) {
                Err(reason) => diagnostics.push(reason.at(place)),
                Ok(id) if seen.contains(&id) => diagnostics.push(
                    Diagnostic::new(
                        Code::ToolAllowedTwice,
                        "The profile allows the tool more than once; it is offered once.",
                    )
                    .at(place)
                    .about_tool(id.native_name())
                    .about_server(id.registration_id()),
                ),
                Ok(id) => {
                    seen.insert(id.clone());
                    tools.allow.push(id);
                }
            }
        }
        for (text, layer) in descriptions {
            let place = path::member("tools.toolDescriptions", &text);
            let id = match ToolId::parse(&text, limits) {
                Ok(id) => id,
                Err(reason) => {
                    diagnostics.push(reason.at(place));
                    continue;
                }
            };
            let reason = if seen.contains(&id) {
                validate::description_override(&layer).err()
            } else {
                Some(Diagnostic::new(
                    Code::DescriptionToolMissing,
                    "The profile describes a tool that it does not allow; the description was skipped.",
                ))
            };
            match reason {
                None => {
                    tools.descriptions.insert(id, layer);
                }
                Some(reason) => diagnostics.push(
                    reason
                        .at(place)
                        .about_tool(id.native_name())
                        .about_server(id.registration_id()),
                ),
            }
        }
        (tools, diagnostics)
    }
}

/// A server as memory and disk have it.
#[derive(Clone, Copy, Debug)]
pub struct ServerSnapshot<'a> {
    /// The server.
    pub registration: &'a Registration,
    /// Its catalog: none where its tools were never read, or the reason why the saved one cannot be used.
    pub catalog: Result<Option<&'a Catalog>, &'a Diagnostic>,
}

/// Freezes the tools of an invocation: those the profile allows that can go to a model, in the profile's order, with all
/// three layers of descriptions, and with aliases beside the local names.
///
/// Each tool that is left out has at least one diagnostic with its name and server: the reasons of
/// [`not_model_ready`](crate::projection::not_model_ready), of which `mcp.tool_server_paused` alone is given where there
/// is no catalog either; `mcp.registration_not_found`; the reason why the catalog cannot be used; `mcp.tool_catalog_missing` or `mcp.tool_not_in_catalog`, which a refresh may help. Nothing is read
/// from a server here, whatever is missing.
pub fn freeze<'a>(
    tools: &AgentTools,
    servers: impl IntoIterator<Item = ServerSnapshot<'a>>,
    local_names: impl IntoIterator<Item = &'a str>,
) -> Offer<ModelTool> {
    let servers: HashMap<RegistrationId, Server<'a>> = servers
        .into_iter()
        .map(|snapshot| (snapshot.registration.id, Server::of(snapshot)))
        .collect();
    let mut offer: Offer<ToolDescriptor> = Offer::default();
    let mut seen = HashSet::new();
    for id in tools.allow.iter().filter(|id| seen.insert(*id)) {
        match find(id, &servers) {
            Ok((mut tool, skipped)) => {
                offer.diagnostics.extend(skipped);
                if let Some(layer) = tools.descriptions.get(id) {
                    offer.diagnostics.extend(tool.describe(layer));
                }
                offer.tools.push(tool);
            }
            Err(reasons) => offer.diagnostics.extend(
                reasons
                    .into_iter()
                    .map(|reason| reason.about_tool(id.native_name()).about_server(id.registration_id())),
            ),
        }
    }
    Offer {
        tools: with_aliases(&offer.tools, local_names),
        diagnostics: offer.diagnostics,
    }
}

struct Server<'a> {
    registration: &'a Registration,
    tools: Result<Option<HashMap<&'a str, &'a CatalogTool>>, &'a Diagnostic>,
}

impl<'a> Server<'a> {
    fn of(snapshot: ServerSnapshot<'a>) -> Self {
        let by_name = |catalog: &'a Catalog| {
            catalog
                .tools
                .iter()
                .map(|tool| (tool.native_name.as_str(), tool))
                .collect()
        };
        Self {
            registration: snapshot.registration,
            tools: snapshot.catalog.map(|catalog| catalog.map(by_name)),
        }
    }
}

fn find(
    id: &ToolId,
    servers: &HashMap<RegistrationId, Server<'_>>,
) -> Result<(ToolDescriptor, Vec<Diagnostic>), Vec<Diagnostic>> {
    let one = |code, message: &str| vec![Diagnostic::new(code, message)];
    let server = servers.get(&id.registration_id()).ok_or_else(|| {
        one(
            Code::RegistrationNotFound,
            "The tool was left out: its server does not exist any more.",
        )
    })?;
    let is_paused = server.registration.state == ServerState::Paused;
    let tools = match &server.tools {
        // Nothing else can be mended while it is.
        Ok(None) | Err(_) if is_paused => {
            return Err(one(
                Code::ToolServerPaused,
                "The tool was left out: its server is paused. Activate it to use its tools.",
            ));
        }
        Ok(Some(tools)) => tools,
        Ok(None) => {
            return Err(one(
                Code::ToolCatalogMissing,
                "The tool was left out: the tools of its server have not been read yet. Refresh them.",
            ));
        }
        Err(reason) => return Err(vec![(*reason).clone()]),
    };
    let tool = tools.get(id.native_name()).ok_or_else(|| {
        one(
            Code::ToolNotInCatalog,
            "The tool was left out: the server did not offer it when its tools were last read. Refresh them.",
        )
    })?;
    descriptor(server.registration, tool)
}
