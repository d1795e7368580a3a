//! The messages of importing many servers.

use serde::{Deserialize, Serialize};
use toolgate_core::Diagnostic;

use super::ServerSummary;

/// `servers.import`: creates every server that a text says, or none (partner contract).
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ImportParams {
    /// The text, as `importMany` of `@toolgate/core/schema` reads it. It may hold secrets, so there is no `Debug` output.
    pub text: String,
}

/// What was imported.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Imported {
    /// The servers that were created, all paused, in the order of the text.
    pub servers: Vec<ServerSummary>,
    /// What was not used of the text, or read differently than it was written.
    pub notes: Vec<Diagnostic>,
}
