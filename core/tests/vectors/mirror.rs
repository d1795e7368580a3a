//! Which arguments are mirrored into headers: `{"pages": [result, …], "tool", "arguments": text}` answers, for the last
//! page, `{"headers": [[name, text], …]}`, `{"next": cursor}`, `"absent"`, or the code of the failure. A page is JSON,
//! or a string that is its text.

use serde_json::{Value, json};
use toolgate_core::Limits;
use toolgate_core::catalog::{MirrorSearch, MirrorStep};
use toolgate_core::json::JsonText;

use crate::harness::File;

pub(crate) const FILES: &[File] = crate::files!("mirror": "pages", "values");

pub(crate) fn run(input: Value) -> Value {
    let arguments = JsonText::parse(input["arguments"].as_str().unwrap_or("{}")).expect("JSON");
    let mut search = MirrorSearch::new(input["tool"].as_str().expect("a tool"), &Limits::default());
    let mut answer = Value::Null;
    for page in input["pages"].as_array().expect("pages") {
        let text = page.as_str().map_or_else(|| page.to_string(), str::to_owned);
        answer = match search.push(&text) {
            Ok(MirrorStep::Found(mirror)) => json!({ "headers": mirror.headers(&arguments) }),
            Ok(MirrorStep::Next(cursor)) => json!({ "next": cursor }),
            Ok(MirrorStep::Absent) => json!("absent"),
            Err(diagnostic) => {
                assert!(!diagnostic.message.is_empty());
                json!(diagnostic.code)
            }
        };
    }
    answer
}
