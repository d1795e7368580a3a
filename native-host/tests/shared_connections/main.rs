//! The connections that models share (partner contract, manager contract §7 and §8): when they are opened, reused,
//! replaced, retired and closed, and what becomes of calls meanwhile. The calls are an agent's, except where it is said.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

#[path = "../support/mod.rs"]
mod support;

mod closing;
mod idle;
mod mirroring;
mod opening;
mod over_http;
mod retiring;

use support::URL;

/// A result that is no error.
fn good() -> (&'static str, String) {
    ("result", String::new())
}

fn failed(code: &str) -> (&'static str, String) {
    ("result", code.to_owned())
}

fn ended(code: &str) -> (&'static str, String) {
    ("ended", code.to_owned())
}

/// With a clock that stands still: waits until nobody has anything to do but wait.
async fn settled() {
    // Only then does the clock move on by itself.
    tokio::time::sleep(std::time::Duration::from_millis(1)).await;
}
