//! The preview of an import.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::{from_js, to_js};
use crate::Limits;
use crate::import::{self, Registered};

/// What a text with many servers would create. `names` are the display names of the servers there are; `servers` is how
/// many there are, those included whose files cannot be read (the storage issues with a `registrationId`).
#[wasm_bindgen(js_name = importMany, unchecked_return_type = "ImportPreview")]
pub fn import_many(
    text: &str,
    #[wasm_bindgen(unchecked_param_type = "readonly string[]")] names: JsValue,
    servers: u32,
) -> Result<JsValue, JsValue> {
    let names: Vec<String> = from_js(names)?;
    let registered = Registered {
        names: &names,
        servers: usize::try_from(servers).unwrap_or(usize::MAX),
    };
    to_js(&import::import_many(text, &registered, &Limits::default()))
}
