//! Editing a saved configuration without seeing its secrets: each is shown as a placeholder, and a placeholder that
//! comes back unchanged stands for the value that is saved (partner contract).
//!
//! [`mask`] and [`restore`] are inverse: what was masked and comes back as it is restores the same configuration.

use std::fmt::Write as _;

use crate::named_values::NamedValues;
use crate::server::{HttpConfig, ServerConfig, StdioConfig};
use crate::{Code, Diagnostic, Refusal, path};

const OPENING: &str = "{{DSH_MCP_SAVED:";
const CLOSING: &str = "}}";

/// The configuration as an editor shows it: every header value, environment value and argument, and a URL that holds
/// userinfo or a query, is a placeholder `{{DSH_MCP_SAVED:<path>}}`, where the path is `headers/<name>`, `env/<name>`,
/// `args/<index>` or `url`, encoded whole as JavaScript's `encodeURIComponent` does.
pub fn mask(config: &ServerConfig) -> ServerConfig {
    match config {
        ServerConfig::Http(config) => ServerConfig::Http(HttpConfig {
            url: if holds_secret(&config.url) {
                placeholder("url")
            } else {
                config.url.clone()
            },
            headers: masked_values("headers", &config.headers),
            protocol_version: config.protocol_version,
        }),
        ServerConfig::Stdio(config) => ServerConfig::Stdio(StdioConfig {
            command: config.command.clone(),
            args: (0..config.args.len()).map(argument_placeholder).collect(),
            env: masked_values("env", &config.env),
            cwd: config.cwd.clone(),
            protocol_version: config.protocol_version,
        }),
    }
}

/// The configuration as a file shows it whose secrets are kept apart: as [`mask`], with a placeholder for the URL whatever
/// it holds.
pub fn detach(config: &ServerConfig) -> ServerConfig {
    match mask(config) {
        ServerConfig::Http(config) => ServerConfig::Http(HttpConfig {
            url: placeholder("url"),
            ..config
        }),
        stdio @ ServerConfig::Stdio(_) => stdio,
    }
}

/// Whether a placeholder, or the beginning of one, stands in a field that can be masked.
pub fn is_masked(config: &ServerConfig) -> bool {
    let in_values = |values: &NamedValues| values.iter().any(|(_, value)| holds_placeholder(value));
    match config {
        ServerConfig::Http(config) => holds_placeholder(&config.url) || in_values(&config.headers),
        ServerConfig::Stdio(config) => {
            config.args.iter().any(|argument| holds_placeholder(argument)) || in_values(&config.env)
        }
    }
}

/// The configuration with each placeholder replaced by the saved value it stands for. A placeholder counts only as the
/// whole text of its own field, an argument's at any place among the arguments, once. Anywhere else, or without a saved
/// configuration (a new server, an import), it is refused; the refusal names every place.
///
/// What the text says besides is not checked here: see [`crate::validate::config`], which comes after.
pub fn restore(config: ServerConfig, saved: Option<&ServerConfig>) -> Result<ServerConfig, Refusal> {
    let mut restoring = Restoring {
        is_new: saved.is_none(),
        reasons: Vec::new(),
    };
    let restored = match (config, saved) {
        (ServerConfig::Http(config), Some(ServerConfig::Http(saved))) => {
            ServerConfig::Http(restoring.http(config, Some(saved)))
        }
        (ServerConfig::Http(config), _) => ServerConfig::Http(restoring.http(config, None)),
        (ServerConfig::Stdio(config), Some(ServerConfig::Stdio(saved))) => {
            ServerConfig::Stdio(restoring.stdio(config, Some(saved)))
        }
        (ServerConfig::Stdio(config), _) => ServerConfig::Stdio(restoring.stdio(config, None)),
    };
    match Refusal::from_reasons(restoring.reasons) {
        Some(refusal) => Err(refusal),
        None => Ok(restored),
    }
}

/// The placeholder for a path such as `headers/Authorization`.
pub fn placeholder(path: &str) -> String {
    let mut text = OPENING.to_owned();
    for &byte in path.as_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')' => {
                text.push(char::from(byte));
            }
            // Writing to a String cannot fail.
            _ => drop(write!(text, "%{byte:02X}")),
        }
    }
    text.push_str(CLOSING);
    text
}

/// Whether a text holds a placeholder, or the beginning of one, anywhere.
pub fn holds_placeholder(text: &str) -> bool {
    text.contains(OPENING)
        // As the URL parser writes one that stands inside a URL.
        || text.contains("%7B%7BDSH_MCP_SAVED:")
}

struct Restoring {
    is_new: bool,
    reasons: Vec<Diagnostic>,
}

impl Restoring {
    fn http(&mut self, config: HttpConfig, saved: Option<&HttpConfig>) -> HttpConfig {
        HttpConfig {
            url: self.own(config.url, "url", saved.map(|saved| saved.url.as_str()), || {
                "url".to_owned()
            }),
            headers: self.values("headers", config.headers, saved.map(|saved| &saved.headers)),
            protocol_version: config.protocol_version,
        }
    }

    fn stdio(&mut self, config: StdioConfig, saved: Option<&StdioConfig>) -> StdioConfig {
        let saved_args = saved.map(|saved| saved.args.as_slice()).unwrap_or_default();
        self.plain(&config.command, saved.map(|saved| saved.command.as_str()), "command");
        if let Some(cwd) = &config.cwd {
            self.plain(cwd, saved.and_then(|saved| saved.cwd.as_deref()), "cwd");
        }
        StdioConfig {
            command: config.command,
            args: self.args(config.args, saved_args),
            env: self.values("env", config.env, saved.map(|saved| &saved.env)),
            cwd: config.cwd,
            protocol_version: config.protocol_version,
        }
    }

    fn values(&mut self, field: &str, edited: NamedValues, saved: Option<&NamedValues>) -> NamedValues {
        let mut restored = Vec::with_capacity(edited.len());
        let saved = saved.map(NamedValues::by_name).unwrap_or_default();
        for (name, value) in edited.iter() {
            let saved = saved.get(name).copied();
            let at = || path::member(field, name);
            if saved.is_none() && holds_placeholder(name) {
                self.refuse(name, at());
            }
            let value = self.own(value.to_owned(), &format!("{field}/{name}"), saved, at);
            restored.push((name.to_owned(), value));
        }
        // The names are those of the edited ones, which stand there once each.
        NamedValues::from_pairs(restored).unwrap_or(edited)
    }

    /// A field that its own placeholder restores.
    fn own(&mut self, text: String, own_path: &str, saved: Option<&str>, at: impl FnOnce() -> String) -> String {
        if !holds_placeholder(&text) {
            return text;
        }
        match saved {
            Some(saved) if text == placeholder(own_path) => saved.to_owned(),
            // What is shown in full comes back in full.
            Some(saved) if text == saved && own_path == "url" => text,
            None if !self.is_new && text == placeholder(own_path) => {
                self.reasons.push(
                    Diagnostic::new(
                        Code::MaskPlaceholderUnknown,
                        "This placeholder stands for a value that is not saved here; write the value itself.",
                    )
                    .at(at()),
                );
                text
            }
            _ => {
                self.refuse(&text, at());
                text
            }
        }
    }

    /// A field that is never masked.
    fn plain(&mut self, text: &str, saved: Option<&str>, at: &str) {
        if holds_placeholder(text) && saved != Some(text) {
            self.refuse(text, at.to_owned());
        }
    }

    fn args(&mut self, edited: Vec<String>, saved: &[String]) -> Vec<String> {
        let mut used = vec![false; saved.len()];
        edited
            .into_iter()
            .enumerate()
            .map(|(position, argument)| {
                if !holds_placeholder(&argument) {
                    return argument;
                }
                let at = path::element("args", position);
                let Some(index) = argument_index(&argument).filter(|_| !self.is_new) else {
                    self.refuse(&argument, at);
                    return argument;
                };
                let (code, message) = match (saved.get(index), used.get_mut(index)) {
                    (Some(value), Some(used)) if !*used => {
                        *used = true;
                        return value.clone();
                    }
                    (Some(_), _) => (
                        Code::MaskPlaceholderRepeated,
                        "This placeholder stands here a second time; a saved argument can be kept once. Write the value itself.",
                    ),
                    (None, _) => (
                        Code::MaskPlaceholderUnknown,
                        "This placeholder stands for an argument that is not saved; write the value itself.",
                    ),
                };
                self.reasons.push(Diagnostic::new(code, message).at(at));
                argument
            })
            .collect()
    }

    /// A placeholder where it cannot be.
    fn refuse(&mut self, text: &str, at: String) {
        let whole = text
            .strip_prefix(OPENING)
            .and_then(|rest| rest.strip_suffix(CLOSING))
            .is_some_and(|inside| !inside.contains(['{', '}']));
        let (code, message) = if self.is_new {
            (
                Code::MaskPlaceholderNew,
                "This is a placeholder for a value saved with another server; a new server has none. Write the value itself.",
            )
        } else if whole {
            (
                Code::MaskPlaceholderMoved,
                "This placeholder belongs to another field, and only there stands for its saved value (a renamed field is another one). Write the value itself.",
            )
        } else {
            (
                Code::MaskPlaceholderEmbedded,
                "A placeholder stands for a whole value and cannot be part of a longer text. Write the value itself.",
            )
        };
        self.reasons.push(Diagnostic::new(code, message).at(at));
    }
}

fn masked_values(field: &str, values: &NamedValues) -> NamedValues {
    let masked = values
        .iter()
        .map(|(name, _)| (name.to_owned(), placeholder(&format!("{field}/{name}"))))
        .collect();
    // The names stand there once each, as they did before.
    NamedValues::from_pairs(masked).unwrap_or_default()
}

fn argument_placeholder(index: usize) -> String {
    placeholder(&format!("args/{index}"))
}

/// The index that an argument's placeholder names, written as [`mask`] writes it.
fn argument_index(text: &str) -> Option<usize> {
    let index = text
        .strip_prefix(OPENING)?
        .strip_prefix("args%2F")?
        .strip_suffix(CLOSING)?
        .parse()
        .ok()?;
    (argument_placeholder(index) == text).then_some(index)
}

/// Whether a URL holds userinfo or a query, or is none and could hold anything.
pub fn holds_secret(url: &str) -> bool {
    url::Url::parse(url).map_or(true, |url| {
        !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some()
    })
}
