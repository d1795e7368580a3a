//! Partners: what is offered is granted, can be called at the same moment, and has one name; the revision stands for it.

use std::collections::{BTreeMap, HashSet};

use toolgate_core::catalog::{Catalog, CatalogTool};
use toolgate_core::identity::{RegistrationId, ToolId};
use toolgate_core::json::JsonText;
use toolgate_core::named_values::NamedValues;
use toolgate_core::partner::{
    CatalogNow, FrozenTurn, GrantScope, GrantedServer, Partner, PartnerId, ServerNow, SessionGrants, freeze, offer,
    recheck,
};
use toolgate_core::server::{
    DescriptionOverride, HttpConfig, Permission, ProtocolVersion, Registration, ServerConfig, ServerState,
};
use toolgate_core::{Code, Diagnostic, Limits};

use crate::random::Random;

const SCHEMAS: &[&str] = &[
    r#"{"type":"object"}"#,
    r#"{"type":"object"}"#,
    r#"{"type":"object","properties":{"a":{}}}"#,
    r#"{"type":["object"]}"#,
    "{}",
];

/// What there is at one moment.
struct Moment {
    partner: Partner,
    task: Option<Partner>,
    filter: Option<Vec<ToolId>>,
    servers: Vec<(Registration, Option<Catalog>, String)>,
}

fn id(number: usize) -> RegistrationId {
    RegistrationId::parse(&format!("{number:08x}-1111-4111-8111-111111111111")).unwrap()
}

fn partner(random: &mut Random) -> Partner {
    let id = PartnerId::parse("0b8f3d3e-6f0a-4f7c-8a58-2f3f5d9c1e11").unwrap();
    let mut partner = Partner::new(id, "Mia".to_owned());
    partner.mcp_enabled = random.below(8) > 0;
    for _ in 0..random.below(10) {
        let scope = [GrantScope::All, GrantScope::Permitted][random.below(2)];
        partner.grant(self::id(random.below(5)), scope);
    }
    partner
}

fn server(random: &mut Random, number: usize) -> (Registration, Option<Catalog>, String) {
    let names = ["a", "b", "c d", "温度"];
    let mut registration = Registration {
        id: id(number),
        display_name: random.pick(&["docs", "docs", "d.s"]).to_owned(),
        config: ServerConfig::Http(HttpConfig {
            url: "https://example.com/".to_owned(),
            headers: NamedValues::new(),
            protocol_version: ProtocolVersion::Auto,
        }),
        state: if random.below(6) == 0 {
            ServerState::Paused
        } else {
            ServerState::Active
        },
        tool_permissions: BTreeMap::new(),
        tool_description_overrides: BTreeMap::new(),
    };
    for name in names {
        if random.below(2) == 0 {
            registration.tool_permissions.insert(name.to_owned(), Permission::Ask);
        }
        if random.below(4) == 0 {
            let layer = DescriptionOverride {
                description: Some("Mine.".to_owned()),
                properties: BTreeMap::from([("a".to_owned(), "x".to_owned())]),
            };
            registration.tool_description_overrides.insert(name.to_owned(), layer);
        }
    }
    let tools: Vec<&str> = names.into_iter().filter(|_| random.below(3) > 0).collect();
    let catalog = (random.below(8) > 0).then(|| Catalog {
        protocol_version: "2025-11-25".to_owned(),
        server_name: None,
        server_version: None,
        tools: tools
            .into_iter()
            .map(|name| CatalogTool {
                native_name: name.to_owned(),
                title: None,
                description: None,
                input_schema: JsonText::parse(random.pick(SCHEMAS)).unwrap(),
                output_schema: None,
                annotations: JsonText::empty_object(),
            })
            .collect(),
        diagnostics: Vec::new(),
    });
    (registration, catalog, random.pick(&["c", "d"]).to_owned())
}

fn moment(random: &mut Random) -> Moment {
    let partner = partner(random);
    let task = (random.below(3) == 0).then(|| self::partner(random));
    let filter = (random.below(4) == 0).then(|| {
        let tool = |random: &mut Random| ToolId::new(id(random.below(5)), random.pick(&["a", "b"]).to_owned());
        (0..random.below(4)).map(|_| tool(random)).collect()
    });
    let servers = (0..5)
        .filter_map(|number| match random.below(6) {
            0 => None,
            _ => Some(server(random, number)),
        })
        .collect();
    Moment {
        partner,
        task,
        filter,
        servers,
    }
}

impl Moment {
    fn grants(&self) -> SessionGrants {
        let filter = self.filter.clone().map(|filter| filter.into_iter().collect());
        match &self.task {
            Some(began) => SessionGrants::of_task(began, filter).within(&self.partner),
            None => SessionGrants::of_task(&self.partner, filter),
        }
    }

    fn server(&self, id: RegistrationId) -> Option<ServerNow<'_>> {
        let found = self.servers.iter().find(|(registration, _, _)| registration.id == id)?;
        let (registration, catalog, connection) = found;
        Some(ServerNow {
            registration,
            connection,
            catalog: Ok(catalog.as_ref().map(|catalog| CatalogNow {
                catalog,
                // A test's few hashes may stay until it ends.
                content_hash: catalog.content_hash().leak(),
                json_bytes: catalog.json_bytes(),
            })),
        })
    }

    fn turn(&self) -> FrozenTurn {
        let gone = Diagnostic::new(Code::RegistrationNotFound, "There is no such server.");
        let grants = self.grants();
        let servers: Vec<GrantedServer<'_>> = grants
            .grants
            .iter()
            .map(|grant| GrantedServer {
                grant: *grant,
                server: self.server(grant.server_id).ok_or(&gone),
            })
            .collect();
        freeze(offer(&grants, &servers, &Limits::default()), ["read"])
    }
}

#[test]
fn what_is_offered_is_granted_and_can_be_called_at_that_moment() {
    let mut random = Random::new(5);
    let mut offered = 0;
    for _ in 0..1000 {
        let moment = moment(&mut random);
        let grants = moment.grants();
        let turn = moment.turn();
        let mut aliases = HashSet::from(["read"]);
        for tool in &turn.tools {
            offered += 1;
            let id = &tool.model.tool_id;
            assert!(moment.partner.mcp_enabled);
            let scope = moment.partner.scope_of(id.registration_id()).unwrap();
            let (registration, _, _) = moment
                .servers
                .iter()
                .find(|(registration, _, _)| registration.id == id.registration_id())
                .unwrap();
            assert_eq!(registration.state, ServerState::Active);
            assert!(scope == GrantScope::All || registration.tool_permissions.contains_key(id.native_name()));
            assert!(aliases.insert(&tool.model.alias), "{}", tool.model.alias);
            if let Some(filter) = &moment.filter {
                assert!(filter.contains(id));
            }
            if let Some(began) = &moment.task {
                assert!(began.mcp_enabled && began.scope_of(id.registration_id()).is_some());
            }
            let server = moment.server(id.registration_id());
            assert_eq!(recheck(tool, Some(&grants), server, &Limits::default()), Ok(()));
        }
    }
    assert!(offered > 500, "{offered}");
}

#[test]
fn what_may_still_be_called_later_is_offered_later_with_the_same_parameters() {
    let mut random = Random::new(6);
    let mut kept = 0;
    let mut refused = 0;
    for _ in 0..1000 {
        let (mut before, mut after) = (moment(&mut random), moment(&mut random));
        for server in &mut after.servers {
            let unchanged = before.servers.iter().find(|before| before.0.id == server.0.id);
            if let (Some(unchanged), 0) = (unchanged, random.below(2)) {
                *server = unchanged.clone();
            }
        }
        before.task = after.task.clone();
        before.filter = after.filter.clone();
        let (turn, next) = (before.turn(), after.turn());
        for tool in &turn.tools {
            let id = &tool.model.tool_id;
            let server = after.server(id.registration_id());
            let is_kept = recheck(tool, Some(&after.grants()), server, &Limits::default()).is_ok();
            let same = |next: &&toolgate_core::partner::FrozenTool| {
                next.model.tool_id == *id
                    && next.input_schema == tool.input_schema
                    && next.connection == tool.connection
            };
            // What the filter says does not change in a session, so both look at the same tools.
            assert_eq!(is_kept, next.tools.iter().any(|next| same(&next)), "{id}");
            kept += usize::from(is_kept);
            refused += usize::from(!is_kept);
        }
    }
    assert!(kept > 50 && refused > 300, "{kept} {refused}");
}

#[test]
fn turns_of_one_revision_have_the_same_tools() {
    let mut random = Random::new(7);
    let mut turns: BTreeMap<String, FrozenTurn> = BTreeMap::new();
    let mut met = 0;
    for _ in 0..1500 {
        let turn = moment(&mut random).turn();
        if let Some(before) = turns.get(&turn.revision) {
            met += 1;
            assert_eq!(before.tools, turn.tools);
        } else {
            turns.insert(turn.revision.clone(), turn);
        }
    }
    assert!(met > 10, "{met}");
}
