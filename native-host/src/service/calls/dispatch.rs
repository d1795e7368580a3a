//! A person's call, on a connection of its own, which ends with it (manager contract §6).

use std::sync::Arc;

use super::preparing::{HandedOver, Preparing};
use crate::service::Service;
use toolgate_core::outcome::CallOutcome;

impl Service {
    /// Makes a call, once, and says what became of it. Neither the server's being paused or removed meanwhile, unless it is
    /// a child process, nor the loss of the connection on which the call was asked for ends it.
    pub(super) async fn dispatch(self: &Arc<Self>, mut preparing: Preparing) -> CallOutcome {
        let HandedOver {
            mut pending,
            connection,
            process,
        } = match preparing.hand_over().await {
            Ok(handed_over) => handed_over,
            Err(reason) => return CallOutcome::not_sent(reason),
        };
        let withdrawn = async {
            match process {
                Some(generation) => generation.ended().await,
                None => std::future::pending().await,
            }
        };
        let ended = preparing.attempt.answer(&mut pending, withdrawn).await;
        // What is left to do with the server is nobody's business who waits for the outcome.
        if ended.leaves_it_running() {
            connection.close_after(pending.cancel());
        } else {
            connection.close_after(std::future::ready(()));
        }
        self.outcome(ended).await.0
    }
}
