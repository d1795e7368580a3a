//! How a connection to a server that is a child process starts.

use std::sync::Arc;

use rmcp::service::{ClientInitializeError, ClientLifecycleMode, serve_client_with_lifecycle_and_ct};
use tokio_util::sync::CancellationToken;
use toolgate_core::server::StdioConfig;

use super::super::lifecycle::{Failed, Setting, Started, close};
use super::super::tap::Tap;
use super::super::{Failure, FailureClass, NetLimits, Progress, Step};
use super::process::Launcher;
use super::transport::StdioTransport;

/// What a start needs.
pub(in super::super) struct StdioStart<'a> {
    pub(in super::super) config: &'a StdioConfig,
    pub(in super::super) launcher: &'a Launcher,
    pub(in super::super) limits: NetLimits,
    /// Told when the server runs.
    pub(in super::super) progress: Progress,
}

impl StdioStart<'_> {
    /// Starts a server and a connection with it in the way the setting asks for. Under `auto` it is started once more in
    /// two cases: it ended when it was asked something newer than itself, then it is asked by `initialize`; or it was slow
    /// to begin, answered the probe when `initialize` had been asked already, and refused that, then it is given the time
    /// it needs.
    pub(in super::super) async fn run(&self) -> Result<Started, Failure> {
        let setting = Setting(self.config.protocol_version);
        let mut started = self.attempt(setting, setting.mode()).await;
        if let Err((_, Some(mode))) = &mut started
            && setting.is_auto()
        {
            let mode = mode.clone();
            started = self.attempt(setting, mode).await;
        }
        let started = started.map_err(|(failure, _)| failure)?;
        match setting.check_version(&started.service) {
            Ok(()) => Ok(started),
            Err(failure) => {
                close(started, &self.limits).await;
                Err(failure)
            }
        }
    }

    /// Starts a process and a connection with it. With the failure comes what is worth another process.
    async fn attempt(
        &self,
        setting: Setting,
        mode: ClientLifecycleMode,
    ) -> Result<Started, (Failure, Option<ClientLifecycleMode>)> {
        let started = self.launcher.start(self.config).await;
        let process = started.map_err(|failure| (failure, None))?;
        let tail = process.tail.clone();
        self.progress.process_runs(&tail);
        let tap = Arc::new(Tap::default());
        let cancelled = CancellationToken::new();
        let cancel_on_drop = cancelled.clone().drop_guard();
        let falls_back = matches!(mode, ClientLifecycleMode::Auto { .. });
        let transport = StdioTransport::new(process, Arc::clone(&tap), &self.limits, falls_back);
        let pending = transport.pending();
        match serve_client_with_lifecycle_and_ct(setting.client(), transport, mode, cancelled.child_token()).await {
            Ok(service) => {
                tail.drop_for_good();
                Ok(Started {
                    service,
                    tap,
                    cancel_on_drop,
                })
            }
            Err(error) => {
                // A server that ended in the middle may be seen to do so by the SDK first.
                if tap.start_note().is_none() && tap.is_closed() {
                    tap.start_failed(tap.why_ended(Step::Start).await, None);
                }
                let Failed {
                    failure,
                    worth_initialize,
                } = setting.what_failed(&error, &tap);
                let worth_initialize = match error {
                    // What is known to be something else than an older server is asked nothing further.
                    ClientInitializeError::ConnectionClosed(_) => matches!(
                        failure.class,
                        FailureClass::Exited | FailureClass::ConnectionReset | FailureClass::MalformedResponse
                    ),
                    _ => worth_initialize,
                };
                let next = if pending.knows_the_probe() {
                    Some(setting.discover())
                } else {
                    worth_initialize.then_some(ClientLifecycleMode::Initialize)
                };
                Err((failure, next))
            }
        }
    }
}
