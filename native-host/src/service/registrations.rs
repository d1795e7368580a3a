//! Servers as they are saved: listing, creating, editing, activating (manager contract §4).

use std::collections::BTreeMap;
use std::sync::Arc;

use toolgate_core::identity::{self, RegistrationId};
use toolgate_core::server::{Registration, ServerConfig, ServerState, TransportKind};
use toolgate_core::{Code, Diagnostic, Refusal, mask, review, validate};

use super::memory::ServerMemory;
use super::{Service, registration_id};
use crate::bridge::messages::{
    ChangedArea, CreateParams, EditableConfig, ListParams, ReadConfigParams, SaveConfigParams, ServerList,
    ServerSummary, SetStateParams,
};
use crate::store::{Scan, Store};

/// What kind of change is made to a registration.
#[derive(Clone, Copy)]
pub(super) enum Change {
    /// A person saves it: its connection goes to where the credential provider keeps it.
    Save,
    /// Something is decided about it, and nothing about its name and connection.
    Decision,
    /// The same, where what runs for it is to end, also where that cannot be saved.
    Pause,
}

impl Service {
    /// Every server and every bad file at one moment.
    pub(crate) async fn list(self: &Arc<Self>, params: ListParams) -> Result<ServerList, Refusal> {
        let _reading = self.files.read().await;
        let service = Arc::clone(self);
        let list = self
            .with_store(move |store| {
                let scan = store.scan()?;
                let servers = scan
                    .registrations
                    .into_iter()
                    .map(|registration| {
                        service.count_tools(store, &registration);
                        service.summary(registration, params.reveal)
                    })
                    .collect();
                Ok(ServerList {
                    servers,
                    storage_issues: scan.issues,
                })
            })
            .await?;
        self.compare_issues(&list.storage_issues);
        Ok(list)
    }

    /// Makes a server. It is paused: nothing connects before a person has seen exactly what to.
    pub(crate) async fn create(self: &Arc<Self>, params: CreateParams) -> Result<ServerSummary, Refusal> {
        let CreateParams { display_name, config } = params;
        let display_name = self.display_name(&display_name)?;
        self.supports(config.transport())
            .map_err(|diagnostic| diagnostic.at("config.type"))?;
        let config = validate::edited(config, None, &self.options.limits).map_err(within_config)?;
        let registration = new_registration(display_name, config)?;
        let limit = self.options.limits.servers;
        let summary = {
            let _writing = self.files.write().await;
            let registration = self
                .with_store(move |store| {
                    has_room(&store.scan()?, limit)?;
                    store.save_new(std::slice::from_ref(&registration))?;
                    Ok(registration)
                })
                .await
                .inspect_err(|failed| self.perhaps_changed(failed, ChangedArea::Servers))?;
            self.summary(registration, false)
        };
        self.events.changed(ChangedArea::Servers, Some(summary.id));
        Ok(summary)
    }

    /// Warnings about a server as it would be saved; nothing is changed.
    pub(crate) async fn review(&self, params: CreateParams) -> Result<Vec<Diagnostic>, Refusal> {
        let _reading = self.files.read().await;
        let scan = self.with_store(Store::scan).await?;
        let other_names: Vec<String> = scan
            .registrations
            .into_iter()
            .map(|registration| registration.display_name)
            .collect();
        Ok(review::review(&params.display_name, &params.config, &other_names))
    }

    /// A server's name and configuration for an editor.
    pub(crate) async fn read_config(&self, params: ReadConfigParams) -> Result<EditableConfig, Refusal> {
        let id = registration_id(&params.id)?;
        let registration = self.with_store(move |store| store.registration(id)).await?;
        let revision = self.store.revision(&registration);
        let config = if params.reveal {
            registration.config
        } else {
            mask::mask(&registration.config)
        };
        Ok(EditableConfig {
            display_name: registration.display_name,
            config,
            revision,
        })
    }

    /// Saves what an editor made of it, if nobody else has saved since it was read. Id, state, permissions and
    /// overrides stay. A configuration that leads elsewhere than before costs the catalog; one that does not keeps it.
    pub(crate) async fn save_config(self: &Arc<Self>, params: SaveConfigParams) -> Result<ServerSummary, Refusal> {
        let SaveConfigParams {
            id,
            display_name,
            config,
            revision,
        } = params;
        let id = registration_id(&id)?;
        let display_name = self.display_name(&display_name)?;
        let service = Arc::clone(self);
        self.change(id, Change::Save, move |registration| {
            service.check_revision(registration, &revision)?;
            if config.transport() != registration.config.transport() {
                service
                    .supports(config.transport())
                    .map_err(|diagnostic| diagnostic.at("config.type"))?;
            }
            registration.config =
                validate::edited(config, Some(&registration.config), &service.options.limits).map_err(within_config)?;
            registration.display_name = display_name;
            Ok(())
        })
        .await
    }

    /// Activates or pauses a server. With a revision: only if that is still what the person saw. What runs for a server
    /// that is to be paused ends, also where its file cannot be read or written; it is paused then until the host ends.
    pub(crate) async fn set_state(self: &Arc<Self>, params: SetStateParams) -> Result<ServerSummary, Refusal> {
        let SetStateParams { id, state, revision } = params;
        let id = registration_id(&id)?;
        let service = Arc::clone(self);
        let kind = match state {
            ServerState::Active => Change::Decision,
            ServerState::Paused => Change::Pause,
        };
        self.change(id, kind, move |registration| {
            if let Some(revision) = &revision {
                service.check_revision(registration, revision)?;
            }
            registration.state = state;
            Ok(())
        })
        .await
    }

    /// Changes a registration as it is in its file now. What follows from a change of the connection or the state is
    /// done here, whoever makes it.
    pub(super) async fn change(
        self: &Arc<Self>,
        id: RegistrationId,
        kind: Change,
        edit: impl FnOnce(&mut Registration) -> Result<(), Refusal> + Send,
    ) -> Result<ServerSummary, Refusal> {
        let _writing = self.files.write().await;
        let before = match self.with_store(move |store| store.registration(id)).await {
            Ok(before) => before,
            Err(reason) if matches!(kind, Change::Pause) => return Err(self.stop_unsaved(id, reason).into()),
            Err(reason) => return Err(reason.into()),
        };
        let mut after = before.clone();
        edit(&mut after)?;
        let old = before.clone();
        let (now, written) = self
            .with_store(move |store| {
                let written = match kind {
                    Change::Save => store.save(&after, after.config != old.config),
                    Change::Decision | Change::Pause => store.write_decisions(&after),
                };
                // A failure after the new file was put in place has changed the server all the same.
                let now = match &written {
                    Ok(()) => after,
                    Err(_) => store.registration(id).unwrap_or(old),
                };
                Ok((now, written))
            })
            .await?;
        {
            let mut memory = self.memory();
            let server = memory.entry(id).or_default();
            let reconnected = now.config != before.config;
            if reconnected {
                forget(server);
            }
            if reconnected || (now.state == ServerState::Paused && before.state != ServerState::Paused) {
                self.supersede(server, id);
            }
        }
        let is_unsaved = now.state != ServerState::Paused || self.store.is_held(id);
        let changed = match written {
            Ok(()) => Ok(self.summary(now, false)),
            Err(reason) if matches!(kind, Change::Pause) && is_unsaved => Err(self.stop_unsaved(id, reason).into()),
            Err(reason) => Err(reason.into()),
        };
        self.events.changed(ChangedArea::Servers, Some(id));
        changed
    }

    /// Whether this host can connect with a transport.
    pub(super) fn supports(&self, transport: TransportKind) -> Result<(), Diagnostic> {
        if self.options.transports.contains(&transport) {
            return Ok(());
        }
        Err(Diagnostic::new(
            Code::TransportUnsupported,
            match transport {
                TransportKind::Http => "This host cannot connect over HTTP.",
                TransportKind::Stdio => {
                    "This host cannot start servers as child processes; add the server by its http address, if it has one."
                }
            },
        ))
    }

    pub(super) fn summary(&self, registration: Registration, reveal: bool) -> ServerSummary {
        let memory = self.memory();
        let server = memory.get(&registration.id);
        let counted = server.and_then(|server| server.counted.as_ref());
        ServerSummary {
            id: registration.id,
            display_name: registration.display_name,
            transport: registration.config.transport(),
            target: registration.config.target(),
            state: registration.state,
            pause_unsaved: self.store.is_held(registration.id),
            protocol_version: registration.config.protocol_version(),
            tool_permissions: registration.tool_permissions,
            tool_description_overrides: registration.tool_description_overrides,
            tool_count: counted
                .filter(|(config, _)| *config == registration.config)
                .and_then(|(_, count)| *count),
            last_failure: server.and_then(|server| server.last_failure.clone()),
            config: reveal.then_some(registration.config),
        }
    }

    /// Counts the tools of a saved catalog, once for each connection. Blocks; the caller holds the files for reading.
    fn count_tools(&self, store: &Store, registration: &Registration) {
        let counted = |server: &ServerMemory| {
            let counted = server.counted.as_ref();
            counted.is_some_and(|(config, _)| *config == registration.config)
        };
        if self.memory().get(&registration.id).is_some_and(counted) {
            return;
        }
        let count = store
            .tool_count(registration)
            .and_then(|count| u32::try_from(count).ok());
        self.memory().entry(registration.id).or_default().counted = Some((registration.config.clone(), count));
    }

    pub(super) fn display_name(&self, text: &str) -> Result<String, Diagnostic> {
        identity::normalize_display_name(text, &self.options.limits).map_err(|diagnostic| diagnostic.at("displayName"))
    }

    fn check_revision(&self, registration: &Registration, revision: &str) -> Result<(), Diagnostic> {
        if self.store.revision(registration) == revision {
            return Ok(());
        }
        Err(Diagnostic::new(
            Code::ConfigConflict,
            "The server was saved by somebody else since you read it; nothing was changed. Read it again and repeat \
             your change.",
        )
        .at("revision")
        .about_server(registration.id))
    }
}

/// A server as it is at first: paused, nothing decided about its tools.
pub(super) fn new_registration(display_name: String, config: ServerConfig) -> Result<Registration, Diagnostic> {
    let id = RegistrationId::from_uuid(uuid::Uuid::new_v4()).ok_or_else(|| {
        Diagnostic::new(
            Code::BridgeInternalError,
            "The random id that was made is no version 4 UUID.",
        )
    })?;
    Ok(Registration {
        id,
        display_name,
        config,
        state: ServerState::Paused,
        tool_permissions: BTreeMap::new(),
        tool_description_overrides: BTreeMap::new(),
    })
}

/// Whether one more server may be made.
pub(super) fn has_room(scan: &Scan, limit: usize) -> Result<(), Diagnostic> {
    let servers = scan.servers();
    if servers < limit {
        return Ok(());
    }
    Err(Diagnostic::new(
        Code::ServerLimit,
        format!("There are {servers} servers and there may be {limit}. Remove one first."),
    ))
}

/// Forgets what was found on a connection that is no longer the server's. How it failed is no longer of interest.
pub(super) fn forget(server: &mut ServerMemory) {
    server.snapshot = None;
    server.counted = None;
    server.last_failure = None;
}

/// Puts the place of each reason inside the parameter `config`.
fn within_config(mut refusal: Refusal) -> Refusal {
    for reason in std::iter::once(&mut *refusal.first).chain(&mut refusal.others) {
        reason.path = Some(match reason.path.take() {
            Some(path) => format!("config.{path}"),
            None => "config".to_owned(),
        });
    }
    refusal
}
