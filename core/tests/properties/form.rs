//! Forms: any schema and any arguments give one, an edit changes its place and nothing else, and neither takes long.

use std::time::{Duration, Instant};

use toolgate_core::form::{Choices, FormControl, FormModel, FormNode};
use toolgate_core::json::{JsonText, equal, literal, remove_at, set_at, value_at};
use toolgate_core::schema::check_arguments;
use toolgate_properties::core::form::read_and_edit;

use crate::random::Random;

/// Keywords with a value that may or may not be right for them.
fn schema(random: &mut Random, levels: usize) -> String {
    const TYPES: &[&str] = &[
        "\"string\"",
        "\"object\"",
        "\"array\"",
        "[\"string\",\"null\"]",
        "\"integer\"",
        "\"boolean\"",
        "7",
    ];
    const REFERENCES: &[&str] = &[
        "#",
        "#/$defs/a",
        "#/$defs/b",
        "#/properties/a",
        "#nowhere",
        "https://x.example/",
    ];
    let mut members = Vec::new();
    for _ in 0..=random.below(4) {
        let keyword = random.pick(&[
            "type",
            "properties",
            "items",
            "prefixItems",
            "anyOf",
            "oneOf",
            "allOf",
            "$ref",
            "enum",
            "const",
            "required",
            "$defs",
            "additionalProperties",
            "default",
            "title",
            "minimum",
            "patternProperties",
            "not",
        ]);
        let below = |random: &mut Random| {
            if levels == 0 {
                random.json(1)
            } else {
                schema(random, levels - 1)
            }
        };
        let value = match keyword {
            "type" => random.pick(TYPES).to_owned(),
            "properties" | "$defs" | "patternProperties" => {
                format!("{{\"a\":{},\"b\":{}}}", below(random), below(random))
            }
            "items" | "additionalProperties" | "not" => below(random),
            "prefixItems" | "anyOf" | "oneOf" | "allOf" => format!("[{},{}]", below(random), below(random)),
            "$ref" => format!("\"{}\"", random.pick(REFERENCES)),
            "required" => "[\"a\",\"c\",3]".to_owned(),
            _ => random.json(2),
        };
        members.push(format!("{}:{value}", literal(keyword)));
    }
    if random.below(12) == 0 {
        return random.json(2);
    }
    format!("{{{}}}", members.join(","))
}

#[test]
fn any_schema_and_any_arguments_give_a_form_whose_edits_are_read_back() {
    let mut edits = 0;
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let schema = schema(&mut random, 3);
        let arguments = format!("{{\"a\":{},\"c\":{}}}", random.json(3), random.json(2));
        let choices = Choices::from([("/a".to_owned(), random.below(4)), (String::new(), random.below(3))]);
        edits += read_and_edit(&schema, &arguments, &choices, "1E5");
        let _ = check_arguments(&schema, &arguments);
    }
    assert!(edits > 1000, "{edits} edits were tried");
}

#[test]
fn documents_of_any_kind_are_edited_or_refused() {
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let text = random.deep_json(5);
        let value = random.json(3);
        let pointer = random.pick(&["", "/0", "/1", "/a", "/0/0", "/a~1b/2", "/x/y/z", "x"]);
        if let Some(edited) = set_at(&text, pointer, &value) {
            assert!(
                equal(value_at(&edited, pointer).unwrap(), &value),
                "seed {seed}: {edited}"
            );
        }
        if let Some(edited) = remove_at(&text, pointer) {
            assert!(JsonText::parse(&edited).is_ok(), "seed {seed}: {edited}");
        }
    }
}

fn reads_soon(what: &str, schema: &str, arguments: &str) -> FormNode {
    let start = Instant::now();
    let form = FormModel::new(schema).read(arguments, &Choices::new()).unwrap();
    let _ = check_arguments(schema, arguments);
    assert!(
        start.elapsed() < Duration::from_mins(2),
        "{what} took {:?}",
        start.elapsed()
    );
    form
}

#[test]
fn large_and_hostile_ones_take_no_time_and_no_stack() {
    let many: Vec<String> = (0..8000)
        .map(|index| format!("\"p{index}\":{{\"type\":\"string\"}}"))
        .collect();
    let form = reads_soon(
        "many properties",
        &format!("{{\"properties\":{{{}}}}}", many.join(",")),
        "{}",
    );
    let FormControl::Object { fields, .. } = &form.control else {
        panic!()
    };
    assert_eq!(fields.len(), 1_000);
    assert!(matches!(fields.last().unwrap().control, FormControl::Json { .. }));

    let branches: Vec<String> = (0..5000)
        .map(|index| format!("{{\"title\":\"{index}\",\"type\":\"object\"}}"))
        .collect();
    let items = format!(
        "{{\"properties\":{{\"a\":{{\"type\":\"array\",\"items\":{{\"anyOf\":[{}]}}}}}}}}",
        branches.join(",")
    );
    reads_soon(
        "many branches",
        &items,
        &format!("{{\"a\":[{}]}}", vec!["{}"; 2000].join(",")),
    );

    let values: Vec<String> = (0..20_000).map(|index| index.to_string()).collect();
    let enums = format!(
        "{{\"properties\":{{\"a\":{{\"items\":{{\"enum\":[{}]}}}}}}}}",
        values.join(",")
    );
    reads_soon(
        "a long enum",
        &enums,
        &format!("{{\"a\":[{}]}}", vec!["19999"; 2000].join(",")),
    );

    let deep = format!("{}{{}}{}", "{\"properties\":{\"a\":".repeat(60), "}}".repeat(60));
    reads_soon(
        "a deep schema",
        &deep,
        &format!("{}1{}", "{\"a\":".repeat(60), "}".repeat(60)),
    );
    reads_soon(
        "a schema too deep to be read",
        &format!("{}{}", "[".repeat(50_000), "]".repeat(50_000)),
        "{}",
    );
    let arguments = format!("{{\"a\":{}{}}}", "[".repeat(50_000), "]".repeat(50_000));
    reads_soon("deep arguments", "{}", &arguments);

    let twice = |index: usize| {
        let next = format!("{{\"$ref\":\"#/$defs/d{}\"}}", index + 1);
        format!("\"d{index}\":{{\"anyOf\":[{next},{next}],\"properties\":{{\"a\":{next},\"b\":{next}}}}}")
    };
    let definitions: Vec<String> = (0..40).map(twice).collect();
    let doubling = format!(
        "{{\"$ref\":\"#/$defs/d0\",\"$defs\":{{{},\"d40\":{{}}}}}}",
        definitions.join(",")
    );
    reads_soon("doubling", &doubling, "{\"a\":{\"b\":{\"a\":{}}}}");
    let chain: Vec<String> = (0..4000)
        .map(|index| format!("\"c{index}\":{{\"$ref\":\"#/$defs/c{}\"}}", index + 1))
        .collect();
    reads_soon(
        "a chain",
        &format!("{{\"$ref\":\"#/$defs/c0\",\"$defs\":{{{}}}}}", chain.join(",")),
        "{}",
    );
}
