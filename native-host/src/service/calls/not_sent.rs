//! Why a call was not sent: every sentence says that it was not, and what to do.

use std::time::Duration;

use toolgate_core::{Code, Diagnostic};

use crate::mcp::{Failure, FailureClass, Progress};

/// Of a call whose id was to be announced by a method.
pub(in crate::service) fn not_announced(method: &str) -> Diagnostic {
    Diagnostic::new(
        Code::CallNotStarted,
        format!(
            "The call's id was not announced by {method}, or too long ago. Nothing was sent; begin anew with another id."
        ),
    )
}

/// Of a tool that a model can not be offered now, whatever it was before.
pub(in crate::service) fn not_advertised() -> Diagnostic {
    Diagnostic::new(
        Code::LegacyToolNotAdvertised,
        "The server's saved list of tools does not have this tool, or has it no more, and the call was not sent. The next \
         generation is offered what there is then.",
    )
}

/// The same where the saved list cannot be used.
pub(in crate::service) fn list_unusable(reason: &Diagnostic) -> Diagnostic {
    Diagnostic::new(Code::LegacyToolNotAdvertised, said("The call was not sent.", reason))
}

pub(in crate::service) fn tool_id_invalid() -> Diagnostic {
    Diagnostic::new(
        Code::CallRegistrationInvalid,
        "The call was not sent. A tool id is mcp/, the registration id, a colon and the tool's name.",
    )
}

pub(in crate::service) fn cancelled() -> Diagnostic {
    Diagnostic::new(
        Code::CallCancelledBeforeSend,
        "The call was cancelled before it was sent.",
    )
}

pub(in crate::service) fn stopping() -> Diagnostic {
    Diagnostic::new(
        Code::CallCancelledBeforeSend,
        "Toolgate is shutting down; the call was not sent.",
    )
}

/// Of an agent whose run ended before its call was handed over.
pub(in crate::service) fn run_over() -> Diagnostic {
    Diagnostic::new(
        Code::CallCancelledBeforeSend,
        "The run has ended meanwhile; the call was not sent.",
    )
}

pub(in crate::service) fn changed() -> Diagnostic {
    Diagnostic::new(
        Code::CallRegistrationUnavailable,
        "The server was changed while the call was being prepared, and the call was not sent. Look at the server as it \
         is now, then call again.",
    )
}

pub(in crate::service) fn registration_invalid(reason: &Diagnostic) -> Diagnostic {
    Diagnostic::new(Code::CallRegistrationInvalid, said("The call was not sent.", reason)).at("id")
}

pub(in crate::service) fn tool_name_invalid(reason: &Diagnostic) -> Diagnostic {
    Diagnostic::new(Code::CallToolNameInvalid, said("The call was not sent.", reason)).at("nativeName")
}

/// Of a server that cannot be called now, by the reason that reading its registration gave.
pub(in crate::service) fn registration(reason: &Diagnostic) -> Diagnostic {
    match reason.code {
        Code::RegistrationNotFound => {
            Diagnostic::new(Code::CallRegistrationNotFound, said("The call was not sent.", reason))
        }
        Code::ServerPaused => Diagnostic::new(
            Code::CallServerPaused,
            "The server is paused, and the call was not sent. Activate it, once you have seen the exact address or \
             command, to call its tools.",
        ),
        _ => Diagnostic::new(
            Code::CallRegistrationUnavailable,
            said("The call was not sent.", reason),
        ),
    }
}

/// Of a connection that did not come about.
pub(in crate::service) fn connection(failure: &Failure) -> Diagnostic {
    let code = match failure.class {
        FailureClass::HeadersInvalid => Code::CallHeadersInvalid,
        FailureClass::HttpClientUnavailable => Code::CallHttpClientUnavailable,
        FailureClass::ToolsCapabilityMissing => Code::CallToolsCapabilityMissing,
        FailureClass::Timeout => Code::CallInitializeTimeout,
        _ => Code::CallInitializeFailed,
    };
    Diagnostic::new(code, said("The call was not sent.", &failure.to_diagnostic()))
}

pub(in crate::service) fn transport(reason: &Diagnostic) -> Diagnostic {
    Diagnostic::new(Code::CallInitializeFailed, said("The call was not sent.", reason))
}

pub(in crate::service) fn connection_timeout(budget: Duration) -> Diagnostic {
    Diagnostic::new(
        Code::CallInitializeTimeout,
        format!(
            "The server was not ready for the call within {budget:?}, and the call was not sent. Check that the server is \
             up, then call again."
        ),
    )
}

/// Of a connection that was given up on: what is known to be the reason, else that time ran out.
pub(in crate::service) fn given_up(progress: &Progress, budget: Duration) -> Diagnostic {
    match progress.explained() {
        Some(failure) => connection(&failure),
        None => connection_timeout(budget),
    }
}

pub(in crate::service) fn no_tools() -> Diagnostic {
    Diagnostic::new(
        Code::CallToolsCapabilityMissing,
        "The server says that it offers no tools, and the call was not sent. Check that the endpoint belongs to the \
         server you mean.",
    )
}

/// Of a list of tools that could not be read.
pub(in crate::service) fn metadata(failure: &Failure) -> Diagnostic {
    let code = match failure.class {
        FailureClass::Timeout => Code::CallMetadataTimeout,
        FailureClass::ToolsCapabilityMissing => Code::CallToolsCapabilityMissing,
        _ => Code::CallMetadataFailed,
    };
    Diagnostic::new(code, said(NO_METADATA, &failure.to_diagnostic()))
}

/// Of a list of tools that says nothing usable.
pub(in crate::service) fn metadata_unusable(reason: &Diagnostic) -> Diagnostic {
    Diagnostic::new(reason.code, said(NO_METADATA, reason))
}

pub(in crate::service) fn metadata_timeout(budget: Duration) -> Diagnostic {
    Diagnostic::new(
        Code::CallMetadataTimeout,
        format!("{NO_METADATA} It did not come within {budget:?} after the call was begun."),
    )
}

pub(in crate::service) fn tool_unavailable() -> Diagnostic {
    Diagnostic::new(
        Code::CallToolUnavailable,
        "The server does not list the tool any more, and the call was not sent. Refresh the server's tools.",
    )
}

/// Of a connection that did not take the call.
pub(in crate::service) fn not_queued(failure: &Failure) -> Diagnostic {
    let code = match failure.class {
        FailureClass::HeadersInvalid => Code::CallHeadersInvalid,
        _ => Code::CallNotQueued,
    };
    Diagnostic::new(
        code,
        said(
            "The connection did not take the call; it was not sent.",
            &failure.to_diagnostic(),
        ),
    )
}

const NO_METADATA: &str =
    "What the call's headers need could not be read from the server's list of tools, and the call was not sent.";

fn said(what: &str, reason: &Diagnostic) -> String {
    format!("{what} {}", reason.message)
}
