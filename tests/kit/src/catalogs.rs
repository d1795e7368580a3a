//! Pages of `tools/list` as JSON text, odd ones included.

const KIB: usize = 1024;

/// One tool that is in order.
pub fn tool(name: &str) -> String {
    format!(
        r#"{{"name":"{name}","title":"The {name} tool","description":"Does {name}.","inputSchema":{{"type":"object","properties":{{"a":{{"type":"number","minimum":1.0}}}}}}}}"#
    )
}

/// A page of tools, as text, without a cursor.
pub fn page(tools: &[String]) -> String {
    format!(r#"{{"tools":[{}]}}"#, tools.join(","))
}

/// A page that leads to the next one. `cursor` is JSON text.
pub fn page_to(tools: &[String], cursor: &str) -> String {
    format!(r#"{{"tools":[{}],"nextCursor":{cursor}}}"#, tools.join(","))
}

/// Two good tools.
pub fn two_tools() -> String {
    page(&[tool("first"), tool("second")])
}

/// A tool whose input schema is no schema, between two good ones.
pub fn one_bad_tool() -> String {
    let bad = r#"{"name":"bad","inputSchema":{"type":"nonsense"}}"#.to_owned();
    page(&[tool("first"), bad, tool("second")])
}

/// A name that stands twice, beside a good tool.
pub fn duplicates() -> String {
    page(&[tool("twice"), tool("once"), tool("twice")])
}

/// More tools than a discovery may have.
pub fn many_tools(count: usize) -> String {
    let tools: Vec<_> = (0..count).map(|number| tool(&format!("tool-{number}"))).collect();
    page(&tools)
}

/// A tool of so many KiB, beside a good one.
pub fn big_tool(kib: usize) -> String {
    let big = format!(
        r#"{{"name":"big","description":"{}","inputSchema":{{"type":"object"}}}}"#,
        "x".repeat(kib * KIB)
    );
    page(&[tool("first"), big])
}

/// A tool whose output schema is no schema.
pub fn bad_output_schema() -> String {
    page(&[
        r#"{"name":"first","inputSchema":{"type":"object"},"outputSchema":{"type":"nonsense"}}"#.to_owned(),
        tool("second"),
    ])
}

/// Tools whose schemas declare and use draft-07: `items` as an array, `definitions`, `dependencies`.
pub fn draft_07() -> String {
    let schema = r##"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","definitions":{"p":{"type":"array","items":[{"type":"number"},{"type":"string"}],"additionalItems":false}},"properties":{"p":{"$ref":"#/definitions/p"},"q":{"type":"string"}},"dependencies":{"p":["q"]}}"##;
    page(&[format!(
        r#"{{"name":"first","inputSchema":{schema},"outputSchema":{schema}}}"#
    )])
}

/// Spellings of numbers, keys and strings that a typed model would change.
pub fn odd_spellings() -> String {
    r#"{"tools":[{"name":"first","zzz":1E5,"inputSchema":{"type":"object","properties":{"b":{"const":123456789012345678901234567890},"a":{"const":1.50}}},"description":"\u00e9\/","annotations":{"readOnlyHint":"yes","x":null}}],"resultType":"other","content":[],"prompts":[]}"#.to_owned()
}
