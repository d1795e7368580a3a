//! Logs, on standard error. `TOOLGATE_LOG` sets what is shown, in the syntax of tracing's `EnvFilter`.

use std::io::{self, IsTerminal as _};

use tracing_subscriber::field::MakeExt as _;
use tracing_subscriber::filter::{EnvFilter, FilterExt as _, filter_fn};
use tracing_subscriber::fmt::format::debug_fn;
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use super::inert;

/// Starts logging, at `level` where `TOOLGATE_LOG` says nothing.
pub(super) fn start(level: &str) {
    let wanted = std::env::var("TOOLGATE_LOG").ok().filter(|text| !text.is_empty());
    let (filter, misfit) = match wanted.as_deref().map(EnvFilter::try_new) {
        Some(Ok(filter)) => (filter, None),
        Some(Err(error)) => (EnvFilter::new(level), Some(error)),
        None => (EnvFilter::new(level), None),
    };
    // Libraries underneath log addresses and headers, which may hold a server's secrets.
    let ours = filter_fn(|metadata| metadata.target().starts_with("toolgate"));
    let output = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        // Fields may hold what servers and files say.
        .fmt_fields(
            debug_fn(|writer, field, value| {
                let text = format!("{value:?}");
                match field.name() {
                    "message" => write!(writer, "{}", inert::message(&text)),
                    name => write!(writer, "{name}={}", inert::message(&text)),
                }
            })
            .delimited(" "),
        )
        .with_filter(filter.and(ours));
    // Fails only where the process has a logger already.
    let _ = tracing_subscriber::registry().with(output).try_init();
    if let Some(error) = misfit {
        tracing::warn!(%error, "TOOLGATE_LOG cannot be read and is ignored");
    }
}
