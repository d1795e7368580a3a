//! JSON kept as text: `{"parse": text}` answers the compact text, `{"pretty": text}` the readable one, and
//! `{"members": text, "get": key}` the raw value of a member. `{"roundTrip": text}` reads and writes a structure that
//! holds a text, as a catalog file does.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolgate_core::json::{self, JsonText};

use crate::harness::File;

pub(crate) const FILES: &[File] = crate::files!("json": "members", "pretty", "text");

#[derive(Serialize, Deserialize)]
struct Holder {
    before: u8,
    kept: JsonText,
}

pub(crate) fn run(input: Value) -> Value {
    let text = |key: &str| input.get(key).map(|text| text.as_str().expect("a text"));
    if let Some(text) = text("parse") {
        return match JsonText::parse(text) {
            Ok(text) => json!({ "ok": text.as_str() }),
            Err(error) => json!({ "line": error.line() }),
        };
    }
    if let Some(text) = text("roundTrip") {
        let holder: Holder = serde_json::from_str(text).expect("a holder");
        return json!(serde_json::to_string(&holder).unwrap());
    }
    if let Some(object) = text("members") {
        let members = json::members(object);
        return members.map_or(json!("no object"), |members| {
            json!(members.get(text("get").unwrap()).map(serde_json::value::RawValue::get))
        });
    }
    json!(json::pretty(text("pretty").expect("parse, roundTrip, members or pretty")))
}
