//! From the raw JSON of `tools/list` pages to a catalog: what discovery found, item by item.
//!
//! The pages are taken apart into the raw text of each tool first, and only then is a single tool read, so that one
//! odd value cannot cost the page. What is wrong with the list as a whole fails the discovery; what is wrong with one
//! tool isolates that tool, or costs it the field at fault, and is named in a diagnostic (manager contract §5).
//! How schemas are compiled is the [`SchemaCheck`](crate::schema::SchemaCheck)'s business, what is decided about tools
//! that of [`projection`](crate::projection).

mod build;
mod headers;
mod mirror;
mod pages;
mod stored;

use crate::Diagnostic;
use crate::hash::TextHash;
use crate::json::JsonText;
use crate::server::TransportKind;

pub use build::build_catalog;
pub use mirror::{Mirror, MirrorSearch, MirrorStep};
pub use pages::{CatalogPages, NextPage};
pub use stored::revalidate;

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

/// What is known of a discovery beside its pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogContext {
    /// The negotiated MCP protocol version.
    pub protocol_version: String,
    /// The server's name for itself.
    pub server_name: Option<String>,
    /// The server's version.
    pub server_version: Option<String>,
    /// How the server was reached.
    pub transport: TransportKind,
}

impl Catalog {
    /// A hash of the content, 64 lowercase hexadecimal digits: same content, same hash.
    ///
    /// Content is what the server said and is kept: protocol version, its name and version, and the tools in their
    /// order with every field; JSON documents count as they are spelled, white space apart. Diagnostics are not part of
    /// it: their sentences are ours.
    pub fn content_hash(&self) -> String {
        let mut hash = TextHash::new("toolgate catalog 1\n");
        hash.text(&self.protocol_version);
        hash.optional(self.server_name.as_deref());
        hash.optional(self.server_version.as_deref());
        for tool in &self.tools {
            let CatalogTool {
                native_name,
                title,
                description,
                input_schema,
                output_schema,
                annotations,
            } = tool;
            hash.text(native_name);
            hash.optional(title.as_deref());
            hash.optional(description.as_deref());
            hash.text(input_schema.as_str());
            hash.optional(output_schema.as_ref().map(JsonText::as_str));
            hash.text(annotations.as_str());
        }
        hash.finish()
    }

    /// The bytes of JSON text of the tools, at least: what their fields took when the server sent them without a needless
    /// escape.
    pub fn json_bytes(&self) -> usize {
        self.tools.iter().map(stored::size).fold(0, usize::saturating_add)
    }
}
