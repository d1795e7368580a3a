//! What is logged while a test runs, at the most talkative level, by anything underneath.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use tracing::subscriber::DefaultGuard;
use tracing_subscriber::filter::LevelFilter;

/// Everything this thread logs from `Logs::start` until it is dropped.
pub struct Logs {
    written: Written,
    _guard: DefaultGuard,
}

impl Logs {
    pub fn start() -> Self {
        let written = Written::default();
        let writer = written.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(LevelFilter::TRACE)
            .with_writer(move || writer.clone())
            .finish();
        Self {
            written,
            _guard: tracing::subscriber::set_default(subscriber),
        }
    }

    /// What was logged so far.
    pub fn text(&self) -> String {
        String::from_utf8(self.written.0.lock().unwrap().clone()).unwrap()
    }
}

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
