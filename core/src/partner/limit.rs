//! How large a server may be for partners.

use crate::{Code, Diagnostic, Limits};

/// Why a server with this catalog cannot be offered to partners, whatever they are granted of it: it has too many tools
/// (`mcp.partner_tool_limit`) or too much text (`mcp.partner_catalog_size_limit`). The whole catalog counts, and nothing
/// is cut: half a server would be offered without anybody knowing which half (partner contract). `tools` is how many tools
/// it has, `bytes` its [`Catalog::json_bytes`](crate::catalog::Catalog::json_bytes).
pub fn too_large(tools: usize, bytes: usize, limits: &Limits) -> Option<Diagnostic> {
    if tools > limits.partner_tools {
        return Some(Diagnostic::new(
            Code::PartnerToolLimit,
            format!(
                "The server has {tools} tools; a server with more than {} cannot be offered to partners. Let it offer \
                 fewer, or register a smaller part of it as a server of its own.",
                limits.partner_tools
            ),
        ));
    }
    (bytes > limits.partner_catalog_bytes).then(|| {
        Diagnostic::new(
            Code::PartnerCatalogSizeLimit,
            format!(
                "The server's tools are {bytes} bytes of JSON; a server with more than {} cannot be offered to partners. \
                 Let it offer fewer tools or shorter schemas, or register a smaller part of it as a server of its own.",
                limits.partner_catalog_bytes
            ),
        )
    })
}
