//! The program itself: what it prints, how it ends, and how several of it share one data directory.

// Tests may fail loudly.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test reports by panicking"
)]

mod bridge;
mod rpc;
mod serve;
mod support;
mod terminal;
mod tls;
