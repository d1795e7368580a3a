//! The contract's outcome read back from its JSON text: pages get outcomes from the bridge, and ask what a
//! model reads of them.

use serde_json::value::RawValue;

use super::{
    CallFailure, CallOutcome, CallResponse, ContentDiagnostic, ResponseType, ServerError, TextBlock, ToolResult,
    UnsupportedResponse,
};
use crate::json::{self, JsonText, Members};
use crate::{Code, Diagnostic};

impl CallOutcome {
    /// Reads what [`to_json`](Self::to_json) wrote. `None` where the text is no outcome; a code that is not in the
    /// catalogue makes it none.
    pub fn from_json(text: &str) -> Option<Self> {
        let members = json::members(text)?;
        Some(match text_of(&members, "outcome")?.as_str() {
            "known_response" => Self::known(response(members.get("response")?)?),
            "not_sent" => Self::NotSent(failure(&members)?),
            "outcome_unknown" => Self::OutcomeUnknown(failure(&members)?),
            _ => return None,
        })
    }

    /// The same for one who asked for a call: what is no outcome says nothing of the call, and is an unknown one,
    /// `mcp.call_response_failed`.
    pub fn from_bridge(text: &str) -> Self {
        Self::from_json(text).unwrap_or_else(|| {
            Self::unknown(Diagnostic::new(
                Code::CallResponseFailed,
                "The host's answer cannot be read; the call may have been carried out.",
            ))
        })
    }
}

fn response(raw: &RawValue) -> Option<CallResponse> {
    let members = json::members(raw.get())?;
    Some(match text_of(&members, "kind")?.as_str() {
        "tool_result" => CallResponse::ToolResult(tool_result(&members)?),
        "server_error" => CallResponse::ServerError(ServerError {
            code: members.get("code")?.get().parse().ok()?,
            message: text_of(&members, "message")?,
            data_json: document(&members, "dataJson")?,
        }),
        "unsupported_response" => CallResponse::UnsupportedResponse(UnsupportedResponse {
            response_type: match text_of(&members, "responseType")?.as_str() {
                "input_required" => ResponseType::InputRequired,
                "task" => ResponseType::Task,
                "other" => ResponseType::Other,
                _ => return None,
            },
            message: text_of(&members, "message")?,
        }),
        _ => return None,
    })
}

fn tool_result(members: &Members<'_>) -> Option<ToolResult> {
    let text_blocks = json::items(members.get("textBlocks")?.get())?
        .into_iter()
        .map(|raw| {
            let members = json::members(raw.get())?;
            Some(TextBlock {
                index: members.get("index")?.get().parse().ok()?,
                text: text_of(&members, "text")?,
            })
        })
        .collect::<Option<_>>()?;
    let diagnostics = json::items(members.get("diagnostics")?.get())?
        .into_iter()
        .map(|raw| {
            let members = json::members(raw.get())?;
            Some(ContentDiagnostic {
                code: code(&members)?,
                message: text_of(&members, "message")?,
                content_index: match members.get("contentIndex") {
                    Some(index) => Some(index.get().parse().ok()?),
                    None => None,
                },
            })
        })
        .collect::<Option<_>>()?;
    Some(ToolResult {
        is_error: members.get("isError")?.get().parse().ok()?,
        text_blocks,
        structured_json: document(members, "structuredJson")?,
        diagnostics,
        ..ToolResult::default()
    })
}

fn failure(members: &Members<'_>) -> Option<CallFailure> {
    Some(CallFailure {
        code: code(members)?,
        message: text_of(members, "message")?,
    })
}

fn code(members: &Members<'_>) -> Option<Code> {
    let text = text_of(members, "code")?;
    Code::ALL.iter().copied().find(|code| code.as_str() == text)
}

fn text_of(members: &Members<'_>, key: &str) -> Option<String> {
    members.get(key).and_then(json::string)
}

/// A JSON document carried as a string: `None` where it is none, `Some(None)` where it is absent.
#[allow(clippy::option_option, reason = "absent and damaged are two things here")]
fn document(members: &Members<'_>, key: &str) -> Option<Option<JsonText>> {
    match members.get(key) {
        None => Some(None),
        Some(raw) => JsonText::parse(&json::string(raw)?).ok().map(Some),
    }
}
