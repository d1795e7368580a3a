//! The seam of one `tools/call`: what is handed over, and what can be done with it from then on.

use toolgate_core::json::JsonText;

use super::{BoxFuture, Failure};

/// One call, as it is to go out.
#[derive(Clone, Debug)]
pub struct ToolCall {
    /// The tool's native name, verbatim.
    pub name: String,
    /// A JSON object, which goes out spelled as it is.
    pub arguments: JsonText,
    /// Arguments that HTTP repeats in headers: what the header is called after `Mcp-Param-`, and the value's text, which
    /// is encoded as a header needs it (SEP-2243). Other transports pass this over.
    pub mirrored: Vec<(String, String)>,
}

/// A server's answer to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallAnswer {
    /// The raw JSON text of the JSON-RPC `result`.
    Result(String),
    /// The raw JSON text of the JSON-RPC `error`.
    Error(String),
}

/// A call that was handed over. Dropping it tells the server nothing.
pub trait PendingCall: Send {
    /// Waits for the answer; to be asked until it comes, and not after. An error says that none will come or that it
    /// cannot be read. Dropping the future neither ends the call nor loses its answer.
    fn answer(&mut self) -> BoxFuture<'_, Result<CallAnswer, Failure>>;

    /// Tells the server that nobody waits any more: by `notifications/cancelled`, or where the protocol says so by
    /// closing the request. What it already did stays done. Takes no longer than the close budget.
    fn cancel(self: Box<Self>) -> BoxFuture<'static, ()>;
}
