//! Tools for agents (manager contract §7): what an invocation freezes, what its model reads, long results, and how it
//! ends.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

#[path = "../support/mod.rs"]
mod support;

mod calling;
mod ending;
mod long_results;
mod on_disk;
mod preparing;

use support::URL;
