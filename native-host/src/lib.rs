//! Toolgate's native host: the network I/O to MCP servers, the files, and the bridge by which a page, a command line
//! or an embedding application reaches them.

pub mod bridge;
pub mod mcp;
pub mod ownership;
pub mod secret;
