//! All that is left to chance, from one seed: what is done when, how long everything takes, what fails. Time is counted in
//! events; all of a run is on one thread.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use toolgate_host::threads::{Threads, Work};

use crate::random::Random;

/// A moment of a run: how many events there were before.
pub(crate) type Moment = usize;

#[derive(Clone)]
pub(crate) struct Chance {
    random: Arc<Mutex<Random>>,
    moment: Arc<AtomicUsize>,
    /// How many of a hundred steps of the disk fail.
    pub(crate) disk_fails: Arc<AtomicUsize>,
    /// Whether the network does what it is asked.
    pub(crate) network_is_good: Arc<AtomicBool>,
}

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            random: Arc::new(Mutex::new(Random::new(seed))),
            moment: Arc::default(),
            disk_fails: Arc::default(),
            network_is_good: Arc::default(),
        }
    }

    pub(crate) fn below(&self, end: usize) -> usize {
        self.random.lock().unwrap().below(end)
    }

    pub(crate) fn percent(&self, percent: usize) -> bool {
        self.random.lock().unwrap().percent(percent)
    }

    pub(crate) fn pick<T: Clone>(&self, from: &[T]) -> Option<T> {
        self.random.lock().unwrap().pick(from).cloned()
    }

    /// The moment of an event, which is no other event's.
    pub(crate) fn event(&self) -> Moment {
        self.moment.fetch_add(1, Ordering::SeqCst) + 1
    }

    pub(crate) fn now(&self) -> Moment {
        self.moment.load(Ordering::SeqCst)
    }

    /// Lets others go first, some number of times below this one.
    pub(crate) async fn pass(&self, most: usize) {
        for _ in 0..self.below(most) {
            tokio::task::yield_now().await;
        }
    }
}

/// Blocking work on the one thread, each piece some time after it is asked for.
pub(crate) struct OneThread(pub(crate) Chance);

impl Threads for OneThread {
    fn on_files(&self, runtime: &Handle, work: Work) -> JoinHandle<()> {
        let chance = self.0.clone();
        runtime.spawn(async move {
            chance.pass(5).await;
            work();
        })
    }

    fn apart(&self, runtime: &Handle, work: Work) -> io::Result<()> {
        let chance = self.0.clone();
        runtime.spawn(async move {
            chance.pass(20).await;
            work();
        });
        Ok(())
    }
}
