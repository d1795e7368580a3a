//! What a server's configuration and a description override must keep to. Everything that reaches the host, from the
//! bridge, a file or an import, goes through here; what is merely unwise is left to `review`.

use crate::path;
use crate::review::shown_variable;
use crate::server::{DescriptionOverride, HttpConfig, ServerConfig, StdioConfig};
use crate::{Code, Diagnostic, Limits, Refusal, endpoint, mask};

/// Checks a configuration and answers it as it is stored, with the endpoint normalised; all else is kept verbatim.
/// Header names and values have no limit and no reserved list (manager contract §4); a stdio configuration has the
/// limits of the partner contract. The refusal names every field at fault, by its path in the configuration.
pub fn config(config: ServerConfig, limits: &Limits) -> Result<ServerConfig, Refusal> {
    let mut reasons = Vec::new();
    let checked = match config {
        ServerConfig::Http(config) => ServerConfig::Http(http(config, &mut reasons)),
        ServerConfig::Stdio(config) => {
            stdio(&config, limits, &mut reasons);
            ServerConfig::Stdio(config)
        }
    };
    match Refusal::from_reasons(reasons) {
        Some(refusal) => Err(refusal),
        None => Ok(checked),
    }
}

/// The same for a configuration as a person edits it: `saved` is the one an editor was given, masked or not, and none
/// for a new server. Placeholders are restored from it first; where what was given is itself masked, they stay, and a
/// URL that is one is not checked.
pub fn edited(edited: ServerConfig, saved: Option<&ServerConfig>, limits: &Limits) -> Result<ServerConfig, Refusal> {
    let restored = mask::restore(edited, saved)?;
    match restored {
        // Nothing but its endpoint is checked in such a configuration.
        ServerConfig::Http(HttpConfig { ref url, .. }) if *url == mask::placeholder("url") => Ok(restored),
        _ => config(restored, limits),
    }
}

/// Checks that a description override changes something (manager contract §4). An empty string is a change.
pub fn description_override(description_override: &DescriptionOverride) -> Result<(), Diagnostic> {
    if description_override.description.is_none() && description_override.properties.is_empty() {
        return Err(Diagnostic::new(
            Code::DescriptionOverrideEmpty,
            "The override holds neither a description nor a property's description; to remove one, send null.",
        ));
    }
    Ok(())
}

fn http(mut config: HttpConfig, reasons: &mut Vec<Diagnostic>) -> HttpConfig {
    match endpoint::normalize(&config.url) {
        Ok(url) => config.url = url,
        Err(reason) => reasons.push(reason.at("url")),
    }
    config
}

fn stdio(config: &StdioConfig, limits: &Limits, reasons: &mut Vec<Diagnostic>) {
    if config.command.trim().is_empty() {
        reasons.push(
            Diagnostic::new(
                Code::CommandEmpty,
                "The command is empty; write the program to start, such as npx.",
            )
            .at("command"),
        );
    }
    too_long(
        reasons,
        Code::CommandTooLong,
        "The command",
        &config.command,
        limits.command_bytes,
        || "command".to_owned(),
    );

    with_nul(reasons, "The command", &config.command, || "command".to_owned());

    too_many(
        reasons,
        Code::ArgsLimit,
        "arguments",
        config.args.len(),
        limits.args,
        "args",
    );
    for (index, argument) in config.args.iter().enumerate() {
        too_long(
            reasons,
            Code::ArgTooLong,
            "The argument",
            argument,
            limits.arg_bytes,
            || path::element("args", index),
        );
        with_nul(reasons, "The argument", argument, || path::element("args", index));
    }

    too_many(
        reasons,
        Code::EnvLimit,
        "environment variables",
        config.env.len(),
        limits.env,
        "env",
    );
    for (name, value) in config.env.iter() {
        let at = || path::member("env", shown_variable(name));
        if name.is_empty() || name.contains(['=', '\0']) {
            // The name may hold a value, so it is not repeated.
            let message = "A variable's name is not empty, and holds neither = nor a NUL character; write NAME and its value apart.";
            reasons.push(Diagnostic::new(Code::EnvNameInvalid, message).at(at()));
        }
        with_nul(reasons, "The value", value, at);
        too_long(
            reasons,
            Code::EnvValueTooLong,
            "The value",
            value,
            limits.env_bytes,
            || path::member("env", shown_variable(name)),
        );
    }

    if let Some(cwd) = &config.cwd {
        if cwd.is_empty() {
            reasons.push(
                Diagnostic::new(
                    Code::CwdEmpty,
                    "The working folder is an empty text; leave it out to start in the default one.",
                )
                .at("cwd"),
            );
        }
        too_long(
            reasons,
            Code::CwdTooLong,
            "The working folder",
            cwd,
            limits.cwd_bytes,
            || "cwd".to_owned(),
        );
        with_nul(reasons, "The working folder", cwd, || "cwd".to_owned());
    }
}

fn too_long(
    reasons: &mut Vec<Diagnostic>,
    code: Code,
    what: &str,
    text: &str,
    limit: usize,
    path: impl FnOnce() -> String,
) {
    if text.len() > limit {
        let message = format!(
            "{what} is {} UTF-8 bytes long; at most {limit} are allowed.",
            text.len()
        );
        reasons.push(Diagnostic::new(code, message).at(path()));
    }
}

/// No program can be started with a text that holds NUL.
fn with_nul(reasons: &mut Vec<Diagnostic>, what: &str, text: &str, path: impl FnOnce() -> String) {
    if text.contains('\0') {
        let message = format!("{what} holds a NUL character, with which no program can be started; remove it.");
        reasons.push(Diagnostic::new(Code::StdioNulForbidden, message).at(path()));
    }
}

fn too_many(reasons: &mut Vec<Diagnostic>, code: Code, what: &str, count: usize, limit: usize, path: &str) {
    if count > limit {
        let message = format!("There are {count} {what}; at most {limit} are allowed.");
        reasons.push(Diagnostic::new(code, message).at(path));
    }
}
