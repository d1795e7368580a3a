//! How a connection to a server that is a child process starts.

use std::sync::Arc;

use rmcp::service::{ClientInitializeError, ClientLifecycleMode, serve_client_with_lifecycle_and_ct};
use tokio_util::sync::CancellationToken;
use toolgate_core::server::StdioConfig;

use super::super::lifecycle::{Failed, Setting, Started, close};
use super::super::tap::Tap;
use super::super::{Failure, FailureClass, NetLimits, Progress};
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
    /// Starts a server and a connection with it in the way the setting asks for. Under `auto`, a server that ends when it
    /// is asked something newer than itself is started once more and asked by `initialize`.
    pub(in super::super) async fn run(&self) -> Result<Started, Failure> {
        let setting = Setting(self.config.protocol_version);
        let mut started = self.attempt(setting, setting.mode()).await;
        if let Err(failed) = &started
            && failed.worth_initialize
            && setting.is_auto()
        {
            started = self.attempt(setting, ClientLifecycleMode::Initialize).await;
        }
        let started = started.map_err(|failed| failed.failure)?;
        match setting.check_version(&started.service) {
            Ok(()) => Ok(started),
            Err(failure) => {
                close(started, &self.limits).await;
                Err(failure)
            }
        }
    }

    async fn attempt(&self, setting: Setting, mode: ClientLifecycleMode) -> Result<Started, Failed> {
        let process = self.launcher.start(self.config).await.map_err(|failure| Failed {
            failure,
            worth_initialize: false,
        })?;
        let tail = process.tail.clone();
        self.progress.process_runs(&tail);
        let tap = Arc::new(Tap::default());
        let cancelled = CancellationToken::new();
        let cancel_on_drop = cancelled.clone().drop_guard();
        let falls_back = matches!(mode, ClientLifecycleMode::Auto { .. });
        let transport = StdioTransport::new(process, Arc::clone(&tap), &self.limits, falls_back);
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
                let mut failed = setting.what_failed(&error, &tap);
                // What is known to be something else than an older server is asked nothing further.
                if let ClientInitializeError::ConnectionClosed(_) = error {
                    failed.worth_initialize = matches!(
                        failed.failure.class,
                        FailureClass::Exited | FailureClass::ConnectionReset | FailureClass::MalformedResponse
                    );
                }
                Err(failed)
            }
        }
    }
}
