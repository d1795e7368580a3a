//! Who is meant: `{"registrationId": text}` answers the id or why it is none.

use serde_json::{Value, json};
use toolgate_core::identity::RegistrationId;

use crate::harness::{File, outcome};

pub(crate) const FILES: &[File] = crate::files!("identity": "registration-id");

pub(crate) fn run(input: Value) -> Value {
    let text = input["registrationId"].as_str().expect("a registrationId");
    outcome(RegistrationId::parse(text), |id| json!(id.to_string()))
}
