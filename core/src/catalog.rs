//! From the raw JSON of `tools/list` pages to a catalog: what discovery found, item by item.

use crate::Diagnostic;
use crate::json::JsonText;

/// What a discovery found. Permissions and overrides are not part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalog {
    /// The negotiated MCP protocol version, such as `2025-06-18`.
    pub protocol_version: String,
    /// The server's name for itself; untrusted.
    pub server_name: Option<String>,
    /// The server's version; untrusted.
    pub server_version: Option<String>,
    /// The tools offered, in the server's order.
    pub tools: Vec<CatalogTool>,
    /// One entry for each item that was isolated or mended.
    pub diagnostics: Vec<Diagnostic>,
}

/// One tool of a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogTool {
    /// The tool's name at its server, verbatim.
    pub native_name: String,
    /// The title.
    pub title: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// The input schema: an object that compiles.
    pub input_schema: JsonText,
    /// The output schema, where there is one that compiles.
    pub output_schema: Option<JsonText>,
    /// The annotations, an object; untrusted hints that grant nothing.
    pub annotations: JsonText,
}
