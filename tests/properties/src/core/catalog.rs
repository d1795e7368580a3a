//! Catalogs: each item is offered or named once; what is offered passes as a stored catalog; what is decided about the
//! tools is projected onto them whole; and whatever goes to a model has an alias of its own.

use std::collections::{BTreeMap, HashSet};

use toolgate_core::catalog::{
    Catalog, CatalogContext, CatalogPages, Mirror, MirrorSearch, MirrorStep, NextPage, build_catalog, revalidate,
};
use toolgate_core::identity::RegistrationId;
use toolgate_core::json::{self, JsonText};
use toolgate_core::layers::{descriptors, with_aliases};
use toolgate_core::named_values::NamedValues;
use toolgate_core::projection::project_discovery;
use toolgate_core::schema::{CompiledBefore, JsonSchemaCheck};
use toolgate_core::server::{
    DescriptionOverride, HttpConfig, Permission, ProtocolVersion, Registration, ServerConfig, ServerState,
    TransportKind,
};
use toolgate_core::{Code, Diagnostic, Limits};

use crate::parts::Parts;

/// The codes that say why an item is not offered.
const ISOLATING: [Code; 6] = [
    Code::ToolNotObject,
    Code::ToolNameInvalid,
    Code::ToolDuplicateName,
    Code::ToolSizeLimit,
    Code::ToolInputSchemaInvalid,
    Code::ToolHeaderAnnotationInvalid,
];

/// The first part says version and transport, whether the further parts are whole pages or items of one, and what is
/// decided; the last of them describes the tools anew, too.
pub fn check(input: &[u8]) {
    let mut parts = Parts::of(input);
    let kind = parts.number();
    let mut pages = parts.texts(24);
    if kind & 4 == 0 {
        pages = vec![format!("{{\"tools\":[{}]}}", pages.join(","))];
    }
    let version = if kind & 1 == 0 { "2025-06-18" } else { "2026-07-28" };
    let transport = if kind & 2 == 0 {
        TransportKind::Http
    } else {
        TransportKind::Stdio
    };
    let limits = Limits {
        tool_bytes: 4096,
        ..Limits::default()
    };
    let Some(catalog) = of_pages(&pages, version, transport, &limits) else {
        return;
    };
    check_decisions(&catalog, kind, pages.last().map_or("", String::as_str));
    for tool in &catalog.tools {
        check_mirror(&pages, &tool.native_name, &tool.input_schema, &limits);
    }
}

/// The catalog of these pages, where they are a list; with all that holds of a catalog by itself.
pub fn of_pages(pages: &[String], version: &str, transport: TransportKind, limits: &Limits) -> Option<Catalog> {
    let build = || {
        let context = CatalogContext {
            protocol_version: version.to_owned(),
            server_name: None,
            server_version: None,
            transport,
        };
        build_catalog(pages.iter().map(String::as_str), context, limits, &JsonSchemaCheck)
    };
    let catalog = build();
    assert_eq!(catalog, build(), "the same pages give another catalog: {pages:?}");
    let catalog = match catalog {
        Ok(catalog) => catalog,
        Err(reason) => {
            assert!(!reason.message.is_empty());
            return None;
        }
    };
    let items: usize = pages
        .iter()
        .take(pages_read(pages, limits))
        .map(|page| {
            let page = json::members(page).expect("a page that was read");
            json::items(page.get("tools").expect("its tools").get()).expect("a list").len()
        })
        .sum();
    let isolated: Vec<&Diagnostic> = catalog
        .diagnostics
        .iter()
        .filter(|diagnostic| ISOLATING.contains(&diagnostic.code))
        .collect();
    assert_eq!(items, catalog.tools.len() + isolated.len(), "{pages:?}: {catalog:#?}");
    let offered: HashSet<&str> = catalog.tools.iter().map(|tool| tool.native_name.as_str()).collect();
    assert_eq!(offered.len(), catalog.tools.len(), "a name is offered twice: {pages:?}");
    for diagnostic in isolated {
        match &diagnostic.native_name {
            Some(name) => assert!(!offered.contains(name.as_str()), "{name} is isolated and offered"),
            None => assert!(diagnostic.path.as_ref().unwrap().starts_with("tools["), "{diagnostic}"),
        }
    }
    let hash = catalog.content_hash();
    let again = revalidate(catalog.clone(), transport, limits, &JsonSchemaCheck).unwrap();
    assert_eq!(again, catalog, "the catalog is not the same when it is read back: {pages:?}");
    assert_eq!(again.content_hash(), hash);
    assert!(revalidate(catalog.clone(), transport, limits, &CompiledBefore).is_ok());
    Some(catalog)
}

/// How many of the pages belong to the list: what comes after its last one is not read.
fn pages_read(pages: &[String], limits: &Limits) -> usize {
    let mut reading = CatalogPages::new(limits);
    let last = pages
        .iter()
        .position(|page| matches!(reading.push(page), Ok(NextPage::End) | Err(_)));
    last.map_or(pages.len(), |last| last + 1)
}

/// Decisions about every tool and about some that are not there: each is shown at its tool, or as stale.
fn check_decisions(catalog: &Catalog, kind: usize, description: &str) {
    let id = RegistrationId::parse("11111111-1111-4111-8111-111111111111").unwrap();
    let mut registration = Registration {
        id,
        display_name: "Docs".to_owned(),
        config: ServerConfig::Http(HttpConfig {
            url: "https://example.com/".to_owned(),
            headers: NamedValues::new(),
            protocol_version: ProtocolVersion::Auto,
        }),
        state: if kind & 8 == 0 {
            ServerState::Active
        } else {
            ServerState::Paused
        },
        tool_permissions: BTreeMap::from([("gone \u{0} tool".to_owned(), Permission::Ask)]),
        tool_description_overrides: BTreeMap::new(),
    };
    for tool in &catalog.tools {
        registration
            .tool_permissions
            .insert(tool.native_name.clone(), Permission::Allow);
        let description = DescriptionOverride {
            description: Some(description.to_owned()),
            properties: BTreeMap::from([("x".to_owned(), description.to_owned())]),
        };
        registration
            .tool_description_overrides
            .insert(tool.native_name.clone(), description);
    }
    let projected = project_discovery(&registration, catalog);
    assert_eq!(projected, project_discovery(&registration, catalog));
    assert_eq!(projected.tools.len(), catalog.tools.len());
    let gone = registration.tool_permissions.len() - catalog.tools.len();
    assert_eq!(projected.stale_tools.len(), gone);

    let offer = descriptors(&registration, catalog);
    assert!(registration.state == ServerState::Active || offer.tools.is_empty());
    for tool in &offer.tools {
        // What was described anew is JSON still, or a model's request would not be.
        assert!(JsonText::parse(tool.input_schema_json.as_str()).is_ok());
        assert_eq!(tool.description, description);
    }
    let named = with_aliases(&offer.tools, ["search"]);
    let aliases: HashSet<&str> = named.iter().map(|tool| tool.alias.as_str()).collect();
    assert_eq!(aliases.len(), offer.tools.len());
}

/// What headers repeat of a tool's arguments is the same whether the tool is looked for in the list or its schema is read.
fn check_mirror(pages: &[String], name: &str, schema: &JsonText, limits: &Limits) {
    let of_schema = Mirror::of_schema(schema.as_raw());
    let mut search = MirrorSearch::new(name, limits);
    let found = pages.iter().find_map(|page| match search.push(page) {
        Ok(MirrorStep::Found(mirror)) => Some(Ok(mirror)),
        Ok(MirrorStep::Next(_)) => None,
        Ok(MirrorStep::Absent) => panic!("{name:?} is in the catalog and not in the list"),
        Err(reason) => Some(Err(reason)),
    });
    let arguments = JsonText::parse(r#"{"x":"1","a":1e2,"b":true,"":{"x":-0.0}}"#).unwrap();
    let headers = |mirror: &Mirror| mirror.headers(&arguments);
    let found = found.expect("the pages that the catalog is made of");
    match (&of_schema, &found) {
        (Ok(of_schema), Ok(found)) => assert_eq!(headers(of_schema), headers(found)),
        (Err(_), Err(_)) => {}
        _ => panic!("{name:?}: {of_schema:?} and {found:?}"),
    }
}
