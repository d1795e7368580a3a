//! A host on files in memory whose servers say whatever an input says, for the properties about messages and files.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use toolgate_core::server::ServerConfig;
use toolgate_host::mcp::{
    BoxFuture, CallAnswer, Connection, Connector, Failure, FailureClass, PendingCall, ServerIdentity, Step, ToolCall,
};
use toolgate_host::store::MemoryFiles;
use toolgate_host::{Host, HostOptions};

/// The data directory.
pub(crate) const ROOT: &str = "/data";

/// Runs something with a host, in a runtime of its own whose clock goes on by itself when there is nothing else to do.
pub(crate) fn with_host<F: Future>(files: &MemoryFiles, said: &Said, run: impl FnOnce(Host) -> F) -> Option<F::Output> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let mut options = HostOptions::new(Path::new(ROOT));
        options.files = Arc::new(files.clone());
        options.budgets.discovery = Duration::from_secs(5);
        let host = Host::open(options, Arc::new(said.clone())).ok()?;
        Some(run(host).await)
    })
}

/// What every server says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    /// Each page of `tools/list`; none where it cannot be reached.
    pub(crate) page: String,
    /// The answer to a call.
    pub(crate) answer: String,
}

impl Connector for Said {
    fn connect<'a>(&'a self, config: &'a ServerConfig) -> BoxFuture<'a, Result<Box<dyn Connection>, Failure>> {
        let _ = config;
        Box::pin(async {
            if self.page.is_empty() {
                return Err(Failure {
                    class: FailureClass::ConnectionRefused,
                    step: Step::Connect,
                    detail: None,
                });
            }
            let connection: Box<dyn Connection> = Box::new(Serving {
                said: self.clone(),
                server: ServerIdentity {
                    protocol_version: "2025-06-18".to_owned(),
                    name: None,
                    version: None,
                },
            });
            Ok(connection)
        })
    }
}

struct Serving {
    said: Said,
    server: ServerIdentity,
}

impl Connection for Serving {
    fn server(&self) -> &ServerIdentity {
        &self.server
    }

    fn list_tools<'a>(&'a self, _: Option<&'a str>) -> BoxFuture<'a, Result<String, Failure>> {
        Box::pin(async { Ok(self.said.page.clone()) })
    }

    fn offers_tools(&self) -> bool {
        true
    }

    fn call_tool(&self, _: ToolCall) -> BoxFuture<'_, Result<Box<dyn PendingCall>, Failure>> {
        let call: Box<dyn PendingCall> = Box::new(Called(self.said.answer.clone()));
        Box::pin(async { Ok(call) })
    }

    fn is_open(&self) -> bool {
        true
    }

    fn close(self: Box<Self>) -> BoxFuture<'static, ()> {
        Box::pin(async {})
    }
}

struct Called(String);

impl PendingCall for Called {
    fn answer(&mut self) -> BoxFuture<'_, Result<CallAnswer, Failure>> {
        let answer = self.0.clone();
        Box::pin(async move { Ok(CallAnswer::Result(answer)) })
    }

    fn cancel(self: Box<Self>) -> BoxFuture<'static, ()> {
        Box::pin(async {})
    }
}
