//! Aliases: valid, distinct, no local name's, the same in any order, and not changed by tools that meet none of them.

use std::collections::{BTreeMap, HashSet};

use toolgate_core::alias::allocate;
use toolgate_core::identity::{RegistrationId, ToolId};

use crate::parts::Parts;

/// The first byte says how the order is changed, the second part's bytes which server each tool is of; every further part
/// is a name, of a server, a tool and something local in turn.
pub fn check(input: &[u8]) {
    let mut parts = Parts::of(input);
    let turn = parts.number();
    let servers = parts.bytes();
    let names = parts.texts(60);
    let mut tools: BTreeMap<ToolId, &str> = BTreeMap::new();
    let mut local_names: HashSet<&str> = HashSet::new();
    for (index, names) in names.chunks(3).enumerate() {
        let server = servers.get(index).copied().unwrap_or_default() % 8;
        let id = RegistrationId::parse(&format!("{server:08x}-1111-4111-8111-111111111111")).unwrap();
        let tool = names.get(1).map_or("", String::as_str);
        tools.insert(ToolId::new(id, tool.to_owned()), &names[0]);
        local_names.extend(names.get(2).map(String::as_str));
    }
    let mut tools: Vec<(&ToolId, &str)> = tools.iter().map(|(id, server)| (id, *server)).collect();
    // Names that these tools would take, so that they meet.
    let wished = allocate(tools.iter().copied(), []);
    if turn % 2 == 1 {
        local_names.extend(wished.iter().step_by(2).map(String::as_str));
    }
    let mut given = checked(&tools, &local_names);
    if !tools.is_empty() {
        let by = turn / 2 % tools.len();
        tools.rotate_left(by);
        given.rotate_left(by);
        tools.reverse();
        given.reverse();
        assert_eq!(checked(&tools, &local_names), given, "the order counts");
        // Alone, a tool has its first choice, and keeps it where no other tool has the same.
        let alone = &allocate([tools[0]], local_names.iter().copied())[0];
        let others = allocate(tools[1..].iter().copied(), local_names.iter().copied());
        if local_names.is_empty() && wished.iter().filter(|wish| *wish == alone).nth(1).is_none() && !others.contains(alone) {
            assert_eq!(&given[0], alone);
        }
    }
}

fn checked(tools: &[(&ToolId, &str)], local_names: &HashSet<&str>) -> Vec<String> {
    let aliases = allocate(tools.iter().copied(), local_names.iter().copied());
    assert_eq!(aliases.len(), tools.len());
    for alias in &aliases {
        assert!(alias.len() <= 64 && alias.starts_with("mcp__"), "{alias}");
        assert!(
            alias
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')),
            "{alias}"
        );
        assert!(!local_names.contains(alias.as_str()), "{alias} is a local name");
    }
    let distinct: HashSet<&String> = aliases.iter().collect();
    assert_eq!(distinct.len(), tools.len(), "{aliases:?}");
    aliases
}
