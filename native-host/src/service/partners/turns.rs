//! `partners.turn`: the frozen tools of the turn that begins. What changed since the last one counts from here, and not
//! before (partner contract).

use std::sync::Arc;

use toolgate_core::Refusal;
use toolgate_core::partner;

use super::find;
use super::sessions::Turn;
use crate::bridge::messages::partners::{PartnerTurn, TurnParams};
use crate::service::Service;

impl Service {
    /// Begins a turn of a session: freezes its tools under their revision. Asks no server: the catalogs are those of the
    /// last refreshes that succeeded.
    pub(crate) async fn begin_partner_turn(self: &Arc<Self>, params: TurnParams) -> Result<PartnerTurn, Refusal> {
        let TurnParams {
            session_id,
            local_names,
        } = params;
        let session = self.sessions.enter(&session_id)?;
        let _beginning = session.beginning.lock().await;
        self.warm_granted(session.partner).await?;
        let turn = {
            let _reading = self.files.read().await;
            let service = Arc::clone(self);
            let session = Arc::clone(&session);
            self.with_store(move |store| {
                let mut partners = store.partners()?;
                let partner = find(&mut partners, session.partner)?;
                let offer = service.offer(store, &session.grants(partner));
                let local_names = local_names.iter().map(String::as_str);
                Ok(Turn::new(partner::freeze(offer, local_names)))
            })
            .await?
        };
        let frozen = &turn.frozen;
        let changed = session
            .turn()
            .is_none_or(|before| before.frozen.revision != frozen.revision || before.frozen.tools != frozen.tools);
        let answer = PartnerTurn {
            revision: frozen.revision.clone(),
            changed,
            tools: frozen.tools.iter().map(|tool| tool.model.clone()).collect(),
            diagnostics: frozen.diagnostics.clone(),
        };
        session.begin(turn);
        Ok(answer)
    }
}
