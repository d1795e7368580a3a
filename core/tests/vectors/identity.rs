//! Who is meant: `{"registrationId"}`, `{"toolId"}`, `{"toolName"}` or `{"displayName"}` with a text answers what it
//! reads as or why it is none.

use serde_json::{Value, json};
use toolgate_core::Limits;
use toolgate_core::identity::{RegistrationId, ToolId, check_tool_name, normalize_display_name};

use crate::harness::{File, outcome};

pub(crate) const FILES: &[File] = crate::files!("identity": "registration-id", "tool-id", "tool-name", "display-name");

pub(crate) fn run(input: Value) -> Value {
    let (kind, text) = input.as_object().and_then(|map| map.iter().next()).expect("a text");
    let text = text.as_str().expect("a text");
    let limits = Limits::default();
    match kind.as_str() {
        "registrationId" => outcome(RegistrationId::parse(text), |id| json!(id.to_string())),
        "toolId" => outcome(ToolId::parse(text, &limits), |id| {
            assert_eq!(id.to_string(), text, "an id is written as it is read");
            json!({ "registrationId": id.registration_id(), "nativeName": id.native_name() })
        }),
        "toolName" => outcome(check_tool_name(text, &limits), |()| json!(text)),
        "displayName" => outcome(normalize_display_name(text, &limits), |name| {
            let again = normalize_display_name(&name, &limits);
            assert_eq!(again.as_ref(), Ok(&name), "a normalised name stays as it is");
            json!(name)
        }),
        other => panic!("{other} is not known here"),
    }
}
