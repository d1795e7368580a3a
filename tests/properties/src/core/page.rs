//! What a page asks while a person types, the WebAssembly functions' whole input: each takes any text; what was
//! normalised is normal; and what a check tells never holds a value that is kept secret.

use std::collections::BTreeMap;

use toolgate_core::identity::{RegistrationId, ToolId, check_tool_name, normalize_display_name};
use toolgate_core::import::{Registered, edit_one, import_many};
use toolgate_core::layers::ToolDescriptor;
use toolgate_core::layers::agent::AgentTools;
use toolgate_core::named_values::NamedValues;
use toolgate_core::page::check_server;
use toolgate_core::page::models::preview_tool;
use toolgate_core::server::{DescriptionOverride, HttpConfig, ProtocolVersion, ServerConfig, StdioConfig};
use toolgate_core::{Limits, arguments, command_line, endpoint, json, partner};

use crate::parts::Parts;

/// Stands in every secret, and nowhere else.
const MARK: &str = "[secret]";

/// The parts are a name, an endpoint, a command and arguments, the JSON text of a configuration and of a layer of
/// descriptions, and further names.
pub fn check(input: &[u8]) {
    let mut parts = Parts::of(input);
    let (name, url, command, arguments) = (parts.text(), parts.text(), parts.text(), parts.text());
    let (config, layer) = (parts.text(), parts.text());
    let names = parts.texts(8);
    check_small(&name, &url, &command, &arguments);
    check_typed(&name, &url, &command, &names);
    check_given(&name, &config, &names);
    check_described(&name, &arguments, &layer, &names);
}

/// Normalising is done once: twice changes nothing.
fn check_small(name: &str, url: &str, command: &str, arguments: &str) {
    let limits = Limits::default();
    if let Ok(normal) = normalize_display_name(name, &limits) {
        assert!((1..=128).contains(&normal.chars().count()));
        assert_eq!(normalize_display_name(&normal, &limits).as_ref(), Ok(&normal));
    }
    let _ = partner::normalize_name(name, &limits).map(|normal| {
        assert_eq!(partner::normalize_name(&normal, &limits).as_ref(), Ok(&normal));
    });
    if let Ok(normal) = endpoint::normalize(url) {
        assert!(normal.starts_with("http://") || normal.starts_with("https://"), "{normal}");
        assert!(!normal.contains('#'), "{normal}");
        assert_eq!(endpoint::normalize(&normal).as_ref(), Ok(&normal));
    }
    if let Some(split) = command_line::suggested_split(command) {
        assert!(!split.command.is_empty() && !split.args.is_empty());
        // Only white space and quotes go.
        let kept = |text: &str| -> String {
            text.chars()
                .filter(|character| !character.is_whitespace() && !matches!(character, '"' | '\''))
                .collect()
        };
        assert_eq!(kept(&(split.command.clone() + &split.args.concat())), kept(command), "{command:?}");
        assert!(split.args.len() <= command.len());
    }
    if let Ok(checked) = arguments::check(arguments, &limits) {
        assert_eq!(arguments::check(checked.as_str(), &limits).as_ref(), Ok(&checked));
        assert!(!checked.as_str().contains('\n'), "{checked:?}");
    }
    let id = RegistrationId::parse("11111111-1111-4111-8111-111111111111").unwrap();
    let tool = ToolId::new(id, name.to_owned());
    match ToolId::parse(&tool.to_string(), &limits) {
        Ok(parsed) => assert_eq!(parsed, tool),
        Err(_) => assert!(name.is_empty() || name.len() > limits.tool_name_bytes),
    }
    let _ = (RegistrationId::parse(name), ToolId::parse(name, &limits));
}

/// A server as a form describes it: no sentence tells a header's value, an argument, a variable's value or a query.
fn check_typed(name: &str, url: &str, command: &str, names: &[String]) {
    let hidden = |text: &str| format!("{MARK}{}", text.replace(MARK, ""));
    let open = |text: &str| text.replace(MARK, "");
    let mut values = NamedValues::new();
    for value in names {
        let _ = values.insert(open(value), hidden(value));
    }
    let url = open(url);
    let http = ServerConfig::Http(HttpConfig {
        url: match url.split_once('?') {
            Some((endpoint, query)) => format!("{endpoint}?{MARK}{query}"),
            None => url,
        },
        headers: values.clone(),
        protocol_version: ProtocolVersion::Auto,
    });
    let stdio = ServerConfig::Stdio(StdioConfig {
        command: open(command),
        args: names.iter().map(|name| hidden(name)).collect(),
        env: values,
        cwd: names.first().map(|name| open(name)),
        protocol_version: ProtocolVersion::Auto,
    });
    for config in [http, stdio] {
        assert!(!format!("{config:?}").contains(MARK), "the Debug output tells a secret");
        assert!(!config.target().contains(MARK), "the target tells a secret");
        let checked = check_server(&open(name), config, &[], None, &Limits::default());
        for said in checked.errors.iter().chain(&checked.warnings) {
            assert!(!format!("{said:?}").contains(MARK), "{said} tells a secret");
        }
    }
}

/// A configuration as JavaScript gives it: what is accepted is accepted again, as the same.
fn check_given(name: &str, config: &str, names: &[String]) {
    let limits = Limits::default();
    let Ok(config) = serde_json::from_str::<ServerConfig>(config) else {
        return;
    };
    let written = serde_json::to_string(&config).unwrap();
    assert!(serde_json::from_str::<ServerConfig>(&written).unwrap() == config);
    let checked = check_server(name, config.clone(), names, None, &limits);
    if let Some(accepted) = checked.config {
        let again = check_server(name, accepted.clone(), names, Some(&config), &limits);
        assert!(again.config.is_some_and(|again| again == accepted), "{written}");
    }
    let _ = edit_one(name, &config, &limits);
    let registered = Registered {
        names,
        servers: names.len(),
    };
    let preview = import_many(&format!("{{\"mcpServers\":{{\"x\":{written}}}}}"), &registered, &limits);
    assert_eq!(preview.entries.len(), 1);
}

/// What a profile or an override says of a tool: the schema stays JSON, and every description that is not used is named.
fn check_described(name: &str, schema: &str, layer: &str, names: &[String]) {
    let Ok(layer) = serde_json::from_str::<DescriptionOverride>(layer) else {
        return;
    };
    let id = RegistrationId::parse("11111111-1111-4111-8111-111111111111").unwrap();
    if let Ok(schema) = json::JsonText::parse(schema) {
        let tool = ToolDescriptor {
            tool_id: ToolId::new(id, name.to_owned()),
            server_name: name.to_owned(),
            description: name.to_owned(),
            input_schema_json: schema,
        };
        let preview = preview_tool(tool.clone(), Some(&layer));
        assert!(json::JsonText::parse(&preview.input_schema_json).is_ok());
        assert!(preview.diagnostics.len() <= layer.properties.len());
        let text = serde_json::to_string(&tool).unwrap();
        match serde_json::from_str::<ToolDescriptor>(&text) {
            Ok(read) => assert_eq!(read, tool),
            // No catalog has such a name.
            Err(_) => assert!(check_tool_name(name, &Limits::default()).is_err()),
        }
    }
    let ids: Vec<String> = names.iter().map(|name| format!("mcp/{id}:{name}")).collect();
    let layers: BTreeMap<String, DescriptionOverride> = ids.iter().map(|id| (id.clone(), layer.clone())).collect();
    let count = layers.len();
    let (tools, diagnostics) = AgentTools::read(&ids, layers, &Limits::default());
    assert!(tools.allow.len() + diagnostics.len() >= ids.len());
    assert!(tools.descriptions.len() + diagnostics.len() >= count);
}
