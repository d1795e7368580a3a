//! JSON-RPC errors that the command line itself answers, in the bridge's form.

use serde::Serialize;
use toolgate_core::{Code, Diagnostic};

#[derive(Serialize)]
struct ErrorObject<'a> {
    code: i32,
    message: &'a str,
    data: &'a Diagnostic,
}

/// The `error` of a response: `{code, message, data}`.
pub(super) fn error_object(diagnostic: &Diagnostic) -> String {
    let code = match diagnostic.code {
        Code::BridgeParseError => -32700,
        Code::BridgeInvalidRequest | Code::BridgeMessageTooLarge => -32600,
        Code::BridgeParamsInvalid => -32602,
        _ => -32000,
    };
    let error = ErrorObject {
        code,
        message: &diagnostic.message,
        data: diagnostic,
    };
    // Texts and numbers under fixed names always have a JSON form.
    serde_json::to_string(&error).unwrap_or_default()
}
