//! Partners: who may use which servers' tools, and what of them a session is offered (partner contract).
//!
//! A partner is a companion, an assistant, any consumer that an application has beside its agents and chats. A person
//! grants it servers; each turn of one of its sessions is offered a frozen set of tools ([`offer`],
//! [`freeze`]), and each call is checked once more against what is true when it is made
//! ([`recheck`]). Sessions, files and calls are the host's business.

mod grants;
mod id;
mod limit;
mod offer;
mod recheck;
mod turn;

use serde::{Deserialize, Serialize};

use crate::identity::{self, RegistrationId};
use crate::{Diagnostic, Limits};

pub use grants::SessionGrants;
pub use id::PartnerId;
pub use limit::too_large;
pub use offer::{CatalogNow, GrantedServer, OfferedTool, PartnerOffer, ServerNow, ServerOffer, offer};
pub use recheck::recheck;
pub use turn::{FrozenTool, FrozenTurn, freeze, revision};

/// A partner with what it is granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Partner {
    /// Its id; never changes.
    pub id: PartnerId,
    /// The name a person knows it by; need not be unique.
    pub name: String,
    /// Whether it is offered MCP tools at all. Off at first; while it is off the grants are kept.
    pub mcp_enabled: bool,
    /// What it is granted, each server once, in the order in which a person granted them.
    pub grants: Vec<PartnerGrant>,
}

/// One server that a partner may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PartnerGrant {
    /// The server's registration id.
    pub server_id: RegistrationId,
    /// Which of its tools.
    pub scope: GrantScope,
}

/// Which tools of a server a grant is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum GrantScope {
    /// Every tool of the server, those that are off and those of later refreshes included (partner contract).
    #[default]
    All,
    /// Only tools that are at Ask or Allow.
    Permitted,
}

impl Partner {
    /// A partner as it is at first: no tools, nothing granted.
    pub const fn new(id: PartnerId, name: String) -> Self {
        Self {
            id,
            name,
            mcp_enabled: false,
            grants: Vec::new(),
        }
    }

    /// What it is granted of a server.
    pub fn scope_of(&self, server: RegistrationId) -> Option<GrantScope> {
        self.grants
            .iter()
            .find(|grant| grant.server_id == server)
            .map(|grant| grant.scope)
    }

    /// Grants it a server, or changes the scope of what it is granted already.
    pub fn grant(&mut self, server_id: RegistrationId, scope: GrantScope) {
        match self.grants.iter_mut().find(|grant| grant.server_id == server_id) {
            Some(grant) => grant.scope = scope,
            None => self.grants.push(PartnerGrant { server_id, scope }),
        }
    }

    /// Withdraws a server; nothing where it was not granted.
    pub fn revoke(&mut self, server_id: RegistrationId) {
        self.grants.retain(|grant| grant.server_id != server_id);
    }
}

/// A partner's name as it is stored, by the rules of display names: trimmed, each run of white space one space, 1 to 128
/// characters. Errors: `mcp.display_name_empty`, `mcp.display_name_too_long`.
pub fn normalize_name(name: &str, limits: &Limits) -> Result<String, Diagnostic> {
    identity::normalize_display_name(name, limits)
}
