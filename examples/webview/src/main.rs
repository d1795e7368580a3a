//! Toolgate in a window of its own: the host in this process, its page in a `WebView`, messages between them by the
//! `WebView`'s own IPC. Nothing listens on a port.

mod window;

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;
use toolgate_host::guard::{self, Guard};
use toolgate_host::mcp::{NetLimits, ProxySettings, RmcpConnector};
use toolgate_host::ownership::{self, Ownership, Patience, Role};
use toolgate_host::{Host, HostOptions};

/// How long a host may take to end what it does.
const HOST_ENDS: Duration = Duration::from_secs(5);

fn main() -> Result<(), Box<dyn Error>> {
    // Servers that are programs end with this one, however it ends.
    guard::run_if_asked();
    let runtime = Runtime::new()?;
    let (ownership, host) = runtime.block_on(open())?;
    let shown = window::show(host.bridge(), runtime.handle(), ownership.directory());
    // The window is closed. Whatever was answered is on disk; a call that waits for a server ends here, and is never
    // sent again.
    let _ = runtime.block_on(async { tokio::time::timeout(HOST_ENDS, host.shutdown()).await });
    shown
}

/// Becomes the owner of the data directory, and opens it. The next owner is let in when the first value is dropped.
async fn open() -> Result<(Ownership, Host), Box<dyn Error>> {
    let directory = ownership::data_directory(std::env::var_os("TOOLGATE_DATA_DIR").map(Into::into))?;
    let claim = ownership::claim(&directory, Role::Bridge, Patience::default()).await?;
    let ownership = claim.owned().map_err(|diagnostic| diagnostic.to_string())?;
    let connector =
        RmcpConnector::new(NetLimits::default(), &ProxySettings::from_environment())?.with_guard(Guard::this_program());
    let mut options = HostOptions::owned(&ownership);
    options.proxies = connector.proxies().to_vec();
    let host = Host::open(options, Arc::new(connector))?;
    Ok((ownership, host))
}
