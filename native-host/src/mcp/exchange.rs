//! What a POST asks for, and what becomes of the server's messages that answer it: the SDK gets the start as it came,
//! of every later answer only a placeholder, the text goes to the [`Tap`].

use http::StatusCode;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorData, RequestId};
use serde_json::value::RawValue;

use super::envelope::{Message, error_code};
use super::hello::{self, Hello};
use super::http_client::Question;
use super::tap::{Answered, Tap};
use super::{Failure, FailureClass, Step};

/// What a message to the server expects back.
#[derive(Clone, Debug)]
pub(super) enum Exchange {
    /// `server/discover` or `initialize`: the SDK reads the answer.
    Start { id: RequestId, discover: bool },
    /// A later request: the host reads the answer.
    Request { id: RequestId, step: Step },
    /// A notification or an answer to the server: nothing comes back.
    OneWay,
    /// No message at all: the stream a server sends on by itself.
    Standing,
}

/// A message of the server on its way to the SDK, as JSON text.
pub(super) enum Passed {
    /// It answers what was asked.
    Answer(String),
    /// It answers another request.
    Other(String),
    /// It is a request of the server's own.
    Asked(Question),
    /// It is a notification, or answers nothing that was asked.
    Stray,
}

impl Exchange {
    pub(super) fn of(message: &ClientJsonRpcMessage) -> Self {
        let ClientJsonRpcMessage::Request(request) = message else {
            return Self::OneWay;
        };
        let id = request.id.clone();
        match &request.request {
            ClientRequest::DiscoverRequest(_) => Self::Start { id, discover: true },
            ClientRequest::InitializeRequest(_) => Self::Start { id, discover: false },
            ClientRequest::CallToolRequest(_) => Self::Request { id, step: Step::Call },
            _ => Self::Request {
                id,
                step: Step::ListTools,
            },
        }
    }

    pub(super) const fn step(&self) -> Step {
        match self {
            Self::Start { .. } | Self::OneWay => Step::Start,
            Self::Request { step, .. } => *step,
            Self::Standing => Step::ListTools,
        }
    }

    /// The request, where the host reads the answer.
    pub(super) const fn request(&self) -> Option<&RequestId> {
        match self {
            Self::Request { id, .. } => Some(id),
            Self::Start { .. } | Self::OneWay | Self::Standing => None,
        }
    }

    const fn id(&self) -> Option<&RequestId> {
        match self {
            Self::Start { id, .. } | Self::Request { id, .. } => Some(id),
            Self::OneWay | Self::Standing => None,
        }
    }

    /// Records that this exchange failed for good.
    pub(super) fn failed(&self, tap: &Tap, failure: Failure) {
        match self {
            Self::Start { .. } | Self::OneWay => tap.start_failed(failure, None),
            Self::Request { id, .. } => tap.finish(id, Err(failure)),
            Self::Standing => {}
        }
    }

    /// Takes one message of the server's: records what the host reads, and says what the SDK gets.
    pub(super) fn take(&self, tap: &Tap, message: &Message<'_>, status: StatusCode) -> Passed {
        match message {
            Message::Call(whole) => Question::of(whole).map_or(Passed::Stray, Passed::Asked),
            Message::Result { id, result } => {
                let Some(id) = id else { return Passed::Stray };
                let answered = Answered::Result(result.get().to_owned());
                if self.id() != Some(id) {
                    return later_answer(tap, id, answered);
                }
                if let Self::Start { discover, .. } = self {
                    return Passed::Answer(started(tap, id, *discover, result.get()));
                }
                tap.finish(id, Ok(answered));
                Passed::Answer(placeholder(id))
            }
            Message::Error { id, error } => {
                let answered = Answered::Error {
                    error: error.get().to_owned(),
                    status,
                };
                match (id, self.id()) {
                    (Some(id), ours) if ours != Some(id) && tap.awaits(id) => later_answer(tap, id, answered),
                    (id, Some(ours)) if self.answers(id.as_ref(), ours, status) => {
                        if let Self::Start { .. } = self {
                            let failure = refused(self.step(), error.get(), status);
                            tap.start_failed(failure, error_code(error.get()));
                            Passed::Answer(start_error(ours, error))
                        } else {
                            tap.finish(ours, Ok(answered));
                            Passed::Answer(failed_answer(ours))
                        }
                    }
                    _ => Passed::Stray,
                }
            }
        }
    }

    /// Whether an error on the way back from our request answers it. A server that could not read the request leaves
    /// the id out, or invents one. Of a call more has to be certain than that something went wrong: the server names it,
    /// or refuses the HTTP request that held it.
    fn answers(&self, id: Option<&RequestId>, ours: &RequestId, status: StatusCode) -> bool {
        match self {
            Self::Request { step: Step::Call, .. } => match id {
                Some(id) if id == ours => true,
                Some(_) => status.is_client_error(),
                None => !status.is_server_error(),
            },
            _ => true,
        }
    }
}

/// The result of a request of the start, as the SDK gets it.
fn started(tap: &Tap, id: &RequestId, discover: bool, result: &str) -> String {
    let hello = if discover {
        hello::of_discover(result)
    } else {
        hello::of_initialize(result)
    };
    match hello {
        Hello::Usable { said, for_sdk } => {
            tap.server_said(said);
            with_id(id, "result", &for_sdk)
        }
        // The SDK is told what the server should have said. Under `auto` it then asks by `initialize`, as it asks any
        // server that does not know the method; a server that knows no `initialize` either refuses that, and is told of.
        Hello::NotDiscovery => {
            let failure = Failure::new(FailureClass::MalformedResponse, Step::Start)
                .with_detail("the answer to server/discover is something else");
            tap.start_failed(failure, Some(METHOD_NOT_FOUND));
            with_error(id, METHOD_NOT_FOUND)
        }
        // A code of revision 2026-07-28: no sign of an older server, so nothing else is tried.
        Hello::Unusable(detail) => {
            let failure = Failure::new(FailureClass::MalformedResponse, Step::Start).with_detail(detail);
            tap.start_failed(failure, None);
            with_error(id, HEADER_MISMATCH)
        }
    }
}

/// An answer to another request than the one whose stream it came on.
fn later_answer(tap: &Tap, id: &RequestId, answered: Answered) -> Passed {
    if !tap.awaits(id) {
        return Passed::Stray;
    }
    let text = match &answered {
        Answered::Result(_) => placeholder(id),
        Answered::Error { .. } => failed_answer(id),
    };
    tap.finish(id, Ok(answered));
    Passed::Other(text)
}

/// The failure that a JSON-RPC error is. Its message is the server's text and stays behind.
pub(super) fn refused(step: Step, error: &str, status: StatusCode) -> Failure {
    let code = error_code(error);
    let what = code.map_or_else(
        || "a JSON-RPC error".to_owned(),
        |code| format!("JSON-RPC error {code}"),
    );
    if status.is_server_error() {
        return Failure::new(FailureClass::ServerError, step)
            .with_detail(format!("HTTP status {}, {what}", status.as_u16()));
    }
    let class = if code == Some(UNSUPPORTED_PROTOCOL_VERSION) {
        FailureClass::ProtocolVersion
    } else {
        FailureClass::Refused
    };
    Failure::new(class, step).with_detail(what)
}

/// MCP's code for a protocol version the server does not speak.
const UNSUPPORTED_PROTOCOL_VERSION: i64 = -32022;
/// MCP's code for headers that do not fit the message.
const HEADER_MISMATCH: i64 = -32020;
/// JSON-RPC's code for a method the server does not know.
const METHOD_NOT_FOUND: i64 = -32601;
const INTERNAL_ERROR: i64 = -32603;

fn with_id(id: &RequestId, field: &str, value: &str) -> String {
    let id = match id {
        RequestId::Number(number) => number.to_string(),
        RequestId::String(text) => serde_json::Value::from(text.as_ref()).to_string(),
    };
    format!(r#"{{"jsonrpc":"2.0","id":{id},"{field}":{value}}}"#)
}

/// Stands for a result whose text is in the tap.
fn placeholder(id: &RequestId) -> String {
    with_id(id, "result", r#"{"kept":true}"#)
}

/// Stands for an answer that failed; why is in the tap.
pub(super) fn failed_answer(id: &RequestId) -> String {
    with_error(id, INTERNAL_ERROR)
}

fn with_error(id: &RequestId, code: i64) -> String {
    with_id(id, "error", &format!(r#"{{"code":{code},"message":"recorded"}}"#))
}

/// The error of a request of the start: the SDK reads code and data.
fn start_error(id: &RequestId, error: &RawValue) -> String {
    if serde_json::from_str::<ErrorData>(error.get()).is_ok() {
        with_id(id, "error", error.get())
    } else {
        failed_answer(id)
    }
}
