//! Toolgate's native host: the network I/O to MCP servers, the files, and the bridge by which a page, a command line
//! or an embedding application reaches them.

pub mod api;
pub mod bridge;
pub mod cli;
pub mod clock;
pub mod guard;
pub mod host;
pub mod mcp;
pub mod ownership;
pub mod page;
pub mod secret;
mod service;
pub mod store;
mod strict_json;
pub mod threads;
pub mod web_server;

pub use bridge::Bridge;
pub use host::{Budgets, Host, HostOptions, OpenError};
pub use toolgate_core;

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// The example of the page about Rust compiles.
#[cfg(doctest)]
#[doc = include_str!("../../docs/rust.md")]
pub struct UsedFromRust;

/// The examples of the page about embedding compile.
#[cfg(doctest)]
#[doc = include_str!("../../docs/embedding.md")]
pub struct Embedding;
