//! `partners.preview`: what the next turn of a partner would offer, for a person who decides about its grants.

use std::sync::Arc;

use toolgate_core::Refusal;
use toolgate_core::layers;
use toolgate_core::partner::{self, ServerOffer, SessionGrants};

use super::{find, partner_id};
use crate::bridge::messages::partners::{PartnerParams, PartnerPreview, PreviewedServer, PreviewedTool};
use crate::service::Service;

impl Service {
    /// What the next turn would offer of each granted server, and why something is missing. Changes nothing, asks no
    /// server.
    pub(crate) async fn preview_partner(self: &Arc<Self>, params: PartnerParams) -> Result<PartnerPreview, Refusal> {
        let id = partner_id(&params.partner_id)?;
        self.warm_granted(id).await?;
        let (partner, offer) = {
            let _reading = self.files.read().await;
            let service = Arc::clone(self);
            self.with_store(move |store| {
                let mut partners = store.partners()?;
                let partner = find(&mut partners, id)?.clone();
                let offer = service.offer(store, &SessionGrants::of(&partner));
                Ok((partner, offer))
            })
            .await?
        };
        let tools = offer.servers.iter().flat_map(|server| &server.tools);
        let descriptors: Vec<_> = tools.map(|tool| tool.descriptor.clone()).collect();
        let mut aliases = layers::with_aliases(&descriptors, [])
            .into_iter()
            .map(|tool| tool.alias);
        let tool_count = if offer.mcp_enabled { descriptors.len() } else { 0 };
        let revision = partner::revision(&offer);
        let servers = offer
            .servers
            .into_iter()
            .map(|server| self.previewed(server, &mut aliases))
            .collect();
        Ok(PartnerPreview {
            partner,
            revision,
            tool_count: count(tool_count),
            servers,
            diagnostics: offer.diagnostics,
        })
    }

    /// One server; takes the aliases of its tools.
    fn previewed(&self, server: ServerOffer, aliases: &mut impl Iterator<Item = String>) -> PreviewedServer {
        let memory = self.memory();
        let remembered = memory.get(&server.grant.server_id);
        PreviewedServer {
            server_id: server.grant.server_id,
            scope: server.grant.scope,
            state: server.state(),
            last_failure: remembered.and_then(|server| server.last_failure.clone()),
            tools: server
                .tools
                .into_iter()
                .zip(aliases)
                .map(|(tool, alias)| PreviewedTool {
                    native_name: tool.descriptor.tool_id.native_name().to_owned(),
                    alias,
                    permission: tool.permission,
                })
                .collect(),
            display_name: server.server_name,
            off_tools: count(server.off_tools),
            diagnostics: server.diagnostics,
        }
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
