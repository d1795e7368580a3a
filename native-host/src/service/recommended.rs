//! `servers.offerRecommended`: the one server that Toolgate recommends is added once, paused, and not again after it was
//! removed (manager contract §4).

use std::sync::Arc;

use toolgate_core::named_values::NamedValues;
use toolgate_core::server::{HttpConfig, ProtocolVersion, ServerConfig};
use toolgate_core::{Refusal, endpoint, validate};

use super::Service;
use super::registrations::{has_room, new_registration};
use crate::bridge::NoParams;
use crate::bridge::messages::{ChangedArea, RecommendedOffer};

const NAME: &str = "Exa Search";
const ENDPOINT: &str = "https://mcp.exa.ai/mcp";

impl Service {
    /// Adds the recommended server by the rules of `servers.create`, unless that was done before, or somebody has added
    /// it already. A full registry (`mcp.server_limit`) and settings that cannot be used (`mcp.storage_…`) refuse, and
    /// leave the offer for the next time.
    pub(crate) async fn offer_recommended(self: &Arc<Self>, _params: NoParams) -> Result<RecommendedOffer, Refusal> {
        let config = ServerConfig::Http(HttpConfig {
            url: endpoint::normalize(ENDPOINT)?,
            headers: NamedValues::new(),
            protocol_version: ProtocolVersion::Auto,
        });
        self.supports(config.transport())?;
        let config = validate::config(config, &self.options.limits)?;
        let registration = new_registration(self.display_name(NAME)?, config)?;
        let limit = self.options.limits.servers;
        let added = {
            let _writing = self.files.write().await;
            let added = self
                .with_store(move |store| {
                    if store.recommended_offered()? {
                        return Ok(None);
                    }
                    let scan = store.scan()?;
                    let there = |other: &ServerConfig| matches!((other, &registration.config), (ServerConfig::Http(other), ServerConfig::Http(ours)) if other.url == ours.url);
                    if scan.registrations.iter().any(|other| there(&other.config)) {
                        store.offer_recommended(None)?;
                        return Ok(None);
                    }
                    has_room(&scan, limit)?;
                    store.offer_recommended(Some(&registration))?;
                    Ok(Some(registration))
                })
                .await
                .inspect_err(|failed| self.perhaps_changed(failed, ChangedArea::Servers))?;
            added.map(|registration| self.summary(registration, false))
        };
        if let Some(server) = &added {
            self.events.changed(ChangedArea::Servers, Some(server.id));
        }
        Ok(RecommendedOffer { added })
    }
}
