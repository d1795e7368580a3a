//! Runs one server of the kit by hand: `toolgate-testkit NAME` prints its endpoint and serves until its input ends.
//! Without a name it lists the behaviours.

use std::io::{Error, Write};

use tokio::io::AsyncReadExt;
use toolgate_testkit::HttpServer;
use toolgate_testkit::behaviours;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let mut out = std::io::stdout();
    let Some(name) = std::env::args().nth(1) else {
        for behaviour in behaviours::all() {
            writeln!(out, "{:24}{}", behaviour.name, behaviour.about)?;
        }
        return Ok(());
    };
    let server = HttpServer::start(&name).await?;
    writeln!(out, "{}", server.url())?;
    tokio::io::stdin().read_to_end(&mut Vec::new()).await?;
    Ok(())
}
