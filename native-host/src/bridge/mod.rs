//! The message bridge: JSON-RPC 2.0 messages in, answers and events out; one dispatcher for every way in.

pub mod messages;
#[cfg(feature = "typescript")]
pub mod signatures;
