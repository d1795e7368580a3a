//! The frozen tools of one turn, and the revision of what a session is offered.

use super::{PartnerOffer, ServerOffer};
use crate::hash::TextHash;
use crate::json::JsonText;
use crate::layers::{ModelTool, with_aliases};
use crate::{Code, Diagnostic};

/// The tools of one turn: nothing changes them until the next one begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrozenTurn {
    /// The [`revision`] of the offer.
    pub revision: String,
    /// The tools: servers by name, tools in the catalog's order.
    pub tools: Vec<FrozenTool>,
    /// Why something is missing, except for tools that are off and not granted: that is what was decided.
    pub diagnostics: Vec<Diagnostic>,
}

/// One tool of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrozenTool {
    /// The tool as the model sees it.
    pub model: ModelTool,
    /// The input schema as the server gave it.
    pub input_schema: JsonText,
    /// The connection revision of its server.
    pub connection: String,
}

/// Freezes an offer for a turn, with aliases beside local names, which stay as they are (see
/// [`alias::allocate`](crate::alias::allocate)).
pub fn freeze<'l>(offer: PartnerOffer, local_names: impl IntoIterator<Item = &'l str>) -> FrozenTurn {
    let revision = revision(&offer);
    let PartnerOffer {
        mcp_enabled,
        servers,
        mut diagnostics,
    } = offer;
    if !mcp_enabled {
        return FrozenTurn {
            revision,
            tools: Vec::new(),
            diagnostics,
        };
    }
    let mut descriptors = Vec::new();
    let mut rest = Vec::new();
    for server in servers {
        let said = server.diagnostics.into_iter();
        diagnostics.extend(said.filter(|diagnostic| diagnostic.code != Code::ToolPermissionOff));
        for tool in server.tools {
            descriptors.push(tool.descriptor);
            rest.push((tool.input_schema, tool.connection));
        }
    }
    let tools = with_aliases(&descriptors, local_names)
        .into_iter()
        .zip(rest)
        .map(|(model, (input_schema, connection))| FrozenTool {
            model,
            input_schema,
            connection,
        })
        .collect();
    FrozenTurn {
        revision,
        tools,
        diagnostics,
    }
}

/// The revision of what a session is offered, 64 hexadecimal digits: a hash over the MCP switch, the grants with their
/// scope, and of each granted server its state, connection revision and catalog, and the offered tools with their names and
/// descriptions, which is all that permissions and overrides change of it. A refresh that changes nothing changes no
/// revision; neither does the order of grants (partner contract).
pub fn revision(offer: &PartnerOffer) -> String {
    let mut hash = TextHash::new("toolgate partner session 1\n");
    hash.text(if offer.mcp_enabled { "on" } else { "off" });
    for server in &offer.servers {
        let ServerOffer {
            grant,
            server_name,
            tools,
            off_tools: _,
            diagnostics: _,
            facts,
        } = server;
        hash.text(&grant.server_id.to_string());
        hash.text(&format!("{:?} {:?} {}", grant.scope, facts.state, tools.len()));
        hash.optional(server_name.as_deref());
        hash.optional(facts.connection.as_deref());
        hash.optional(facts.catalog.as_deref());
        hash.optional(facts.fault.map(Code::as_str));
        for tool in tools {
            hash.text(tool.descriptor.tool_id.native_name());
            hash.text(&tool.descriptor.description);
            // The catalog's hash speaks for every schema that is as the catalog has it: most of the text, at every turn.
            let described = &tool.descriptor.input_schema_json;
            hash.optional((*described != tool.input_schema).then(|| described.as_str()));
        }
    }
    hash.finish()
}
