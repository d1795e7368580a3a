//! Every number of the domain in one value.

/// The limits, with their defaults. Tests and embedders may set smaller ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Characters (Unicode scalar values) of a display name.
    pub display_name_chars: usize,
    /// UTF-8 bytes of a tool's native name.
    pub tool_name_bytes: usize,
    /// Registered servers.
    pub servers: usize,
    /// Servers of one import (partner contract).
    pub servers_per_import: usize,
    /// UTF-8 bytes of a stdio `command`.
    pub command_bytes: usize,
    /// Number of stdio `args`.
    pub args: usize,
    /// UTF-8 bytes of one stdio argument.
    pub arg_bytes: usize,
    /// Number of stdio `env` entries.
    pub env: usize,
    /// UTF-8 bytes of the value of one `env` entry.
    pub env_bytes: usize,
    /// UTF-8 bytes of a stdio `cwd`.
    pub cwd_bytes: usize,
    /// Pages of one `tools/list` discovery.
    pub pages: usize,
    /// Tools of one discovery, odd ones included.
    pub tools: usize,
    /// Bytes of JSON text of all tools of one discovery.
    pub catalog_bytes: usize,
    /// Bytes of JSON text of one tool.
    pub tool_bytes: usize,
    /// Bytes of the JSON text of a call's arguments.
    pub arguments_bytes: usize,
    /// Characters (Unicode scalar values) of a result above which an agent reads a preview and a file instead, where
    /// its profile does not say otherwise.
    pub inline_chars: usize,
    /// Characters of that preview, at most.
    pub preview_chars: usize,
    /// Characters of one line of that file, at most.
    pub line_chars: usize,
    /// Agent invocations that may be open at once.
    pub agent_invocations: usize,
    /// Audit files of long results that are kept; the oldest make way.
    pub result_audits: usize,
    /// UTF-8 bytes of a result's text that a partner may read.
    pub partner_text_bytes: usize,
    /// Tools of a server above which it cannot be offered to partners (partner contract).
    pub partner_tools: usize,
    /// Bytes of JSON text of a server's tools above which it cannot be offered to partners (partner contract).
    pub partner_catalog_bytes: usize,
    /// Partners.
    pub partners: usize,
    /// Sessions of partners that may be open at a time, of all partners together.
    pub partner_sessions: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            display_name_chars: 128,
            tool_name_bytes: 256,
            servers: 50,
            servers_per_import: 30,
            command_bytes: 1024,
            args: 100,
            arg_bytes: 8 * 1024,
            env: 64,
            env_bytes: 8 * 1024,
            cwd_bytes: 4096,
            pages: 32,
            tools: 512,
            catalog_bytes: 8 * 1024 * 1024,
            tool_bytes: 256 * 1024,
            arguments_bytes: 256 * 1024,
            inline_chars: 50_000,
            preview_chars: 3000,
            line_chars: 3000,
            agent_invocations: 256,
            result_audits: 200,
            partner_text_bytes: 256 * 1024,
            partner_tools: 200,
            partner_catalog_bytes: 512 * 1024,
            partners: 100,
            partner_sessions: 256,
        }
    }
}
