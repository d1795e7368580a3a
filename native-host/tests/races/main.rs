//! Random interleavings of everything that can be asked of a host, with failures of disk and network, against a simple
//! reference. A run is on one thread and one paused clock: its seed says what happens, and when. The long form is
//! `cargo xtask soak races`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test stops where its ground is missing"
)]

mod chance;
mod check;
mod choosing;
mod files;
mod history;
mod net;
#[path = "../support/random.rs"]
mod random;
mod reference;
mod request;
mod run;
#[path = "../support/mod.rs"]
mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use serde_json::{Value, json};
use toolgate_host::store::MemoryFiles;

use check::lasting;
use run::Run;
use support::Bench;

/// How many runs there are with the other tests, each of some milliseconds.
const SHORT: u64 = 150;

/// One run with everything that must hold of it. Answers what happened.
fn run(seed: u64) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let mut trace = Vec::new();
    let held = catch_unwind(AssertUnwindSafe(|| runtime.block_on(whole_run(seed, &mut trace))));
    if let Err(panic) = held {
        println!("{}", trace.join("\n"));
        println!("the seed is {seed}: cargo xtask soak races --seeds 1 --seed {seed}");
        std::panic::resume_unwind(panic);
    }
    trace
}

async fn whole_run(seed: u64, trace: &mut Vec<String>) {
    let (mut run, host) = Run::open(seed);
    let went = AssertUnwindSafe(run.go());
    let went = futures_util::FutureExt::catch_unwind(went).await;
    trace.append(&mut run.trace);
    if let Err(panic) = went {
        std::panic::resume_unwind(panic);
    }
    run.check();
    // Connections that nobody uses are released.
    tokio::time::sleep(Duration::from_secs(70)).await;
    let open = run.wire.lock().unwrap().open.clone();
    assert!(open.is_empty(), "left open: {open:?}");
    host.shutdown().await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    let left = tokio::runtime::Handle::current().metrics().num_alive_tasks();
    assert_eq!(left, 0, "no task is left");
    let shown = lasting(run.shown());
    // The power goes. What was answered as failed may have been in place and not flushed: then it is there or not.
    let [flushed, unflushed] = [run.files.after_losing_unflushed(), run.files.after_keeping_unflushed()];
    run.end(&next_start(flushed).await);
    let found = next_start(unflushed).await;
    run.end(&found);
    assert_eq!(lasting(&found), shown, "memory and disk agree");
}

/// What the next start on these files shows; it leaves nothing over.
async fn next_start(files: MemoryFiles) -> Value {
    let next = Bench::on(files);
    let list = next.ok("servers.list", json!({"reveal": true})).await;
    let partners = next.ok("partners.list", json!({})).await;
    for path in next.files.paths() {
        let name = path.to_string_lossy().into_owned();
        let is_left = name.contains("/.toolgate-") || name.ends_with("pending.json");
        assert!(!is_left, "{name} is left over");
    }
    next.host.shutdown().await;
    json!({"servers": list["servers"], "partners": partners["partners"], "storageIssues": list["storageIssues"]})
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

#[test]
fn whatever_the_order_what_must_hold_holds() {
    let seeds = number("TOOLGATE_RACES").unwrap_or(SHORT);
    let first = number("TOOLGATE_SEED").unwrap_or(1);
    for seed in first..first.saturating_add(seeds) {
        run(seed);
        if seeds > SHORT && (seed - first) % 1000 == 999 {
            println!("{} of {seeds} runs", seed - first + 1);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    for seed in 1..20 {
        let (one, other) = (run(seed), run(seed));
        let differs = one.iter().zip(&other).find(|(one, other)| one != other);
        assert!(
            one.len() == other.len() && differs.is_none(),
            "seed {seed}: {differs:?}"
        );
        assert!(one.len() > 100, "{one:?}");
    }
}
