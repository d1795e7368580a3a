//! The messages of `agent.*`: tools for one run of an agent, and its calls (manager contract §7).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toolgate_core::json::{JsonText, quoted};
use toolgate_core::layers::ModelTool;
use toolgate_core::outcome::CallFailure;
use toolgate_core::server::DescriptionOverride;
use toolgate_core::{Code, Diagnostic};

/// `agent.prepare`: begins an invocation. Each run, each child and each handoff has one of its own.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct AgentPrepareParams {
    /// What the agent's profile says.
    #[serde(deserialize_with = "crate::strict_json::object")]
    pub profile: AgentProfile,
    /// The names of the agent's other tools, which stay as they are: the aliases make way.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>"))]
    pub local_names: Vec<String>,
}

/// What an Agent Profile v3 says about MCP.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AgentProfile {
    /// About tools.
    #[serde(deserialize_with = "crate::strict_json::object")]
    pub tools: AgentProfileTools,
}

/// What an Agent Profile v3 says about MCP tools.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct AgentProfileTools {
    /// The tools it allows, by tool id (`mcp/<registration id>:<native name>`), in the order in which the model is told
    /// of them.
    pub allow: Vec<String>,
    /// How it describes them, by tool id; this comes before what the registration says.
    #[serde(default, deserialize_with = "crate::strict_json::unique_map_of_objects")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<BTreeMap<String, DescriptionOverride>>"))]
    pub tool_descriptions: BTreeMap<String, DescriptionOverride>,
    /// The most characters (Unicode scalar values) of a result that the model is given whole, 50,000 where it is left
    /// out; 0 is refused.
    #[serde(default)]
    pub mcp_result_inline_char_limit: Option<usize>,
}

/// An invocation that has begun. Its tools stay as they are until it ends, whatever is changed meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AgentPrepared {
    /// The invocation.
    pub invocation_id: String,
    /// The tools the model is offered, in the profile's order.
    pub bindings: Vec<ModelTool>,
    /// What is left out or skipped of the profile, and why; `path` is a place in the profile.
    pub diagnostics: Vec<Diagnostic>,
}

/// `agent.call`: one call of a tool by the model.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct AgentCallParams {
    /// The invocation.
    pub invocation_id: String,
    /// An id by which the call can be cancelled, good for one call: 1 to 128 visible ASCII characters. It need not be
    /// announced.
    #[serde(default)]
    pub call_id: Option<String>,
    /// The tool, by its alias in this invocation.
    pub alias: String,
    /// The arguments as the text of a JSON object, at most 256 KiB, as the model wrote it.
    pub arguments_json: String,
}

/// What came of a call by the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum AgentCallResult {
    /// The server answered, or the call was not sent: the model goes on with this.
    ToolResult(AgentToolResult),
    /// What became of the call is unknown. There is no result, the invocation has ended, and the run is to end with it;
    /// nothing is sent again.
    InvocationEnded(CallFailure),
}

/// A result for the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct AgentToolResult {
    /// What the model reads; nothing else of this is for it.
    pub content: String,
    /// The tool or the server says that it failed, or the call was not sent.
    pub is_error: bool,
    /// Why it is an error. Also `mcp.storage_write_failed`, where a long result could not be saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_code: Option<Code>,
    /// The structured content, or an error's data, as JSON text.
    #[serde(with = "quoted::option", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub structured_json: Option<JsonText>,
    /// The URIs of the resources and resource links in the answer.
    pub resource_refs: Vec<String>,
    /// Where the whole of a long content is; `content` is a preview then, and names it too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<AgentResultFile>,
}

/// A long content, to be read on by `agent.readResult`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AgentResultFile {
    /// Its path below the data directory, which is what `agent.readResult` takes.
    pub path: String,
    /// How many lines it has, of at most 3,000 characters each.
    pub lines: usize,
}

/// `agent.readResult`: lines of a long content of the same invocation.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AgentReadResultParams {
    /// The invocation.
    pub invocation_id: String,
    /// The path that the result named.
    pub path: String,
    /// The first line, counted from 1.
    pub start_line: usize,
    /// How many lines at most, from 1.
    pub line_count: usize,
}

/// Lines of a long content: as many whole ones of those asked for as the profile's limit holds, at least one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct AgentResultPart {
    /// The first of the lines, counted from 1.
    pub start_line: usize,
    /// How many lines these are.
    pub line_count: usize,
    /// How many lines there are altogether.
    pub total_lines: usize,
    /// The line to go on with; absent after the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_line: Option<usize>,
    /// The lines, a line feed between them.
    pub text: String,
}

/// `agent.end`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AgentInvocationParams {
    /// The invocation.
    pub invocation_id: String,
}
