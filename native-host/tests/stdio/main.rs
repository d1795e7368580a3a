//! Servers that are child processes: real ones, of the test kit, of Node and of Python.
#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]
#![cfg(unix)]

#[path = "../support/mod.rs"]
mod support;

mod answers;
mod ending;
mod failures;
mod kit;
mod secrets;
mod service;
mod starting;
