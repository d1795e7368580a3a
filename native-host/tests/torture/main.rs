//! Every server of the test kit against a whole host, over real sockets and real processes: what Toolgate answers, what
//! the server got, and that it took no longer than it may. The table is `tests/torture/cases/`; `docs/torture.md` is made
//! of it.
//!
//! With `TORTURE_WRITE=1` the table is written anew from what happens, to be read before it is committed;
//! `TORTURE_ONLY=NAME` plays the servers alone whose name has the text.
#![allow(
    unreachable_pub,
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]
#![cfg(unix)]

#[path = "../stdio/kit.rs"]
mod kit;
#[path = "../support/mod.rs"]
mod support;

mod answers;
mod cases;
mod heard;
mod stage;

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use toolgate_testkit::listing;

use cases::Case;

/// Cases at once in which there is always something to do: few, so that each is soon done, however busy the machine.
const BUSY: usize = 10;
/// Cases at once that mostly wait.
const WAITING: usize = 48;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_odd_server_is_answered_as_the_table_says() {
    let writes = std::env::var_os("TORTURE_WRITE").is_some();
    let only = std::env::var("TORTURE_ONLY").unwrap_or_default();
    let mut table = cases::read();
    if writes {
        cases::add_missing(&mut table, &listing());
    }
    kit::program();
    let (busy, waiting) = (Arc::new(Semaphore::new(BUSY)), Arc::new(Semaphore::new(WAITING)));
    let mut playing = JoinSet::new();
    for case in table.values().flatten().filter(|case| case.server.contains(&only)) {
        let case = case.clone();
        let room = Arc::clone(if case.waits() { &waiting } else { &busy });
        playing.spawn(async move {
            let _room = room.acquire_owned().await.unwrap();
            let played = stage::play(&case).await;
            (case, played)
        });
    }
    let mut wrong = BTreeMap::new();
    while let Some(done) = playing.join_next().await {
        let (case, played) = done.unwrap();
        let problems = played.problems(&case);
        if writes {
            cases::set(&mut table, &case, &played);
        }
        if !problems.is_empty() {
            wrong.insert(case.server.clone(), problems);
        }
    }
    if writes {
        cases::write(&table);
    }
    let told: Vec<_> = wrong
        .iter()
        .map(|(server, problems)| format!("{server}:\n  {}", problems.join("\n  ")))
        .collect();
    assert!(told.is_empty(), "{} servers\n{}", told.len(), told.join("\n"));
}

#[test]
fn every_server_of_the_kit_is_in_the_table_under_its_kind() {
    let table = cases::read();
    let named = |case: &Case, kind: &str| (case.server.clone(), kind.to_owned());
    let mut in_table: Vec<_> = table
        .iter()
        .flat_map(|(kind, cases)| cases.iter().map(move |case| named(case, kind)))
        .collect();
    let mut in_kit: Vec<_> = listing()
        .iter()
        .map(|listed| (listed.name.to_owned(), listed.kind.to_owned()))
        .collect();
    in_table.sort();
    in_kit.sort();
    assert_eq!(in_table, in_kit);
}
