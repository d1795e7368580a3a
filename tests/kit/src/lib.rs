//! MCP servers with named behaviours, odd ones included, for Toolgate's own tests.
//!
//! A behaviour is a row of the table in [`behaviours`]: a name, a sentence, and a [`Script`] that says how the server
//! differs from a well-behaved one. [`HttpServer`] plays a script on a raw loopback socket, so that framing can be as
//! odd as it likes, and records what it received. [`stdio`] plays the same scripts as a child process, and a few that only
//! a child process can.

pub mod behaviours;
mod bomb;
pub mod catalogs;
mod conversation;
mod listing;
mod script;
mod server;
mod standing;
pub mod stdio;
mod tls;
mod wire;

pub use behaviours::ShownBy;
pub use listing::{Listed, listing};
pub use script::{Answer, Asked, Ending, Era, Framing, LineEnd, On, Page, Script};
pub use server::HttpServer;
pub use tls::{Certificate, authority_pem};
pub use wire::Received;
