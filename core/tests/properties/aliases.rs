//! Aliases: distinct, valid, stable.

use std::collections::HashSet;

use toolgate_core::alias::allocate;
use toolgate_core::identity::{RegistrationId, ToolId};

use crate::random::Random;

const SERVERS: &[&str] = &[
    "docs",
    "docs ",
    "d.s",
    "a",
    "a__b",
    "天气",
    "😀",
    "",
    "mcp",
    "a-very-long-name-of-a-server-that-goes-on-and-on",
];
const NAMES: &[&str] = &[
    "a",
    "b",
    "b__c",
    "c",
    "a.b",
    "a b",
    "a/b",
    "a_b",
    "search",
    "读取",
    "😀",
    "_",
    "a-name-of-a-tool-that-is-too-long-by-far-for-what-models-may-call-one",
    "a-name-of-a-tool-that-is-too-long-by-far-for-what-models-may-call-two",
];

fn tools(random: &mut Random) -> Vec<(ToolId, &'static str)> {
    let mut seen = HashSet::new();
    (0..random.below(12))
        .map(|_| {
            let server = random.below(SERVERS.len());
            // Servers of one name are different ones now and then.
            let id = format!("{:08x}-1111-4111-8111-111111111111", server * 2 + random.below(2));
            let id = RegistrationId::parse(&id).unwrap();
            (ToolId::new(id, random.pick(NAMES).to_owned()), SERVERS[server])
        })
        .filter(|(id, _)| seen.insert(id.clone()))
        .collect()
}

fn aliases(tools: &[(ToolId, &str)], local_names: &[String]) -> Vec<String> {
    allocate(
        tools.iter().map(|(id, server)| (id, *server)),
        local_names.iter().map(String::as_str),
    )
}

#[test]
fn they_are_valid_distinct_and_no_local_names_in_any_order() {
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let mut tools = tools(&mut random);
        // Names that these tools would take, so that they meet.
        let mut local_names = vec!["search".to_owned()];
        for _ in 0..random.below(4) {
            local_names.extend(
                aliases(&tools, &local_names)
                    .into_iter()
                    .filter(|_| random.below(2) == 0),
            );
        }
        let mut given = aliases(&tools, &local_names);
        for alias in &given {
            assert!(alias.len() <= 64, "seed {seed}: {alias}");
            assert!(alias.starts_with("mcp__"));
            assert!(
                alias
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
            );
            assert!(!local_names.contains(alias), "seed {seed}: {alias} is a local name");
        }
        let distinct: HashSet<&String> = given.iter().collect();
        assert_eq!(distinct.len(), tools.len(), "seed {seed}: {given:?}");

        if !tools.is_empty() {
            let by = random.below(tools.len());
            tools.rotate_left(by);
            given.rotate_left(by);
            tools.swap(0, by);
            given.swap(0, by);
        }
        local_names.reverse();
        assert_eq!(aliases(&tools, &local_names), given, "seed {seed}: the order counts");
    }
}

/// The names a tool takes one after the other when each is refused.
fn wishes(tool: &(ToolId, &str)) -> Vec<String> {
    let mut wishes = Vec::new();
    for _ in 0..4 {
        wishes.extend(aliases(std::slice::from_ref(tool), &wishes));
    }
    wishes
}

#[test]
fn unrelated_tools_change_nothing() {
    let mut tried = 0;
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let tools = tools(&mut random);
        if tools.len() < 2 {
            continue;
        }
        let all = aliases(&tools, &[]);
        let gone = random.below(tools.len());
        let wishes_of_gone = wishes(&tools[gone]);
        let mut rest = tools.clone();
        rest.remove(gone);
        for (tool, alias) in rest.iter().zip(aliases(&rest, &[])) {
            let before = &all[tools.iter().position(|other| other == tool).unwrap()];
            if wishes(tool).iter().all(|wish| !wishes_of_gone.contains(wish)) {
                tried += 1;
                assert_eq!(&alias, before, "seed {seed}: {tool:?} without {:?}", tools[gone]);
            }
        }
    }
    assert!(tried > 1000, "hardly a tool was unrelated: {tried}");
}
