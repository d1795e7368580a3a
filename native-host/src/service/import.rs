//! `servers.import`: many servers from one text, all or none (partner contract).

use std::sync::Arc;

use toolgate_core::Refusal;
use toolgate_core::import::{self, Accepted, Registered};

use super::Service;
use super::registrations::new_registration;
use crate::bridge::messages::{ChangedArea, ImportParams, Imported};

impl Service {
    /// Creates every server of the text, paused, or none. What is refused is what the preview shows as errors: the same
    /// function runs here, on the servers there are at this moment.
    pub(crate) async fn import(self: &Arc<Self>, params: ImportParams) -> Result<Imported, Refusal> {
        let service = Arc::clone(self);
        let limits = self.options.limits.clone();
        let imported = {
            let _writing = self.files.write().await;
            let (registrations, notes) = self
                .with_store(move |store| {
                    let scan = store.scan()?;
                    let names: Vec<String> = scan
                        .registrations
                        .iter()
                        .map(|server| server.display_name.clone())
                        .collect();
                    let registered = Registered {
                        names: &names,
                        servers: scan.servers(),
                    };
                    let mut preview = import::import_many(&params.text, &registered, &limits);
                    for entry in &mut preview.entries {
                        let Some(config) = &entry.config else { continue };
                        if let Err(diagnostic) = service.supports(config.transport()) {
                            let place = diagnostic.at(entry.path.clone());
                            entry.errors.push(place.at_position(entry.line, entry.column));
                        }
                    }
                    let Accepted { servers, notes } = match preview.accepted() {
                        Ok(accepted) => accepted,
                        Err(refusal) => return Ok(Err(refusal)),
                    };
                    let registrations = servers
                        .into_iter()
                        .map(|draft| new_registration(draft.display_name.unwrap_or_default(), draft.config))
                        .collect::<Result<Vec<_>, _>>()?;
                    store.save_new(&registrations)?;
                    Ok(Ok((registrations, notes)))
                })
                .await??;
            let servers = registrations
                .into_iter()
                .map(|registration| self.summary(registration, false))
                .collect();
            Imported { servers, notes }
        };
        self.events.changed(ChangedArea::Servers, None);
        Ok(imported)
    }
}
