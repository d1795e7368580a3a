//! The tools as the endpoint wants them: those of the invocation, and `read_tool_result`, which is the agent's own.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use toolgate_host::api::Agents;
use toolgate_host::bridge::messages::AgentReadResultParams;
use toolgate_host::toolgate_core::layers::ModelTool;

/// The name of the agent's own tool; aliases make way for it.
pub const READ: &str = "read_tool_result";

const READ_SCHEMA: &str = r#"{"type":"object","properties":{"path":{"type":"string","description":"The path that the result named."},"startLine":{"type":"integer","minimum":1,"description":"The first line to read, from 1."},"lineCount":{"type":"integer","minimum":1,"description":"How many lines to read at most."}},"required":["path","startLine","lineCount"]}"#;

/// A tool in a request.
#[derive(Debug, Serialize)]
pub struct Tool {
    r#type: &'static str,
    function: Definition,
}

#[derive(Debug, Serialize)]
struct Definition {
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    description: String,
    /// As Toolgate gave it: nothing of a schema is lost on the way.
    parameters: Box<RawValue>,
}

/// What the model passes to `read_tool_result`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    path: String,
    start_line: usize,
    line_count: usize,
}

/// The tools of an invocation, and the agent's own.
///
/// # Errors
///
/// A schema is no JSON, which none is that Toolgate gives.
pub fn offered(bindings: &[ModelTool]) -> Result<Vec<Tool>, serde_json::Error> {
    let bound = bindings.iter().map(|tool| {
        Ok(Tool {
            r#type: "function",
            function: Definition {
                name: tool.alias.clone(),
                description: tool.description.clone(),
                parameters: tool.input_schema_json.as_raw().to_owned(),
            },
        })
    });
    let own = Definition {
        name: READ.to_owned(),
        description: "Reads on in a tool's result that was too long to be shown whole.".to_owned(),
        parameters: RawValue::from_string(READ_SCHEMA.to_owned())?,
    };
    let own = Tool {
        r#type: "function",
        function: own,
    };
    bound.chain([Ok(own)]).collect()
}

/// Carries out `read_tool_result`: the text for the model, also where it asked for something that is not there.
pub async fn read(agents: &Agents, invocation_id: &str, arguments: &str) -> String {
    let Part {
        path,
        start_line,
        line_count,
    } = match serde_json::from_str(arguments) {
        Ok(part) => part,
        Err(error) => return format!("The arguments do not fit: {error}."),
    };
    let part = AgentReadResultParams {
        invocation_id: invocation_id.to_owned(),
        path,
        start_line,
        line_count,
    };
    match agents.read_result(part).await {
        Ok(part) => {
            let last = part.start_line + part.line_count - 1;
            let next = match part.next_line {
                Some(next) => format!("go on with startLine {next}"),
                None => "this is the end".to_owned(),
            };
            format!(
                "Lines {} to {last} of {}; {next}.\n\n{}",
                part.start_line, part.total_lines, part.text
            )
        }
        Err(refusal) => refusal.first.message,
    }
}
