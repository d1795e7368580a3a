//! A saved catalog that was checked once is not compiled again at each start; one that was changed is.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

mod support;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use support::{Bench, ROOT, URL, catalog_file, checked_file, names};
use toolgate_core::schema::{SchemaCheck, SchemaFault, SchemaNotes};
use toolgate_host::store::{FileStep, MemoryFiles};

/// Lines of the file, at most.
const MOST_LINES: usize = 100;

/// Takes every schema, and counts them.
struct CountingCheck(Arc<AtomicUsize>);

impl SchemaCheck for CountingCheck {
    fn compile(&self, _: &Value) -> Result<SchemaNotes, SchemaFault> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Ok(SchemaNotes::default())
    }
}

fn counting(files: MemoryFiles) -> (Bench, Arc<AtomicUsize>) {
    let compiled = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&compiled);
    let bench = Bench::with(files, |options| options.schemas = Arc::new(CountingCheck(count)));
    (bench, compiled)
}

/// How many schemas a new host on these files compiles until it shows the two tools that are saved.
async fn compiled_at_start(files: &MemoryFiles, id: &str) -> usize {
    let (mut bench, compiled) = counting(files.clone());
    let shown = bench.ok("servers.discover", json!({ "id": id })).await;
    assert_eq!(names(&shown), ["first", "second"]);
    assert!(bench.no_attempt());
    bench.host.shutdown().await;
    compiled.load(Ordering::SeqCst)
}

/// Files with a catalog of two tools that was found just now, and its server.
async fn found_just_now(files: MemoryFiles) -> (MemoryFiles, String) {
    let (mut bench, compiled) = counting(files);
    let id = bench.active_server(URL).await;
    let found = bench.discover(&id, &["first", "second"]).await;
    assert_eq!(found["diagnostics"], json!([]));
    assert_eq!(compiled.load(Ordering::SeqCst), 2);
    bench.host.shutdown().await;
    (bench.files, id)
}

#[tokio::test]
async fn what_was_found_and_saved_is_not_compiled_again() {
    let (files, id) = found_just_now(MemoryFiles::new()).await;
    assert_eq!(compiled_at_start(&files, &id).await, 0);
    let lines = String::from_utf8(files.get(checked_file()).unwrap()).unwrap();
    assert_eq!(lines.len(), 65, "{lines}");
}

#[tokio::test]
async fn a_catalog_that_was_changed_by_hand_is_checked_again_once() {
    let (files, id) = found_just_now(MemoryFiles::new()).await;
    let catalog = String::from_utf8(files.get(catalog_file(&id)).unwrap()).unwrap();
    files.put(catalog_file(&id), format!("{catalog}\n"));
    assert_eq!(compiled_at_start(&files, &id).await, 2);
    assert_eq!(compiled_at_start(&files, &id).await, 0);

    // What no longer compiles is refused, though it was fine before.
    let broken = catalog.replace(r#""object""#, r#""nonsense""#);
    assert_ne!(broken, catalog);
    files.put(catalog_file(&id), broken);
    let bench = Bench::on(files);
    assert_eq!(
        bench.code("servers.discover", json!({ "id": id })).await,
        "mcp.catalog_damaged"
    );
}

#[tokio::test]
async fn a_file_of_hashes_that_is_gone_or_no_such_file_costs_a_check() {
    let (files, id) = found_just_now(MemoryFiles::new()).await;
    let too_large = "a".repeat(100_000);
    for content in [&b""[..], b"\xff\xfe", b"{}", too_large.as_bytes()] {
        files.put(checked_file(), content);
        assert_eq!(compiled_at_start(&files, &id).await, 2);
        assert_eq!(compiled_at_start(&files, &id).await, 0);
    }
}

#[tokio::test]
async fn a_file_of_hashes_that_cannot_be_written_hides_nothing() {
    let (files, id) = found_just_now(MemoryFiles::new()).await;
    files.put(checked_file(), "");
    // A file gets its name in the data directory.
    files.fail_when(|step, path| step == FileStep::Rename && path.parent() == Some(Path::new(ROOT)));
    assert_eq!(compiled_at_start(&files, &id).await, 2);
    assert_eq!(compiled_at_start(&files, &id).await, 2);
}

#[tokio::test]
async fn the_newest_hashes_stay() {
    let files = MemoryFiles::new();
    let old: Vec<String> = (0..MOST_LINES).map(|number| format!("{number:064}\n")).collect();
    files.put(checked_file(), old.concat());
    let (files, id) = found_just_now(files).await;
    let lines = String::from_utf8(files.get(checked_file()).unwrap()).unwrap();
    assert_eq!(lines.lines().count(), MOST_LINES);
    assert!(lines.starts_with(&old[1]), "the oldest made way");
    assert_eq!(compiled_at_start(&files, &id).await, 0);
}
