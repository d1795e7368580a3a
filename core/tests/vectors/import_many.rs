//! Import of many servers: `{"text", "names"?, "servers"?}`, the names and the number of the servers there are. Answers
//! what the preview holds, `config` aside where `{"imported"}` or `{"refused"}` says it already.

use serde_json::{Value, json};
use toolgate_core::Limits;
use toolgate_core::import::{Accepted, ImportEntry, Registered, import_many};

use crate::harness::{File, diagnostics, refusal};

pub(crate) const FILES: &[File] = crate::files!(
    "import_many": "forms", "names", "limits", "faults", "other-programs"
);

pub(crate) fn run(input: Value) -> Value {
    let names: Vec<String> = input
        .get("names")
        .map(|names| serde_json::from_value(names.clone()).expect("names"))
        .unwrap_or_default();
    let registered = Registered {
        names: &names,
        servers: input.get("servers").map_or(names.len(), |count| {
            usize::try_from(count.as_u64().expect("a number")).expect("a small number")
        }),
    };
    let text = input["text"].as_str().expect("a text");
    let preview = import_many(text, &registered, &Limits::default());
    let fine = preview.errors.is_empty() && preview.entries.iter().all(|entry| entry.errors.is_empty());
    let entries: Vec<Value> = preview.entries.iter().map(entry).collect();
    let mut answer = match preview.accepted() {
        Ok(Accepted { servers, notes }) => {
            assert!(fine && servers.len() == entries.len(), "accepted whole");
            let mut answer = json!({ "imported": servers });
            if !notes.is_empty() {
                answer["notes"] = diagnostics(&notes);
            }
            answer
        }
        Err(reasons) => {
            assert!(!fine, "refused for something");
            refusal(&reasons)
        }
    };
    if !fine {
        answer["entries"] = json!(entries);
    }
    answer
}

/// Where an entry stands, and which of its diagnostics are its own.
fn entry(entry: &ImportEntry) -> Value {
    let ImportEntry {
        display_name,
        path,
        line,
        column,
        config,
        errors,
        notes,
    } = entry;
    let codes = |all: &[toolgate_core::Diagnostic]| all.iter().map(|one| one.code).collect::<Vec<_>>();
    let mut value = json!({ "name": display_name, "path": path, "at": [line, column], "read": config.is_some() });
    for (key, all) in [("errors", errors), ("notes", notes)] {
        if !all.is_empty() {
            value[key] = json!(codes(all));
        }
    }
    value
}
