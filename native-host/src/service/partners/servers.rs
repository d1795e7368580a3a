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

/// One server, or why it cannot be read.
pub(super) struct Read {
    grant: PartnerGrant,
    server: Result<Server, Diagnostic>,
}

/// A server that can be read.
pub(super) struct Server {
    pub(super) registration: Registration,
    connection: String,
    /// None where its tools were never read; the reason where the saved ones cannot be used.
    snapshot: Result<Option<Arc<Snapshot>>, Diagnostic>,
}

impl Server {
    /// The server for the domain's functions.
    pub(super) fn now(&self) -> ServerNow<'_> {
        ServerNow {
            registration: &self.registration,
            connection: &self.connection,
            catalog: match &self.snapshot {
                Ok(snapshot) => Ok(snapshot.as_ref().map(|snapshot| &snapshot.catalog)),
                Err(reason) => Err(reason),
            },
        }
    }
}

impl Service {
    /// A partner as its file has it. The caller holds the files.
    pub(super) async fn partner(&self, id: PartnerId) -> Result<Partner, Diagnostic> {
        self.with_store(move |store| {
            let mut partners = store.partners()?;
            find(&mut partners, id).map(|partner| partner.clone())
        })
        .await
    }

    /// What grants come to now. The caller holds the files for reading, so that all of it is of one moment.
    pub(super) async fn offer(&self, grants: &SessionGrants) -> PartnerOffer {
        let mut read = Vec::with_capacity(grants.grants.len());
        for grant in &grants.grants {
            read.push(Read {
                grant: *grant,
                server: self.granted_server(grant).await,
            });
        }
        let servers: Vec<GrantedServer<'_>> = read
            .iter()
            .map(|read| GrantedServer {
                grant: read.grant,
                server: read.server.as_ref().map(Server::now),
            })
            .collect();
        partner::offer(grants, &servers, &self.options.limits)
    }

    async fn granted_server(&self, grant: &PartnerGrant) -> Result<Server, Diagnostic> {
        let id = grant.server_id;
        let registration = self.with_store(move |store| store.registration(id)).await?;
        let snapshot = self.snapshot(&registration).await;
        Ok(Server {
            connection: self.store.connection_revision(&registration.config),
            registration,
            snapshot,
        })
    }
}
