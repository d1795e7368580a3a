//! `x-mcp-header` annotations: which arguments of a call are mirrored into `Mcp-Param-…` headers.
//!
//! The rules are those of MCP 2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters" (SEP-2243): the value
//! is a string of the characters of an HTTP field name (RFC 9110 §5.6.2 `token`), not empty, unique in the input schema
//! whatever its case, on a property of type string, integer or boolean that is reached from the root through
//! `properties` alone; anywhere else the annotation is invalid. A client that uses HTTP must leave a tool out that
//! breaks one of them.

use std::collections::HashSet;

use serde_json::Value;

const ANNOTATION: &str = "x-mcp-header";

/// What is wrong with an annotation.
#[derive(Debug)]
pub(super) struct HeaderFault {
    /// The end of a sentence.
    pub(super) reason: &'static str,
    /// The JSON Pointer, inside the input schema, of the schema that is annotated.
    pub(super) pointer: String,
}

/// A property whose argument is mirrored.
#[derive(Debug)]
pub(super) struct Annotated {
    /// What the header is called after `Mcp-Param-`.
    pub(super) header: String,
    /// The JSON Pointer of the property's schema: `/properties/<name>`, once for each level.
    pub(super) pointer: String,
}

/// What a JSON value inside a schema is.
#[derive(Clone, Copy)]
enum Place {
    /// The schema's root.
    Root,
    /// The schema of a property that is reached through `properties` alone.
    Property,
    /// Any other schema.
    Elsewhere,
    /// An object of named schemas, those of properties that are reached so.
    Properties,
    /// Another object of named schemas.
    NamedSchemas,
}

/// Every annotation of an input schema, in the order in which they stand there, all of them valid.
pub(super) fn annotated(input_schema: &Value) -> Result<Vec<Annotated>, HeaderFault> {
    let mut names = HashSet::new();
    let mut found = Vec::new();
    // A stack instead of recursion; what is found in an object is pushed backwards so that the order is the text's.
    let mut stack = vec![(input_schema, Place::Root, String::new())];
    while let Some((value, place, pointer)) = stack.pop() {
        match value {
            Value::Object(map) => {
                let names_schemas = matches!(place, Place::Properties | Place::NamedSchemas);
                if let Some(annotation) = map.get(ANNOTATION)
                    && !names_schemas
                {
                    let accepted = match place {
                        Place::Property => accepted(annotation, map.get("type"), &mut names),
                        _ => Err(
                            "it stands on something else than a property that is reached through `properties` alone",
                        ),
                    };
                    match accepted {
                        Ok(header) => found.push(Annotated {
                            header: header.to_owned(),
                            pointer: pointer.clone(),
                        }),
                        Err(reason) => return Err(HeaderFault { reason, pointer }),
                    }
                }
                for (key, value) in map.iter().rev() {
                    let inner = match (place, key.as_str()) {
                        (Place::Properties, _) => Place::Property,
                        (Place::NamedSchemas, _) => Place::Elsewhere,
                        // Instance data and lists of names, no schemas.
                        (
                            _,
                            ANNOTATION | "const" | "enum" | "default" | "examples" | "dependentRequired" | "required",
                        ) => continue,
                        (Place::Root | Place::Property, "properties") => Place::Properties,
                        (
                            _,
                            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
                            | "dependencies",
                        ) => Place::NamedSchemas,
                        _ => Place::Elsewhere,
                    };
                    if value.is_object() || value.is_array() {
                        let step = key.replace('~', "~0").replace('/', "~1");
                        stack.push((value, inner, format!("{pointer}/{step}")));
                    }
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate().rev() {
                    if item.is_object() || item.is_array() {
                        stack.push((item, Place::Elsewhere, format!("{pointer}/{index}")));
                    }
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

/// The header's name, or what is wrong with it, as the end of a sentence.
fn accepted<'a>(
    annotation: &'a Value,
    declared_type: Option<&Value>,
    names: &mut HashSet<String>,
) -> Result<&'a str, &'static str> {
    let Some(name) = annotation.as_str() else {
        return Err("it is no string");
    };
    if name.is_empty() {
        return Err("it is empty");
    }
    if !name.bytes().all(is_token_character) {
        return Err("it has a character that no header name can have");
    }
    if !names.insert(name.to_ascii_lowercase()) {
        return Err("another property has the same one, whatever the case");
    }
    match declared_type.and_then(Value::as_str) {
        Some("string" | "integer" | "boolean") => Ok(name),
        _ => Err("its property is not of type string, integer or boolean"),
    }
}

/// RFC 9110 §5.6.2 `tchar`.
const fn is_token_character(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'!' | b'#' | b'$' | b'%' | b'&' | b'\'' | b'*' | b'+' | b'-' | b'.' | b'^' | b'_' | b'`' | b'|' | b'~'
        )
}
