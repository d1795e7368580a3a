//! The fields of a server as the many programs that write one spell them, and what to say of those that are not used.

use crate::Code;

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

    const ALL: [Self; 8] = [
        Self::Url,
        Self::Headers,
        Self::Command,
        Self::Args,
        Self::Env,
        Self::Cwd,
        Self::ProtocolVersion,
        Self::Type,
    ];
}

/// What to say of a field that is not used: the code of the note, and what to do instead (empty where nothing is).
pub(super) fn ignored(name: &str) -> (Code, String) {
    let sentence = match name {
        "enabled" | "disabled" | "isActive" | "active" => {
            return (
                Code::ImportStateIgnored,
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
        | "trust" => "Every tool starts as Off; you decide on each once the server's tools are read.",
        "oauth" | "oauth_resource" | "scopes" | "requiresOAuth" => {
            "Toolgate does not sign in by OAuth; give the server a header such as Authorization if it needs one."
        }
        "bearer_token" | "bearerToken" | "apiKey" | "api_key" | "token" => {
            "Write it as a header: \"headers\": {\"Authorization\": \"Bearer …\"}, or as the server's documentation says."
        }
        "bearer_token_env_var" | "env_http_headers" | "headersHelper" => {
            "Toolgate does not read headers from its environment or from a program; write them under headers."
        }
        "envFile" | "env_keys" | "env_vars" => {
            "Toolgate does not read variables from a file or from its environment; write them under env."
        }
        "inputs" => "Toolgate does not ask for values; write each in the place of its ${input:…}.",
        "timeout"
        | "initTimeout"
        | "sseReadTimeout"
        | "connectionTimeout"
        | "requestTimeout"
        | "startup_timeout_sec"
        | "startup_timeout_ms"
        | "tool_timeout_sec" => "Toolgate has time limits of its own.",
        "name" => "The server's name is its key.",
        _ => {
            return (
                Code::ImportFieldIgnored,
                meant(name)
                    .map(|field| format!("If you mean {}, spell it so.", field.name()))
                    .unwrap_or_default(),
            );
        }
    };
    (Code::ImportFieldIgnored, sentence.to_owned())
}

/// The field whose name differs only in case, `-` and `_`.
fn meant(name: &str) -> Option<Field> {
    let plain = |name: &str| name.replace(['-', '_'], "").to_ascii_lowercase();
    let name = plain(name);
    Field::ALL.into_iter().find(|field| plain(field.name()) == name)
}
