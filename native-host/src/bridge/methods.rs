//! The table of methods: each with the types of its parameters and of its result, and the service's function that
//! carries it out.

use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use toolgate_core::outcome::CallOutcome;
use toolgate_core::partner::Partner;
use toolgate_core::projection::DiscoveryResult;
use toolgate_core::{Code, Diagnostic, Refusal};

use super::envelope::{self, Failed, Request};
use super::messages::partners::{
    CreatePartnerParams, GrantParams, OpenSessionParams, OpenedSession, PartnerCallParams, PartnerCallResult,
    PartnerList, PartnerParams, PartnerPreview, PartnerTurn, RenamePartnerParams, RevokeParams, SessionParams,
    SetPartnerEnabledParams, TurnParams,
};
use super::messages::{
    AgentCallParams, AgentCallResult, AgentInvocationParams, AgentPrepareParams, AgentPrepared, AgentReadResultParams,
    AgentResultPart, CallIdParams, CreateParams, DecidedServer, EditableConfig, HostInfo, ImportParams, Imported,
    LegacyCallIdParams, LegacyCallParams, LegacyTools, ListParams, ReadConfigParams, RecommendedOffer,
    RemoveFileParams, SaveConfigParams, ServerList, ServerParams, ServerSummary, SetDescriptionOverrideParams,
    SetPermissionParams, SetPermissionsParams, SetStateParams, TestCallParams,
};
use crate::service::Service;
use crate::strict_json::{self, Misfit};

macro_rules! methods {
    ($($name:literal: $params:ty => $result:ty, $function:ident;)*) => {
        /// Every method of the bridge by its name.
        pub const METHODS: &[&str] = &[$($name,)*];

        /// Carries out a request; answers the response.
        pub(super) async fn dispatch(service: &Arc<Service>, request: &Request<'_>) -> Result<String, Failed> {
            match request.method.as_ref() {
                $($name => {
                    let params = read_params::<$params>($name, request.params)?;
                    write_result::<$result>(request.id, &service.$function(params).await?)
                })*
                method => Err(unknown_method(method)),
            }
        }

        /// Shows every method, in the order of the table.
        #[cfg(feature = "typescript")]
        pub fn visit(visitor: &mut impl super::signatures::MethodVisitor) {
            $(visitor.method::<$params, $result>($name);)*
        }
    };
}

methods! {
    "servers.list": ListParams => ServerList, list;
    "servers.create": CreateParams => ServerSummary, create;
    "servers.import": ImportParams => Imported, import;
    "servers.review": CreateParams => Vec<Diagnostic>, review;
    "servers.readConfig": ReadConfigParams => EditableConfig, read_config;
    "servers.saveConfig": SaveConfigParams => ServerSummary, save_config;
    "servers.setState": SetStateParams => ServerSummary, set_state;
    "servers.remove": ServerParams => (), remove;
    "servers.discover": ServerParams => DiscoveryResult, discover;
    "servers.refresh": ServerParams => DiscoveryResult, refresh;
    "servers.offerRecommended": NoParams => RecommendedOffer, offer_recommended;
    "storage.remove": RemoveFileParams => (), remove_bad_file;
    "tools.setPermission": SetPermissionParams => DecidedServer, set_permission;
    "tools.setPermissions": SetPermissionsParams => DecidedServer, set_permissions;
    "tools.setDescriptionOverride": SetDescriptionOverrideParams => DecidedServer, set_description_override;
    "tools.startTestCall": CallIdParams => (), start_test_call;
    "tools.testCall": TestCallParams => CallOutcome, test_call;
    "tools.cancelTestCall": CallIdParams => (), cancel_test_call;
    "partners.list": NoParams => PartnerList, list_partners;
    "partners.create": CreatePartnerParams => Partner, create_partner;
    "partners.rename": RenamePartnerParams => Partner, rename_partner;
    "partners.remove": PartnerParams => (), remove_partner;
    "partners.setEnabled": SetPartnerEnabledParams => Partner, set_partner_enabled;
    "partners.grant": GrantParams => Partner, grant_partner;
    "partners.revoke": RevokeParams => Partner, revoke_partner;
    "partners.preview": PartnerParams => PartnerPreview, preview_partner;
    "partners.openSession": OpenSessionParams => OpenedSession, open_partner_session;
    "partners.turn": TurnParams => PartnerTurn, begin_partner_turn;
    "partners.call": PartnerCallParams => PartnerCallResult, call_partner_tool;
    "partners.cancel": CallIdParams => (), cancel_partner_call;
    "partners.closeSession": SessionParams => (), close_partner_session;
    "agent.prepare": AgentPrepareParams => AgentPrepared, prepare_agent;
    "agent.call": AgentCallParams => AgentCallResult, agent_call;
    "agent.cancel": CallIdParams => (), cancel_agent_call;
    "agent.readResult": AgentReadResultParams => AgentResultPart, read_agent_result;
    "agent.end": AgentInvocationParams => (), end_agent;
    "legacy.listTools": NoParams => LegacyTools, legacy_tools;
    "legacy.startCall": LegacyCallIdParams => (), start_legacy_call;
    "legacy.call": LegacyCallParams => CallOutcome, legacy_call;
    "legacy.cancel": LegacyCallIdParams => (), cancel_legacy_call;
    "host.info": NoParams => HostInfo, info;
}

/// The methods that wait for a server, for as long as it takes to answer. Every other one is done in a moment.
pub(super) const WAITING: &[&str] = &[
    "servers.discover",
    "servers.refresh",
    "tools.testCall",
    "partners.call",
    "agent.call",
    "legacy.call",
];

/// The parameters of a method that has none: `{}`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "Record<string, never>"))]
pub(crate) struct NoParams {}

fn unknown_method(method: &str) -> Failed {
    let method: String = method.chars().take(80).collect();
    Failed::UnknownMethod(
        Diagnostic::new(
            Code::BridgeMethodUnknown,
            format!("There is no method {method:?}; there are {}.", METHODS.join(", ")),
        )
        .at("method"),
    )
}

/// Reads parameters; none are read as `{}`.
fn read_params<T: DeserializeOwned>(method: &str, params: Option<&RawValue>) -> Result<T, Failed> {
    let text = params.map_or("{}", RawValue::get);
    if !text.starts_with('{') {
        return Err(invalid_params(
            method,
            &Misfit {
                path: String::new(),
                reason: "must be an object of named parameters".to_owned(),
            },
        ));
    }
    strict_json::read(text).map_err(|misfit| {
        let inner = (misfit.path == "config").then(|| misfit_of_config(text)).flatten();
        invalid_params(method, &inner.unwrap_or(misfit))
    })
}

fn misfit_of_config(params: &str) -> Option<Misfit> {
    #[derive(Deserialize)]
    struct OnlyConfig<'a> {
        #[serde(borrow)]
        config: &'a RawValue,
    }
    let params: OnlyConfig<'_> = serde_json::from_str(params).ok()?;
    strict_json::config_misfit(params.config)
}

fn invalid_params(method: &str, misfit: &Misfit) -> Failed {
    let Misfit { path, reason } = misfit;
    Failed::InvalidParams(match path.as_str() {
        "" => Diagnostic::new(Code::BridgeParamsInvalid, format!("params of {method} {reason}.")).at("params"),
        path => Diagnostic::new(Code::BridgeParamsInvalid, format!("{path} of {method} {reason}.")).at(path),
    })
}

fn write_result<T: Serialize>(id: &RawValue, result: &T) -> Result<String, Failed> {
    envelope::result(id, result).map_err(|_| {
        Failed::Refused(Refusal::from(Diagnostic::new(
            Code::BridgeInternalError,
            "Toolgate could not write the result as JSON; that is a mistake in Toolgate.",
        )))
    })
}
