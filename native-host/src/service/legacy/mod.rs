//! Tools for Legacy chat generations (manager contract §8): the bridge's methods. What a generation freezes, which of its
//! names can be called in a round and when it is over are the page's, by core's `LegacyRoot`.

use std::sync::Arc;

use toolgate_core::identity::ToolId;
use toolgate_core::json::JsonText;
use toolgate_core::layers::{Offer, ToolDescriptor, descriptors};
use toolgate_core::outcome::{CallOutcome, Caller, admit, target};
use toolgate_core::server::{Permission, Registration, ServerState};
use toolgate_core::{Code, Diagnostic, Refusal, arguments};

use super::Service;
use super::calls::ids::{AlreadyUsed, Claim};
use super::calls::{already_dispatched, not_sent};
use super::shared::SharedCall;
use crate::bridge::NoParams;
use crate::bridge::messages::{LegacyCallIdParams, LegacyCallParams, LegacyTools, StorageIssue};
use crate::store::Store;

/// The path of the id in the parameters.
const CALL_ID: &str = "executionCallId";

impl Service {
    /// The tools that can go to a model now, of every server, with the registrations' descriptions. From memory and disk
    /// only: a server whose file is bad, or whose catalog is missing or cannot be used, has a diagnostic and costs no other
    /// anything.
    pub(crate) async fn legacy_tools(self: &Arc<Self>, _params: NoParams) -> Result<LegacyTools, Refusal> {
        let scan = self.with_store(Store::scan).await?;
        let decided = scan
            .registrations
            .iter()
            .filter(|registration| is_decided(registration));
        self.warm(decided.map(|registration| registration.id).collect()).await;
        let _reading = self.files.read().await;
        let scan = self.with_store(Store::scan).await?;
        let mut offer: Offer<ToolDescriptor> = Offer::default();
        offer.diagnostics.extend(scan.issues.iter().filter_map(unreadable));
        for registration in scan.registrations.into_iter().filter(is_decided) {
            if registration.state == ServerState::Paused {
                offer.diagnostics.push(paused(&registration));
                continue;
            }
            let snapshot = match self.snapshot(&registration).await {
                Ok(Some(snapshot)) => snapshot,
                Ok(None) => {
                    offer.diagnostics.push(no_catalog(&registration));
                    continue;
                }
                Err(reason) => {
                    offer.diagnostics.push(reason.about_server(registration.id));
                    continue;
                }
            };
            let of_server = self
                .with_store(move |_| Ok(descriptors(&registration, &snapshot.catalog)))
                .await?;
            offer.tools.extend(of_server.tools);
            offer.diagnostics.extend(of_server.diagnostics);
        }
        Ok(LegacyTools {
            tools: offer.tools,
            diagnostics: offer.diagnostics,
        })
    }

    /// Registers the id of a call before the call is asked for, so that a cancellation finds it.
    #[expect(clippy::unused_async, reason = "the table awaits every method alike")]
    pub(crate) async fn start_legacy_call(&self, params: LegacyCallIdParams) -> Result<(), Refusal> {
        let id = call_id(&params.execution_call_id)?;
        self.legacy_call_ids
            .announce(&id)
            .map_err(|AlreadyUsed| already_dispatched().at(CALL_ID).into())
    }

    /// Calls a tool for the model, once. What became of the call is the outcome, never an error; an error,
    /// `mcp.call_already_dispatched`, says that this request made no call because another one did.
    pub(crate) async fn legacy_call(self: &Arc<Self>, params: LegacyCallParams) -> Result<CallOutcome, Refusal> {
        let LegacyCallParams {
            execution_call_id,
            tool_id,
            arguments_json,
        } = params;
        let claimed = match self.legacy_call_ids.claim(Some(call_id(&execution_call_id)?)) {
            Claim::Granted(claimed) => claimed,
            Claim::NotAnnounced => return Ok(CallOutcome::not_sent(not_sent::not_announced("legacy.startCall"))),
            Claim::AlreadyUsed => return Err(already_dispatched().at(CALL_ID).into()),
        };
        if claimed.cancelled.is_cancelled() {
            return Ok(CallOutcome::not_sent(not_sent::cancelled()));
        }
        let asked = self.legacy_target(&tool_id, &arguments_json).await;
        let (tool, arguments, input_schema) = match asked {
            Ok(asked) => asked,
            Err(reason) => return Ok(CallOutcome::not_sent(reason)),
        };
        let native_name = tool.native_name().to_owned();
        let checked_name = native_name.clone();
        let made = self
            .shared_call(SharedCall {
                id: tool.registration_id(),
                native_name,
                arguments,
                input_schema,
                check: Arc::new(move |_, registration| admit(registration, &checked_name, Caller::Model)),
                cancelled: claimed.cancelled.clone(),
            })
            .await;
        Ok(made.outcome)
    }

    /// Cancels a call: the one that runs, or the one that will be asked for. One that has ended is none of these.
    #[expect(clippy::unused_async, reason = "the table awaits every method alike")]
    pub(crate) async fn cancel_legacy_call(&self, params: LegacyCallIdParams) -> Result<(), Refusal> {
        self.legacy_call_ids.cancel(&call_id(&params.execution_call_id)?);
        Ok(())
    }

    /// The tool that is called, with the schema that the saved catalog has for it. One that the catalog does not have, or has
    /// no more, is not called: `mcp.legacy_tool_not_advertised`.
    async fn legacy_target(
        &self,
        tool_id: &str,
        arguments_json: &str,
    ) -> Result<(ToolId, JsonText, JsonText), Diagnostic> {
        let limits = &self.options.limits;
        let tool = tool_id
            .strip_prefix("mcp/")
            .and_then(|rest| rest.split_once(':'))
            .ok_or_else(not_sent::tool_id_invalid)
            .and_then(|(server, name)| target(server, name, limits))
            .map_err(|reason| reason.at("toolId"))?;
        let arguments = arguments::check(arguments_json, limits)?;
        self.warm(vec![tool.registration_id()]).await;
        let _reading = self.files.read().await;
        let registration = self.active_registration(tool.registration_id()).await;
        let registration = registration.map_err(|reason| not_sent::registration(&reason))?;
        admit(&registration, tool.native_name(), Caller::Model)?;
        let snapshot = self.snapshot(&registration).await;
        let snapshot = snapshot.map_err(|reason| not_sent::list_unusable(&reason))?;
        let schema = snapshot.and_then(|snapshot| {
            let mut tools = snapshot.catalog.tools.iter();
            let found = tools.find(|found| found.native_name == tool.native_name())?;
            Some(found.input_schema.clone())
        });
        Ok((tool, arguments, schema.ok_or_else(not_sent::not_advertised)?))
    }
}

/// Whether a model may use anything of a server, once it is active.
fn is_decided(registration: &Registration) -> bool {
    let mut permissions = registration.tool_permissions.values();
    permissions.any(|permission| *permission != Permission::Off)
}

fn paused(registration: &Registration) -> Diagnostic {
    let message = "The server is paused; activate it to use its tools.";
    Diagnostic::new(Code::ToolServerPaused, message).about_server(registration.id)
}

/// A server whose file cannot be used; which of its tools a model might use is not known.
fn unreadable(issue: &StorageIssue) -> Option<Diagnostic> {
    let id = issue.registration_id?;
    // One that somebody removed by hand is no server any more.
    (issue.code != Code::StorageRegistrationMissing)
        .then(|| Diagnostic::new(issue.code, issue.message.clone()).about_server(id))
}

fn no_catalog(registration: &Registration) -> Diagnostic {
    let message = "The server's tools have not been read yet. Refresh them to use them.";
    Diagnostic::new(Code::ToolCatalogMissing, message).about_server(registration.id)
}

/// An execution call id in its one form.
fn call_id(text: &str) -> Result<String, Diagnostic> {
    match uuid::Uuid::try_parse(text) {
        // Of the forms a UUID has, the one with hyphens.
        Ok(id) if text.len() == 36 => Ok(id.to_string()),
        _ => Err(Diagnostic::new(
            Code::BridgeParamsInvalid,
            "executionCallId must be a UUID such as 8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a, a new one for each call.",
        )
        .at(CALL_ID)),
    }
}
