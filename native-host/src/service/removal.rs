//! Removing servers, and files that are bad (manager contract §4): with all that belongs to them, and what runs for them
//! ends.

use std::sync::Arc;

use toolgate_core::identity::RegistrationId;
use toolgate_core::{Diagnostic, Refusal};

use super::registrations::forget;
use super::{Service, registration_id};
use crate::bridge::messages::{ChangedArea, RemoveFileParams, ServerParams};

impl Service {
    /// Removes a server with its catalog and what is granted of it. A catalog that cannot be removed is only worth a warning: without the
    /// registration it means nothing. What runs for it ends, also where it cannot be removed.
    pub(crate) async fn remove(self: &Arc<Self>, params: ServerParams) -> Result<(), Refusal> {
        let id = registration_id(&params.id)?;
        let was_granted = {
            let _writing = self.files.write().await;
            let (removed, is_there) = self
                .with_store(move |store| {
                    let was_granted = store.is_granted(id);
                    let removed = store.registration(id).and_then(|_| store.remove_server(id));
                    if removed.is_ok()
                        && let Err(error) = store.remove_catalog(id)
                    {
                        tracing::warn!(%id, %error, "the catalog of a removed server could not be removed");
                    }
                    Ok((removed.map(|()| was_granted), store.has_file(id)))
                })
                .await?;
            self.end_removed(id, removed, is_there).inspect_err(|failed| {
                self.perhaps_changed(failed, ChangedArea::Servers);
                self.perhaps_changed(failed, ChangedArea::Partners);
            })?
        };
        self.events.changed(ChangedArea::Servers, Some(id));
        if was_granted {
            self.events.changed(ChangedArea::Partners, None);
        }
        Ok(())
    }

    /// Removes a file that is in the present list of storage issues. Where it is a server's, what runs for that server
    /// ends, also where the file cannot be removed.
    pub(crate) async fn remove_bad_file(self: &Arc<Self>, params: RemoveFileParams) -> Result<(), Refusal> {
        let server = {
            let _writing = self.files.write().await;
            let (server, removed, is_there) = self
                .with_store(move |store| {
                    let bad = store.bad_file(&params.file_name)?;
                    let removed = store.remove_bad_file(&bad);
                    let is_there = bad.server().is_some_and(|id| store.has_file(id));
                    Ok((bad.server(), removed, is_there))
                })
                .await?;
            let removed = match server {
                Some(id) => self.end_removed(id, removed, is_there),
                None => removed,
            };
            removed.inspect_err(|failed| {
                for area in [ChangedArea::Storage, ChangedArea::Servers, ChangedArea::Partners] {
                    self.perhaps_changed(failed, area);
                }
            })?;
            server
        };
        self.events.changed(ChangedArea::Storage, None);
        if server.is_some() {
            self.events.changed(ChangedArea::Servers, server);
        }
        // It may have been theirs, or what is granted of a server may have gone with it.
        self.events.changed(ChangedArea::Partners, None);
        Ok(())
    }

    /// Ends what runs for a server that was removed, or was to be and is there still; the latter is paused.
    fn end_removed<T>(
        self: &Arc<Self>,
        id: RegistrationId,
        removed: Result<T, Diagnostic>,
        is_there: bool,
    ) -> Result<T, Diagnostic> {
        match removed {
            Err(reason) if is_there => Err(self.stop_unsaved(id, reason)),
            removed => {
                if let Some(server) = self.memory().get_mut(&id) {
                    forget(server);
                    self.supersede(server, id);
                }
                removed
            }
        }
    }
}
