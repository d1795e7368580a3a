//! `toolgate serve`: owns the data and serves the page until it is told to stop.

use std::io;
use std::path::Path;
use std::time::Duration;

use tokio::time::Instant;

use super::client::{self, ClientError};
use super::stop::Stop;
use super::{ServeArguments, browser, inert, open_host, write_line};
use crate::ownership::{self, Claim, ClientAccess, Ownership, Patience, Role};
use crate::secret::Secret;
use crate::store::CredentialProvider;
use crate::web_server::{ADDRESS_PATH, AddressAnswer, WebServer, WebServerOptions};

/// How long an owner that does not answer (any more) may take to let go of the data.
const OWNER_ENDS: Duration = Duration::from_secs(5);
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// How long a host may take to end what it does.
const HOST_ENDS: Duration = Duration::from_secs(5);

pub(super) async fn run(arguments: ServeArguments) -> Result<(), String> {
    let mut stop = Stop::listen().map_err(|error| format!("cannot listen for signals: {error}"))?;
    let directory = arguments.data.directory().map_err(|error| error.to_string())?;
    let no_open = arguments.no_open;
    let credentials = arguments.credentials.map(CredentialProvider::from);
    let for_a_start = arguments.for_a_start();
    let defaults = WebServerOptions::default();
    let options = WebServerOptions {
        bind: arguments.bind.unwrap_or(defaults.bind),
        port: arguments.port.unwrap_or(defaults.port),
        hosts: arguments.allow_host,
        origins: arguments.allow_origin,
        token: given_token(arguments.token_file.as_deref())?,
        ..defaults
    };
    options.check().map_err(|error| error.to_string())?;
    let owned = tokio::select! {
        owned = own_or_ask(&directory) => owned?,
        () = stop.wanted() => return Ok(()),
    };
    match owned {
        Found::Owner(address) => {
            if !for_a_start.is_empty() {
                let flags = for_a_start.join(", ");
                write_line(
                    &mut io::stderr(),
                    &format!(
                        "toolgate: Toolgate runs on this data directory already; {flags}: not used. End it and start \
                         it again to change that."
                    ),
                );
            }
            print_address(&address.printed);
            if !no_open {
                browser::open(&directory, &Secret::from_text(address.with_token)).await;
            }
            Ok(())
        }
        Found::Nobody(ownership) => serve(&ownership, options, credentials, no_open, &mut stop).await,
    }
}

enum Found {
    Nobody(Ownership),
    Owner(AddressAnswer),
}

/// Becomes the owner, or learns the owner's address.
async fn own_or_ask(directory: &Path) -> Result<Found, String> {
    let began = Instant::now();
    loop {
        let claim = ownership::claim(directory, Role::Serve, Patience::default())
            .await
            .map_err(|error| error.to_string())?;
        match claim {
            Claim::Owned(ownership) => return Ok(Found::Nobody(ownership)),
            Claim::Busy(busy) => return Err(busy.to_diagnostic().to_string()),
            Claim::Clients(access) => match ask(&access).await {
                Ok(address) => return Ok(Found::Owner(address)),
                // It is ending: either the data becomes free, or the next owner answers.
                Err(ClientError::NotSent | ClientError::Lost) if began.elapsed() < OWNER_ENDS => {
                    tokio::time::sleep(LOOK_AGAIN).await;
                }
                Err(error) => return Err(error.to_diagnostic(access.pid).to_string()),
            },
        }
    }
}

async fn ask(access: &ClientAccess) -> Result<AddressAnswer, ClientError> {
    let answer = client::post(access, ADDRESS_PATH, String::new()).await?;
    serde_json::from_str(&answer).map_err(|_| ClientError::Lost)
}

async fn serve(
    ownership: &Ownership,
    options: WebServerOptions,
    credentials: Option<CredentialProvider>,
    no_open: bool,
    stop: &mut Stop,
) -> Result<(), String> {
    let directory = ownership.directory();
    let host = open_host(ownership, credentials)?;
    let server = WebServer::start(options, host.bridge())
        .await
        .map_err(|error| error.to_string())?;
    let (port, token) = server.client_access();
    ownership.take_clients(port, token).map_err(|error| error.to_string())?;
    tracing::info!(data = %directory.display(), port = server.port(), "ready");
    print_address(&server.addresses().printed);

    let opening = async {
        if !no_open {
            browser::open(directory, &server.addresses().with_token).await;
        }
        server.page_opened().await;
        browser::forget(directory);
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = opening => {}
        () = stop.wanted() => {}
    }
    tracing::info!("stopping");
    browser::forget(directory);
    let ended = async {
        let (host_ended, ()) = tokio::join!(tokio::time::timeout(HOST_ENDS, host.shutdown()), server.stop());
        if host_ended.is_err() {
            tracing::warn!("some work did not end in time");
        }
    };
    tokio::select! {
        () = ended => {}
        // Whoever asks twice does not want to wait.
        () = stop.wanted() => {}
    }
    Ok(())
}

fn print_address(address: &str) {
    write_line(&mut io::stdout(), &format!("Toolgate: {}", inert::message(address)));
}

/// The token of `--token-file`, else of `TOOLGATE_TOKEN`.
fn given_token(file: Option<&Path>) -> Result<Option<Secret>, String> {
    let (text, place) = if let Some(path) = file {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("cannot read the token file {}: {error}", path.display()))?;
        (text, format!("the token in {}", path.display()))
    } else {
        match std::env::var("TOOLGATE_TOKEN") {
            Ok(text) if !text.is_empty() => (text, "the token in TOOLGATE_TOKEN".to_owned()),
            Ok(_) | Err(std::env::VarError::NotPresent) => return Ok(None),
            Err(std::env::VarError::NotUnicode(_)) => return Err("TOOLGATE_TOKEN is not UTF-8".to_owned()),
        }
    };
    Secret::given(text.trim_end_matches(['\r', '\n']))
        .map(Some)
        .map_err(|why| format!("{place} cannot be used: {why}; `openssl rand -hex 32` makes a good one"))
}
