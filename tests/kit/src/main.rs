//! Runs one server of the kit by hand: `toolgate-testkit NAME` prints its endpoint and serves until its input ends;
//! `toolgate-testkit NAME --stdio` serves on standard input and output. Without a name it lists the behaviours, with
//! `--list` as JSON.

use std::io::{Error, Write};
use std::process::ExitCode;

use tokio::io::AsyncReadExt;
use toolgate_testkit::{HttpServer, Listed, listing, stdio};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode, Error> {
    let mut out = std::io::stdout();
    let mut arguments = std::env::args().skip(1);
    let Some(name) = arguments.next() else {
        for Listed { name, about, http, .. } in listing() {
            let only = if http { "" } else { " (only with --stdio)" };
            writeln!(out, "{name:28}{about}{only}")?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    if name == "--list" {
        serde_json::to_writer_pretty(&mut out, &listing())?;
        writeln!(out)?;
        return Ok(ExitCode::SUCCESS);
    }
    match arguments.next().as_deref() {
        Some("--stdio") => return stdio::serve(&name).await.map(ExitCode::from),
        Some("--linger") => return stdio::linger(&name).await.map(|()| ExitCode::SUCCESS),
        _ => {}
    }
    let server = HttpServer::start(&name).await?;
    writeln!(out, "{}", server.url())?;
    tokio::io::stdin().read_to_end(&mut Vec::new()).await?;
    Ok(ExitCode::SUCCESS)
}
