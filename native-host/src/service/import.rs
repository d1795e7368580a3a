//! `servers.import`: many servers from one text, all or none (partner contract).

use std::sync::Arc;

use toolgate_core::import::{self, Accepted, Registered};
use toolgate_core::{Diagnostic, Refusal};

use super::Service;
use super::registrations::new_registration;
use crate::bridge::messages::{ChangedArea, ImportParams, Imported};
use crate::store::Store;

impl Service {
    /// Creates every server of the text, paused, or none. What is refused is what the preview shows as errors: the same
    /// function runs here, on the servers there are. The text may be long, so it is read before the files are locked, and
    /// again only where servers have come or gone meanwhile.
    pub(crate) async fn import(self: &Arc<Self>, params: ImportParams) -> Result<Imported, Refusal> {
        let service = Arc::clone(self);
        let text = params.text;
        let before = {
            let _reading = self.files.read().await;
            self.with_store(Before::of).await?
        };
        let (text, before, accepted) = self
            .with_store(move |_| {
                let accepted = service.accepted(&text, &before);
                Ok((text, before, accepted))
            })
            .await?;
        let accepted = accepted?;
        let service = Arc::clone(self);
        let imported = {
            let _writing = self.files.write().await;
            let (registrations, notes) = self
                .with_store(move |store| {
                    let now = Before::of(store)?;
                    let accepted = if now == before {
                        Ok(accepted)
                    } else {
                        service.accepted(&text, &now)
                    };
                    let Accepted { servers, notes } = match accepted {
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
                .await
                .inspect_err(|failed| self.perhaps_changed(failed, ChangedArea::Servers))??;
            let servers = registrations
                .into_iter()
                .map(|registration| self.summary(registration, false))
                .collect();
            Imported { servers, notes }
        };
        self.events.changed(ChangedArea::Servers, None);
        Ok(imported)
    }

    fn accepted(&self, text: &str, before: &Before) -> Result<Accepted, Refusal> {
        let registered = Registered {
            names: &before.names,
            servers: before.servers,
        };
        let mut preview = import::import_many(text, &registered, &self.options.limits);
        for entry in &mut preview.entries {
            let Some(config) = &entry.config else { continue };
            if let Err(diagnostic) = self.supports(config.transport()) {
                let place = diagnostic.at(entry.path.clone());
                entry.errors.push(place.at_position(entry.line, entry.column));
            }
        }
        preview.accepted()
    }
}

/// What there is before an import.
#[derive(PartialEq, Eq)]
struct Before {
    names: Vec<String>,
    servers: usize,
}

impl Before {
    fn of(store: &Store) -> Result<Self, Diagnostic> {
        let scan = store.scan()?;
        let servers = scan.servers();
        let names = scan.registrations.into_iter().map(|server| server.display_name);
        Ok(Self {
            names: names.collect(),
            servers,
        })
    }
}
