//! Aliases. Input: `tools`, each `[server name, tool id]`, and `localNames`. Answers the aliases in that order; the same
//! come out for the tools in reverse, which each case tries too.

use serde_json::{Value, json};
use toolgate_core::identity::ToolId;
use toolgate_core::{Limits, alias};

use crate::harness::File;

pub(crate) const FILES: &[File] = crate::files!("alias": "cleaning", "length", "meeting");

pub(crate) fn run(input: Value) -> Value {
    let tools: Vec<(ToolId, &str)> = input["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| {
            let text = |index: usize| tool[index].as_str().unwrap();
            (ToolId::parse(text(1), &Limits::default()).unwrap(), text(0))
        })
        .collect();
    let local_names: Vec<&str> = match input.get("localNames") {
        Some(names) => names.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect(),
        None => Vec::new(),
    };
    let named = || tools.iter().map(|(id, server)| (id, *server));
    let aliases = alias::allocate(named(), local_names.iter().copied());
    let mut reversed = alias::allocate(named().rev(), local_names.iter().rev().copied());
    reversed.reverse();
    assert_eq!(aliases, reversed, "the order of the tools changes their aliases");
    json!(aliases)
}
