//! What Toolgate answers, in one line.

use serde_json::Value;

/// More of them are counted in place of being listed.
const LISTED: usize = 8;
/// Longer texts are cut, and their length said.
const SHOWN_CHARS: usize = 72;

const UNKNOWN: &str =
    "The call was handed over, but no answer to it could be read; it may have been carried out, and is not repeated. ";

/// A discovery.
pub fn of_discovery(discovered: &Result<Value, Value>) -> String {
    let found = match discovered {
        Ok(found) => found,
        Err(error) => return failure(text(&error["data"]["code"]), text(&error["message"])),
    };
    let tools = list(&found["tools"], |tool| {
        let name = short(text(&tool["nativeName"]));
        if tool["nativeName"] == "first" || tool["nativeName"] == "second" {
            name
        } else {
            format!("{name}{}", details(tool))
        }
    });
    let notes = notes(&found["diagnostics"]);
    format!("{} offers {tools}{notes}", text(&found["protocolVersion"]))
}

/// What there is to see of an odd tool.
fn details(tool: &Value) -> String {
    let mut details = Vec::new();
    let schema = text(&tool["inputSchemaJson"]);
    if schema != r#"{"type":"object"}"# && !schema.contains(r#""minimum":1.0"#) {
        details.push(format!("schema {}", short(schema)));
    }
    for (key, name) in [
        ("title", "title"),
        ("description", "description"),
        ("outputSchemaJson", "output schema"),
    ] {
        if let Some(value) = tool[key].as_str().filter(|_| !schema.contains(r#""minimum":1.0"#)) {
            details.push(format!("{name} {}", short(value)));
        }
    }
    if tool["annotationsJson"] != "{}" {
        details.push(format!("annotations {}", short(text(&tool["annotationsJson"]))));
    }
    let ready: Vec<_> = tool["notModelReady"]
        .as_array()
        .unwrap()
        .iter()
        .map(|reason| text(&reason["code"]))
        .collect();
    if ready.contains(&"mcp.tool_root_type_not_object") {
        details.push("not for models".to_owned());
    }
    if details.is_empty() {
        String::new()
    } else {
        format!(" ({})", details.join(", "))
    }
}

/// A call.
pub fn of_call(outcome: &Result<Value, Value>) -> String {
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return failure(text(&error["data"]["code"]), text(&error["message"])),
    };
    let response = &outcome["response"];
    match text(&outcome["outcome"]) {
        "known_response" => match text(&response["kind"]) {
            "tool_result" => result(response),
            "server_error" => {
                let data = response["dataJson"]
                    .as_str()
                    .map(|data| format!(", data {}", short(data)));
                let (code, message) = (&response["code"], short(text(&response["message"])));
                format!("server error {code} {message}{}", data.unwrap_or_default())
            }
            other => format!("{other}: {}", text(&response["responseType"])),
        },
        other => format!(
            "{other}: {}",
            failure(text(&outcome["code"]), text(&outcome["message"]))
        ),
    }
}

fn result(result: &Value) -> String {
    let mut parts = Vec::new();
    let blocks = result["textBlocks"].as_array().unwrap();
    if !blocks.is_empty() {
        parts.push(format!(
            "text {}",
            list(&result["textBlocks"], |block| short(text(&block["text"])))
        ));
    }
    if let Some(json) = result["structuredJson"].as_str() {
        parts.push(format!("structured {}", short(json)));
    }
    if result["isError"] == true {
        parts.push("is an error".to_owned());
    }
    let parts = if parts.is_empty() {
        "nothing".to_owned()
    } else {
        parts.join("; ")
    };
    format!("result: {parts}{}", notes(&result["diagnostics"]))
}

fn list(items: &Value, each: impl Fn(&Value) -> String) -> String {
    let items = items.as_array().unwrap();
    match items.as_slice() {
        [] => "nothing".to_owned(),
        [first, .., last] if items.len() > LISTED => format!("{} from {} to {}", items.len(), each(first), each(last)),
        _ => items.iter().map(each).collect::<Vec<_>>().join(", "),
    }
}

fn notes(diagnostics: &Value) -> String {
    let mut notes: Vec<String> = Vec::new();
    for diagnostic in diagnostics.as_array().unwrap() {
        let about = diagnostic["nativeName"]
            .as_str()
            .map(|name| format!(" ({})", short(name)));
        notes.push(format!("{}{}", text(&diagnostic["code"]), about.unwrap_or_default()));
    }
    let count = notes.len();
    notes.dedup();
    let times = if notes.len() < count {
        format!(", {count} in all")
    } else {
        String::new()
    };
    if notes.is_empty() {
        String::new()
    } else {
        format!("; notes {}{times}", notes.join(", "))
    }
}

/// Code and first sentence.
fn failure(code: &str, message: &str) -> String {
    // Of a call the first sentence says what is so of each that is unknown, and the second why.
    let message = message.strip_prefix(UNKNOWN).unwrap_or(message);
    let sentence = message.split_inclusive(". ").next().unwrap_or_default();
    format!("{code}: {}", sentence.trim_end())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A text as JSON, so that every character can be seen.
fn short(text: &str) -> String {
    // The variables and the path of a process are another machine's on another machine.
    if text.starts_with("{\"env\":[[") {
        return "what it was started with".to_owned();
    }
    let escape = |text: &str| -> String {
        let visible = |character: char| {
            if character.is_ascii() || character.is_alphanumeric() {
                character.to_string()
            } else {
                format!("\\u{{{:x}}}", u32::from(character))
            }
        };
        let json = Value::from(text).to_string();
        json.trim_start_matches('"')
            .strip_suffix('"')
            .unwrap_or(&json)
            .replace("\\\"", "\"")
            .chars()
            .map(visible)
            .collect()
    };
    if text.chars().count() <= SHOWN_CHARS {
        return format!("`{}`", escape(text));
    }
    let start: String = text.chars().take(24).collect();
    format!("`{}…` of {} bytes", escape(&start), text.len())
}
