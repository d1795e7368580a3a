//! Partners (partner contract): who they are, what they are granted, what their sessions are offered, and their calls.
//! Nothing here runs by itself: a turn begins when an application asks for it, and nobody is woken by a change.

mod calling;
mod preview;
mod servers;
mod sessions;
mod turns;

use std::sync::Arc;

use toolgate_core::identity::RegistrationId;
use toolgate_core::partner::{self, Partner, PartnerId};
use toolgate_core::{Code, Diagnostic, Refusal};

pub(super) use self::sessions::Sessions;
use super::Service;
use crate::bridge::NoParams;
use crate::bridge::messages::ChangedArea;
use crate::bridge::messages::partners::{
    CreatePartnerParams, GrantParams, PartnerList, PartnerParams, RenamePartnerParams, RevokeParams,
    SetPartnerEnabledParams,
};
use crate::store::Store;

impl Service {
    /// Every partner with its grants.
    pub(crate) async fn list_partners(self: &Arc<Self>, _params: NoParams) -> Result<PartnerList, Refusal> {
        let _reading = self.files.read().await;
        let partners = self.with_store(Store::partners).await?;
        Ok(PartnerList { partners })
    }

    /// Makes a partner: MCP is off, nothing is granted.
    pub(crate) async fn create_partner(self: &Arc<Self>, params: CreatePartnerParams) -> Result<Partner, Refusal> {
        let name = self.partner_name(&params.name)?;
        let id = PartnerId::from_uuid(uuid::Uuid::new_v4()).ok_or_else(|| {
            Diagnostic::new(
                Code::BridgeInternalError,
                "The random id that was made is no version 4 UUID.",
            )
        })?;
        let limit = self.options.limits.partners;
        self.change_partners(move |partners| {
            if partners.len() >= limit {
                return Err(Diagnostic::new(
                    Code::PartnerLimit,
                    format!(
                        "There are {} partners and there may be {limit}. Remove one first.",
                        partners.len()
                    ),
                ));
            }
            let partner = Partner::new(id, name);
            partners.push(partner.clone());
            Ok(partner)
        })
        .await
    }

    /// Gives a partner another name.
    pub(crate) async fn rename_partner(self: &Arc<Self>, params: RenamePartnerParams) -> Result<Partner, Refusal> {
        let name = self.partner_name(&params.name)?;
        self.change_partner(&params.partner_id, move |partner| partner.name = name)
            .await
    }

    /// Removes a partner with its grants. A call of one of its sessions is refused from now on, and so is a turn.
    pub(crate) async fn remove_partner(self: &Arc<Self>, params: PartnerParams) -> Result<(), Refusal> {
        let id = partner_id(&params.partner_id)?;
        self.change_partners(move |partners| {
            find(partners, id)?;
            partners.retain(|partner| partner.id != id);
            Ok(())
        })
        .await
    }

    /// Switches MCP on or off for a partner. Off keeps the grants.
    pub(crate) async fn set_partner_enabled(
        self: &Arc<Self>,
        params: SetPartnerEnabledParams,
    ) -> Result<Partner, Refusal> {
        self.change_partner(&params.partner_id, move |partner| partner.mcp_enabled = params.enabled)
            .await
    }

    /// Grants a partner a server, paused ones and ones that are too large included: what is missing then is said where
    /// the tools are offered.
    pub(crate) async fn grant_partner(self: &Arc<Self>, params: GrantParams) -> Result<Partner, Refusal> {
        let GrantParams {
            partner_id: id,
            server_id,
            scope,
        } = params;
        let id = partner_id(&id)?;
        let server = granted_id(&server_id)?;
        let _writing = self.files.write().await;
        let partner = self
            .with_store(move |store| {
                store.registration(server)?;
                let mut partners = store.partners()?;
                let partner = find(&mut partners, id)?;
                partner.grant(server, scope);
                let partner = partner.clone();
                store.write_partners(&partners)?;
                Ok(partner)
            })
            .await
            .inspect_err(|failed| self.perhaps_changed(failed, ChangedArea::Partners))?;
        self.events.changed(ChangedArea::Partners, None);
        Ok(partner)
    }

    /// Withdraws a server from a partner, also one that is gone. Calls of its tools are refused at once, those of the
    /// present turn too; a call that was sent before is not undone by it.
    pub(crate) async fn revoke_partner(self: &Arc<Self>, params: RevokeParams) -> Result<Partner, Refusal> {
        let server = granted_id(&params.server_id)?;
        self.change_partner(&params.partner_id, move |partner| partner.revoke(server))
            .await
    }

    async fn change_partner(
        self: &Arc<Self>,
        id: &str,
        edit: impl FnOnce(&mut Partner) + Send + 'static,
    ) -> Result<Partner, Refusal> {
        let id = partner_id(id)?;
        self.change_partners(move |partners| {
            let partner = find(partners, id)?;
            edit(partner);
            Ok(partner.clone())
        })
        .await
    }

    /// Changes the partners as they are in their file now, under the write lock: of two clients that edit at once
    /// neither loses anything.
    async fn change_partners<T: Send + 'static>(
        &self,
        edit: impl FnOnce(&mut Vec<Partner>) -> Result<T, Diagnostic> + Send + 'static,
    ) -> Result<T, Refusal> {
        let _writing = self.files.write().await;
        let done = self
            .with_store(move |store| {
                let mut partners = store.partners()?;
                let done = edit(&mut partners)?;
                store.write_partners(&partners)?;
                Ok(done)
            })
            .await
            .inspect_err(|failed| self.perhaps_changed(failed, ChangedArea::Partners))?;
        self.events.changed(ChangedArea::Partners, None);
        Ok(done)
    }

    fn partner_name(&self, text: &str) -> Result<String, Diagnostic> {
        partner::normalize_name(text, &self.options.limits).map_err(|reason| reason.at("name"))
    }
}

/// Reads a partner's id from the parameter `partnerId`.
fn partner_id(text: &str) -> Result<PartnerId, Diagnostic> {
    PartnerId::parse(text).map_err(|reason| reason.at("partnerId"))
}

/// Reads a server's id from the parameter `serverId`.
fn granted_id(text: &str) -> Result<RegistrationId, Diagnostic> {
    RegistrationId::parse(text).map_err(|reason| reason.at("serverId"))
}

fn find(partners: &mut [Partner], id: PartnerId) -> Result<&mut Partner, Diagnostic> {
    partners
        .iter_mut()
        .find(|partner| partner.id == id)
        .ok_or_else(|| not_found(id))
}

fn not_found(id: PartnerId) -> Diagnostic {
    Diagnostic::new(
        Code::PartnerNotFound,
        format!("There is no partner with the id {id}; read the list again."),
    )
    .at("partnerId")
}
