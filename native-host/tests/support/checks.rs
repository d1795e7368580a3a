//! Checks of schemas that a test watches: one that counts, and one that is held up.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc;
use toolgate_core::schema::{SchemaCheck, SchemaFault, SchemaNotes};
use toolgate_host::store::MemoryFiles;

use super::{Bench, checked_file};

/// Takes every schema, and counts them.
struct CountingCheck(Arc<AtomicUsize>);

impl SchemaCheck for CountingCheck {
    fn compile(&self, _: &Value) -> Result<SchemaNotes, SchemaFault> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Ok(SchemaNotes::default())
    }
}

/// A host that counts the schemas it compiles.
pub fn counting(files: MemoryFiles) -> (Bench, Arc<AtomicUsize>) {
    let compiled = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&compiled);
    let bench = Bench::with(files, |options| options.schemas = Arc::new(CountingCheck(count)));
    (bench, compiled)
}

/// Takes every schema, the first ones once a test lets go.
struct HeldCheck {
    begun: mpsc::UnboundedSender<()>,
    held: Arc<Mutex<()>>,
    /// How many are held up yet.
    first: AtomicUsize,
}

impl SchemaCheck for HeldCheck {
    fn compile(&self, _: &Value) -> Result<SchemaNotes, SchemaFault> {
        let one_less = |left: usize| left.checked_sub(1);
        let is_held = self.first.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less);
        self.begun.send(()).ok();
        if is_held.is_ok() {
            drop(self.held.lock().unwrap_or_else(PoisonError::into_inner));
        }
        Ok(SchemaNotes::default())
    }
}

/// A host whose check of so many schemas waits for the lock, and says when each begins. What was checked before is checked
/// again.
pub fn with_held_check(
    files: MemoryFiles,
    held: &Arc<Mutex<()>>,
    first: usize,
    budget: Duration,
) -> (Bench, mpsc::UnboundedReceiver<()>) {
    let (begun, begins) = mpsc::unbounded_channel();
    let check = HeldCheck {
        begun,
        held: Arc::clone(held),
        first: AtomicUsize::new(first),
    };
    files.put(checked_file(), "");
    let bench = Bench::with(files, |options| {
        options.schemas = Arc::new(check);
        options.budgets.discovery = budget;
    });
    (bench, begins)
}
