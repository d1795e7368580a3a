//! The granted servers as memory and disk have them at one moment. Nothing is asked of a server here, whatever is
//! missing.

use std::sync::Arc;

use toolgate_core::Diagnostic;
use toolgate_core::partner::{
    self, GrantedServer, Partner, PartnerGrant, PartnerId, PartnerOffer, ServerNow, SessionGrants,
};
use toolgate_core::server::Registration;

use super::find;
use crate::service::Service;
use crate::service::memory::Snapshot;
use crate::store::Store;

/// A server that can be read.
pub(super) struct Server {
    registration: Registration,
    connection: String,
    /// None where its tools were never read; the reason where the saved ones cannot be used.
    snapshot: Result<Option<Arc<Snapshot>>, Diagnostic>,
}

impl Server {
    /// A server with its catalog, from memory or its file. Blocks; the caller holds the files for reading.
    pub(super) fn read(service: &Service, store: &Store, registration: Registration) -> Self {
        Self {
            connection: store.connection_revision(&registration.config),
            snapshot: service.snapshot_in(store, &registration),
            registration,
        }
    }

    /// The server for the domain's functions.
    pub(super) fn now(&self) -> ServerNow<'_> {
        ServerNow {
            registration: &self.registration,
            connection: &self.connection,
            catalog: match &self.snapshot {
                Ok(snapshot) => Ok(snapshot.as_ref().map(|snapshot| snapshot.now())),
                Err(reason) => Err(reason),
            },
        }
    }
}

impl Service {
    /// A partner as its file has it. The caller holds the files for reading.
    pub(super) async fn partner(&self, id: PartnerId) -> Result<Partner, Diagnostic> {
        self.with_store(move |store| {
            let mut partners = store.partners()?;
            find(&mut partners, id).map(|partner| partner.clone())
        })
        .await
    }

    /// Takes the catalogs of what a partner is granted into memory, for those who look at them next.
    pub(super) async fn warm_granted(&self, id: PartnerId) -> Result<(), Diagnostic> {
        let partner = {
            let _reading = self.files.read().await;
            self.partner(id).await?
        };
        self.warm(partner.grants.iter().map(|grant| grant.server_id).collect())
            .await;
        Ok(())
    }

    /// What grants come to now. Blocks; the caller holds the files for reading, so that all of it is of one moment.
    pub(super) fn offer(&self, store: &Store, grants: &SessionGrants) -> PartnerOffer {
        let read: Vec<(PartnerGrant, Result<Server, Diagnostic>)> = grants
            .grants
            .iter()
            .map(|grant| {
                let registration = store.registration(grant.server_id);
                let server = registration.map(|registration| Server::read(self, store, registration));
                (*grant, server)
            })
            .collect();
        let servers: Vec<GrantedServer<'_>> = read
            .iter()
            .map(|(grant, server)| GrantedServer {
                grant: *grant,
                server: server.as_ref().map(Server::now),
            })
            .collect();
        partner::offer(grants, &servers, &self.options.limits)
    }
}
