//! MCP servers with named behaviours, odd ones included, for Toolgate's own tests.
//!
//! A behaviour is a row of the table in [`behaviours`]: a name, a sentence, and a [`Script`] that says how the server
//! differs from a well-behaved one. [`HttpServer`] plays a script on a raw loopback socket, so that framing can be as
//! odd as it likes, and records what it received.

pub mod behaviours;
pub mod catalogs;
mod conversation;
mod script;
mod server;
mod standing;
mod tls;
mod wire;

pub use script::{Answer, Ending, Era, Framing, LineEnd, On, Page, Script};
pub use server::HttpServer;
pub use tls::{Certificate, authority_pem};
pub use wire::Received;
