//! Inputs of any size. Nothing in them is random: the same size is the same bytes on every machine.

use std::fmt::Write as _;

use toolgate_core::catalog::{Catalog, CatalogContext, build_catalog};
use toolgate_core::identity::{RegistrationId, ToolId};
use toolgate_core::named_values::NamedValues;
use toolgate_core::schema::JsonSchemaCheck;
use toolgate_core::server::{
    DescriptionOverride, HttpConfig, Permission, ProtocolVersion, Registration, ServerConfig, ServerState,
    TransportKind,
};
use toolgate_core::{Diagnostic, Limits};
use uuid::Builder;

/// Tools of one page of a list.
const TOOLS_A_PAGE: usize = 64;
/// Tools of one server.
const TOOLS_A_SERVER: usize = 512;

const WORDS: [&str; 16] = [
    "account", "branch", "calendar", "document", "event", "folder", "graph", "history", "issue", "journal", "kanban",
    "label", "message", "notebook", "order", "project",
];
const VERBS: [&str; 8] = ["list", "get", "create", "update", "delete", "search", "move", "copy"];

fn word(index: usize) -> &'static str {
    WORDS.get(index % WORDS.len()).copied().unwrap_or_default()
}

/// The name of a tool, as servers spell them.
pub fn tool_name(index: usize) -> String {
    let verb = VERBS.get(index % VERBS.len()).copied().unwrap_or_default();
    format!("{verb}_{}_{index}", word(index / VERBS.len()))
}

/// The text of a `mcpServers` file with so many servers of both transports, with headers, arguments and environment.
pub fn import_text(servers: usize) -> String {
    let mut text = String::from("{\n  \"mcpServers\": {\n");
    for index in 0..servers {
        let name = word(index);
        let entry = if index % 2 == 0 {
            format!(
                r#"{{"type": "http", "url": "https://{name}.example.com/v{index}/mcp?tenant={index}", "headers": {{"Authorization": "Bearer secret-{index}", "X-Team": "{name}"}}}}"#
            )
        } else {
            format!(
                r#"{{"command": "npx", "args": ["-y", "@example/server-{name}@1.{index}.0", "--root", "/srv/{name}"], "env": {{"API_KEY": "secret-{index}", "LOG_LEVEL": "warn"}}}}"#
            )
        };
        let comma = if index + 1 < servers { "," } else { "" };
        // Writing to a string does not fail.
        let _ = writeln!(text, "    \"{name}-{index}\": {entry}{comma}");
    }
    text.push_str("  }\n}\n");
    text
}

/// A JSON Schema of at least so many bytes: an object of texts, numbers, choices, lists, nested objects and alternatives.
pub fn schema(bytes: usize) -> String {
    let mut text = String::from(r#"{"type":"object","properties":{"#);
    let mut index = 0;
    while index == 0 || text.len() < bytes.saturating_sub(200) {
        if index > 0 {
            text.push(',');
        }
        property(&mut text, index);
        index += 1;
    }
    text.push_str(r#"},"required":["account_0"],"additionalProperties":false}"#);
    text
}

fn property(text: &mut String, index: usize) {
    let name = word(index);
    let body = match index % 6 {
        0 => format!(
            r#"{{"type":"string","description":"The {name} to work on, by its name or number.","maxLength":200}}"#
        ),
        1 => format!(
            r#"{{"type":"integer","description":"How many of them, {name} first.","minimum":0,"maximum":1e3,"default":10}}"#
        ),
        2 => {
            format!(r#"{{"type":"string","enum":["open","closed","{name}"],"description":"Which state they are in."}}"#)
        }
        3 => format!(
            r#"{{"type":"array","items":{{"type":"string","pattern":"^[a-z0-9-]+$"}},"description":"Every {name} by its name.","maxItems":20}}"#
        ),
        4 => format!(
            r#"{{"type":"object","description":"Where the {name} is.","properties":{{"path":{{"type":"string"}},"line":{{"type":"integer","minimum":1}}}},"required":["path"]}}"#
        ),
        _ => format!(
            r#"{{"description":"The {name}, by number or by name.","anyOf":[{{"type":"integer","title":"Number"}},{{"type":"string","title":"Name","minLength":1}}]}}"#
        ),
    };
    // Writing to a string does not fail.
    let _ = write!(text, r#""{name}_{index}":{body}"#);
}

/// A tool of about so many bytes (at least about 700), mostly its input schema.
pub fn tool(index: usize, bytes: usize) -> String {
    let name = tool_name(index);
    format!(
        r#"{{"name":"{name}","title":"Tool {index}","description":"Does what the name {name} says, in the system it belongs to; read the arguments before use.","inputSchema":{},"annotations":{{"readOnlyHint":{},"openWorldHint":true}}}}"#,
        schema(bytes.saturating_sub(300)),
        index.is_multiple_of(2)
    )
}

/// The results of `tools/list` for so many tools of about so many bytes each, the cursor of each page its number.
pub fn pages(tools: usize, bytes_each: usize) -> Vec<String> {
    let count = tools.div_ceil(TOOLS_A_PAGE).max(1);
    (0..count)
        .map(|page| {
            let first = page * TOOLS_A_PAGE;
            let items: Vec<String> = (first..tools.min(first + TOOLS_A_PAGE))
                .map(|index| tool(index, bytes_each))
                .collect();
            let cursor = if page + 1 < count {
                format!(r#","nextCursor":"{}""#, page + 1)
            } else {
                String::new()
            };
            format!(r#"{{"tools":[{}]{cursor}}}"#, items.join(","))
        })
        .collect()
}

/// The `result` of a `tools/call` of about so many bytes: one text, and structured content of records.
pub fn result(bytes: usize) -> String {
    let mut records = String::new();
    let mut index = 0;
    while records.len() < bytes.saturating_sub(300) {
        if index > 0 {
            records.push(',');
        }
        let name = word(index);
        // Writing to a string does not fail.
        let _ = write!(
            records,
            r#"{{"id":{index},"title":"The {name} \"{index}\" \u2014 as it is","price":{index}.50,"open":{},"tags":["{name}","a b","ü"],"owner":{{"name":"{name}-{index}","note":null}},"text":"first line\nsecond `line` of {index}"}}"#,
            index.is_multiple_of(3)
        );
        index += 1;
    }
    format!(
        r#"{{"content":[{{"type":"text","text":"{index} records"}}],"structuredContent":{{"records":[{records}],"next":null}}}}"#
    )
}

/// The id of a server by its number.
pub fn registration_id(server: usize) -> Option<RegistrationId> {
    let number = u128::try_from(server).unwrap_or_default() + 1;
    RegistrationId::from_uuid(Builder::from_random_bytes(number.to_be_bytes()).into_uuid())
}

/// So many tools of servers of 512, each with its server's name; every fourth name has to be cleaned, and some meet.
pub fn tool_ids(count: usize) -> Vec<(ToolId, String)> {
    (0..count)
        .filter_map(|index| {
            let server = index / TOOLS_A_SERVER;
            let name = match index % 4 {
                0 => format!("{} über {}", word(index), index % TOOLS_A_SERVER),
                _ => tool_name(index % TOOLS_A_SERVER),
            };
            // Two servers share a name, as people name them.
            let id = ToolId::new(registration_id(server)?, name);
            Some((id, format!("{} server", word(server / 2))))
        })
        .collect()
}

/// The catalog of so many tools of about so many bytes each.
pub fn catalog(tools: usize, bytes_each: usize) -> Result<Catalog, Diagnostic> {
    let pages = pages(tools, bytes_each);
    build_catalog(
        pages.iter().map(String::as_str),
        context(),
        &Limits::default(),
        &JsonSchemaCheck,
    )
}

/// What is known of a discovery beside its pages.
pub fn context() -> CatalogContext {
    CatalogContext {
        protocol_version: "2025-11-25".to_owned(),
        server_name: Some("bench".to_owned()),
        server_version: Some("1.0".to_owned()),
        transport: TransportKind::Http,
    }
}

/// An active server that allows all of so many tools, and describes each, and one of its properties, in its own words.
pub fn registration(tools: usize) -> Option<Registration> {
    let names = || (0..tools).map(tool_name);
    Some(Registration {
        id: registration_id(0)?,
        display_name: "Bench server".to_owned(),
        config: ServerConfig::Http(HttpConfig {
            url: "https://bench.example.com/mcp".to_owned(),
            headers: NamedValues::new(),
            protocol_version: ProtocolVersion::default(),
        }),
        state: ServerState::Active,
        tool_permissions: names().map(|name| (name, Permission::Allow)).collect(),
        tool_description_overrides: names()
            .map(|name| {
                let description = format!("What {name} does, in our words.");
                let properties = [("account_0".to_owned(), "Which one.".to_owned())].into();
                let layer = DescriptionOverride {
                    description: Some(description),
                    properties,
                };
                (name, layer)
            })
            .collect(),
    })
}
