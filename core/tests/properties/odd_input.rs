//! Nothing panics, and everything is the same twice, whatever is put in.

use std::collections::BTreeMap;

use toolgate_core::identity::{RegistrationId, ToolId};
use toolgate_core::json::JsonText;
use toolgate_core::layers::ToolDescriptor;
use toolgate_core::legacy_round::LegacyRoot;
use toolgate_core::model_text::{Resources, model_result};
use toolgate_core::outcome::{CallOutcome, from_error, from_result};
use toolgate_core::server::DescriptionOverride;
use toolgate_core::{Limits, arguments, json};

use crate::random::Random;

/// A text that was JSON until some of its characters were removed, doubled or replaced.
fn damaged(random: &mut Random) -> String {
    let mut characters: Vec<char> = random.json(4).chars().collect();
    for _ in 0..random.below(4) {
        if characters.is_empty() {
            break;
        }
        let at = random.below(characters.len());
        match random.below(3) {
            0 => {
                characters.remove(at);
            }
            1 => characters.insert(at, characters[at]),
            _ => {
                characters[at] = random
                    .pick(&["\"", "\\", "{", "]", ",", "`", "\n", "é", "\u{0}"])
                    .chars()
                    .next()
                    .unwrap();
            }
        }
    }
    characters.into_iter().collect()
}

#[test]
fn answers_that_are_no_answers() {
    let mut unknown = 0;
    for seed in 0..6000 {
        let mut random = Random::new(seed);
        let text = damaged(&mut random);
        let is_json = JsonText::parse(&text).is_ok();
        for outcome in [from_result(&text), from_error(&text)] {
            match (&outcome, model_result(&outcome, Resources::Shown)) {
                (CallOutcome::OutcomeUnknown(_), Err(_)) => {
                    assert!(!is_json, "seed {seed}: an answer was lost: {text}");
                    unknown += 1;
                }
                (CallOutcome::KnownResponse { .. }, Ok(read)) => {
                    assert!(is_json, "seed {seed}: no JSON, and known: {text}");
                    assert!(!read.content.is_empty());
                }
                other => panic!("seed {seed}: {other:?}"),
            }
            assert!(CallOutcome::from_json(&outcome.to_json()).is_some());
        }
        assert_eq!(from_result(&text), from_result(&text));
        let _ = CallOutcome::from_json(&text);
        assert_eq!(
            arguments::check(&text, &Limits::default()).is_ok(),
            is_json && text.trim_start_matches([' ', '\n', '\t', '\r']).starts_with('{')
        );
    }
    assert!(unknown > 1000, "hardly a text was damaged: {unknown}");
}

#[test]
fn equality_is_one() {
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let (one, other) = (random.json(3), random.json(3));
        assert!(json::equal(&one, &one));
        assert!(json::equal(&json::pretty(&one), &one), "seed {seed}: {one}");
        assert_eq!(json::equal(&one, &other), json::equal(&other, &one));
        // A list that differs in one item differs.
        assert_eq!(
            json::equal(&format!("[1,{one}]"), &format!("[1,{other}]")),
            json::equal(&one, &other)
        );
    }
}

#[test]
fn described_schemas_change_in_their_descriptions_alone() {
    let id = RegistrationId::parse("11111111-1111-4111-8111-111111111111").unwrap();
    let mut written = 0;
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let property = random.string();
        let property_schema = random.json(2);
        let schema = format!(
            "{{\"a\":{},\"properties\":{{\"x\":{},{property}:{property_schema}}},\"b\":{}}}",
            random.json(2),
            random.json(2),
            random.json(2)
        );
        let mut tool = ToolDescriptor {
            tool_id: ToolId::new(id, "t".to_owned()),
            server_name: String::new(),
            description: String::new(),
            input_schema_json: JsonText::parse(&schema).unwrap(),
        };
        // A property whose name is no Unicode text cannot be named.
        let Ok(name) = serde_json::from_str::<String>(&property) else {
            continue;
        };
        let layer = DescriptionOverride {
            description: None,
            properties: BTreeMap::from([(name.clone(), "ours".to_owned())]),
        };
        let before = tool.input_schema_json.clone();
        let skipped = tool.describe(&layer);
        if property_schema.starts_with('{') {
            written += 1;
            assert_eq!(skipped, []);
            let described = json::members(tool.input_schema_json.as_str()).unwrap();
            let properties = json::members(described.get("properties").unwrap().get()).unwrap();
            let property = json::members(properties.get(&name).unwrap().get()).unwrap();
            assert_eq!(property.get("description").unwrap().get(), "\"ours\"");
            // No schema that is made here has a description of its own: without ours everything is as it was.
            let edited = tool.input_schema_json.as_str();
            let kept = edited
                .replace(",\"description\":\"ours\"", "")
                .replace("\"description\":\"ours\"", "");
            assert_eq!(kept, before.as_str(), "seed {seed}");
        } else {
            assert_eq!(skipped.len(), 1, "seed {seed}");
            assert_eq!(tool.input_schema_json, before);
        }
    }
    assert!(written > 300, "hardly a property was described: {written}");
}

#[test]
fn requests_of_any_form() {
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let mut root = LegacyRoot::new(Vec::new());
        let text = damaged(&mut random);
        let _ = root.begin_round(Some(&text), &[]);
        assert_eq!(root.finalize(Some(&text)), Vec::<String>::new());
        assert!(root.resolve(&text).is_err());
    }
}
