//! Servers one of whose tools is odd: its name, its schemas, its other fields. It stands between two that are in order.

use super::{Behaviour, row};
use crate::catalogs::{page, tool};
use crate::script::{Page, Script};

/// Odd names.
pub(super) const NAMES: &[Behaviour] = &[
    row("name-missing", "No name.", || {
        with(r#"{"inputSchema":{"type":"object"}}"#)
    }),
    row("name-null", "A name that is null.", || named("null")),
    row("name-number", "A name that is a number.", || named("7")),
    row("name-object", "A name that is an object.", || named(r#"{"a":1}"#)),
    row("name-empty", "An empty name.", || named(r#""""#)),
    row("name-blank", "A name of spaces.", || named(r#""   ""#)),
    row("name-256-bytes", "A name as long as may be.", || {
        named(&format!("\"{}\"", "x".repeat(256)))
    }),
    row("name-257-bytes", "A name one byte longer.", || {
        named(&format!("\"{}\"", "x".repeat(257)))
    }),
    row("name-1-mib", "A name of a mebibyte.", || {
        named(&format!("\"{}\"", "x".repeat(1 << 20)))
    }),
    row("name-cjk", "A Chinese name.", || named(r#""\u67e5\u8be2/天气:今天""#)),
    row(
        "name-bidi",
        "A name with bidirectional and zero-width characters.",
        || named(r#""a\u202etxt.\u200bexe\u2066""#),
    ),
    row("name-ansi", "A name with an escape sequence for terminals.", || {
        named(r#""\u001b[31mred\u001b[0m\u0007""#)
    }),
    row("name-nul", "A name with NUL and line ends.", || {
        named(r#""a\u0000b\r\nX-Remote: c""#)
    }),
    row("name-half-character", "A name with half a character.", || {
        named(r#""a\ud83d""#)
    }),
    row("name-path", "A name that is a path.", || {
        named(r#""../../../etc/passwd""#)
    }),
    row("name-html", "A name that is HTML.", || {
        named(r#""<img src=x onerror=alert(1)>""#)
    }),
    row("name-proto", "A name that JavaScript knows.", || {
        named(r#""__proto__""#)
    }),
    row("name-twice-in-tool", "A tool with two names.", || {
        with(r#"{"name":"one","inputSchema":{"type":"object"},"name":"other"}"#)
    }),
    row(
        "name-in-other-case",
        "A name that another tool has in other case.",
        || named(r#""FIRST""#),
    ),
    row("name-decomposed", "Two names that look the same.", || {
        let names = [r#""caf\u00e9""#, r#""cafe\u0301""#]
            .map(|name| format!(r#"{{"name":{name},"inputSchema":{{"type":"object"}}}}"#));
        Script::default().pages(vec![Page::only(page(&names))])
    }),
];

/// Odd schemas.
pub(super) const SCHEMAS: &[Behaviour] = &[
    row("schema-missing", "No input schema.", || with(r#"{"name":"odd"}"#)),
    row("schema-null", "An input schema that is null.", || schema("null")),
    row("schema-true", "An input schema that is true.", || schema("true")),
    row("schema-false", "An input schema that is false.", || schema("false")),
    row("schema-array", "An input schema that is an array.", || schema("[]")),
    row("schema-text", "An input schema that is a text.", || {
        schema(r#""{\"type\":\"object\"}""#)
    }),
    row("schema-empty", "An empty input schema.", || schema("{}")),
    row("schema-type-array", "An input schema for arrays.", || {
        schema(r#"{"type":"array"}"#)
    }),
    row("schema-types", "An input schema of several types.", || {
        schema(r#"{"type":["object","null"]}"#)
    }),
    row("schema-remote-ref", "A reference to another host.", || {
        schema(r#"{"type":"object","properties":{"a":{"$ref":"http://elsewhere.invalid:81/schema.json"}}}"#)
    }),
    row("schema-file-ref", "A reference to a file.", || {
        schema(r#"{"type":"object","properties":{"a":{"$ref":"file:///etc/passwd"}}}"#)
    }),
    row("schema-lost-ref", "A reference to what is not there.", || {
        schema(r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/lost"}}}"##)
    }),
    row("schema-own-ref", "A schema that refers to itself.", || {
        schema(r##"{"type":"object","properties":{"a":{"$ref":"#"}}}"##)
    }),
    row("schema-ref-loop", "Two references that refer to each other.", || {
        schema(
            r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##,
        )
    }),
    row("schema-remote-dialect", "A dialect that nobody knows.", || {
        schema(r#"{"$schema":"http://elsewhere.invalid:81/dialect","type":"object"}"#)
    }),
    row("schema-odd-id", "An $id that is no address.", || {
        schema(r#"{"$id":"http://[remote","type":"object"}"#)
    }),
    row("schema-deep", "A schema nested ten thousand deep.", || {
        schema(&format!(
            r#"{}{{"type":"object"}}{}"#,
            r#"{"not":"#.repeat(10_000),
            "}".repeat(10_000)
        ))
    }),
    row("schema-wide", "A schema of five thousand properties.", || {
        let properties: Vec<_> = (0..5000)
            .map(|number| format!(r#""p{number}":{{"type":"string"}}"#))
            .collect();
        schema(&format!(
            r#"{{"type":"object","properties":{{{}}}}}"#,
            properties.join(",")
        ))
    }),
    row("schema-bad-pattern", "A pattern that is none.", || {
        schema(r#"{"type":"object","properties":{"a":{"pattern":"("}}}"#)
    }),
    row(
        "schema-slow-pattern",
        "A pattern that takes for ever in some engines.",
        || schema(r#"{"type":"object","properties":{"a":{"pattern":"^(a+)+$"}}}"#),
    ),
    row(
        "schema-large-pattern",
        "A pattern that is small and becomes large.",
        || schema(r#"{"type":"object","properties":{"a":{"pattern":"((a{1,1000}){1,1000}){1,1000}"}}}"#),
    ),
    row("schema-look-around", "A pattern that only JavaScript knows.", || {
        schema(r#"{"type":"object","properties":{"a":{"pattern":"(?<=a)b\\k<c>"}}}"#)
    }),
    row("schema-doubling", "References that double thirty times.", || {
        let defs: Vec<_> = (0..30)
            .map(|level| {
                let next = level + 1;
                format!(r##""d{level}":{{"allOf":[{{"$ref":"#/$defs/d{next}"}},{{"$ref":"#/$defs/d{next}"}}]}}"##)
            })
            .collect();
        schema(&format!(
            r##"{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/d0"}}}},"$defs":{{{},"d30":{{}}}}}}"##,
            defs.join(",")
        ))
    }),
    row(
        "schema-huge-number",
        "A minimum no floating point number can be.",
        || schema(r#"{"type":"object","properties":{"a":{"minimum":1e400,"maximum":1e999999999}}}"#),
    ),
    row("schema-twice-type", "A schema with two types.", || {
        schema(r#"{"type":"string","type":"object"}"#)
    }),
    row("schema-odd-keys", "Properties that programs trip over.", || {
        schema(
            r#"{"type":"object","properties":{"__proto__":{},"constructor":{},"":{},"$serde_json::private::Number":{"const":"1"},"a\u0000b":{}}}"#,
        )
    }),
    row("schema-half-character", "Half a character in a schema.", || {
        schema(r#"{"type":"object","properties":{"\ud83d":{"const":"\ude00"}}}"#)
    }),
    row("schema-odd-items", "Keywords whose values are of other types.", || {
        schema(r#"{"type":"object","properties":[],"required":"a"}"#)
    }),
    row("schema-299-kib", "A schema larger than a tool may be.", || {
        schema(&format!(
            r#"{{"type":"object","description":"{}"}}"#,
            "x".repeat(299 * 1024)
        ))
    }),
    row(
        "schema-bad-header",
        "A parameter that belongs in an impossible header (2026-07-28).",
        || schema(r#"{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"bad name"}}}"#).in_2026(),
    ),
    row("output-schema-text", "An output schema that is a text.", || {
        field(r#""outputSchema":"remote text""#)
    }),
    row("output-schema-null", "An output schema that is null.", || {
        field(r#""outputSchema":null"#)
    }),
    row(
        "output-schema-remote",
        "An output schema that refers to another host.",
        || field(r#""outputSchema":{"$ref":"http://elsewhere.invalid:81/schema.json"}"#),
    ),
    row("annotations-text", "Annotations that are a text.", || {
        field(r#""annotations":"remote text""#)
    }),
    row("annotations-array", "Annotations that are an array.", || {
        field(r#""annotations":[{"readOnlyHint":true}]"#)
    }),
    row("annotations-null", "Annotations that are null.", || {
        field(r#""annotations":null"#)
    }),
    row(
        "annotations-odd",
        "Annotations whose values are of other types.",
        || field(r#""annotations":{"readOnlyHint":"yes","destructiveHint":0,"title":[],"priority":1e400}"#),
    ),
    row("title-number", "A title that is a number.", || field(r#""title":7"#)),
    row("description-array", "A description that is an array.", || {
        field(r#""description":["remote text"]"#)
    }),
    row("description-null", "A description that is null.", || {
        field(r#""description":null"#)
    }),
    row(
        "description-ansi",
        "A description with escape sequences and HTML.",
        || field(r#""description":"\u001b]0;x\u0007\u001b[2J<script>alert(1)</script>\u202e""#),
    ),
    row("description-200-kib", "A description of 200 KiB.", || {
        field(&format!(r#""description":"{}""#, "x".repeat(200 * 1024)))
    }),
    row("icons-odd", "Icons, _meta and execution of other types.", || {
        field(r#""icons":"x","_meta":7,"execution":{"taskSupport":5}"#)
    }),
];

/// This tool between two that are in order.
fn with(odd: &str) -> Script {
    Script::default().pages(vec![Page::only(page(&[tool("first"), odd.to_owned(), tool("second")]))])
}

fn named(name: &str) -> Script {
    with(&format!(r#"{{"name":{name},"inputSchema":{{"type":"object"}}}}"#))
}

fn schema(schema: &str) -> Script {
    with(&format!(r#"{{"name":"odd","inputSchema":{schema}}}"#))
}

fn field(field: &str) -> Script {
    with(&format!(
        r#"{{"name":"odd","inputSchema":{{"type":"object"}},{field}}}"#
    ))
}
