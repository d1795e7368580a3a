//! Tools for Legacy chat generations (manager contract §8): what a root may freeze, and its calls, up to what core's
//! `LegacyRoot` makes of their outcomes.
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
mod listing;

use support::URL;
