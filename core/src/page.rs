//! What a page asks while a person types: the rules of the other modules, answered in one value each.

pub mod models;

use serde::Serialize;

use crate::command_line::{self, CommandSplit};
use crate::server::ServerConfig;
use crate::{Diagnostic, Limits, identity, mask, review, validate};

/// A text after its rule: as it would be stored, or why it is refused. One of the two is null. An endpoint may hold a
/// secret, so there is no `Debug` output.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CheckedText {
    /// The text as it would be stored.
    pub value: Option<String>,
    /// Why it is refused.
    pub error: Option<Diagnostic>,
}

impl From<Result<String, Diagnostic>> for CheckedText {
    fn from(result: Result<String, Diagnostic>) -> Self {
        match result {
            Ok(value) => Self {
                value: Some(value),
                error: None,
            },
            Err(error) => Self {
                value: None,
                error: Some(error),
            },
        }
    }
}

/// A server as a form describes it, after all rules. Holds what the person typed, secrets included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ServerCheck {
    /// What the host would refuse it for; empty where it would be saved. Paths are `displayName`, `url`,
    /// `headers.<name>`, `command`, `args[<index>]`, `env.<name>` and `cwd`.
    pub errors: Vec<Diagnostic>,
    /// What a person should look at again; refuses nothing.
    pub warnings: Vec<Diagnostic>,
    /// The configuration as it would be stored, where there are no errors about it; placeholders stay where `saved` is
    /// masked.
    pub config: Option<ServerConfig>,
    /// How to write a command that looks like a whole command line.
    pub command_split: Option<CommandSplit>,
}

/// Checks a server: its display name, its configuration, the display names of the other servers, and, where a saved
/// server is edited, the configuration the editor was given, masked or not.
pub fn check_server(
    display_name: &str,
    config: ServerConfig,
    other_names: &[String],
    saved: Option<&ServerConfig>,
    limits: &Limits,
) -> ServerCheck {
    let mut errors = Vec::new();
    if let Err(error) = identity::normalize_display_name(display_name, limits) {
        errors.push(error.at("displayName"));
    }
    let command_split = match &config {
        ServerConfig::Stdio(config) => command_line::suggested_split(&config.command),
        ServerConfig::Http(_) => None,
    };
    // Warnings are about what will be used, so about saved values where placeholders stand for them.
    let warnings = match mask::restore(config.clone(), saved) {
        Ok(restored) => review::review(display_name, &restored, other_names),
        Err(_) => review::review(display_name, &config, other_names),
    };
    let config = match validate::edited(config, saved, limits) {
        Ok(config) => Some(config),
        Err(refusal) => {
            errors.extend(refusal);
            None
        }
    };
    ServerCheck {
        errors,
        warnings,
        config,
        command_split,
    }
}
