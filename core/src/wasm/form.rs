//! The form for a tool's arguments, and the JSON beside it: for the page's test call.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::{from_js, to_js};
use crate::form::{self, Choices, FormModel};
use crate::json;
use crate::schema::ArgumentsSchema;

/// A tool's input schema, for its form and for comparing arguments with it.
#[wasm_bindgen(js_name = ToolForm)]
#[derive(Debug)]
pub struct ToolFormHandle {
    model: FormModel,
    schema: ArgumentsSchema,
}

#[wasm_bindgen(js_class = ToolForm)]
impl ToolFormHandle {
    /// Reads and compiles a schema, given as JSON text. Of what is no schema, form and check say so.
    #[wasm_bindgen(constructor)]
    pub fn new(schema: &str) -> Self {
        Self {
            model: FormModel::new(schema),
            schema: ArgumentsSchema::new(schema),
        }
    }

    /// The form for these arguments; null where their text is no JSON object. `choices` are alternatives that the person
    /// chose, by JSON Pointer.
    #[wasm_bindgen(unchecked_return_type = "FormNode | null")]
    pub fn read(
        &self,
        arguments: &str,
        #[wasm_bindgen(unchecked_param_type = "Record<string, number>")] choices: JsValue,
    ) -> Result<JsValue, JsValue> {
        let choices: Choices = from_js(choices)?;
        to_js(&self.model.read(arguments, &choices))
    }

    /// The arguments after an alternative was chosen at a place; undefined where that cannot be.
    pub fn choose(
        &self,
        arguments: &str,
        #[wasm_bindgen(unchecked_param_type = "Record<string, number>")] choices: JsValue,
        path: &str,
        alternative: usize,
    ) -> Result<Option<String>, JsValue> {
        let choices: Choices = from_js(choices)?;
        Ok(self.model.choose(arguments, &choices, path, alternative))
    }

    /// What of these arguments does not fit the schema. Nothing is refused for it.
    #[wasm_bindgen(unchecked_return_type = "ArgumentsCheck")]
    pub fn check(&self, arguments: &str) -> Result<JsValue, JsValue> {
        to_js(&self.schema.check(arguments))
    }
}

/// A JSON text with the value at a JSON Pointer replaced or put in; undefined where that cannot be.
#[wasm_bindgen(js_name = setAt)]
pub fn set_at(text: &str, pointer: &str, value: &str) -> Option<String> {
    json::set_at(text, pointer, value)
}

/// A JSON text without the value at a JSON Pointer; undefined where there is none.
#[wasm_bindgen(js_name = removeAt)]
pub fn remove_at(text: &str, pointer: &str) -> Option<String> {
    json::remove_at(text, pointer)
}

/// Where the value at a JSON Pointer begins, or the nearest one around it: line and column from 1, the column in UTF-16
/// code units.
#[wasm_bindgen(js_name = placeOf, unchecked_return_type = "[number, number] | null")]
pub fn place_of(text: &str, pointer: &str) -> Result<JsValue, JsValue> {
    to_js(&json::place_of(text, pointer))
}

/// What was written into a field for numbers, as JSON text: a number as it is spelled, else a string.
#[wasm_bindgen(js_name = numberOrText)]
pub fn number_or_text(text: &str) -> String {
    form::number_or_text(text)
}
