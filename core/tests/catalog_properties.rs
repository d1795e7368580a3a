//! What holds for every tool list: each item is offered or named once, what is offered passes as a stored catalog, and
//! nothing anybody can send makes the core fail. Lists are made by a small generator from a seed, so that a failure can
//! be repeated.

// Tests say what they expect by failing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(all(feature = "schema", not(target_arch = "wasm32")))]

#[path = "support/random.rs"]
mod random;

use std::collections::BTreeSet;

use toolgate_core::Limits;
use toolgate_core::catalog::{CatalogContext, build_catalog};
use toolgate_core::json::{self, JsonText};
use toolgate_core::schema::JsonSchemaCheck;
use toolgate_core::server::TransportKind;
use toolgate_properties::core::catalog::of_pages;

use random::Random;

impl Random {
    /// Any value, mostly an odd one.
    fn value(&mut self) -> String {
        const VALUES: &[&str] = &[
            "null",
            "1",
            "1e400",
            "-0.0",
            "true",
            "[]",
            "{}",
            r#""""#,
            r#""text""#,
            r#""\ud800""#,
            r#""\ud83e\udd80""#,
            r#"{"type":"object"}"#,
            r#"{"type":"object","properties":{"x":{"type":"string"}}}"#,
            r#"{"type":1}"#,
            r#"{"$ref":"https://schemas.example/"}"#,
            r##"{"$ref":"#"}"##,
            r#"{"pattern":"("}"#,
            r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}]}"#,
            r#"{"$schema":"x"}"#,
            r#"{"properties":{"x":{"type":"string","x-mcp-header":"A b"}}}"#,
            r#"{"a":1,"a":2,"\udc00":3}"#,
            r#"{"$serde_json::private::Number":"x"}"#,
            r#"{"$serde_json::private::RawValue":"x"}"#,
        ];
        match self.below(12) {
            0 => format!("{}{}", "[".repeat(200), "]".repeat(200)),
            1 => format!("{}{{}}{}", r#"{"not":"#.repeat(200), "}".repeat(200)),
            2 => format!(r#""{}""#, "n".repeat(self.below(300))),
            _ => self.pick(VALUES).to_owned(),
        }
    }

    /// A good value for a field more often than not.
    fn field(&mut self, good: &str) -> String {
        if self.below(4) == 0 {
            self.value()
        } else {
            good.to_owned()
        }
    }

    fn item(&mut self) -> String {
        if self.below(10) == 0 {
            return self.value();
        }
        let name = format!(r#""tool {}""#, self.below(12));
        let space = self.pick(&["", " ", "\n\t"]);
        let mut members = vec![
            format!(r#""name"{space}:{}"#, self.field(&name)),
            format!(r#""inputSchema":{space}{}"#, self.field(r#"{"type":"object"}"#)),
        ];
        for (key, good) in [
            ("title", r#""T""#),
            ("description", r#""\u0044""#),
            ("outputSchema", "{}"),
            ("annotations", r#"{"readOnlyHint":true}"#),
            ("_meta", "{}"),
            (r"\ud800", "1"),
        ] {
            if self.below(3) == 0 {
                members.push(format!(r#""{key}":{}"#, self.field(good)));
            }
        }
        let separator = format!("{space},");
        format!("{{{}}}", members.join(&separator))
    }
}

#[test]
fn every_item_is_offered_or_named_once() {
    let limits = Limits {
        tool_bytes: 600,
        ..Limits::default()
    };
    let mut seen = BTreeSet::new();
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let pages: Vec<Vec<String>> = (0..=random.below(3))
            .map(|_| (0..random.below(12)).map(|_| random.item()).collect())
            .collect();
        let last = pages.len() - 1;
        let texts: Vec<String> = pages
            .iter()
            .enumerate()
            .map(|(index, items)| {
                let cursor = if index == last {
                    "null".to_owned()
                } else {
                    format!("\"{index}\"")
                };
                format!(r#"{{"tools":[{}],"nextCursor":{cursor}}}"#, items.join(" , "))
            })
            .collect();
        let version = random.pick(&["2025-06-18", "2026-07-28"]);
        let transport = if random.below(2) == 0 {
            TransportKind::Http
        } else {
            TransportKind::Stdio
        };
        let catalog = of_pages(&texts, version, transport, &limits).unwrap_or_else(|| panic!("seed {seed}: no list"));
        seen.extend(catalog.diagnostics.iter().map(|diagnostic| diagnostic.code));
    }
    // The generator reaches every rule about single items.
    assert_eq!(seen.len(), 11, "{seen:?}");
}

#[test]
fn no_text_makes_the_json_functions_fail() {
    let mut random = Random::new(1);
    for _ in 0..20_000 {
        let text: String = (0..random.below(12))
            .map(|_| {
                random.pick(&[
                    "{", "}", "[", "]", ":", ",", "\"", "\\", " ", "\n", "1", "e", "null", "é", "🦀", "\\u00", "\u{0}",
                ])
            })
            .collect();
        let pretty = json::pretty(&text);
        let _ = json::members(&text);
        let _ = json::items(&text);
        if let Ok(json_text) = JsonText::parse(&text) {
            assert_eq!(JsonText::parse(&pretty).unwrap(), json_text, "{text:?}");
            assert_eq!(json::pretty(json_text.as_str()), pretty, "{text:?}");
        }
    }
}

#[test]
fn a_catalog_is_as_large_as_what_the_server_sent_of_its_tools() {
    let tools = [
        r#"{"name":"a","inputSchema":{"type":"object"}}"#,
        r#"{"name":"b \"c\"","inputSchema":{"type":"object"},"title":"T","description":"D\n","outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}"#,
    ];
    let page = format!(r#"{{"tools":[{}]}}"#, tools.join(","));
    let context = CatalogContext {
        protocol_version: "2025-11-25".to_owned(),
        server_name: None,
        server_version: None,
        transport: TransportKind::Http,
    };
    let catalog = build_catalog([page.as_str()], context, &Limits::default(), &JsonSchemaCheck).unwrap();
    assert_eq!(catalog.tools.len(), 2);
    assert_eq!(catalog.json_bytes(), tools[0].len() + tools[1].len());
}
