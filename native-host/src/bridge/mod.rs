//! The message bridge: JSON-RPC 2.0 messages in, answers and events out; one dispatcher for every way in (the web
//! server, the command line, a `WebView`'s own message passing).

mod envelope;
mod events;
mod intake;
pub mod messages;
mod methods;
#[cfg(feature = "typescript")]
pub mod signatures;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::{FutureExt, Stream};
use tokio::runtime::Handle;
use toolgate_core::{Code, Diagnostic};

use self::envelope::Failed;
pub(crate) use self::events::Events;
pub(crate) use self::intake::Intake;
pub use self::methods::METHODS;
pub(crate) use self::methods::NoParams;
use crate::service::{self, Service};

/// A way to the host by messages. Cheap to clone; every clone reaches the same host.
#[derive(Clone)]
pub struct Bridge {
    service: Arc<Service>,
    runtime: Handle,
    message_bytes: usize,
}

impl Bridge {
    pub(crate) fn new(service: Arc<Service>, runtime: Handle, message_bytes: usize) -> Self {
        Self {
            service,
            runtime,
            message_bytes,
        }
    }

    /// Carries out one JSON-RPC 2.0 request and answers with its response, errors included: their `data` is a
    /// [`Refusal`](toolgate_core::Refusal).
    ///
    /// The work starts with this call, in a task of its own. Dropping the future neither cancels nor repeats it.
    pub fn handle(&self, message: String) -> impl Future<Output = String> + Send + 'static + use<> {
        let service = Arc::clone(&self.service);
        let limit = self.message_bytes;
        let work = self.service.start_work();
        let task = self.runtime.spawn(async move {
            let answer = answer(&service, &message, limit, work.as_ref().err()).await;
            drop(work);
            answer
        });
        async move {
            match task.await {
                Ok(answer) => answer,
                // Only a runtime that is shut down ends the task early.
                Err(_) => envelope::error(None, &Failed::Refused(service::stopping().into())),
            }
        }
    }

    /// What changes from now on: JSON-RPC 2.0 notifications `host.changed` with a
    /// [`HostChanged`](messages::HostChanged). A reader that falls behind is told that everything changed. Ends when the
    /// host shuts down.
    pub fn events(&self) -> impl Stream<Item = String> + Send + 'static + use<> {
        self.service.events().stream()
    }
}

/// Answers a message; with the reason why nothing is taken any more, where there is one.
async fn answer(service: &Arc<Service>, message: &str, limit: usize, refused: Option<&Diagnostic>) -> String {
    if message.len() > limit {
        let bytes = message.len();
        return envelope::error(
            None,
            &Failed::InvalidRequest(Diagnostic::new(
                Code::BridgeMessageTooLarge,
                format!("The message has {bytes} bytes; at most {limit} are taken."),
            )),
        );
    }
    let request = match envelope::parse(message) {
        Ok(request) => request,
        Err(refused) => return envelope::error(refused.id, &refused.failed),
    };
    let id = request.id;
    if let Some(refused) = refused {
        return envelope::error(Some(id), &Failed::Refused(refused.clone().into()));
    }
    let work = AssertUnwindSafe(methods::dispatch(service, &request)).catch_unwind();
    match work.await {
        Ok(Ok(response)) => response,
        Ok(Err(failed)) => envelope::error(Some(id), &failed),
        Err(_) => {
            let method = &request.method;
            let sentence = format!("Toolgate failed while carrying out {method}; that is a mistake in Toolgate.");
            envelope::error(
                Some(id),
                &Failed::Refused(Diagnostic::new(Code::BridgeInternalError, sentence).into()),
            )
        }
    }
}
