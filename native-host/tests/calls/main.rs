//! Test calls (manager contract §6) against servers that the test plays: what is refused before anything is sent, every
//! race between a call and its cancellation, its time limits, and changes of its server.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

#[path = "../support/mod.rs"]
mod support;

mod cancelling;
mod ids;
mod in_time;
mod mirroring;
mod outcomes;
mod refusals;
mod server_changes;
mod shutting_down;

use serde_json::{Value, json};
use support::{Bench, URL};
use tokio::task::JoinHandle;

/// A call that runs.
type Running = JoinHandle<Result<Value, Value>>;

fn params(id: &str, call_id: &str) -> Value {
    json!({"callId": call_id, "id": id, "nativeName": "search", "argumentsJson": "{}"})
}

async fn announce(bench: &Bench, call_id: &str) {
    bench.ok("tools.startTestCall", json!({"callId": call_id})).await;
}

async fn cancel(bench: &Bench, call_id: &str) {
    bench.ok("tools.cancelTestCall", json!({"callId": call_id})).await;
}

/// Announces a call and asks for it.
async fn begin(bench: &Bench, id: &str, call_id: &str) -> Running {
    announce(bench, call_id).await;
    bench.start("tools.testCall", params(id, call_id))
}

async fn outcome(running: Running) -> Value {
    running.await.unwrap().unwrap()
}

/// The kind of an outcome and its code, where it has one.
fn kind(outcome: &Value) -> (&str, &str) {
    if outcome["outcome"] != "known_response" {
        assert!(!outcome["message"].as_str().unwrap().is_empty());
    }
    (
        outcome["outcome"].as_str().unwrap(),
        outcome["code"].as_str().unwrap_or_default(),
    )
}

const CANCELLED_BEFORE: (&str, &str) = ("not_sent", "mcp.call_cancelled_before_send");
const CANCELLED: (&str, &str) = ("outcome_unknown", "mcp.call_cancelled");
const KNOWN: (&str, &str) = ("known_response", "");
