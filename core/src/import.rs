//! Reading a server from the text a person pasted.

use serde::Serialize;

use crate::Diagnostic;
use crate::server::ServerConfig;

/// What a text for "add one server" says (manager contract §4, partner contract). The preview a page shows is this value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AddPreview {
    /// The server, where there are no errors.
    pub server: Option<ServerDraft>,
    /// Why the text is refused; empty where it is accepted.
    pub errors: Vec<Diagnostic>,
    /// What was accepted but not used, or read differently than it was written.
    pub notes: Vec<Diagnostic>,
}

/// A server as a text describes it, before it is saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ServerDraft {
    /// The name the text gives it; none in a bare server object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// How to reach it, normalised.
    pub config: ServerConfig,
}
