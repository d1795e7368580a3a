//! What an agent's model gets of an outcome: the whole of it, or of a long one a preview and a file to read on in.

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;
use toolgate_core::identity::ToolId;
use toolgate_core::model_text::agent::{preview, preview_unsaved, read_lines, readable_file};
use toolgate_core::model_text::{ModelResult, Resources, model_result};
use toolgate_core::outcome::CallFailure;
use toolgate_core::{Code, Diagnostic, Refusal};

use super::invocations::Invocation;
use crate::bridge::messages::{
    AgentCallResult, AgentReadResultParams, AgentResultFile, AgentResultPart, AgentToolResult,
};
use crate::mcp::CallAnswer;
use crate::service::shared::SharedOutcome;
use crate::service::{Service, stopping};
use crate::store::Store;

/// The server's exact answer, as it is kept of a long result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Audit<'a> {
    schema_version: u32,
    kind: &'static str,
    at_ms: u64,
    invocation_id: &'a str,
    tool_id: String,
    /// The name of the view in the same folder.
    view: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a RawValue>,
}

impl Service {
    /// Makes of what became of a call what the model gets. An unknown outcome ends the invocation instead.
    pub(super) async fn conclude(
        self: &Arc<Self>,
        invocation: &Arc<Invocation>,
        alias: &str,
        tool: &ToolId,
        made: SharedOutcome,
    ) -> Result<AgentCallResult, Refusal> {
        let SharedOutcome { outcome, answer } = made;
        let service = Arc::clone(self);
        let open = Arc::clone(invocation);
        let tool = tool.clone();
        // Long results are long to read and to write.
        let read = self.with_store(move |store| {
            Ok(model_result(&outcome, Resources::Noted).map(|result| {
                if outcome.is_told_by_us() {
                    // A sentence of ours, and no result of the tool that could be read on.
                    AgentToolResult::from(result)
                } else {
                    service.for_the_model(store, &open, &tool, result, answer.as_ref())
                }
            }))
        });
        // Only a runtime that is being shut down reads nothing any more; the call may have been carried out all the same.
        let read = read.await.unwrap_or_else(|_| {
            Err(CallFailure {
                code: Code::CallCancelled,
                message: stopping().message,
            })
        });
        match read {
            Ok(result) => Ok(AgentCallResult::ToolResult(result)),
            Err(failure) => {
                invocation.end_unknown(alias, &failure);
                Ok(AgentCallResult::InvocationEnded(failure))
            }
        }
    }

    fn for_the_model(
        &self,
        store: &Store,
        invocation: &Invocation,
        tool: &ToolId,
        result: ModelResult,
        answer: Option<&CallAnswer>,
    ) -> AgentToolResult {
        let limits = &self.options.limits;
        let limit = invocation.limit;
        let is_long = limit.is_exceeded_by(&result.content);
        let mut result = AgentToolResult::from(result);
        if !is_long {
            return result;
        }
        let view = readable_file(&result.content, limits);
        let name = Store::new_view_name();
        let at_ms = self.options.clock.now_ms();
        let raw = |text: &String| serde_json::from_str::<Box<RawValue>>(text).ok();
        let (kept, error) = match answer {
            Some(CallAnswer::Result(text)) => (raw(text), None),
            Some(CallAnswer::Error(text)) => (None, raw(text)),
            None => (None, None),
        };
        let audit = serde_json::to_vec(&Audit {
            schema_version: 1,
            kind: "toolgate.toolResultAudit",
            at_ms,
            invocation_id: &invocation.id,
            tool_id: tool.to_string(),
            view: &name,
            result: kept.as_deref(),
            error: error.as_deref(),
        });
        let saved = audit
            .map_err(std::io::Error::from)
            .and_then(|audit| store.write_tool_result(at_ms, &audit, &name, &view.text));
        match saved {
            Ok(()) if invocation.add_view(&name) => {
                let path = Store::view_path(&name);
                result.content = preview(&result.content, &view, &path, limit, limits);
                result.file = Some(AgentResultFile {
                    path,
                    lines: view.lines,
                });
            }
            // The invocation is over meanwhile: nobody will read on.
            Ok(()) => {
                store.remove_views([name]);
                result.content = preview_unsaved(&result.content, limit, limits);
            }
            Err(error) => {
                tracing::warn!(error = %error.kind(), "a long result could not be saved");
                result.content = preview_unsaved(&result.content, limit, limits);
                result.error_code.get_or_insert(Code::StorageWriteFailed);
            }
        }
        result
    }

    /// Lines of a long result of the same invocation. Errors: `mcp.agent_invocation_not_found`,
    /// `mcp.result_file_not_found`, `mcp.result_range_invalid`.
    pub(crate) async fn read_agent_result(
        self: &Arc<Self>,
        params: AgentReadResultParams,
    ) -> Result<AgentResultPart, Refusal> {
        let AgentReadResultParams {
            invocation_id,
            path,
            start_line,
            line_count,
        } = params;
        let in_use = self.invocations.enter(&invocation_id)?;
        let limit = in_use.invocation.limit;
        // Only a name that was given to this invocation leads to a file.
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        if path != Store::view_path(&name) || !in_use.invocation.has_view(&name) {
            return Err(not_found().into());
        }
        let read = self.with_store(move |store| {
            let text = store.read_view(&name).map_err(|error| {
                Diagnostic::new(
                    Code::StorageUnreadable,
                    format!(
                        "The result cannot be read ({}); its file was changed or removed.",
                        error.kind()
                    ),
                )
            })?;
            read_lines(&text, start_line, line_count, limit)
        });
        let part = read.await?;
        Ok(AgentResultPart {
            start_line: part.start_line,
            line_count: part.line_count,
            total_lines: part.total_lines,
            next_line: part.next_line,
            text: part.text,
        })
    }
}

impl From<ModelResult> for AgentToolResult {
    fn from(result: ModelResult) -> Self {
        Self {
            content: result.content,
            is_error: result.is_error,
            error_code: result.error_code,
            structured_json: result.structured,
            resource_refs: result.resource_refs,
            file: None,
        }
    }
}

fn not_found() -> Diagnostic {
    Diagnostic::new(
        Code::ResultFileNotFound,
        "This invocation has no result at that path; use the path exactly as the result named it.",
    )
    .at("path")
}
