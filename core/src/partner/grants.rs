//! What a session may use of what its partner is granted.

use std::collections::BTreeSet;

use super::{GrantScope, Partner, PartnerGrant};
use crate::identity::ToolId;

/// The grants that count for a session at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionGrants {
    /// Whether tools are offered at all.
    pub mcp_enabled: bool,
    /// The servers.
    pub grants: Vec<PartnerGrant>,
    /// The only tools that may be offered; `None` where there is no such filter.
    pub filter: Option<BTreeSet<ToolId>>,
}

impl SessionGrants {
    /// Those of a partner's own session: all that the partner is granted now.
    pub fn of(partner: &Partner) -> Self {
        Self {
            mcp_enabled: partner.mcp_enabled,
            grants: partner.grants.clone(),
            filter: None,
        }
    }

    /// Those of a temporary task: what the partner was granted when the task began, minus what the task's own filter
    /// lacks (partner contract).
    pub fn of_task(partner: &Partner, filter: Option<BTreeSet<ToolId>>) -> Self {
        Self {
            filter,
            ..Self::of(partner)
        }
    }

    /// The same, less what the partner is not granted any more: what could not be called is not offered. What was granted
    /// since is not added.
    #[must_use]
    pub fn within(&self, partner: &Partner) -> Self {
        let narrowed = |grant: &PartnerGrant| {
            let scope = match (grant.scope, partner.scope_of(grant.server_id)?) {
                (GrantScope::All, GrantScope::All) => GrantScope::All,
                _ => GrantScope::Permitted,
            };
            Some(PartnerGrant { scope, ..*grant })
        };
        Self {
            mcp_enabled: self.mcp_enabled && partner.mcp_enabled,
            grants: self.grants.iter().filter_map(narrowed).collect(),
            filter: self.filter.clone(),
        }
    }
}
