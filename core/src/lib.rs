//! The domain of Toolgate: what a registered MCP server is, what its catalog of tools is, which of them a model may
//! use and how a model sees them.
//!
//! Everything here is a function from values to a value plus [`Diagnostic`]s: no I/O, no async, no clock, no
//! randomness, no global state. The native host and the page (as WebAssembly) call the same functions.

pub mod alias;
pub mod arguments;
pub mod catalog;
pub mod code;
pub mod command_line;
pub mod diagnostic;
pub mod endpoint;
pub mod form;
mod hash;
pub mod identity;
pub mod import;
pub mod json;
pub mod layers;
pub mod legacy_round;
pub mod limits;
mod markdown;
pub mod mask;
pub mod model_text;
pub mod named_values;
mod object_only;
pub mod outcome;
pub mod page;
pub mod partner;
pub(crate) mod path;
pub mod projection;
pub mod reason;
pub mod review;
pub mod schema;
pub mod server;
mod text;
#[cfg(feature = "typescript")]
pub mod typescript;
pub mod validate;
#[cfg(feature = "wasm")]
mod wasm;

pub use code::Code;
pub use diagnostic::{Diagnostic, Refusal};
pub use limits::Limits;
pub use reason::{Reason, ReasonCase};
