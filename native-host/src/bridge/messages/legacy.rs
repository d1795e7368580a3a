//! The messages of `legacy.*`: tools for Legacy chat generations, and their calls (manager contract §8).

use serde::{Deserialize, Serialize};
use toolgate_core::Diagnostic;
use toolgate_core::layers::ToolDescriptor;

/// The tools a Legacy root may freeze.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LegacyTools {
    /// The tools, by their servers' display names, then in the servers' own order.
    pub tools: Vec<ToolDescriptor>,
    /// What is left out or skipped, and why.
    pub diagnostics: Vec<Diagnostic>,
}

/// `legacy.startCall`, `legacy.cancel`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LegacyCallIdParams {
    /// The call's id, a UUID made by the caller; the provider's `tool_call_id` is another thing.
    pub execution_call_id: String,
}

/// `legacy.call`: one call of a tool by the model.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LegacyCallParams {
    /// The id that `legacy.startCall` was given.
    pub execution_call_id: String,
    /// The tool, as the round's alias was resolved: `mcp/<registration id>:<native name>`.
    pub tool_id: String,
    /// The arguments as the text of a JSON object, at most 256 KiB, as the model wrote it.
    pub arguments_json: String,
}
