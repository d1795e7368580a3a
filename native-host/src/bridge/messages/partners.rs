//! The messages of `partners.…`: partners, grants, sessions and turns (partner contract).

use serde::{Deserialize, Serialize};
use toolgate_core::identity::RegistrationId;
use toolgate_core::json::{JsonText, quoted};
use toolgate_core::layers::ModelTool;
use toolgate_core::outcome::CallFailure;
use toolgate_core::partner::{GrantScope, Partner};
use toolgate_core::server::{Permission, ServerState};
use toolgate_core::{Code, Diagnostic};

use super::LastFailure;

/// `partners.list`: every partner at one moment.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PartnerList {
    /// The partners, by name, then by id.
    pub partners: Vec<Partner>,
}

/// `partners.create`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CreatePartnerParams {
    /// The name; it is normalised as display names are.
    pub name: String,
}

/// `partners.remove`, `partners.preview`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PartnerParams {
    /// The partner's id.
    pub partner_id: String,
}

/// `partners.rename`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RenamePartnerParams {
    /// The partner's id.
    pub partner_id: String,
    /// The name; it is normalised as display names are.
    pub name: String,
}

/// `partners.setEnabled`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SetPartnerEnabledParams {
    /// The partner's id.
    pub partner_id: String,
    /// Whether it is offered MCP tools. Off keeps its grants.
    pub enabled: bool,
}

/// `partners.grant`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct GrantParams {
    /// The partner's id.
    pub partner_id: String,
    /// The server's registration id.
    pub server_id: String,
    /// Which of its tools; `all` where it is left out. Another scope than before replaces it.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(as = "Option<GrantScope>"))]
    pub scope: GrantScope,
}

/// `partners.revoke`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RevokeParams {
    /// The partner's id.
    pub partner_id: String,
    /// The server's registration id, also of a server that is gone.
    pub server_id: String,
}

/// `partners.preview`: what the next turn of a session of the partner would offer, and why something is missing.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PartnerPreview {
    /// The partner as it is now.
    pub partner: Partner,
    /// The revision the next turn would have.
    pub revision: String,
    /// How many tools the next turn would offer in all: none while MCP is off.
    pub tool_count: u32,
    /// Each granted server, by display name, then by id; those that cannot be read last. While MCP is off, what would be
    /// offered of it if it were on.
    pub servers: Vec<PreviewedServer>,
    /// What is about no single server: `mcp.partner_mcp_off`.
    pub diagnostics: Vec<Diagnostic>,
}

/// One granted server in a preview.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct PreviewedServer {
    /// The server's registration id.
    pub server_id: RegistrationId,
    /// Which of its tools are granted.
    pub scope: GrantScope,
    /// Its display name; absent where it is gone or its file cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Active or paused; absent likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<ServerState>,
    /// The tools that would be offered, in the server's order.
    pub tools: Vec<PreviewedTool>,
    /// How many tools of the server are off: scope `all` includes them, `permitted` leaves them out.
    pub off_tools: u32,
    /// How its last refresh failed, where none has succeeded since; the tools of the last one that did are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_failure: Option<LastFailure>,
    /// Why the server, or a tool of it, is missing, and descriptions that found no place.
    pub diagnostics: Vec<Diagnostic>,
}

/// One tool in a preview.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PreviewedTool {
    /// The tool's name at its server.
    pub native_name: String,
    /// The name the model would see, where the application has no tools of its own.
    pub alias: String,
    /// What is decided about it; scope `all` includes `off`.
    pub permission: Permission,
}

/// What a session of a partner is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum SessionKind {
    /// A conversation with the partner: each turn has what is granted when it begins.
    Partner,
    /// A temporary task: what was granted when it was opened, less what was withdrawn since and what its filter lacks.
    Task,
}

/// `partners.openSession`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct OpenSessionParams {
    /// What the session is for.
    pub kind: SessionKind,
    /// The partner's id.
    pub partner_id: String,
    /// For a task: the ids of the only tools it may be offered; left out, all that are granted.
    #[serde(default)]
    pub tool_filter: Option<Vec<String>>,
}

/// A session that was opened.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OpenedSession {
    /// The session's id.
    pub session_id: String,
}

/// `partners.turn`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct TurnParams {
    /// The session's id.
    pub session_id: String,
    /// The names of the application's own tools, which stay as they are; aliases make way for them.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>"))]
    pub local_names: Vec<String>,
}

/// The tools of a turn: frozen until the next one begins.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PartnerTurn {
    /// The revision of what the session is offered; the same as long as nothing that counts has changed.
    pub revision: String,
    /// Whether revision, tools or aliases are others than in the session's last turn; true in its first.
    pub changed: bool,
    /// The tools, as a model is told of them.
    pub tools: Vec<ModelTool>,
    /// Why something granted is missing.
    pub diagnostics: Vec<Diagnostic>,
}

/// `partners.call`: a call of a tool that the present turn offers.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct PartnerCallParams {
    /// The session's id.
    pub session_id: String,
    /// An id made by the caller, good for one call: 1 to 128 visible ASCII characters. Left out, the call cannot be
    /// cancelled.
    #[serde(default)]
    pub call_id: Option<String>,
    /// The name by which the model calls the tool.
    pub alias: String,
    /// The arguments as the text of a JSON object, at most 256 KiB, as the model spelled them.
    pub arguments_json: String,
}

/// What came of a call by a partner's model.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum PartnerCallResult {
    /// The server answered, or the call was not sent: the model goes on with this.
    ToolResult(PartnerToolResult),
    /// What became of the call is unknown. There is no result, and none may be made of it; the turn takes no more calls.
    TurnEnded(CallFailure),
}

/// A result for the model.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct PartnerToolResult {
    /// What the model reads; nothing else of this is for it.
    pub content: String,
    /// The tool or the server says that it failed, or the call was not sent.
    pub is_error: bool,
    /// Why it is an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_code: Option<Code>,
    /// The structured content, or an error's data, as JSON text.
    #[serde(with = "quoted::option", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub structured_json: Option<JsonText>,
    /// The URIs of the resources and resource links in the answer.
    pub resource_refs: Vec<String>,
}

/// `partners.closeSession`
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SessionParams {
    /// The session's id.
    pub session_id: String,
}
