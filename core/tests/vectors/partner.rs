//! Partners. A moment is `{mcpEnabled?, grants: {server id: scope}, servers}`; `mcpEnabled` is true where it is absent,
//! `servers` are as in `layers.rs`, each with a `connection` (`c` where absent); a granted server that is not among them
//! is gone. Beside it `task` (the moment at which the session's task began), `filter` (tool ids), `localNames`, and
//! `limits` (`tools`, `bytes`). Then either
//! - nothing more: what a turn is offered, `{tools: [{alias, toolId, description, inputSchema}], diagnostics, off}`;
//! - or `"later"`, another moment: whether each tool of the turn may still be called then, `{native name: "ok" | code}`;
//!   `partner: null` in it says that the partner was removed;
//! - or `"other"`, another moment: whether both have the same revision, `"same" | "another"`.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolgate_core::catalog::Catalog;
use toolgate_core::identity::{RegistrationId, ToolId};
use toolgate_core::partner::{
    CatalogNow, FrozenTool, GrantScope, GrantedServer, Partner, PartnerGrant, PartnerId, PartnerOffer, ServerNow, SessionGrants, freeze, offer,
    recheck, revision,
};
use toolgate_core::server::Registration;
use toolgate_core::{Code, Diagnostic, Limits};

use crate::harness::{File, diagnostics};
use crate::layers::server;

pub(crate) const FILES: &[File] = crate::files!("partner": "offer", "recheck", "revision", "tasks");

const PARTNER: &str = "0b8f3d3e-6f0a-4f7c-8a58-2f3f5d9c1e11";

/// The servers of a moment, whole.
type Servers = Vec<(Registration, Result<Option<Catalog>, Diagnostic>, String)>;

pub(crate) fn run(input: Value) -> Value {
    let limits = limits(&input);
    let (partner, servers) = (partner(&input), servers(&input));
    let now = offered(&grants(&input, &partner), &servers, &limits);
    if let Some(other) = input.get("other") {
        let other = offered(&SessionGrants::of(&self::partner(other)), &self::servers(other), &limits);
        let same = revision(&now) == revision(&other);
        return json!(if same { "same" } else { "another" });
    }
    let off: BTreeMap<String, usize> = now
        .servers
        .iter()
        .map(|server| (server.grant.server_id.to_string(), server.off_tools))
        .collect();
    let before = revision(&now);
    let turn = freeze(now, input.get("localNames").map(texts).unwrap_or_default());
    assert_eq!(turn.revision, before, "the revision is that of the offer");
    if let Some(later) = input.get("later") {
        let later_servers = self::servers(later);
        let counting = match later.get("partner") {
            Some(Value::Null) => None,
            _ => Some(grants(&with_task(&input, later), &self::partner(later))),
        };
        let fate = |tool: &FrozenTool| {
            let id = &tool.model.tool_id;
            let server = later_servers
                .iter()
                .find(|(registration, _, _)| registration.id == id.registration_id());
            match recheck(tool, counting.as_ref(), server.map(at), &limits) {
                Ok(()) => json!("ok"),
                Err(reason) => {
                    assert_eq!(reason.native_name.as_deref(), Some(id.native_name()));
                    assert_eq!(reason.registration_id, Some(id.registration_id()));
                    json!(reason.code)
                }
            }
        };
        let fates: BTreeMap<String, Value> = turn
            .tools
            .iter()
            .map(|tool| (tool.model.tool_id.native_name().to_owned(), fate(tool)))
            .collect();
        return json!(fates);
    }
    let tools = turn.tools.iter().map(|tool| {
        json!({
            "alias": tool.model.alias,
            "toolId": tool.model.tool_id.to_string(),
            "description": tool.model.description,
            "inputSchema": tool.model.input_schema_json.as_str(),
        })
    });
    json!({ "tools": tools.collect::<Vec<_>>(), "diagnostics": diagnostics(&turn.diagnostics), "off": off })
}

fn offered(grants: &SessionGrants, servers: &Servers, limits: &Limits) -> PartnerOffer {
    let gone = Diagnostic::new(Code::RegistrationNotFound, "There is no such server.");
    let granted: Vec<GrantedServer<'_>> = grants
        .grants
        .iter()
        .map(|grant| GrantedServer {
            grant: *grant,
            server: servers
                .iter()
                .find(|(registration, _, _)| registration.id == grant.server_id)
                .map(at)
                .ok_or(&gone),
        })
        .collect();
    offer(grants, &granted, limits)
}

fn at((registration, catalog, connection): &(Registration, Result<Option<Catalog>, Diagnostic>, String)) -> ServerNow<'_> {
    ServerNow {
        registration,
        connection,
        catalog: catalog.as_ref().map(|catalog| catalog.as_ref().map(catalog_now)),
    }
}

fn catalog_now(catalog: &Catalog) -> CatalogNow<'_> {
    CatalogNow {
        catalog,
        // A test's few hashes may stay until it ends.
        content_hash: catalog.content_hash().leak(),
        json_bytes: catalog.json_bytes(),
    }
}

/// What counts for a session at a moment.
fn grants(input: &Value, now: &Partner) -> SessionGrants {
    let filter = input.get("filter").map(|filter| {
        let id = |text: &str| ToolId::parse(text, &Limits::default()).unwrap();
        texts(filter).into_iter().map(id).collect()
    });
    match (input.get("task"), filter) {
        (None, None) => SessionGrants::of(now),
        (None, filter) => SessionGrants::of_task(now, filter),
        (Some(began), filter) => SessionGrants::of_task(&partner(began), filter).within(now),
    }
}

/// A later moment of the same session.
fn with_task(input: &Value, later: &Value) -> Value {
    let mut later = later.clone();
    for key in ["task", "filter"] {
        if let Some(value) = input.get(key) {
            later[key] = value.clone();
        }
    }
    later
}

fn partner(moment: &Value) -> Partner {
    let mut partner = Partner::new(PartnerId::parse(PARTNER).unwrap(), "Mia".to_owned());
    partner.mcp_enabled = moment.get("mcpEnabled").is_none_or(|enabled| enabled.as_bool().unwrap());
    for (server, scope) in moment["grants"].as_object().unwrap() {
        let scope: GrantScope = serde_json::from_value(scope.clone()).unwrap();
        let server_id = RegistrationId::parse(server).unwrap();
        partner.grant(server_id, scope);
        assert!(partner.grants.contains(&PartnerGrant { server_id, scope }));
    }
    partner
}

fn servers(moment: &Value) -> Servers {
    let read = |value: &Value| {
        let (registration, catalog) = server(value);
        let connection = value.get("connection").map_or("c", |text| text.as_str().unwrap());
        (registration, catalog, connection.to_owned())
    };
    moment["servers"].as_array().unwrap().iter().map(read).collect()
}

fn limits(input: &Value) -> Limits {
    let mut limits = Limits::default();
    let number = |key: &str| Some(usize::try_from(input.get("limits")?.get(key)?.as_u64()?).unwrap());
    limits.partner_tools = number("tools").unwrap_or(limits.partner_tools);
    limits.partner_catalog_bytes = number("bytes").unwrap_or(limits.partner_catalog_bytes);
    limits
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}
