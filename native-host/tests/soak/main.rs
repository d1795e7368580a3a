//! A host is killed, at random moments and at the steps of its writing, while it makes random changes; the next one on
//! the same folder must find every change that was acknowledged, of every other all or nothing, and nothing besides. The
//! short form runs with the other tests, the long one as `cargo xtask soak`.
//!
//! It has a `main` of its own, since this program is also the process that dies (see `dying_host`).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test stops where its ground is missing"
)]

mod change;
mod dying_host;
mod found;
mod life;
mod process;
#[path = "../support/random.rs"]
mod random;
mod reference;
mod steps;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Instant;

use toolgate_testkit::catalogs::many_tools;
use toolgate_testkit::{HttpServer, Page, Script};

use self::change::TOOLS;
use self::life::Life;

/// How many hosts one folder sees.
const ROUNDS_OF_A_LIFE: u64 = 10;
/// What runs with the other tests: enough that each kind of death comes, in a few seconds.
const SHORT: u64 = 20;

fn main() -> ExitCode {
    if dying_host::run_if_asked() {
        return ExitCode::SUCCESS;
    }
    let number = |name: &str| {
        let mut arguments = std::env::args().skip_while(|argument| argument != name).skip(1);
        arguments.next().map(|text| text.parse::<u64>().unwrap())
    };
    if std::env::args().any(|argument| argument == "--list") {
        return ExitCode::SUCCESS;
    }
    let rounds = number("--rounds").unwrap_or(SHORT);
    let seed = number("--seed").unwrap_or(1);
    let began = Instant::now();
    let failed = !soak(rounds, seed);
    println!(
        "\ntest result: {}. {} passed; {} failed; {rounds} hosts were killed; finished in {:.2}s",
        if failed { "FAILED" } else { "ok" },
        u8::from(!failed),
        u8::from(failed),
        began.elapsed().as_secs_f64()
    );
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Lives until so many hosts were killed; false, with all there is to say, where one found what must not be.
fn soak(rounds: u64, seed: u64) -> bool {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let servers: Vec<HttpServer> = runtime.block_on(async {
        let mut servers = Vec::new();
        for count in TOOLS.iter().flatten() {
            let page = Page::only(many_tools(usize::try_from(*count).unwrap()));
            servers.push(HttpServer::play(Script::default().pages(vec![page])).await.unwrap());
        }
        servers
    });
    let mut addresses: Vec<String> = servers.iter().map(HttpServer::url).collect();
    // Nothing listens at the first port.
    addresses.push("http://127.0.0.1:1/mcp".to_owned());
    if rounds > SHORT {
        println!("{} deaths at every step of every change", steps::every_step(&addresses));
    }
    let mut left = rounds;
    let mut life_seed = seed;
    while left > 0 {
        let of_this_life = left.min(ROUNDS_OF_A_LIFE);
        let mut life = Life::new(life_seed, &addresses);
        let lived = catch_unwind(AssertUnwindSafe(|| {
            for _ in 0..of_this_life {
                life.round();
            }
        }));
        if lived.is_err() {
            println!("{}", life.log());
            println!("the seed is {life_seed}: cargo xtask soak --rounds {ROUNDS_OF_A_LIFE} --seed {life_seed}");
            return false;
        }
        if std::env::args().any(|argument| argument == "--log") {
            println!("{}", life.log());
        }
        left -= of_this_life;
        life_seed += 1;
        if rounds > SHORT && life_seed.is_multiple_of(10) {
            println!("{} of {rounds} hosts killed", rounds - left);
        }
    }
    true
}
