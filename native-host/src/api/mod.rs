//! The host's methods as functions of Rust, for applications that have it inside: the same use cases and types as the
//! bridge's, without JSON. [`Host::servers`](crate::Host::servers), [`Host::agents`](crate::Host::agents)
//! and [`Host::partners`](crate::Host::partners) give them.
//!
//! A request begins when its future is first polled, and runs in a task of its own from then on: dropping the future
//! neither cancels nor repeats it. A host that shuts down refuses with `mcp.host_stopping`.

mod agents;
mod partners;
mod servers;

use std::sync::Arc;

use tokio::runtime::Handle;
use toolgate_core::Refusal;

pub use self::agents::Agents;
pub use self::partners::Partners;
pub use self::servers::Servers;
use crate::service::{Service, stopping};

/// A way to the service.
#[derive(Clone)]
pub(crate) struct Requests {
    service: Arc<Service>,
    runtime: Handle,
}

impl Requests {
    pub(crate) const fn new(service: Arc<Service>, runtime: Handle) -> Self {
        Self { service, runtime }
    }

    /// Carries out a request in a task of its own.
    async fn carry_out<T: Send + 'static, W>(
        &self,
        request: impl FnOnce(Arc<Service>) -> W + Send + 'static,
    ) -> Result<T, Refusal>
    where
        W: Future<Output = Result<T, Refusal>> + Send + 'static,
    {
        let work = self.service.start_work()?;
        let service = Arc::clone(&self.service);
        let task = self.runtime.spawn(async move {
            let result = request(service).await;
            drop(work);
            result
        });
        match task.await {
            Ok(result) => result,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // Only a runtime that is being shut down ends the task early.
                Err(_) => Err(stopping().into()),
            },
        }
    }
}
