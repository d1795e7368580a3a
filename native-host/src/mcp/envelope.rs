//! Splits the envelope of JSON-RPC messages and leaves what is inside as text: a result is never parsed here.

use rmcp::model::RequestId;
use serde_json::value::RawValue;
use toolgate_core::json;

use crate::strict_json;

/// One JSON-RPC message from a server, its content untouched.
#[derive(Debug)]
pub(super) enum Message<'a> {
    /// The answer to a request.
    Result {
        /// The request it answers; `None` where the id is null, missing or of no known type.
        id: Option<RequestId>,
        /// The result's JSON text.
        result: &'a RawValue,
    },
    /// A refusal.
    Error {
        /// The request it answers; servers leave it out, or invent one, where they could not read the request.
        id: Option<RequestId>,
        /// The error object's JSON text.
        error: &'a RawValue,
    },
    /// A request or a notification of the server, whole.
    Call(&'a RawValue),
}

/// The text is not JSON-RPC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotJsonRpc;

/// The messages in a body or an event: one, or in revision 2025-03-26 several in an array.
pub(super) fn split(text: &str) -> Result<Vec<Message<'_>>, NotJsonRpc> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with('[') {
        let items: Vec<&RawValue> = serde_json::from_str(text).map_err(|_| NotJsonRpc)?;
        return items.into_iter().map(message).collect();
    }
    let whole: &RawValue = serde_json::from_str(text).map_err(|_| NotJsonRpc)?;
    Ok(vec![message(whole)?])
}

/// The code of an error object, given as JSON text; `None` where it has none, or one that is no integer.
pub(super) fn error_code(error: &str) -> Option<i64> {
    json::members(error)?.get("code")?.get().parse().ok()
}

fn message(whole: &RawValue) -> Result<Message<'_>, NotJsonRpc> {
    let members = json::members(whole.get()).ok_or(NotJsonRpc)?;
    let member = |name| strict_json::once(&members, name).map_err(|_| NotJsonRpc);
    let id = member("id")?.and_then(request_id);
    match (member("method")?, member("result")?, member("error")?) {
        (None, Some(result), None) => Ok(Message::Result { id, result }),
        // `error: null` beside a result is how JSON-RPC 1.0 writes a result, and some servers still do.
        (None, Some(result), Some(error)) if error.get() == "null" => Ok(Message::Result { id, result }),
        // `result: null` beside an error is how some servers write an error.
        (None, Some(result), Some(error)) if result.get() == "null" => Ok(Message::Error { id, error }),
        (None, None, Some(error)) => Ok(Message::Error { id, error }),
        (Some(_), None, None) => Ok(Message::Call(whole)),
        _ => Err(NotJsonRpc),
    }
}

/// The id as a request has it: our ids are numbers, and some servers give them back as strings.
pub(super) fn request_id(raw: &RawValue) -> Option<RequestId> {
    match serde_json::from_str(raw.get()).ok()? {
        RequestId::String(text) => Some(text.parse().map_or(RequestId::String(text), RequestId::Number)),
        number @ RequestId::Number(_) => Some(number),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A test may fail loudly.
mod tests {
    use super::*;

    #[test]
    fn a_result_keeps_its_text() {
        let text = r#"{"jsonrpc":"2.0","id":"7","result":{"b":1E5,"a":1.00000000000000000000001,"s":"\ud800"}}"#;
        let messages = split(text).unwrap();
        let [Message::Result { id, result }] = messages.as_slice() else {
            panic!("{messages:?}")
        };
        assert_eq!(*id, Some(RequestId::Number(7)));
        assert_eq!(result.get(), r#"{"b":1E5,"a":1.00000000000000000000001,"s":"\ud800"}"#);
    }

    #[test]
    fn a_deep_result_is_no_trouble() {
        let text = format!(r#"{{"id":1,"result":{}{}}}"#, "[".repeat(5000), "]".repeat(5000));
        assert!(matches!(split(&text).unwrap().as_slice(), [Message::Result { .. }]));
    }

    #[test]
    fn kinds_of_message() {
        let kind = |text: &str| {
            split(text).map(|messages| {
                messages
                    .iter()
                    .map(|message| match message {
                        Message::Result { .. } => 'r',
                        Message::Error { .. } => 'e',
                        Message::Call(_) => 'c',
                    })
                    .collect::<String>()
            })
        };
        assert_eq!(kind(r#"{"id":1,"result":null}"#), Ok("r".to_owned()));
        assert_eq!(kind(r#"{"id":null,"error":{"code":1}}"#), Ok("e".to_owned()));
        assert_eq!(kind(r#"{"id":1,"result":null,"error":{"code":1}}"#), Ok("e".to_owned()));
        for both in [
            r#"{"id":1,"result":{},"error":null}"#,
            r#"{"id":1,"result":null,"error":null}"#,
        ] {
            assert_eq!(kind(both), Ok("r".to_owned()), "{both}");
        }
        assert_eq!(kind(r#"{"method":"ping","id":3}"#), Ok("c".to_owned()));
        assert_eq!(kind(r#"[{"method":"x"},{"id":1,"result":{}}]"#), Ok("cr".to_owned()));
        // Whatever else a message has, it says what it says.
        assert_eq!(kind(r#"{"id":1,"result":{},"\ud800":1}"#), Ok("r".to_owned()));
        assert_eq!(kind(r#"{"a\udc00":{},"method":"ping"}"#), Ok("c".to_owned()));
        for bad in [
            r#"{"id":1,"result":{},"error":{"code":1}}"#,
            r#"{"id":1}"#,
            r#"{"id":1,"result":{},"result":{}}"#,
            r#"{"id":1,"result":{}"#,
            r#""text""#,
            "",
            "<html></html>",
        ] {
            assert_eq!(kind(bad), Err(NotJsonRpc), "{bad}");
        }
    }

    #[test]
    fn codes_of_errors() {
        assert_eq!(error_code(r#"{"code":-32601,"message":"x"}"#), Some(-32601));
        assert_eq!(
            error_code(r#"{"code":99999999999,"message":"x"}"#),
            Some(99_999_999_999)
        );
        assert_eq!(error_code(r#"{"\ud800":1,"code":7}"#), Some(7));
        assert_eq!(error_code(r#"{"code":1.5}"#), None);
        assert_eq!(error_code("null"), None);
    }
}
