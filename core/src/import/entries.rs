//! Which servers a document holds: the forms in which programs and documentation wrap them.

use jsonc_parser::ast::{Array, Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;

use super::fields::{self, FIELDS, Field, if_you_mean, meant};
use super::{Entry, Reading, Said, found, kind};
use crate::{Code, ReasonCase, path};

/// The keys that hold servers by name.
const WRAPPERS: [&str; 2] = ["mcpServers", "servers"];
/// The same in other programs' files.
const FOREIGN_WRAPPERS: [&str; 4] = ["mcp_servers", "context_servers", "mcp", "extensions"];

impl Reading<'_> {
    /// The servers of a document, in its order. Where there is none, an error says why.
    pub(super) fn entries<'value, 'text>(&mut self, root: &'value Value<'text>) -> Vec<Entry<'value, 'text>> {
        let Value::Object(root) = root else {
            self.error(
                Code::ImportNotObject,
                "",
                root.start(),
                ReasonCase::ObjectWanted.about([found(root)]).says(format!(
                    "Here stands {}; write an object such as {{\"docs\": {{\"url\": \"https://example.com/mcp\"}}}}.",
                    kind(root)
                )),
            );
            return Vec::new();
        };
        if is_server(root) {
            return vec![Entry {
                name: None,
                path: String::new(),
                at: root.start(),
                object: root,
            }];
        }
        let wrappers: Vec<_> = root
            .properties
            .iter()
            .filter(|property| WRAPPERS.contains(&property.name.as_str()))
            .collect();
        match wrappers.as_slice() {
            [] => {}
            [wrapper] => {
                self.ignore_beside(root, wrapper);
                return self.wrapped(wrapper.name.as_str(), &wrapper.value);
            }
            [first, second, ..] => {
                self.error(
                    Code::ImportFieldConflict,
                    second.name.as_str(),
                    second.start(),
                    ReasonCase::SaidTwice
                        .about([first.name.as_str(), second.name.as_str()])
                        .says(format!(
                            "Servers stand under {} and under {}; put them under one of the two.",
                            first.name.as_str(),
                            second.name.as_str()
                        )),
                );
                return Vec::new();
            }
        }
        if let Some(Foreign {
            wrapper,
            path,
            servers,
            beside,
        }) = foreign_wrapper(root)
        {
            self.note(
                Code::ImportFieldRenamed,
                &path,
                wrapper.start(),
                ReasonCase::ReadAs
                    .about([&path, "mcpServers"])
                    .says(format!("Read {path} as mcpServers.")),
            );
            self.ignore_beside(root, wrapper);
            for property in beside {
                self.ignore(wrapper.name.as_str(), property);
            }
            return self.wrapped(&path, servers);
        }
        self.named(root)
    }

    /// `{"mcpServers": …}`: everything inside is a server.
    fn wrapped<'value, 'text>(&mut self, parent: &str, servers: &'value Value<'text>) -> Vec<Entry<'value, 'text>> {
        if let Value::Array(list) = servers {
            return self.listed(parent, list);
        }
        let Value::Object(servers) = servers else {
            self.error(
                Code::ImportServerNotObject,
                parent,
                servers.start(),
                ReasonCase::ObjectWanted.about([found(servers)]).says(format!(
                    "{parent} is {}; it must be an object with a server under each name, such as {{\"docs\": {{\"url\": \"https://example.com/mcp\"}}}}.",
                    kind(servers)
                )),
            );
            return Vec::new();
        };
        if is_server(servers) {
            self.error(
                Code::ImportServerNotObject,
                parent,
                servers.start(),
                format!("A server's fields stand directly under {parent}; put a name and {{ }} around them."),
            );
            return Vec::new();
        }
        if servers.properties.is_empty() {
            self.error(
                Code::ImportServerMissing,
                parent,
                servers.start(),
                format!(
                    "{parent} is empty; it must hold a server, such as \"docs\": {{\"url\": \"https://example.com/mcp\"}}."
                ),
            );
        }
        let mut entries = Vec::new();
        for property in &servers.properties {
            let path = path::member(parent, property.name.as_str());
            match &property.value {
                Value::Object(object) => entries.push(entry(property, path, object)),
                other => self.not_a_server(&path, property, other),
            }
        }
        entries
    }

    /// `{"mcpServers": [{"name": …, …}, …]}`: each object is a server, which holds its name.
    fn listed<'value, 'text>(&mut self, parent: &str, list: &'value Array<'text>) -> Vec<Entry<'value, 'text>> {
        if list.elements.is_empty() {
            self.error(
                Code::ImportServerMissing,
                parent,
                list.start(),
                format!("{parent} is empty; it must hold a server."),
            );
        }
        let mut entries = Vec::new();
        for (index, element) in list.elements.iter().enumerate() {
            let path = path::element(parent, index);
            match element {
                Value::Object(object) => entries.push(Entry {
                    name: None,
                    path,
                    at: object.start(),
                    object,
                }),
                other => self.error(
                    Code::ImportServerNotObject,
                    &path,
                    other.start(),
                    ReasonCase::ObjectWanted.about([found(other)]).says(format!(
                        "{path} is {}; a server is an object with a url or a command.",
                        kind(other)
                    )),
                ),
            }
        }
        entries
    }

    /// `{"name": {…}}`: each object is a server. What is no object beside them is a note.
    fn named<'value, 'text>(&mut self, root: &'value Object<'text>) -> Vec<Entry<'value, 'text>> {
        let mut entries = Vec::new();
        let mut others = Vec::new();
        for property in &root.properties {
            let name = property.name.as_str();
            match &property.value {
                Value::Object(object) => entries.push(entry(property, path::member("", name), object)),
                other => others.push((property, other)),
            }
        }
        if !entries.is_empty() {
            for (property, _) in others {
                self.ignore("", property);
            }
            return entries;
        }
        if others.iter().any(|(property, value)| {
            matches!(property.name.as_str(), "remotes" | "packages") && value.as_array().is_some()
        }) {
            self.error(
                Code::ImportServerMissing,
                "",
                root.start(),
                "This is a description from the MCP registry. Write what it names as a server: {\"url\": …} for one of its remotes, {\"command\": …, \"args\": […]} for one of its packages.",
            );
        } else if let Some((property, value)) = others.first() {
            self.not_a_server(&path::member("", property.name.as_str()), property, value);
        } else {
            self.error(
                Code::ImportServerMissing,
                "",
                root.start(),
                "The object is empty; write a server such as {\"docs\": {\"url\": \"https://example.com/mcp\"}}.",
            );
        }
        Vec::new()
    }

    fn not_a_server(&mut self, path: &str, property: &ObjectProp<'_>, value: &Value<'_>) {
        let hint = meant(property.name.as_str(), WRAPPERS.into_iter().chain(FIELDS)).map(if_you_mean);
        self.error(
            Code::ImportServerNotObject,
            path,
            property.value.start(),
            ReasonCase::ObjectWanted.about([found(value)]).says(
                format!(
                "{path} is {}; a server is an object with a url or a command, such as {{\"url\": \"https://example.com/mcp\"}}. {}",
                kind(value),
                hint.unwrap_or_default()
            )
            .trim_end(),
            ),
        );
    }

    fn ignore_beside(&mut self, root: &Object<'_>, wrapper: &ObjectProp<'_>) {
        for property in &root.properties {
            if property.start() != wrapper.start() {
                self.ignore("", property);
            }
        }
    }

    /// The note about a field that was not used.
    pub(super) fn ignore(&mut self, parent: &str, property: &ObjectProp<'_>) {
        let name = property.name.as_str();
        let (code, reason, sentence) = fields::ignored(name);
        self.note(
            code,
            &path::member(parent, name),
            property.start(),
            Said {
                message: format!("{name} was not used. {sentence}").trim_end().to_owned(),
                reason,
            },
        );
    }
}

/// What to say of a server that says nothing of how to reach it, where its name is nearly that of a wrapper.
pub(super) fn wrapper_hint(entry: &Entry<'_, '_>) -> Option<String> {
    meant(entry.name?, WRAPPERS).map(if_you_mean)
}

fn entry<'value, 'text>(
    property: &'value ObjectProp<'text>,
    path: String,
    object: &'value Object<'text>,
) -> Entry<'value, 'text> {
    Entry {
        name: Some(property.name.as_str()),
        path,
        at: property.start(),
        object,
    }
}

/// Whether an object has a field that says how to reach a server, so that it is one and not something around one. An
/// object in such a field is a server that bears that name.
fn is_server(object: &Object<'_>) -> bool {
    object.properties.iter().any(|property| {
        let says_how = matches!(
            Field::read(property.name.as_str()),
            Some(Field::Url | Field::Command | Field::Type)
        );
        says_how && property.value.as_object().is_none()
    })
}

/// The servers in the wrapper of another program.
struct Foreign<'value, 'text> {
    wrapper: &'value ObjectProp<'text>,
    /// The path of the servers.
    path: String,
    servers: &'value Value<'text>,
    /// What stands beside them inside the wrapper.
    beside: Vec<&'value ObjectProp<'text>>,
}

/// The wrapper of another program, where the document has exactly one and it can be nothing else: objects only inside,
/// and itself no server.
fn foreign_wrapper<'value, 'text>(root: &'value Object<'text>) -> Option<Foreign<'value, 'text>> {
    let mut found = root
        .properties
        .iter()
        .filter(|property| FOREIGN_WRAPPERS.contains(&property.name.as_str()));
    let (wrapper, None) = (found.next()?, found.next()) else {
        return None;
    };
    let inside = wrapper.value.as_object()?;
    if is_server(inside) {
        return None;
    }
    let name = wrapper.name.as_str();
    // Some settings files hold `mcp.servers`.
    if let Some(servers) = inside.get("servers") {
        return Some(Foreign {
            wrapper,
            path: path::member(name, "servers"),
            servers: &servers.value,
            beside: inside
                .properties
                .iter()
                .filter(|property| property.start() != servers.start())
                .collect(),
        });
    }
    let all_objects = inside
        .properties
        .iter()
        .all(|property| property.value.as_object().is_some());
    (all_objects && !inside.properties.is_empty()).then(|| Foreign {
        wrapper,
        path: name.to_owned(),
        servers: &wrapper.value,
        beside: Vec::new(),
    })
}
