//! MCP tools in a Legacy chat generation (manager contract §8): which the model is offered in a round, which of them it
//! may call, and when the generation is over.
//!
//! A root is one generation with all its tool recursion. It freezes its tools; each round gives them aliases anew beside
//! the local tools, so that a round begun makes the names of the one before worthless. The requests themselves, local
//! tools and the sending of calls are the caller's.

use std::collections::HashMap;

use serde_json::Value;

use crate::identity::ToolId;
use crate::json;
use crate::layers::{ModelTool, ToolDescriptor, with_aliases};
use crate::model_text::{ModelResult, Resources, model_result};
use crate::outcome::{CallFailure, CallOutcome};
use crate::text::{kind, shortened};
use crate::{Code, Diagnostic};

/// One Legacy root generation.
#[derive(Debug)]
pub struct LegacyRoot {
    descriptors: Vec<ToolDescriptor>,
    round: Round,
}

#[derive(Debug)]
enum Round {
    /// No round has begun.
    None,
    /// The tools are with the settings hook; none can be called.
    Open(Vec<ModelTool>),
    /// The tools the model was offered, by alias.
    Final(HashMap<String, ToolId>),
    /// A call's outcome is unknown.
    Ended,
}

/// What becomes of the calls of one batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// A result for each call, in their order, to be kept as tool messages.
    Results(Vec<ModelResult>),
    /// The outcome of one of them is unknown: no tool message of the batch may be kept, that of known ones and of local
    /// tools included, and the root and its group are to end. Nothing is sent again.
    Ended(CallFailure),
}

impl LegacyRoot {
    /// A root with the tools as they are now; whatever is decided later is for the next root.
    pub const fn new(descriptors: Vec<ToolDescriptor>) -> Self {
        Self {
            descriptors,
            round: Round::None,
        }
    }

    /// Begins a round: gives the tools aliases beside the names in the request's own tools and further local names, and
    /// answers the JSON text of the request's `tools` with these tools after its own, which stay as they are spelled.
    /// `None` and `null` stand for a request without tools; the answer is `None` where it stays so.
    ///
    /// From here no alias of an earlier round can be resolved, and none of this one before [`finalize`](Self::finalize).
    /// Errors: `mcp.legacy_tools_invalid` where the tools are no JSON array (the round then has no MCP tools),
    /// `mcp.legacy_root_ended`.
    pub fn begin_round(&mut self, tools: Option<&str>, local_names: &[&str]) -> Result<Option<String>, Diagnostic> {
        if matches!(self.round, Round::Ended) {
            return Err(ended());
        }
        self.round = Round::Open(Vec::new());
        let own = match tools.map(str::trim) {
            None | Some("null") => Vec::new(),
            Some(text) => json::items(text).ok_or_else(|| {
                Diagnostic::new(
                    Code::LegacyToolsInvalid,
                    format!(
                        "The request's tools are {}, where a JSON array belongs; no MCP tool is offered in this round.",
                        kind(Some(text))
                    ),
                )
            })?,
        };
        let own_names: Vec<String> = own.iter().filter_map(|tool| name(tool.get())).collect();
        let local_names = local_names.iter().copied().chain(own_names.iter().map(String::as_str));
        let offered = with_aliases(&self.descriptors, local_names);
        if offered.is_empty() {
            return Ok(tools.map(str::to_owned));
        }
        let entries: Vec<String> = own
            .iter()
            .map(|tool| tool.get().to_owned())
            .chain(offered.iter().map(provider_tool))
            .collect();
        self.round = Round::Open(offered);
        Ok(Some(format!("[{}]", entries.join(","))))
    }

    /// Ends the preparation of a round with the request's `tools` as the settings hook left them: of the aliases this
    /// round gave, those that name exactly one tool there can be called from now on, and are answered, in the order of
    /// the tools. One that is gone, renamed or doubled is lost, and nothing is guessed from names or schemas. Where the
    /// tools are gone altogether (`None`, `null`) or no array, all are lost.
    ///
    /// The request is only read: `tools`, `tool_choice` and what the user's own body settings make of them are never put
    /// back or changed. May be called again with what a later hook left; an alias that was lost stays lost.
    pub fn finalize(&mut self, tools: Option<&str>) -> Vec<String> {
        let given: Vec<(String, ToolId)> = match std::mem::replace(&mut self.round, Round::None) {
            Round::Open(offered) => offered.into_iter().map(|tool| (tool.alias, tool.tool_id)).collect(),
            Round::Final(bound) => bound.into_iter().collect(),
            round @ (Round::None | Round::Ended) => {
                self.round = round;
                return Vec::new();
            }
        };
        let entries = tools.and_then(json::items).unwrap_or_default();
        let mut count: HashMap<String, usize> = HashMap::new();
        for name in entries.iter().filter_map(|tool| name(tool.get())) {
            *count.entry(name).or_default() += 1;
        }
        let bound: HashMap<String, ToolId> = given
            .into_iter()
            .filter(|(alias, _)| count.get(alias) == Some(&1))
            .collect();
        let offered = entries
            .iter()
            .filter_map(|tool| name(tool.get()))
            .filter(|name| bound.contains_key(name))
            .collect();
        self.round = Round::Final(bound);
        offered
    }

    /// The tool that an alias of this round names. Otherwise `mcp.legacy_tool_not_advertised`: a call that is not sent.
    pub fn resolve(&self, alias: &str) -> Result<&ToolId, CallFailure> {
        let bound = match &self.round {
            Round::Final(bound) => bound.get(alias),
            _ => None,
        };
        bound.ok_or_else(|| CallFailure {
            code: Code::LegacyToolNotAdvertised,
            message: format!(
                "The tool {} was not offered in this round; call one of those that are.",
                crate::markdown::inline(&shortened(alias))
            ),
        })
    }

    /// Settles the MCP calls of one batch, all together. After an unknown outcome the root is over: no round begins any
    /// more, and no alias can be resolved.
    pub fn settle(&mut self, outcomes: &[CallOutcome]) -> Settlement {
        let results = outcomes
            .iter()
            .map(|outcome| model_result(outcome, Resources::Noted))
            .collect();
        match results {
            Ok(results) => Settlement::Results(results),
            Err(unknown) => {
                self.round = Round::Ended;
                Settlement::Ended(unknown)
            }
        }
    }

    /// Whether the root is over.
    pub const fn has_ended(&self) -> bool {
        matches!(self.round, Round::Ended)
    }
}

fn ended() -> Diagnostic {
    Diagnostic::new(
        Code::LegacyRootEnded,
        "The outcome of a call is unknown, and this generation has ended with it; begin a new one.",
    )
}

/// The name of a tool in a request: that of its `function`, as chat completions have it.
fn name(tool: &str) -> Option<String> {
    let function = json::members(tool)?.get("function")?;
    json::members(function.get())?.get("name").and_then(json::string)
}

/// A tool as chat completions have it.
fn provider_tool(tool: &ModelTool) -> String {
    let description = if tool.description.is_empty() {
        String::new()
    } else {
        format!("\"description\":{},", Value::from(tool.description.as_str()))
    };
    format!(
        "{{\"type\":\"function\",\"function\":{{\"name\":\"{}\",{description}\"parameters\":{}}}}}",
        tool.alias,
        tool.input_schema_json.as_str()
    )
}
