//! A `tools/call` on its way out: the SDK carries it without its arguments, whose text is put in where the message is
//! written to the wire, so that no number and no order of keys is changed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::{HeaderName, HeaderValue};
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientJsonRpcMessage, ClientRequest};
use serde::Deserialize;
use serde::Serialize;
use serde_json::value::RawValue;
use toolgate_core::json::JsonText;

use super::{Failure, FailureClass, Step, ToolCall};

/// What the SDK does not carry of a call. It travels beside the request, as one of its extensions.
#[derive(Clone)]
pub(super) struct Outgoing(Arc<Parts>);

struct Parts {
    arguments: JsonText,
    headers: Vec<(HeaderName, HeaderValue)>,
    /// No call is written twice, whatever the SDK asks for.
    written: AtomicBool,
}

impl Outgoing {
    /// The request as the SDK gets it, with the rest beside it.
    pub(super) fn request(call: ToolCall) -> Result<ClientRequest, Failure> {
        let headers = call
            .mirrored
            .iter()
            .map(|(name, text)| header(name, text))
            .collect::<Option<_>>()
            .ok_or_else(|| {
                Failure::new(FailureClass::HeadersInvalid, Step::Prepare)
                    .with_detail("an argument that the server wants in a header cannot be sent in one")
            })?;
        let mut request = CallToolRequest::new(CallToolRequestParams::new(call.name));
        request.extensions.insert(Self(Arc::new(Parts {
            arguments: call.arguments,
            headers,
            written: AtomicBool::new(false),
        })));
        Ok(ClientRequest::CallToolRequest(request))
    }

    /// What travels beside a message, where it is a call.
    pub(super) fn of(message: &ClientJsonRpcMessage) -> Option<Self> {
        let ClientJsonRpcMessage::Request(request) = message else {
            return None;
        };
        match &request.request {
            ClientRequest::CallToolRequest(call) => call.extensions.get::<Self>().cloned(),
            _ => None,
        }
    }

    /// Headers of this request alone.
    pub(super) fn headers(&self) -> &[(HeaderName, HeaderValue)] {
        &self.0.headers
    }

    /// The whole message as JSON text; none where it was asked for before.
    pub(super) fn write(&self, message: &ClientJsonRpcMessage) -> Option<serde_json::Result<Vec<u8>>> {
        if self.0.written.swap(true, Ordering::SeqCst) {
            return None;
        }
        Some(with_arguments(message, self.0.arguments.as_raw()))
    }
}

fn with_arguments(message: &ClientJsonRpcMessage, arguments: &RawValue) -> serde_json::Result<Vec<u8>> {
    #[derive(Deserialize, Serialize)]
    struct Call<'a> {
        #[serde(borrow)]
        jsonrpc: &'a RawValue,
        #[serde(borrow)]
        id: &'a RawValue,
        #[serde(borrow)]
        method: &'a RawValue,
        #[serde(borrow)]
        params: BTreeMap<&'a str, &'a RawValue>,
    }

    let text = serde_json::to_string(message)?;
    let mut call: Call<'_> = serde_json::from_str(&text)?;
    call.params.insert("arguments", arguments);
    serde_json::to_vec(&call)
}

/// The header of a mirrored argument.
fn header(name: &str, text: &str) -> Option<(HeaderName, HeaderValue)> {
    let name = HeaderName::from_bytes(format!("mcp-param-{name}").as_bytes()).ok()?;
    let mut value = HeaderValue::from_str(&encoded(text)).ok()?;
    // Arguments are nobody's business in a log.
    value.set_sensitive(true);
    Some((name, value))
}

/// A text as a header carries it: as it is where it consists of visible ASCII and inner spaces, else in Base64 between
/// markers; so too where it looks like such a thing itself (SEP-2243, "Value Encoding").
fn encoded(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && !text.starts_with(' ')
        && !text.ends_with(' ')
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    if is_plain {
        text.to_owned()
    } else {
        format!("=?base64?{}?=", BASE64_STANDARD.encode(text))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A test may fail loudly.
mod tests {
    use rmcp::model::RequestId;

    use super::*;

    fn message(name: &str, arguments: &str) -> ClientJsonRpcMessage {
        let request = Outgoing::request(ToolCall {
            name: name.to_owned(),
            arguments: JsonText::parse(arguments).unwrap(),
            mirrored: vec![("Region".to_owned(), "é".to_owned())],
        });
        ClientJsonRpcMessage::request(request.unwrap(), RequestId::Number(7))
    }

    #[test]
    fn arguments_go_out_as_they_are_spelled() {
        let arguments = r#"{"z":9007199254740993,"a":[18446744073709551615,-9223372036854775808],"e":1e400,"d":0.10000000000000000000000000001,"z":1.50,"s":"\u0041\ud800","$serde_json::private::Number":"7"}"#;
        // The name of a tool may look like anything.
        let message = message(r#"a","arguments":{}"#, arguments);
        let outgoing = Outgoing::of(&message).unwrap();
        let text = String::from_utf8(outgoing.write(&message).unwrap().unwrap()).unwrap();
        assert_eq!(
            text,
            format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"arguments":{arguments},"name":"a\",\"arguments\":{{}}"}}}}"#
            )
        );
    }

    #[test]
    fn a_call_is_written_once_however_often_the_sdk_copies_it() {
        let message = message("t", "{}");
        let copy = message.clone();
        assert!(Outgoing::of(&message).unwrap().write(&message).is_some());
        assert!(Outgoing::of(&copy).unwrap().write(&copy).is_none());
    }

    #[test]
    fn headers_carry_any_text() {
        for (text, expected) in [
            ("us-west1", "us-west1"),
            ("two words", "two words"),
            ("", ""),
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
            ("\ttab", "=?base64?CXRhYg==?="),
            ("=?base64?x?=", "=?base64?PT9iYXNlNjQ/eD89?="),
            ("=?base64?x", "=?base64?x"),
            ("\u{7f}", "=?base64?fw==?="),
        ] {
            assert_eq!(encoded(text), expected);
        }
        let message = message("t", "{}");
        let outgoing = Outgoing::of(&message).unwrap();
        let [(name, value)] = outgoing.headers() else {
            panic!("one header")
        };
        assert_eq!(
            (name.as_str(), value.as_bytes()),
            ("mcp-param-region", &b"=?base64?w6k=?="[..])
        );
    }
}
