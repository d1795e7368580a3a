//! The JSON-RPC 2.0 envelope: what makes a message a request, and how answers and errors are written.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;
use toolgate_core::{Code, Diagnostic, Refusal, json};

use crate::strict_json;

/// A request as it came in. The id and the parameters are the text of the message, so that an id is echoed as it was
/// spelled and no number of the parameters is changed.
pub(super) struct Request<'a> {
    pub(super) id: &'a RawValue,
    pub(super) method: Cow<'a, str>,
    pub(super) params: Option<&'a RawValue>,
}

/// A message that is no request; with its id where it has one.
pub(super) struct NoRequest<'a> {
    pub(super) id: Option<&'a RawValue>,
    pub(super) failed: Failed,
}

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum Failed {
    /// The message is not JSON.
    Parse(Diagnostic),
    /// The message is not a request.
    InvalidRequest(Diagnostic),
    /// There is no such method.
    UnknownMethod(Diagnostic),
    /// The parameters do not fit the method.
    InvalidParams(Diagnostic),
    /// The request was understood and refused, or failed.
    Refused(Refusal),
}

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Takes a message apart.
pub(super) fn parse(message: &str) -> Result<Request<'_>, NoRequest<'_>> {
    let whole: &RawValue = serde_json::from_str(message).map_err(|error| NoRequest {
        id: None,
        failed: Failed::Parse(
            Diagnostic::new(
                Code::BridgeParseError,
                "The message is not JSON; send one JSON-RPC 2.0 request as a JSON object.",
            )
            .at_position(position(error.line()), position(error.column())),
        ),
    })?;
    let refuse = |id, sentence: &str, path: &str| {
        let diagnostic = Diagnostic::new(Code::BridgeInvalidRequest, sentence);
        NoRequest {
            id,
            failed: Failed::InvalidRequest(if path.is_empty() {
                diagnostic
            } else {
                diagnostic.at(path)
            }),
        }
    };
    if whole.get().starts_with('[') {
        return Err(refuse(None, "Batches are not taken; send each request by itself.", ""));
    }
    let form = "A request is an object with jsonrpc, id, method and params, each at most once.";
    let members = json::members(whole.get()).ok_or_else(|| refuse(None, form, ""))?;
    let member = |name| strict_json::once(&members, name).map_err(|_| refuse(None, form, ""));
    let (jsonrpc, id, method, params) = (member("jsonrpc")?, member("id")?, member("method")?, member("params")?);
    let id = match id {
        Some(id) if is_id(id) => id,
        Some(_) => return Err(refuse(None, "An id is a string, a number or null.", "id")),
        None => {
            return Err(refuse(
                None,
                "The request has no id; notifications to the host are not taken.",
                "id",
            ));
        }
    };
    if jsonrpc.map(RawValue::get) != Some("\"2.0\"") {
        return Err(refuse(Some(id), "jsonrpc must be \"2.0\".", "jsonrpc"));
    }
    let method = method
        .and_then(|method| serde_json::from_str::<String>(method.get()).ok())
        .ok_or_else(|| refuse(Some(id), "method must be a string.", "method"))?;
    Ok(Request {
        id,
        method: Cow::Owned(method),
        params,
    })
}

/// The response with a result, written at one go: a result may have megabytes.
pub(super) fn result<T: Serialize>(id: &RawValue, result: &T) -> Result<String, serde_json::Error> {
    #[derive(Serialize)]
    struct Response<'a, T> {
        jsonrpc: &'static str,
        id: &'a RawValue,
        result: &'a T,
    }
    let jsonrpc = "2.0";
    serde_json::to_string(&Response { jsonrpc, id, result })
}

/// The response with an error; its `data` is the refusal.
pub(super) fn error(id: Option<&RawValue>, failed: &Failed) -> String {
    let (code, refusal) = match failed {
        Failed::Parse(reason) => (-32700, Cow::Owned(Refusal::from(reason.clone()))),
        Failed::InvalidRequest(reason) => (-32600, Cow::Owned(Refusal::from(reason.clone()))),
        Failed::UnknownMethod(reason) => (-32601, Cow::Owned(Refusal::from(reason.clone()))),
        Failed::InvalidParams(reason) => (-32602, Cow::Owned(Refusal::from(reason.clone()))),
        Failed::Refused(refusal) => (-32000, Cow::Borrowed(refusal)),
    };
    let error = ErrorObject {
        code,
        message: &refusal.first.message,
        data: &refusal,
    };
    let id = id.map_or("null", RawValue::get);
    // A refusal is texts and numbers under fixed names, which always have a JSON form.
    let error = serde_json::to_string(&error).unwrap_or_else(|_| r#"{"code":-32000,"message":"failed"}"#.to_owned());
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
}

#[derive(Serialize)]
struct ErrorObject<'a> {
    code: i32,
    message: &'a str,
    data: &'a Refusal,
}

fn is_id(value: &RawValue) -> bool {
    value.get() == "null"
        || value
            .get()
            .starts_with(|first: char| first == '"' || first == '-' || first.is_ascii_digit())
}

fn position(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
