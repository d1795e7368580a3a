//! What the methods that decide about tools answer.

use serde::Serialize;
use toolgate_core::Diagnostic;

use super::ServerSummary;

/// A server after a decision about its tools. A decision about a tool that is not there is kept, as it counts once the
/// tool comes back (manager contract §4); the notes say so.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct DecidedServer {
    /// The server as it is now.
    #[serde(flatten)]
    pub server: ServerSummary,
    /// `mcp.tool_not_in_catalog` for each tool that was set to Ask or Allow, or described, and that the saved catalog does
    /// not have. Absent where there are none, or no catalog to look at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<Vec<Diagnostic>>,
}
