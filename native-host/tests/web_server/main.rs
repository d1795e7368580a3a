//! The web server over real sockets, with a real host behind it whose connector connects to nothing.

// Tests may fail loudly.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test reports by panicking"
)]

mod access;
mod limits;
mod messages;
mod page;
mod sessions;
mod slow;
mod support;
