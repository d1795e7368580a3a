//! From the raw `result` of a `tools/call` to its outcome.

use serde_json::value::RawValue;

use super::content::Content;
use super::{CallOutcome, CallResponse, ContentDiagnostic, ResponseType};
use crate::Code;
use crate::json::{self, JsonText, Members};
use crate::markdown::inline;
use crate::text::{kind, shortened};

/// The outcome that the raw JSON text of a JSON-RPC `result` of `tools/call` is.
///
/// The text is taken apart item by item, and only an item is ever read: whatever is odd in one costs a diagnostic, never
/// the result (manager contract §6: a server that answered has answered). In particular:
/// - not JSON: the outcome is unknown, `mcp.call_response_failed`; JSON but no object: `unsupported_response`, `other`;
/// - `resultType`: absent, null or `complete` is a result; `input_required` and `task` are unsupported as such, so is
///   the task of MCP 2025-11-25 (an object `task`, neither `content` nor `resultType`); any other value is `other`, as
///   MCP 2026-07-28 has it that an unknown one must be taken as invalid;
/// - `content`: absent or null is empty (`{}` is an empty result); no array costs the content, with a diagnostic;
/// - `isError`: absent or null is false; of another type than boolean it has a diagnostic, and counts as true unless it
///   is the string `false` or the number 0: what may have failed is not passed off as a success;
/// - `structuredContent`: any JSON value (MCP 2026-07-28), null included, exactly as it is spelled;
/// - `_meta`: `mcp.call_metadata_unsupported` where it holds something. `annotations` of blocks are hints; none is read,
///   so none can be odd;
/// - a member that stands twice: the last one counts.
pub fn from_result(result: &str) -> CallOutcome {
    if serde_json::from_str::<&RawValue>(result).is_err() {
        return CallOutcome::malformed("answer");
    }
    let Some(members) = json::members(result) else {
        let message = format!(
            "The server answered with {}, where a result object belongs.",
            kind(Some(result.trim()))
        );
        return CallOutcome::unsupported(ResponseType::Other, message);
    };
    if let Some(unsupported) = unsupported(&members) {
        return unsupported;
    }

    let mut general = Vec::new();
    let is_error = members.get("isError").is_some_and(|raw| is_error(raw, &mut general));
    let mut content = Content::default();
    if let Some(raw) = present(&members, "content") {
        match json::items(raw.get()) {
            Some(blocks) => blocks.into_iter().for_each(|block| content.push(block)),
            None => general.push(ContentDiagnostic {
                code: Code::CallContentUnsupported,
                message: format!(
                    "The answer's `content` is {}, where an array belongs; it is not shown.",
                    kind(Some(raw.get()))
                ),
                content_index: None,
            }),
        }
    }
    if has_metadata(&members) {
        general.push(ContentDiagnostic {
            code: Code::CallMetadataUnsupported,
            message: "The answer carries metadata (`_meta`), which is not shown.".to_owned(),
            content_index: None,
        });
    }
    let mut result = content.finish();
    result.diagnostics.extend(general);
    result.is_error = is_error;
    result.structured_json = members.get("structuredContent").map(JsonText::from_raw);
    CallOutcome::known(CallResponse::ToolResult(result))
}

fn unsupported(members: &Members<'_>) -> Option<CallOutcome> {
    let Some(result_type) = present(members, "resultType") else {
        let is_task = members
            .get("task")
            .is_some_and(|task| json::members(task.get()).is_some())
            && members.get("content").is_none();
        return is_task.then(task);
    };
    match json::string(result_type).as_deref() {
        Some("complete") => None,
        Some("input_required") => Some(CallOutcome::unsupported(
            ResponseType::InputRequired,
            "The server asks for more input before it goes on with the call, which is not supported.",
        )),
        Some("task") => Some(task()),
        Some(other) => Some(CallOutcome::unsupported(
            ResponseType::Other,
            format!(
                "The server answered with a result of the unknown type {}.",
                inline(&shortened(other))
            ),
        )),
        None => Some(CallOutcome::unsupported(
            ResponseType::Other,
            format!(
                "The server answered with a result whose `resultType` is {}, where a string belongs.",
                kind(Some(result_type.get()))
            ),
        )),
    }
}

fn task() -> CallOutcome {
    CallOutcome::unsupported(
        ResponseType::Task,
        "The server goes on with the call in a task, which is not supported; its result cannot be read.",
    )
}

fn is_error(raw: &RawValue, diagnostics: &mut Vec<ContentDiagnostic>) -> bool {
    match raw.get() {
        "true" => return true,
        "false" | "null" => return false,
        _ => {}
    }
    let says_no = json::string(raw).as_deref() == Some("false") || json::equal(raw.get(), "0");
    diagnostics.push(ContentDiagnostic {
        code: Code::CallResultFieldInvalid,
        message: format!(
            "The answer's `isError` is {}, where true or false belongs; it was read as {}.",
            kind(Some(raw.get())),
            !says_no
        ),
        content_index: None,
    });
    !says_no
}

/// A member that is neither absent nor null.
pub(super) fn present<'a>(members: &Members<'a>, key: &str) -> Option<&'a RawValue> {
    members.get(key).filter(|raw| raw.get() != "null")
}

/// Whether there is something in `_meta`.
pub(super) fn has_metadata(members: &Members<'_>) -> bool {
    present(members, "_meta").is_some_and(|meta| JsonText::from_raw(meta).as_str() != "{}")
}
