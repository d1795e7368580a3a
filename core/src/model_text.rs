//! What a model reads of a call's outcome: the one projection for agents, Legacy chats and partners.
//!
//! Who calls, and when a run or a turn ends, is the host's business; how long a text may be is that of [`agent`] and
//! [`partner`].

pub mod agent;
pub mod partner;

use crate::Code;
use crate::json::{self, JsonText};
use crate::markdown::{self, inline};
use crate::outcome::{
    CallFailure, CallOutcome, CallResponse, ContentDiagnostic, ServerError, TextResource, ToolResult,
    UnsupportedResponse,
};

/// A result for a model, with what is kept beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelResult {
    /// It is an error result: the tool or the server says so, or the call was not sent.
    pub is_error: bool,
    /// Why it is one; not for the model.
    pub error_code: Option<Code>,
    /// What the model reads.
    pub content: String,
    /// The structured content, or an error's data; not for the model, who reads it as Markdown in `content`.
    pub structured: Option<JsonText>,
    /// The URIs of resources and resource links in order; not for the model.
    pub resource_refs: Vec<String>,
}

/// What becomes of the text of embedded resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resources {
    /// It is not shown; a note names the resource (manager contract §6 and §7: agents and Legacy).
    Noted,
    /// It is shown in a section of its own, `## Resources` (partner contract).
    Shown,
}

/// What a model reads of an outcome. An unknown one is no result of any kind, and its reason is the error: no tool
/// message may be made of it.
///
/// In this order, with an empty line between, each only where there is something to say:
/// 1. the text blocks, byte for byte and in order, an empty line between them, left out where all of them together are
///    JSON of the same value as the structured content ([`json::equal`]);
/// 2. `## Details`: the structured content as nested Markdown lists, every scalar of it (`null` too);
/// 3. `## Resources`: with [`Resources::Shown`], the texts of embedded resources;
/// 4. `## Notes`: what is not shown, by the result's diagnostics, those about metadata left out; that there was nothing
///    at all, where that is so;
/// 5. `## Error details`: the data of a JSON-RPC error.
///
/// A JSON-RPC error, an unsupported answer and a call that was not sent begin with a sentence of ours instead of text
/// blocks. Text blocks may hold anything; what else comes from a server stands in code spans and fences that it cannot
/// close, so that it cannot pass for a section or end one.
pub fn model_result(outcome: &CallOutcome, resources: Resources) -> Result<ModelResult, CallFailure> {
    match outcome {
        CallOutcome::KnownResponse { response } => Ok(match response {
            CallResponse::ToolResult(result) => tool_result(result, resources),
            CallResponse::ServerError(error) => server_error(error),
            CallResponse::UnsupportedResponse(response) => unsupported(response),
        }),
        CallOutcome::NotSent(failure) => Ok(failed(
            failure.code,
            format!(
                "The call was not sent ({}): {}",
                failure.code,
                one_line(&failure.message)
            ),
        )),
        CallOutcome::OutcomeUnknown(failure) => Err(failure.clone()),
    }
}

fn tool_result(result: &ToolResult, resources: Resources) -> ModelResult {
    let mut sections = Sections::default();
    if let Some(text) = joined_text(result) {
        sections.push(&text);
    }
    if let Some(structured) = &result.structured_json {
        sections.push_value("## Details", structured);
    }
    let shown: &[TextResource] = match resources {
        Resources::Noted => &[],
        Resources::Shown => &result.text_resources,
    };
    if !shown.is_empty() {
        sections.push("## Resources");
        sections.push(&resource_texts(shown));
    }
    let mut notes = notes(&result.diagnostics, shown);
    if sections.text.is_empty() && notes.is_empty() {
        notes.push_str("- The tool returned no content.");
    }
    if !notes.is_empty() {
        sections.push("## Notes");
        sections.push(&notes);
    }
    ModelResult {
        is_error: result.is_error,
        error_code: result.is_error.then_some(Code::ModelToolError),
        content: sections.text,
        structured: result.structured_json.clone(),
        resource_refs: result.resource_uris.clone(),
    }
}

/// The text blocks as one; `None` where there is none, and where the structured content says it all.
fn joined_text(result: &ToolResult) -> Option<String> {
    let texts: Vec<&str> = result.text_blocks.iter().map(|block| block.text.as_str()).collect();
    let text = texts.join("\n\n");
    if text.is_empty() {
        return None;
    }
    let is_copy = result.structured_json.as_ref().is_some_and(|structured| {
        JsonText::parse(&text).is_ok_and(|text| json::equal(text.as_str(), structured.as_str()))
    });
    (!is_copy).then_some(text)
}

fn notes(diagnostics: &[ContentDiagnostic], shown: &[TextResource]) -> String {
    let is_shown = |diagnostic: &ContentDiagnostic| {
        diagnostic
            .content_index
            .is_some_and(|index| shown.binary_search_by_key(&index, |resource| resource.index).is_ok())
    };
    let mut notes = String::new();
    for diagnostic in diagnostics {
        if diagnostic.code == Code::CallMetadataUnsupported || is_shown(diagnostic) {
            continue;
        }
        if !notes.is_empty() {
            notes.push('\n');
        }
        notes.push_str("- ");
        notes.push_str(&one_line(&diagnostic.message));
    }
    notes
}

fn resource_texts(resources: &[TextResource]) -> String {
    let mut out = String::new();
    for resource in resources {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str("- ");
        if resource.uri.is_empty() {
            out.push_str("a resource without a URI");
        } else {
            out.push_str(&inline(&resource.uri));
        }
        if let Some(mime_type) = &resource.mime_type {
            out.push_str(" of type ");
            out.push_str(&inline(mime_type));
        }
        out.push_str(":\n  ");
        markdown::write_block(&mut out, &resource.text, 2);
    }
    out
}

fn server_error(error: &ServerError) -> ModelResult {
    let mut sections = Sections::default();
    let mut head = format!("The server answered with the error {}:", error.code);
    head.push(if markdown::is_many_lines(&error.message) {
        '\n'
    } else {
        ' '
    });
    markdown::write_block(&mut head, &error.message, 0);
    sections.push(&head);
    if let Some(data) = &error.data_json {
        sections.push_value("## Error details", data);
    }
    ModelResult {
        structured: error.data_json.clone(),
        ..failed(Code::ModelServerError, sections.text)
    }
}

fn unsupported(response: &UnsupportedResponse) -> ModelResult {
    failed(Code::ModelResponseUnsupported, one_line(&response.message))
}

fn failed(code: Code, content: String) -> ModelResult {
    ModelResult {
        is_error: true,
        error_code: Some(code),
        content,
        structured: None,
        resource_refs: Vec::new(),
    }
}

/// A sentence, whatever it holds, on one line.
fn one_line(sentence: &str) -> String {
    if sentence.contains(markdown::is_break) {
        sentence.replace(markdown::is_break, " ")
    } else {
        sentence.to_owned()
    }
}

/// Blocks of Markdown with an empty line between them.
#[derive(Default)]
struct Sections {
    text: String,
}

impl Sections {
    fn push(&mut self, block: &str) {
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(block);
    }

    fn push_value(&mut self, heading: &str, value: &JsonText) {
        self.push(heading);
        self.text.push_str("\n\n");
        markdown::write_value(&mut self.text, value);
    }
}
