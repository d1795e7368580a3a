//! The core as a page calls it: these functions convert between JavaScript's values and the core's, and do nothing else.
//! Everything runs with the default limits, as the host does. The types they name are those of `wasm_types.d.ts`.

// The functions are reached from JavaScript, not from Rust.
#![allow(unreachable_pub)]

#[cfg(all(feature = "models", feature = "schema"))]
mod form;
#[cfg(feature = "import")]
mod import_many;
#[cfg(feature = "models")]
mod models;

use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::page::{self, CheckedText};
use crate::server::ServerConfig;
use crate::{Limits, endpoint, identity, import, json};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("wasm_types.d.ts");

/// Reads a text that says one server, as it would be added.
#[wasm_bindgen(js_name = addOne, unchecked_return_type = "AddPreview")]
pub fn add_one(text: &str) -> Result<JsValue, JsValue> {
    to_js(&import::add_one(text, &Limits::default()))
}

/// Reads a text in which a saved server is edited; `saved` is its configuration as the editor was given it, in whose
/// fields placeholders may stand.
#[wasm_bindgen(js_name = editOne, unchecked_return_type = "AddPreview")]
pub fn edit_one(
    text: &str,
    #[wasm_bindgen(unchecked_param_type = "ServerConfig")] saved: JsValue,
) -> Result<JsValue, JsValue> {
    let saved: ServerConfig = from_js(saved)?;
    to_js(&import::edit_one(text, &saved, &Limits::default()))
}

/// The endpoint as it would be stored.
#[wasm_bindgen(js_name = normalizeEndpoint, unchecked_return_type = "CheckedText")]
pub fn normalize_endpoint(text: &str) -> Result<JsValue, JsValue> {
    to_js(&CheckedText::from(endpoint::normalize(text)))
}

/// The display name as it would be stored.
#[wasm_bindgen(js_name = normalizeDisplayName, unchecked_return_type = "CheckedText")]
pub fn normalize_display_name(text: &str) -> Result<JsValue, JsValue> {
    to_js(&CheckedText::from(identity::normalize_display_name(
        text,
        &Limits::default(),
    )))
}

/// What the host would refuse a server for, and what a person should look at again. `otherNames` are the display names
/// of the other servers; `saved`, where a saved server is edited, its configuration as the editor was given it.
#[wasm_bindgen(js_name = checkServer, unchecked_return_type = "ServerCheck")]
pub fn check_server(
    #[wasm_bindgen(js_name = displayName)] display_name: &str,
    #[wasm_bindgen(unchecked_param_type = "ServerConfig")] config: JsValue,
    #[wasm_bindgen(js_name = otherNames, unchecked_param_type = "readonly string[]")] other_names: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "ServerConfig | null")] saved: JsValue,
) -> Result<JsValue, JsValue> {
    let config: ServerConfig = from_js(config)?;
    let other_names: Vec<String> = from_js(other_names)?;
    let saved: Option<ServerConfig> = from_js(saved)?;
    to_js(&page::check_server(
        display_name,
        config,
        &other_names,
        saved.as_ref(),
        &Limits::default(),
    ))
}

/// A JSON document with line breaks and two spaces a level, its numbers and strings spelled as they came.
#[wasm_bindgen(js_name = prettyJson)]
pub fn pretty_json(text: &str) -> String {
    json::pretty(text)
}

/// By way of JSON text: an object that is filled one assignment after the other loses a member named `__proto__`.
fn to_js<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    let text = serde_json::to_string(value).map_err(|_| js_sys::Error::new("toolgate: a result cannot be written"))?;
    js_sys::JSON::parse(&text)
}

/// A value of the type that the declarations promise; anything else is a mistake of the caller, and throws.
fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value)
        .map_err(|_| js_sys::TypeError::new("toolgate: an argument is not of its declared type").into())
}
