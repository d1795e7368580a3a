//! What models see and read, for the page; the Legacy round, for a `WebView`.

// A string from JavaScript that may be null comes by value.
#![allow(clippy::needless_pass_by_value)]

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::{from_js, to_js};
use crate::layers::ToolDescriptor;
use crate::legacy_round::LegacyRoot;
use crate::outcome::CallOutcome;
use crate::page::CheckedText;
use crate::page::models::{LegacyRound, LegacySettlement, LegacyTool, preview_tool, read_outcome};
use crate::server::DescriptionOverride;
use crate::{Limits, arguments};

/// The arguments of a call as they would be sent: without white space between tokens, otherwise as they are spelled.
#[wasm_bindgen(js_name = checkArguments, unchecked_return_type = "CheckedText")]
pub fn check_arguments(text: &str) -> Result<JsValue, JsValue> {
    let checked = arguments::check(text, &Limits::default());
    to_js(&CheckedText::from(
        checked.map(|arguments| arguments.as_str().to_owned()),
    ))
}

/// What a model reads of an outcome, which is the JSON text of an `McpTestCallOutcome`.
#[wasm_bindgen(js_name = readOutcome, unchecked_return_type = "OutcomeReading")]
pub fn read_outcome_for_model(outcome: &str) -> Result<JsValue, JsValue> {
    to_js(&read_outcome(outcome))
}

/// A tool of a catalog as a model would see it, with descriptions that need not be saved yet.
#[wasm_bindgen(js_name = previewTool, unchecked_return_type = "ToolPreview")]
pub fn preview_tool_for_model(
    #[wasm_bindgen(unchecked_param_type = "ToolDescriptor")] tool: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "DescriptionOverride | null")] layer: JsValue,
) -> Result<JsValue, JsValue> {
    let tool: ToolDescriptor = from_js(tool)?;
    let layer: Option<DescriptionOverride> = from_js(layer)?;
    to_js(&preview_tool(tool, layer.as_ref()))
}

/// One Legacy root generation: freezes its tools, gives them aliases in each round, says which can be called, and when
/// the generation is over. Of the request it only ever reads the tools.
#[wasm_bindgen(js_name = LegacyRoot)]
#[derive(Debug)]
pub struct LegacyRootHandle(LegacyRoot);

#[wasm_bindgen(js_class = LegacyRoot)]
impl LegacyRootHandle {
    /// A root with these tools, as `legacy.listTools` gives them.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "readonly ToolDescriptor[]")] tools: JsValue,
    ) -> Result<Self, JsValue> {
        Ok(Self(LegacyRoot::new(from_js(tools)?)))
    }

    /// Begins a round: the request's `tools` (JSON text or null) with these tools after its own.
    #[wasm_bindgen(js_name = beginRound, unchecked_return_type = "LegacyRound")]
    pub fn begin_round(
        &mut self,
        tools: Option<String>,
        #[wasm_bindgen(js_name = localNames, unchecked_param_type = "readonly string[]")] local_names: JsValue,
    ) -> Result<JsValue, JsValue> {
        let local_names: Vec<String> = from_js(local_names)?;
        let local_names: Vec<&str> = local_names.iter().map(String::as_str).collect();
        to_js(&LegacyRound::from(self.0.begin_round(tools.as_deref(), &local_names)))
    }

    /// Ends the preparation of a round with the request's `tools` as the settings hook left them: the aliases that can be
    /// called.
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    pub fn finalize(&mut self, tools: Option<String>) -> Vec<String> {
        self.0.finalize(tools.as_deref())
    }

    /// The tool that an alias of this round names.
    #[wasm_bindgen(unchecked_return_type = "LegacyTool")]
    pub fn resolve(&self, alias: &str) -> Result<JsValue, JsValue> {
        to_js(&LegacyTool::from(self.0.resolve(alias)))
    }

    /// Settles the MCP calls of one batch, given as the JSON texts of their outcomes. A text that is none counts as an
    /// unknown outcome.
    #[wasm_bindgen(unchecked_return_type = "LegacySettlement")]
    pub fn settle(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "readonly string[]")] outcomes: JsValue,
    ) -> Result<JsValue, JsValue> {
        let texts: Vec<String> = from_js(outcomes)?;
        let outcomes: Vec<CallOutcome> = texts.iter().map(|text| CallOutcome::from_bridge(text)).collect();
        to_js(&LegacySettlement::from(self.0.settle(&outcomes)))
    }

    /// Whether the root is over.
    #[wasm_bindgen(js_name = hasEnded, getter)]
    pub fn has_ended(&self) -> bool {
        self.0.has_ended()
    }
}
