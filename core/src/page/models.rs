//! What a page shows of models: how one sees a tool, and what one reads of an outcome.

use serde::Serialize;

use crate::alias;
use crate::identity::ToolId;
use crate::layers::ToolDescriptor;
use crate::legacy_round::Settlement;
use crate::model_text::{ModelResult, Resources, model_result};
use crate::outcome::{CallFailure, CallOutcome};
use crate::server::DescriptionOverride;
use crate::{Code, Diagnostic};

/// A tool as a model sees it where it meets no other name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ToolPreview {
    /// The name the model calls it by.
    pub alias: String,
    /// The description; empty where there is none.
    pub description: String,
    /// The input schema as JSON text.
    pub input_schema_json: String,
    /// The properties that are described but not there.
    pub diagnostics: Vec<Diagnostic>,
}

/// A tool of a catalog with a layer of descriptions, which need not be saved, as a model would see it.
pub fn preview_tool(mut tool: ToolDescriptor, layer: Option<&DescriptionOverride>) -> ToolPreview {
    let diagnostics = layer.map(|layer| tool.describe(layer)).unwrap_or_default();
    let mut aliases = alias::allocate([(&tool.tool_id, tool.server_name.as_str())], []);
    ToolPreview {
        // For one tool there is one alias.
        alias: aliases.pop().unwrap_or_default(),
        description: tool.description,
        input_schema_json: tool.input_schema_json.as_str().to_owned(),
        diagnostics,
    }
}

/// What a model reads of an outcome. One of the two is null; both are where the text is no outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OutcomeReading {
    /// The result.
    pub result: Option<ReadResult>,
    /// The code of an unknown outcome, of which a model reads nothing: its run ends.
    pub unknown: Option<Code>,
}

/// A result as a model reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ReadResult {
    /// The model is told that the call failed.
    pub is_error: bool,
    /// What it reads.
    pub content: String,
}

/// What an agent or a Legacy chat reads of the outcome whose JSON text this is.
pub fn read_outcome(outcome: &str) -> OutcomeReading {
    match CallOutcome::from_json(outcome).map(|outcome| model_result(&outcome, Resources::Noted)) {
        None => OutcomeReading::default(),
        Some(Ok(result)) => OutcomeReading {
            result: Some(result.into()),
            unknown: None,
        },
        Some(Err(failure)) => OutcomeReading {
            result: None,
            unknown: Some(failure.code),
        },
    }
}

impl From<ModelResult> for ReadResult {
    fn from(result: ModelResult) -> Self {
        Self {
            is_error: result.is_error,
            content: result.content,
        }
    }
}

/// A begun Legacy round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LegacyRound {
    /// The JSON text of the request's `tools`; null where it has none, or where there is an error.
    pub tools: Option<String>,
    /// Why no MCP tool is offered in this round; the request goes out as it is.
    pub error: Option<Diagnostic>,
}

impl From<Result<Option<String>, Diagnostic>> for LegacyRound {
    fn from(begun: Result<Option<String>, Diagnostic>) -> Self {
        match begun {
            Ok(tools) => Self { tools, error: None },
            Err(error) => Self {
                tools: None,
                error: Some(error),
            },
        }
    }
}

/// The tool that an alias of a Legacy round names. One of the two is null.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LegacyTool {
    /// The tool id.
    pub tool_id: Option<String>,
    /// Why there is none: the call is not sent.
    pub error: Option<CallFailure>,
}

impl From<Result<&ToolId, CallFailure>> for LegacyTool {
    fn from(resolved: Result<&ToolId, CallFailure>) -> Self {
        match resolved {
            Ok(id) => Self {
                tool_id: Some(id.to_string()),
                error: None,
            },
            Err(failure) => Self {
                tool_id: None,
                error: Some(failure),
            },
        }
    }
}

/// What becomes of a batch of Legacy calls. One of the two is null.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LegacySettlement {
    /// A result for each call, in their order, to be kept as tool messages.
    pub results: Option<Vec<ReadResult>>,
    /// An outcome is unknown: no tool message of the batch may be kept, and root and group are to end.
    pub ended: Option<CallFailure>,
}

impl From<Settlement> for LegacySettlement {
    fn from(settlement: Settlement) -> Self {
        match settlement {
            Settlement::Results(results) => Self {
                results: Some(results.into_iter().map(ReadResult::from).collect()),
                ended: None,
            },
            Settlement::Ended(failure) => Self {
                results: None,
                ended: Some(failure),
            },
        }
    }
}
