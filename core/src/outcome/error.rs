//! From the raw `error` of a JSON-RPC response to its outcome.

use serde_json::value::RawValue;

use super::result::present;
use super::{CallOutcome, CallResponse, ResponseType, ServerError};
use crate::json::{self, JsonText};
use crate::markdown::inline;
use crate::text::{kind, shortened};

/// The largest integer below which every integer is a JavaScript number of its own.
const LARGEST: i64 = (1 << 53) - 1;

/// The outcome that the raw JSON text of a JSON-RPC `error` is: `server_error`, with the code and message as they came
/// and the data exactly as it is spelled (null counts as none).
///
/// Every integer that a JavaScript number holds exactly is a code, also beyond 32 bits and also spelled as a decimal
/// (`-3.2e4`). A server that sends no such code has answered all the same, but no code is made up for it: that is
/// `unsupported_response`, `other`, with the server's message in the sentence. Not JSON: the outcome is unknown.
pub fn from_error(error: &str) -> CallOutcome {
    if serde_json::from_str::<&RawValue>(error).is_err() {
        return CallOutcome::malformed("error");
    }
    let Some(members) = json::members(error) else {
        let said = match serde_json::from_str(error).ok().and_then(json::string_lossy) {
            Some((text, _)) => format!(" It says: {}", inline(&shortened(&text))),
            None => String::new(),
        };
        let message = format!(
            "The server answered with an error that is {}, where an object belongs.{said}",
            kind(Some(error.trim()))
        );
        return CallOutcome::unsupported(ResponseType::Other, message);
    };
    let message = members
        .get("message")
        .and_then(json::string_lossy)
        .map(|(message, _)| message);
    let Some(code) = members.get("code").and_then(|raw| integer(raw.get())) else {
        let said = match message {
            Some(message) => format!(" It says: {}", inline(&shortened(&message))),
            None => String::new(),
        };
        let message = format!("The server answered with an error whose code is no integer.{said}");
        return CallOutcome::unsupported(ResponseType::Other, message);
    };
    CallOutcome::known(CallResponse::ServerError(ServerError {
        code,
        message: message.unwrap_or_else(|| "The server sent no message with its error.".to_owned()),
        data_json: present(&members, "data").map(JsonText::from_raw),
    }))
}

/// The integer that a JSON number is, where JavaScript holds it exactly.
fn integer(number: &str) -> Option<i64> {
    if let Ok(integer) = number.parse::<i64>() {
        return (-LARGEST..=LARGEST).contains(&integer).then_some(integer);
    }
    // Beyond 53 bits a float is not exact, but then it is out of range.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "what does not fit is caught by the comparison"
    )]
    let integer = number.parse::<f64>().ok()? as i64;
    ((-LARGEST..=LARGEST).contains(&integer) && json::equal(number, &integer.to_string())).then_some(integer)
}
