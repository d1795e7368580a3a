//! What the host does with servers: the use cases behind the bridge's methods. Every change is made under one write
//! lock, on what the files say at that moment.

mod agents;
mod calls;
mod catalogs;
mod discovery;
mod flights;
mod import;
mod legacy;
mod memory;
mod partners;
mod recommended;
mod registrations;
mod removal;
mod shared;
mod tools;
mod warming;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;
use tokio::sync::{RwLock, oneshot, watch};
use toolgate_core::identity::RegistrationId;
use toolgate_core::{Code, Diagnostic, Refusal};

use self::agents::Invocations;
use self::calls::ids::CallIds;
use self::memory::ServerMemory;
use self::partners::Sessions;
use self::shared::SharedLines;
use crate::bridge::messages::{ChangedArea, CredentialsInfo, HostInfo, StorageIssue};
use crate::bridge::{Events, NoParams};
use crate::host::{HostOptions, OpenError};
use crate::mcp::Connector;
use crate::store::{Credentials, Store};

/// The use cases over one data directory.
pub(crate) struct Service {
    options: HostOptions,
    connector: Arc<dyn Connector>,
    store: Arc<Store>,
    events: Events,
    runtime: Handle,
    /// Held for writing while files change, for reading while several files are to be seen at one moment. Never held
    /// while a server is waited for.
    files: RwLock<()>,
    memory: Mutex<HashMap<RegistrationId, ServerMemory>>,
    /// The storage issues of the last list, so that pages are told when others appear.
    listed_issues: Mutex<Option<Vec<StorageIssue>>>,
    call_ids: CallIds,
    partner_call_ids: CallIds,
    /// Open sessions of partners.
    sessions: Sessions,
    shared: SharedLines,
    agent_call_ids: CallIds,
    legacy_call_ids: CallIds,
    invocations: Invocations,
    stopping: watch::Sender<bool>,
    /// Everything that is to end before the host has shut down holds a receiver.
    work: watch::Sender<()>,
}

/// Something that a shutdown waits for, as long as this is held.
pub(crate) type WorkGuard = watch::Receiver<()>;

impl Service {
    pub(crate) fn open(
        options: HostOptions,
        connector: Arc<dyn Connector>,
        runtime: Handle,
    ) -> Result<Self, OpenError> {
        let credentials = Credentials {
            provider: options.credentials,
            keyring: options.keyring.clone(),
        };
        let store = Store::open(
            Arc::clone(&options.files),
            &options.data_dir,
            options.limits.clone(),
            credentials,
        )?;
        let agent_call_ids = CallIds::new(options.budgets.call_ids);
        let legacy_call_ids = CallIds::new(options.budgets.call_ids);
        let invocations = Invocations::new(options.budgets.agent_idle, options.limits.agent_invocations);
        Ok(Self {
            call_ids: CallIds::new(options.budgets.call_ids),
            partner_call_ids: CallIds::new(options.budgets.call_ids),
            sessions: Sessions::new(options.budgets.partner_session_idle, options.limits.partner_sessions),
            options,
            connector,
            store: Arc::new(store),
            events: Events::new(),
            runtime,
            files: RwLock::new(()),
            memory: Mutex::default(),
            listed_issues: Mutex::default(),
            shared: SharedLines::default(),
            agent_call_ids,
            legacy_call_ids,
            invocations,
            stopping: watch::Sender::new(false),
            work: watch::Sender::new(()),
        })
    }

    pub(crate) fn events(&self) -> &Events {
        &self.events
    }

    /// Registers a piece of work, or refuses it because the host is shutting down.
    pub(crate) fn start_work(&self) -> Result<WorkGuard, Diagnostic> {
        let guard = self.work.subscribe();
        if *self.stopping.borrow() {
            return Err(stopping());
        }
        Ok(guard)
    }

    /// Lets nothing new begin, abandons network work, ends the event streams, and waits for the rest, and for processes
    /// that were started for servers to be gone.
    pub(crate) async fn stop(&self) {
        self.stopping.send_replace(true);
        self.work.closed().await;
        self.connector.nothing_left().await;
        self.events.close();
    }

    pub(crate) async fn info(&self, _params: NoParams) -> Result<HostInfo, Refusal> {
        let other_form = {
            let _reading = self.files.read().await;
            self.with_store(|store| Ok(store.scan().ok().map(|scan| scan.otherwise_kept)))
                .await?
        };
        Ok(HostInfo {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            data_dir: self.options.data_dir.display().to_string(),
            transports: self.options.transports.clone(),
            proxies: self.options.proxies.clone(),
            credentials: CredentialsInfo {
                provider: self.options.credentials,
                other_form: other_form.map(|count| u32::try_from(count).unwrap_or(u32::MAX)),
            },
        })
    }

    /// Runs something on the files, which blocks, where it holds nobody up.
    async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, Diagnostic> + Send + 'static,
    ) -> Result<T, Diagnostic> {
        let store = Arc::clone(&self.store);
        let (done, result) = oneshot::channel();
        let work = Box::new(move || {
            // Nobody waiting any more is no failure.
            let _ = done.send(work(&store));
        });
        match self.options.threads.on_files(&self.runtime, work).await {
            // Work that has come to its end has a result.
            Ok(()) => result.await.unwrap_or_else(|_| Err(stopping())),
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // Only a runtime that is being shut down ends the work early.
                Err(_) => Err(stopping()),
            },
        }
    }

    /// Tells every page where the storage issues are not those of the last list.
    fn compare_issues(&self, issues: &[StorageIssue]) {
        let mut listed = self.listed_issues.lock().unwrap_or_else(PoisonError::into_inner);
        let before = listed.replace(issues.to_vec());
        if before.is_some_and(|before| before != issues) {
            self.events.changed(ChangedArea::Storage, None);
        }
    }

    /// Tells every page to read an area again after a change failed that may have been made all the same: the new file was
    /// in place, and only that this lasts could not be made sure.
    fn perhaps_changed(&self, failed: &Diagnostic, area: ChangedArea) {
        if failed.code == Code::StorageWriteFailed {
            self.events.changed(area, None);
        }
    }

    fn memory(&self) -> MutexGuard<'_, HashMap<RegistrationId, ServerMemory>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a host that is shutting down says.
pub(crate) fn stopping() -> Diagnostic {
    Diagnostic::new(
        Code::HostStopping,
        "Toolgate is shutting down. Start it again, then repeat the request.",
    )
}

/// Reads a registration id from a parameter.
fn registration_id(text: &str) -> Result<RegistrationId, Diagnostic> {
    RegistrationId::parse(text).map_err(|diagnostic| diagnostic.at("id"))
}
