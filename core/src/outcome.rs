//! What became of a `tools/call`: a fact about the remote side (manager contract §3 and §6).
//!
//! A [`CallOutcome`] written with `serde_json` is the contract's `McpTestCallOutcome`; it also keeps the resources of a
//! result, which the contract shows as diagnostics only and partners read in full. What a model reads of an outcome is
//! [`model_text`](crate::model_text)'s business, who sends calls and when they are not sent the host's.

mod content;
mod error;
mod gate;
mod read;
mod result;

use serde::Serialize;

use crate::json::{JsonText, quoted};
use crate::{Code, Diagnostic};

pub use error::from_error;
pub use gate::{Caller, admit, target};
pub use result::from_result;

/// The most diagnostics of a result that name one content block each; further blocks share one diagnostic, so that a
/// result of two million odd blocks is not answered with two million sentences. Text resources and resource links, which
/// can be acted on, are named whatever their number.
pub const MOST_BLOCK_DIAGNOSTICS: usize = 100;

/// What became of a call. In doubt it is unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum CallOutcome {
    /// The server answered.
    KnownResponse {
        /// What it answered.
        response: CallResponse,
    },
    /// The server cannot have seen the call.
    NotSent(CallFailure),
    /// The call was handed over, and nothing certain is known since; it may have been carried out.
    OutcomeUnknown(CallFailure),
}

impl CallOutcome {
    /// Whether what a model reads of it is a sentence of ours and nothing that a server says: the call was not sent, or
    /// its answer is none that can be read.
    pub const fn is_told_by_us(&self) -> bool {
        matches!(
            self,
            Self::NotSent(_)
                | Self::KnownResponse {
                    response: CallResponse::UnsupportedResponse(_)
                }
        )
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CallFailure {
    /// One of [`NOT_SENT`] or [`OUTCOME_UNKNOWN`].
    pub code: Code,
    /// A sentence for a person, or a model.
    pub message: String,
}

/// A server's answer to a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum CallResponse {
    /// A result, of success or of failure.
    ToolResult(ToolResult),
    /// A JSON-RPC error.
    ServerError(ServerError),
    /// An answer that asks for something that is not done here, or that cannot be understood.
    UnsupportedResponse(UnsupportedResponse),
}

/// A result of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ToolResult {
    /// The tool failed, as its server says.
    pub is_error: bool,
    /// The text blocks in order.
    pub text_blocks: Vec<TextBlock>,
    /// The structured content as JSON text, spelled as it came.
    #[serde(with = "quoted::option", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub structured_json: Option<JsonText>,
    /// What is not shown of the answer, or was odd in it; those about a block in the order of the blocks.
    pub diagnostics: Vec<ContentDiagnostic>,
    /// The texts of embedded resources in order, which the contract's outcome has as diagnostics only.
    #[serde(skip)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub text_resources: Vec<TextResource>,
    /// The URIs of all resources and resource links in order, likewise.
    #[serde(skip)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub resource_uris: Vec<String>,
}

/// A text block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TextBlock {
    /// Which content block it is, counted from 0.
    pub index: usize,
    /// The text, byte for byte; a lone surrogate, which no text can hold, is U+FFFD and has a diagnostic.
    pub text: String,
}

/// The text of an embedded resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextResource {
    /// Which content block it is, counted from 0.
    pub index: usize,
    /// Its URI; empty where the server gave none.
    pub uri: String,
    /// Its MIME type.
    pub mime_type: Option<String>,
    /// The text.
    pub text: String,
}

/// What is not shown of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ContentDiagnostic {
    /// `mcp.call_content_unsupported`, `mcp.call_metadata_unsupported` or `mcp.call_result_field_invalid`.
    pub code: Code,
    /// A sentence on one line. What it repeats of the server's is in code spans that the server cannot close.
    pub message: String,
    /// The content block, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_index: Option<usize>,
}

/// A JSON-RPC error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ServerError {
    /// The error's code, an integer that a JavaScript number holds exactly.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub code: i64,
    /// The server's message.
    pub message: String,
    /// The error's data as JSON text, spelled as it came.
    #[serde(with = "quoted::option", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub data_json: Option<JsonText>,
}

/// An answer that is not carried further.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct UnsupportedResponse {
    /// What it is.
    pub response_type: ResponseType,
    /// A sentence for a person, or a model.
    pub message: String,
}

/// The kinds of answers that are not carried further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ResponseType {
    /// The server wants more input before it goes on.
    InputRequired,
    /// The server goes on in a task.
    Task,
    /// Anything else.
    Other,
}

/// The codes of calls that were not sent.
pub const NOT_SENT: &[Code] = &[
    Code::CallCancelledBeforeSend,
    Code::CallNotStarted,
    Code::CallRegistrationInvalid,
    Code::CallToolNameInvalid,
    Code::CallArgumentsSizeLimit,
    Code::CallArgumentsInvalidJson,
    Code::CallArgumentsNotObject,
    Code::CallRegistrationNotFound,
    Code::CallRegistrationUnavailable,
    Code::CallServerPaused,
    Code::CallPermissionOff,
    Code::CallHeadersInvalid,
    Code::CallHttpClientUnavailable,
    Code::CallInitializeTimeout,
    Code::CallInitializeFailed,
    Code::CallToolsCapabilityMissing,
    Code::CallMetadataTimeout,
    Code::CallMetadataFailed,
    Code::CallToolUnavailable,
    Code::CallNotQueued,
    Code::LegacyToolNotAdvertised,
    Code::PartnerToolNotOffered,
    Code::PartnerGrantWithdrawn,
    Code::PartnerToolChanged,
    Code::PartnerTurnEnded,
];

/// The codes of unknown outcomes.
pub const OUTCOME_UNKNOWN: &[Code] = &[Code::CallCancelled, Code::CallTimeout, Code::CallResponseFailed];

impl CallOutcome {
    /// A call that was not sent, and why.
    pub fn not_sent(reason: Diagnostic) -> Self {
        Self::NotSent(reason.into())
    }

    /// A call of which nothing certain is known, and why.
    pub fn unknown(reason: Diagnostic) -> Self {
        Self::OutcomeUnknown(reason.into())
    }

    /// The contract's `McpTestCallOutcome` as JSON text.
    pub fn to_json(&self) -> String {
        // Nothing in it can fail to be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    fn known(response: CallResponse) -> Self {
        Self::KnownResponse { response }
    }

    fn unsupported(response_type: ResponseType, message: impl Into<String>) -> Self {
        Self::known(CallResponse::UnsupportedResponse(UnsupportedResponse {
            response_type,
            message: message.into(),
        }))
    }

    fn malformed(what: &str) -> Self {
        Self::unknown(Diagnostic::new(
            Code::CallResponseFailed,
            format!("The server's {what} is not JSON; the call may have been carried out. It is not repeated."),
        ))
    }
}

impl From<Diagnostic> for CallFailure {
    fn from(reason: Diagnostic) -> Self {
        Self {
            code: reason.code,
            message: reason.message,
        }
    }
}
