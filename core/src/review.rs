//! What a person should look at again before a server is used: warnings, never refusals, because a configuration is
//! kept as it is (manager contract §4). What is refused is in `validate`.

use std::collections::BTreeMap;

use url::Url;

use crate::server::{HttpConfig, ServerConfig, StdioConfig};
use crate::{Code, Diagnostic, command_line, endpoint, mask, path};

/// Headers that the transport sets itself, in lower case, and what happens to a configured one. Names that begin with
/// `mcp-param-` belong to them too.
const RESERVED_HEADERS: [(&str, &str); 20] = [
    ("accept", STOPS),
    ("accept-encoding", BREAKS),
    ("connection", BREAKS),
    ("content-encoding", BREAKS),
    ("content-length", STOPS),
    ("content-type", BREAKS),
    ("expect", BREAKS),
    ("host", BREAKS),
    ("keep-alive", BREAKS),
    ("last-event-id", STOPS),
    ("mcp-method", REPLACED),
    ("mcp-name", REPLACED),
    ("mcp-protocol-version", REPLACED),
    ("mcp-session-id", STOPS),
    ("proxy-connection", BREAKS),
    ("te", BREAKS),
    ("trailer", BREAKS),
    ("transfer-encoding", STOPS),
    ("upgrade", BREAKS),
    ("content-range", BREAKS),
];
const STOPS: &str = "With it here, no request is sent";
const REPLACED: &str = "The one here is replaced by it";
const BREAKS: &str = "The one here may break the exchange with the server";

/// Warnings about a server: its display name, its configuration, and the display names of the other servers. In the
/// order of the fields; no warning repeats a value.
pub fn review(display_name: &str, config: &ServerConfig, other_names: &[String]) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    let words = |name: &str| name.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let own = words(display_name);
    if !own.is_empty() && other_names.iter().any(|other| words(other) == own) {
        warnings.push(
            Diagnostic::new(
                Code::ReviewDisplayNameTaken,
                "Another server has this name too; give one of them a name you can tell apart.",
            )
            .at("displayName"),
        );
    }
    match config {
        ServerConfig::Http(config) => http(config, &mut warnings),
        ServerConfig::Stdio(config) => stdio(config, &mut warnings),
    }
    warnings
}

/// Whether HTTP can carry a header of this name: a token of RFC 9110 §5.6.2.
pub fn is_header_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// Whether HTTP can carry a header value: no control character but the tab (RFC 9110 §5.5).
pub fn is_header_value(value: &str) -> bool {
    value
        .bytes()
        .all(|byte| byte == b'\t' || (byte >= b' ' && byte != 0x7f))
}

/// A header's name as a warning may show it: up to the first character that no name has. What follows may be a value
/// that was pasted into the wrong field.
fn shown_header(name: &str) -> &str {
    let end =
        name.find(|character: char| !(character.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(character)));
    name.get(..end.unwrap_or(name.len())).unwrap_or_default()
}

/// The same for a variable's name.
pub(crate) fn shown_variable(name: &str) -> &str {
    let end = name
        .find(|character: char| matches!(character, '=' | ':') || character.is_whitespace() || character.is_control());
    name.get(..end.unwrap_or(name.len())).unwrap_or_default()
}

fn http(config: &HttpConfig, warnings: &mut Vec<Diagnostic>) {
    if let Ok(url) = Url::parse(&config.url) {
        endpoint_warnings(&url, warnings);
    }
    // As a URL is stored, braces in its path are encoded.
    if looks_like_variable(&config.url.replace("%7B", "{").replace("%7D", "}")) {
        warnings.push(Diagnostic::new(Code::ReviewVariable, VARIABLE).at("url"));
    }
    let mut first_spelling = BTreeMap::new();
    for (name, value) in config.headers.iter() {
        let at = path::member("headers", shown_header(name));
        let mut warn = |code, message: String| warnings.push(Diagnostic::new(code, message).at(at.clone()));
        let lowercase = name.to_ascii_lowercase();
        if !is_header_name(name) {
            warn(
                Code::ReviewHeaderUnsendable,
                "HTTP cannot carry this header name: it is made of letters, digits and !#$%&'*+-.^_`|~. Until it is changed, no request is sent.".to_owned(),
            );
        }
        if !is_header_value(value) {
            warn(
                Code::ReviewHeaderUnsendable,
                "HTTP cannot carry this header's value: it holds a line break or another control character. Until it is changed, no request is sent.".to_owned(),
            );
        }
        if let Some(what) = reserved(&lowercase) {
            warn(
                Code::ReviewHeaderReserved,
                format!(
                    "The transport sets this header itself. {what}; remove it unless you know that the server needs it."
                ),
            );
        }
        if looks_like_variable(value) {
            warn(Code::ReviewVariable, VARIABLE.to_owned());
        }
        match first_spelling.get(&lowercase) {
            None => {
                first_spelling.insert(lowercase, shown_header(name));
            }
            Some(first) => warn(
                Code::ReviewHeaderNamesDifferByCase,
                format!("To HTTP this is the same name as {first}; both are sent, and the server may take either."),
            ),
        }
    }
}

fn endpoint_warnings(url: &Url, warnings: &mut Vec<Diagnostic>) {
    if url.scheme() == "http" && !endpoint::is_loopback(url) {
        warnings.push(
            Diagnostic::new(
                Code::ReviewPlainHttp,
                "The endpoint is plain http: headers, arguments and results can be read and changed on the way. Use https if the server offers it.",
            )
            .at("url"),
        );
    }
    if !url.username().is_empty() || url.password().is_some() {
        warnings.push(
            Diagnostic::new(
                Code::ReviewUserinfo,
                "The endpoint holds a user name or password, which is sent as an Authorization header unless you set one; a header shows more clearly what is sent.",
            )
            .at("url"),
        );
    }
}

fn stdio(config: &StdioConfig, warnings: &mut Vec<Diagnostic>) {
    if let Some(split) = command_line::suggested_split(&config.command) {
        let message = format!(
            "The command looks like a whole command line, but is started as one program, without a shell. Put {} into command, and what follows it into args, one entry for each of the {} words.",
            command_line::file_name(&split.command),
            split.args.len()
        );
        warnings.push(Diagnostic::new(Code::ReviewCommandLine, message).at("command"));
    }
    let mut unstartable = |text: &str, at: &dyn Fn() -> String| {
        if text.contains('\0') {
            let message = "No process can be given this: it holds a NUL character.";
            warnings.push(Diagnostic::new(Code::ReviewUnstartable, message).at(at()));
        }
    };
    unstartable(&config.command, &|| "command".to_owned());
    for (index, argument) in config.args.iter().enumerate() {
        unstartable(argument, &|| path::element("args", index));
    }
    for (name, value) in config.env.iter() {
        unstartable(value, &|| path::member("env", shown_variable(name)));
    }
    if let Some(cwd) = &config.cwd {
        unstartable(cwd, &|| "cwd".to_owned());
    }
    let places = std::iter::once((config.command.as_str(), "command".to_owned()));
    let args = config.args.iter().enumerate();
    let places = places.chain(args.map(|(index, argument)| (argument.as_str(), path::element("args", index))));
    let places = places.chain(config.cwd.iter().map(|cwd| (cwd.as_str(), "cwd".to_owned())));
    for (text, at) in places {
        // A program may read such a variable itself, as mcp-remote does, where it is among those that it is given.
        let is_given = |name: &str| config.env.get(name).is_some();
        if variables(text).any(|name| !is_given(name)) {
            warnings.push(Diagnostic::new(Code::ReviewVariable, VARIABLE).at(at));
        }
    }
    for (name, value) in config.env.iter() {
        if name.is_empty() || name.contains(['=', '\0']) {
            let message =
                "No process can be given a variable of this name: it is empty, or holds = or a NUL character.";
            warnings
                .push(Diagnostic::new(Code::ReviewUnstartable, message).at(path::member("env", shown_variable(name))));
        }
        if looks_like_variable(value) {
            warnings
                .push(Diagnostic::new(Code::ReviewVariable, VARIABLE).at(path::member("env", shown_variable(name))));
        }
    }
}

fn reserved(lowercase: &str) -> Option<&'static str> {
    if lowercase.starts_with("mcp-param-") {
        return Some(REPLACED);
    }
    RESERVED_HEADERS
        .iter()
        .find(|(name, _)| *name == lowercase)
        .map(|(_, what)| *what)
}

const VARIABLE: &str = "The value looks like a variable, such as ${NAME}. Nothing fills it in here: it is used as it stands. Write the value itself.";

fn looks_like_variable(value: &str) -> bool {
    variables(value).next().is_some()
}

/// What stands in `${NAME}`, `${env:NAME}`, `${input:id}` anywhere in the value, or after `$` in `$NAME` as all of it.
fn variables(value: &str) -> impl Iterator<Item = &str> {
    let value = if mask::holds_placeholder(value) { "" } else { value };
    let braced = value.split("${").skip(1).filter_map(|rest| rest.split_once('}'));
    let braced = braced
        .map(|(inside, _)| inside)
        .filter(|inside| begins_like_name(inside));
    let bare = value.strip_prefix('$').filter(|name| {
        begins_like_name(name)
            && name
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    });
    braced.chain(bare)
}

fn begins_like_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}
