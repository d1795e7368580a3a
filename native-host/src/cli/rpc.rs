//! `toolgate rpc`: one request to the host that runs, or else to one that lives as long as the request.

use std::io::{self, Read as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use tokio::time::Instant;
use toolgate_core::{Code, Diagnostic, json};

use super::client::{self, ClientError};
use super::error_object::error_object;
use super::{RpcArguments, inert, open_host, write_line};
use crate::ownership::{self, Claim, Patience, Role};
use crate::web_server::RPC_PATH;

/// How long an owner that does not answer (any more) may take to let go of the data.
const OWNER_ENDS: Duration = Duration::from_secs(5);
const LOOK_AGAIN: Duration = Duration::from_millis(20);

pub(super) async fn run(arguments: RpcArguments) -> ExitCode {
    match answer(arguments).await {
        Ok(result) => {
            write_line(&mut io::stdout(), &inert::json(&json::pretty(&result)));
            ExitCode::SUCCESS
        }
        Err(error) => {
            write_line(&mut io::stderr(), &inert::json(&json::pretty(&error)));
            ExitCode::FAILURE
        }
    }
}

/// The result, or the error, as JSON text.
async fn answer(arguments: RpcArguments) -> Result<String, String> {
    let refuse = |diagnostic: Diagnostic| error_object(&diagnostic);
    let directory = arguments
        .data
        .directory()
        .map_err(|error| refuse(error.to_diagnostic()))?;
    let params = params(arguments.params.as_deref()).map_err(refuse)?;
    let message = message(&arguments.method, params.as_deref());
    let needs_owner = belongs_with_others(&arguments.method, params.as_deref());
    let response = request(&directory, &arguments.method, needs_owner, message)
        .await
        .map_err(refuse)?;
    unwrap(&response)
}

/// Has one message answered by whoever owns the data. It is sent at most once.
async fn request(directory: &Path, method: &str, needs_owner: bool, message: String) -> Result<String, Diagnostic> {
    let began = Instant::now();
    loop {
        let claim = ownership::claim(directory, Role::Request, Patience::default())
            .await
            .map_err(|error| error.to_diagnostic())?;
        match claim {
            Claim::Owned(_) if needs_owner => {
                return Err(Diagnostic::new(
                    Code::HostRequired,
                    format!(
                        "{method} is one of several requests that belong together, so it needs a Toolgate that keeps running: start \
                         `toolgate serve`."
                    ),
                ));
            }
            Claim::Owned(ownership) => {
                let host = open_host(&ownership, None)
                    .map_err(|error| Diagnostic::new(Code::BridgeInternalError, format!("{error}.")))?;
                let answer = host.bridge().handle(message).await;
                host.shutdown().await;
                return Ok(answer);
            }
            Claim::Busy(busy) => return Err(busy.to_diagnostic()),
            Claim::Clients(access) => match client::post(&access, RPC_PATH, message.clone()).await {
                Ok(answer) => return Ok(answer),
                Err(ClientError::NotSent) if began.elapsed() < OWNER_ENDS => {
                    tokio::time::sleep(LOOK_AGAIN).await;
                }
                Err(error) => return Err(error.to_diagnostic(access.pid)),
            },
        }
    }
}

/// Whether a request is one of several that belong together, which a host for one request can do nothing with.
fn belongs_with_others(method: &str, params: Option<&RawValue>) -> bool {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Params {
        call_id: Option<IgnoredAny>,
    }
    match method {
        "tools.startTestCall"
        | "tools.cancelTestCall"
        | "agent.call"
        | "agent.cancel"
        | "agent.readResult"
        | "agent.end"
        | "legacy.startCall"
        | "legacy.call"
        | "legacy.cancel"
        // An invocation or a session that ended with this request would be none.
        | "agent.prepare"
        | "partners.openSession"
        | "partners.turn"
        | "partners.call"
        | "partners.cancel"
        | "partners.closeSession" => true,
        // A call with an id is one that was announced.
        "tools.testCall" => params
            .and_then(|params| serde_json::from_str(params.get()).ok())
            .is_some_and(|params: Params| params.call_id.is_some()),
        _ => false,
    }
}

fn params(argument: Option<&str>) -> Result<Option<Box<RawValue>>, Diagnostic> {
    let invalid = |sentence: String| Diagnostic::new(Code::BridgeParamsInvalid, sentence).at("params");
    let text = match argument {
        None => return Ok(None),
        Some("-") => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).map_err(|error| {
                invalid(format!(
                    "The parameters could not be read from standard input: {error}."
                ))
            })?;
            text
        }
        Some(text) => text.to_owned(),
    };
    serde_json::from_str(&text).map(Some).map_err(|error| {
        invalid(
            "The parameters are not JSON; give an object such as '{\"id\": \"…\"}', in quotes for the shell."
                .to_owned(),
        )
        .at_position(
            u32::try_from(error.line()).unwrap_or(u32::MAX),
            u32::try_from(error.column()).unwrap_or(u32::MAX),
        )
    })
}

fn message(method: &str, params: Option<&RawValue>) -> String {
    #[derive(Serialize)]
    struct Message<'a> {
        jsonrpc: &'static str,
        id: u32,
        method: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        params: Option<&'a RawValue>,
    }
    // A text and a JSON text under fixed names always have a JSON form.
    serde_json::to_string(&Message {
        jsonrpc: "2.0",
        id: 1,
        method,
        params,
    })
    .unwrap_or_default()
}

fn unwrap(response: &str) -> Result<String, String> {
    #[derive(Deserialize)]
    struct Response<'a> {
        #[serde(borrow, default, deserialize_with = "present")]
        result: Option<&'a RawValue>,
        #[serde(borrow)]
        error: Option<&'a RawValue>,
    }

    // A result of null is one, as of a method that has nothing to say.
    fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
        <&RawValue>::deserialize(deserializer).map(Some)
    }

    match serde_json::from_str(response) {
        Ok(Response {
            result: Some(result),
            error: None,
        }) => Ok(result.get().to_owned()),
        Ok(Response { error: Some(error), .. }) => Err(error.get().to_owned()),
        _ => Err(error_object(&Diagnostic::new(
            Code::HostConnectionLost,
            "What the running Toolgate answered is no JSON-RPC response. The request may have been carried out.",
        ))),
    }
}
