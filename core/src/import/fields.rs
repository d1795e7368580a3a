//! The fields of a server as the many programs that write one spell them, and what to say of those that are not used.

use crate::{Code, Reason, ReasonCase};

/// What a field says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Url,
    Headers,
    Command,
    Args,
    Env,
    Cwd,
    ProtocolVersion,
    Type,
}

impl Field {
    /// The field that is spelled so, in any program's spelling.
    pub(super) fn read(name: &str) -> Option<Self> {
        Some(match name {
            "url" | "serverUrl" | "baseUrl" | "httpUrl" | "uri" | "endpoint" => Self::Url,
            "headers" | "http_headers" => Self::Headers,
            "command" | "cmd" => Self::Command,
            "args" => Self::Args,
            "env" | "environment" | "envs" => Self::Env,
            "cwd" => Self::Cwd,
            "protocolVersion" => Self::ProtocolVersion,
            "type" | "transport" | "transportType" => Self::Type,
            _ => return None,
        })
    }

    /// How the field is spelled here.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::Headers => "headers",
            Self::Command => "command",
            Self::Args => "args",
            Self::Env => "env",
            Self::Cwd => "cwd",
            Self::ProtocolVersion => "protocolVersion",
            Self::Type => "type",
        }
    }

    /// Whether the field is spelled in a way of its own by another program.
    pub(super) fn is_renamed(self, name: &str) -> bool {
        name != self.name() && name != "transport"
    }
}

/// What to say of a field that is not used: the code of the note, and what to do instead (empty where nothing is).
pub(super) fn ignored(name: &str) -> (Code, Option<Reason>, String) {
    let (case, sentence) = match name {
        "enabled" | "disabled" | "isActive" | "active" => {
            return (
                Code::ImportStateIgnored,
                None,
                "A server is added paused; you activate it once you have seen what it connects to or starts."
                    .to_owned(),
            );
        }
        "autoApprove"
        | "alwaysAllow"
        | "disabledTools"
        | "disabledAutoApproveTools"
        | "enabledTools"
        | "enabled_tools"
        | "disabled_tools"
        | "includeTools"
        | "excludeTools"
        | "available_tools"
        | "default_tools_approval_mode"
        | "tools"
        | "trust" => (
            ReasonCase::ToolsStartOff,
            "Every tool starts as Off; you decide on each once the server's tools are read.",
        ),
        "oauth" | "oauth_resource" | "scopes" | "requiresOAuth" => (
            ReasonCase::NoSignIn,
            "Toolgate does not sign in by OAuth; give the server a header such as Authorization if it needs one.",
        ),
        "bearer_token" | "bearerToken" | "apiKey" | "api_key" | "token" => (
            ReasonCase::HeaderInstead,
            "Write it as a header: \"headers\": {\"Authorization\": \"Bearer …\"}, or as the server's documentation says.",
        ),
        "bearer_token_env_var" | "env_http_headers" | "headersHelper" => (
            ReasonCase::HeadersHere,
            "Toolgate does not read headers from its environment or from a program; write them under headers.",
        ),
        "envFile" | "env_keys" | "env_vars" => (
            ReasonCase::VariablesHere,
            "Toolgate does not read variables from a file or from its environment; write them under env.",
        ),
        "inputs" => (
            ReasonCase::NoInputs,
            "Toolgate does not ask for values; write each in the place of its ${input:…}.",
        ),
        "timeout"
        | "initTimeout"
        | "sseReadTimeout"
        | "connectionTimeout"
        | "requestTimeout"
        | "startup_timeout_sec"
        | "startup_timeout_ms"
        | "tool_timeout_sec" => (ReasonCase::OwnTimeLimits, "Toolgate has time limits of its own."),
        "name" => (ReasonCase::NameIsKey, "The server's name is its key."),
        _ => {
            let meant = meant(name, FIELDS);
            return (
                Code::ImportFieldIgnored,
                meant.map(|name| ReasonCase::Meant.about([name])),
                meant.map(if_you_mean).unwrap_or_default(),
            );
        }
    };
    (Code::ImportFieldIgnored, Some(case.about([])), sentence.to_owned())
}

/// Every field as it is spelled here.
pub(super) const FIELDS: [&str; 8] = [
    Field::Url.name(),
    Field::Headers.name(),
    Field::Command.name(),
    Field::Args.name(),
    Field::Env.name(),
    Field::Cwd.name(),
    Field::ProtocolVersion.name(),
    Field::Type.name(),
];

pub(super) fn if_you_mean(name: &str) -> String {
    format!("If you mean {name}, spell it so.")
}

/// Which of the names another one was meant to be: the first that differs from it in one letter at most, or in two
/// that changed places; case, `-` and `_` do not count. A name of two letters or less could be anything.
pub(super) fn meant<'name>(name: &str, names: impl IntoIterator<Item = &'name str>) -> Option<&'name str> {
    let plain = |name: &str| -> Vec<char> {
        name.chars()
            .filter(|char| !matches!(char, '-' | '_'))
            .map(|char| char.to_ascii_lowercase())
            .collect()
    };
    let letters = plain(name);
    names
        .into_iter()
        .find(|other| *other != name && letters.len() > 2 && is_near(&letters, &plain(other)))
}

fn is_near(one: &[char], other: &[char]) -> bool {
    let same_before = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let one = one.get(same_before..).unwrap_or_default();
    let other = other.get(same_before..).unwrap_or_default();
    match (one, other) {
        ([], []) => true,
        ([_, one @ ..], [_, other @ ..]) if one == other => true,
        ([a, b, one @ ..], [c, d, other @ ..]) if (a, b) == (d, c) && one == other => true,
        ([_, rest @ ..], other) if rest == other => true,
        (one, [_, rest @ ..]) => one == rest,
        _ => false,
    }
}
