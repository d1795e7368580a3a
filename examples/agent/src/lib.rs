//! An agent loop around any OpenAI-compatible chat completions endpoint, whose tools come from Toolgate: an example of the
//! host's Rust API (`docs/rust.md`), small enough to be copied.
//!
//! - [`chat`]: one request to the endpoint and its answer.
//! - [`agent`]: the loop: prepare, ask the model, make its calls, ask again, until it answers or the run has to end.
//! - [`tools`]: the tools as the endpoint wants them, and the one local tool, which reads on in long results.

pub mod agent;
pub mod chat;
pub mod tools;
