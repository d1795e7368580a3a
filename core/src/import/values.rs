//! The values of a server's fields, each of its type, with the place it came from.

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;

use super::server::{Found, Origins};
use super::{Entry, Reading, found as found_in, kind};
use crate::named_values::NamedValues;
use crate::server::{HttpConfig, ProtocolVersion, ServerConfig, StdioConfig};
use crate::{Code, ReasonCase, path};

impl Reading<'_> {
    pub(super) fn http(
        &mut self,
        entry: &Entry<'_, '_>,
        found: &Found<'_, '_>,
        origins: &mut Origins,
    ) -> Option<ServerConfig> {
        let url = found.url.and_then(|property| {
            let path = path::member(&entry.path, property.name.as_str());
            origins.add("url", &path, property.value.start());
            self.text(&path, &property.value, "the server's address")
        });
        let headers = self.named_values(entry, found.headers, "headers", origins);
        let protocol_version = self.protocol_version(entry, found);
        Some(ServerConfig::Http(HttpConfig {
            url: url?,
            headers: headers?,
            protocol_version: protocol_version?,
        }))
    }

    pub(super) fn stdio(
        &mut self,
        entry: &Entry<'_, '_>,
        found: &Found<'_, '_>,
        origins: &mut Origins,
    ) -> Option<ServerConfig> {
        let command = found
            .command
            .and_then(|property| self.command(entry, property, found.args, origins));
        let args = found.args.map_or(Some(Vec::new()), |property| {
            self.args(&path::member(&entry.path, property.name.as_str()), property, origins)
        });
        let env = self.named_values(entry, found.env, "env", origins);
        let cwd = match found.cwd {
            None => Some(None),
            Some(property) => {
                let path = path::member(&entry.path, property.name.as_str());
                origins.add("cwd", &path, property.value.start());
                self.text(&path, &property.value, "the folder the server starts in")
                    .map(Some)
            }
        };
        let protocol_version = self.protocol_version(entry, found);
        let (command, first_args) = command?;
        let mut all_args = first_args;
        all_args.extend(args?);
        Some(ServerConfig::Stdio(StdioConfig {
            command,
            args: all_args,
            env: env?,
            cwd: cwd?,
            protocol_version: protocol_version?,
        }))
    }

    /// A command as text, or, as some programs write it, as a list of the program and its arguments.
    fn command(
        &mut self,
        entry: &Entry<'_, '_>,
        property: &ObjectProp<'_>,
        args: Option<&ObjectProp<'_>>,
        origins: &mut Origins,
    ) -> Option<(String, Vec<String>)> {
        let path = path::member(&entry.path, property.name.as_str());
        let Value::Array(list) = &property.value else {
            origins.add("command", &path, property.value.start());
            return self
                .text(&path, &property.value, "the program to start")
                .map(|command| (command, Vec::new()));
        };
        if let Some(args) = args {
            let message = "command is a list with its arguments already; put them all there or under args.";
            let args_path = path::member(&entry.path, args.name.as_str());
            let reason = ReasonCase::SaidTwice.about(["command", "args"]);
            self.error(
                Code::ImportFieldConflict,
                &args_path,
                args.start(),
                reason.says(message),
            );
            return None;
        }
        let Some((program, rest)) = list.elements.split_first() else {
            self.error(
                Code::CommandEmpty,
                &path,
                property.value.start(),
                "The command is empty; write the program to start, such as npx.",
            );
            return None;
        };
        self.note(
            Code::ImportFieldRenamed,
            &path,
            property.start(),
            ReasonCase::ReadAs
                .about(["command", "command, args"])
                .says("Read the first word of the list as command, the others as args."),
        );
        let program_path = path::element(&path, 0);
        origins.add("command", &program_path, program.start());
        let program = self.text(&program_path, program, "the program to start");
        let mut words = Vec::new();
        let mut complete = true;
        for (index, word) in rest.iter().enumerate() {
            let word_path = path::element(&path, index + 1);
            origins.add(&path::element("args", index), &word_path, word.start());
            match self.text(&word_path, word, "an argument") {
                Some(word) => words.push(word),
                None => complete = false,
            }
        }
        origins.add("args", &path, property.value.start());
        Some((program?, words)).filter(|_| complete)
    }

    fn args(&mut self, path: &str, property: &ObjectProp<'_>, origins: &mut Origins) -> Option<Vec<String>> {
        origins.add("args", path, property.value.start());
        let Value::Array(list) = &property.value else {
            let message = format!(
                "args is {}; write a list with one text for each argument, such as [\"-y\", \"some-package\"].",
                kind(&property.value)
            );
            let reason = ReasonCase::ListWanted.about([found_in(&property.value)]);
            self.error(
                Code::ImportFieldInvalid,
                path,
                property.value.start(),
                reason.says(message),
            );
            return None;
        };
        let mut args = Vec::with_capacity(list.elements.len());
        for (index, element) in list.elements.iter().enumerate() {
            let element_path = path::element(path, index);
            origins.add(&path::element("args", index), &element_path, element.start());
            if let Some(argument) = self.text(&element_path, element, "an argument") {
                args.push(argument);
            }
        }
        (args.len() == list.elements.len()).then_some(args)
    }

    /// Headers or environment variables.
    fn named_values(
        &mut self,
        entry: &Entry<'_, '_>,
        property: Option<&ObjectProp<'_>>,
        field: &str,
        origins: &mut Origins,
    ) -> Option<NamedValues> {
        let Some(property) = property else {
            return Some(NamedValues::new());
        };
        let path = path::member(&entry.path, property.name.as_str());
        origins.add(field, &path, property.value.start());
        let Value::Object(Object { properties, .. }) = &property.value else {
            let message = format!(
                "{field} is {}; write an object with a text for each name, such as {{\"NAME\": \"value\"}}.",
                kind(&property.value)
            );
            let reason = ReasonCase::ObjectWanted.about([found_in(&property.value)]);
            self.error(
                Code::ImportFieldInvalid,
                &path,
                property.value.start(),
                reason.says(message),
            );
            return None;
        };
        let what = if field == "headers" {
            "a header's value"
        } else {
            "a variable's value"
        };
        let mut pairs = Vec::with_capacity(properties.len());
        for member in properties {
            let name = member.name.as_str();
            let member_path = path::member(&path, name);
            origins.add(&path::member(field, name), &member_path, member.value.start());
            if let Some(value) = self.text(&member_path, &member.value, what) {
                pairs.push((name.to_owned(), value));
            }
        }
        // Keys that stand twice were refused before; a value that is no text has its error.
        if pairs.len() == properties.len() {
            NamedValues::from_pairs(pairs).ok()
        } else {
            None
        }
    }

    fn protocol_version(&mut self, entry: &Entry<'_, '_>, found: &Found<'_, '_>) -> Option<ProtocolVersion> {
        let Some(property) = found.protocol_version else {
            return Some(ProtocolVersion::Auto);
        };
        let path = path::member(&entry.path, property.name.as_str());
        let text = self.text(&path, &property.value, "the protocol version")?;
        let version = ProtocolVersion::parse(&text);
        if version.is_none() {
            let all: Vec<_> = ProtocolVersion::ALL.iter().map(|version| version.as_str()).collect();
            let message = format!(
                "This protocol version is not known here; it is one of {}.",
                all.join(", ")
            );
            self.error(
                Code::ImportProtocolVersionUnknown,
                &path,
                property.value.start(),
                message,
            );
        }
        version
    }

    /// A string, verbatim.
    fn text(&mut self, path: &str, value: &Value<'_>, what: &str) -> Option<String> {
        if let Some(literal) = value.as_string_lit() {
            return Some(literal.value.clone().into_owned());
        }
        let hint = match value {
            Value::NumberLit(_) | Value::BooleanLit(_) => "write it in double quotes",
            _ => "write it as text in double quotes",
        };
        let message = format!("Here stands {}, but {what} is text; {hint}.", kind(value));
        let reason = ReasonCase::TextWanted.about([found_in(value)]);
        self.error(Code::ImportFieldInvalid, path, value.start(), reason.says(message));
        None
    }
}
