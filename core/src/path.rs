//! Paths to fields, as diagnostics show them: `mcpServers.docs.headers.X-Key`, `args[2]`.

/// The path of a member: after a dot where the name reads well there, else as a JSON string in brackets.
pub(crate) fn member(parent: &str, name: &str) -> String {
    let plain = !name.is_empty()
        && name
            .chars()
            .all(|character| character.is_alphanumeric() || matches!(character, '-' | '_' | '$' | '/' | '@' | ' '));
    match (plain, parent.is_empty()) {
        (true, true) => name.to_owned(),
        (true, false) => format!("{parent}.{name}"),
        (false, _) => format!("{parent}[{}]", serde_json::Value::from(name)),
    }
}

/// The path of an element of a list; elements are counted from 0.
pub(crate) fn element(parent: &str, index: usize) -> String {
    format!("{parent}[{index}]")
}
