//! The Legacy round: the request's own tools stay as they are spelled, ours come after them; only what the hook left
//! once can be called; and an unknown outcome ends everything.

use std::collections::HashSet;

use toolgate_core::identity::{RegistrationId, ToolId};
use toolgate_core::json::{self, JsonText};
use toolgate_core::layers::ToolDescriptor;
use toolgate_core::legacy_round::{LegacyRoot, Settlement};
use toolgate_core::outcome::CallOutcome;

use crate::parts::Parts;

/// The parts are the request's tools, what a hook makes of them (empty: nothing), a schema, an outcome, a local name,
/// and the names of the MCP tools.
pub fn check(input: &[u8]) {
    let mut parts = Parts::of(input);
    let (request, hook, schema, outcome, local) =
        (parts.text(), parts.text(), parts.text(), parts.text(), parts.text());
    let schema = JsonText::parse(&schema).unwrap_or_else(|_| JsonText::empty_object());
    let id = RegistrationId::parse("11111111-1111-4111-8111-111111111111").unwrap();
    let mut seen = HashSet::new();
    let descriptors: Vec<ToolDescriptor> = parts
        .texts(12)
        .into_iter()
        .filter(|name| seen.insert(name.clone()))
        .map(|name| ToolDescriptor {
            tool_id: ToolId::new(id, name.clone()),
            server_name: name.clone(),
            description: name,
            input_schema_json: schema.clone(),
        })
        .collect();
    let count = descriptors.len();
    let mut root = LegacyRoot::new(descriptors);
    assert!(root.resolve(&local).is_err(), "before any round");
    match root.begin_round(Some(&request), &[&local]) {
        Err(_) => {
            assert!(json::items(&request).is_none() && request.trim() != "null");
            assert_eq!(root.finalize(Some(&request)), Vec::<String>::new());
        }
        Ok(None) => panic!("the request had tools"),
        Ok(Some(offered)) if count == 0 => assert_eq!(offered, request),
        Ok(Some(offered)) => check_round(&mut root, &request, &hook, &offered, count),
    }
    let outcomes = [CallOutcome::from_bridge(&outcome)];
    let is_unknown = matches!(outcomes[0], CallOutcome::OutcomeUnknown(_));
    let settled = root.settle(&outcomes);
    assert_eq!(matches!(settled, Settlement::Ended(_)), is_unknown);
    assert_eq!(root.has_ended(), is_unknown);
    assert_eq!(root.begin_round(None, &[]).is_err(), is_unknown);
}

fn check_round(root: &mut LegacyRoot, request: &str, hook: &str, offered: &str, count: usize) {
    let own = json::items(request).unwrap_or_default();
    let all = json::items(offered).expect("a list");
    assert_eq!(all.len(), own.len() + count);
    for (own, offered) in own.iter().zip(&all) {
        assert_eq!(own.get(), offered.get(), "a tool of the request was changed");
    }
    let left = if hook.is_empty() { offered } else { hook };
    let bound = root.finalize(Some(left));
    let distinct: HashSet<&String> = bound.iter().collect();
    assert_eq!(distinct.len(), bound.len());
    if hook.is_empty() {
        assert_eq!(bound.len(), count, "tools were lost: {offered}");
    }
    let mut tools = HashSet::new();
    for alias in &bound {
        assert!(tools.insert(root.resolve(alias).expect("a tool that was bound").clone()));
    }
    let again = root.finalize(Some(left));
    assert_eq!(again, bound, "the same hook twice");
    assert_eq!(root.finalize(None), Vec::<String>::new());
    assert!(bound.iter().all(|alias| root.resolve(alias).is_err()), "what was lost stays lost");
}
