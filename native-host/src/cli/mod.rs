//! The command line: `toolgate serve`, `toolgate rpc`, `toolgate bridge`.
//!
//! It puts the parts together (who owns the data, a host on it, a way in) and is the only place that writes to standard
//! output. `docs/command-line.md` describes it for users.

mod bridge;
mod browser;
mod client;
mod error_object;
mod inert;
mod logging;
mod rpc;
mod serve;
mod stop;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io;
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::guard::Guard;
use crate::mcp::{NetLimits, ProxySettings, RmcpConnector};
use crate::ownership::{self, Ownership, OwnershipError};
use crate::store::CredentialProvider;
use crate::web_server::{AllowedHost, AllowedOrigin};
use crate::{Host, HostOptions};

/// Manages MCP servers and decides which of their tools a model may use.
#[derive(Debug, Parser)]
#[command(name = "toolgate", version, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Starts Toolgate with its page and prints the address.
    Serve(ServeArguments),
    /// Sends one request and prints the result.
    ///
    /// The request goes to the running Toolgate where there is one; else it is carried out right here. The result is
    /// JSON on standard output; an error is JSON on standard error, with exit code 1.
    #[command(override_usage = "toolgate rpc [OPTIONS] <METHOD> [PARAMS_JSON]")]
    Rpc(RpcArguments),
    /// Starts Toolgate without a page for one application: JSON-RPC messages on standard input and output, one a line.
    Bridge(BridgeArguments),
}

#[derive(Args, Debug)]
struct DataArguments {
    /// The folder that Toolgate keeps its data in.
    ///
    /// By default the folder `toolgate` in the system's usual place for a user's data.
    #[arg(long, value_name = "DIR", env = "TOOLGATE_DATA_DIR")]
    data_dir: Option<OsString>,
}

impl DataArguments {
    fn directory(&self) -> Result<PathBuf, OwnershipError> {
        ownership::data_directory(self.data_dir.as_ref().map(PathBuf::from))
    }
}

#[derive(Args, Debug)]
struct ServeArguments {
    #[command(flatten)]
    data: DataArguments,
    /// The port to listen at, 7640 by default; 0 takes a free one.
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// The address to listen at, 127.0.0.1 by default. Any but a loopback address needs a token of your own.
    #[arg(long, value_name = "ADDR")]
    bind: Option<IpAddr>,
    /// A further host name, or name:port, under which the page may be opened. May be repeated.
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<AllowedHost>,
    /// The exact origin of a page elsewhere that may open the WebSocket. May be repeated.
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<AllowedOrigin>,
    /// A file with a token of your own in place of a random one; TOOLGATE_TOKEN may hold the token itself.
    #[arg(long, value_name = "FILE")]
    #[allow(clippy::doc_markdown, reason = "the text is shown as it stands")]
    token_file: Option<PathBuf>,
    /// Where the connections of servers are kept that are saved from now on.
    ///
    /// What is saved already opens in any case. By default `file`, save for data that has its connections in the
    /// registration files, as TauriTavern's has, which stays so.
    #[arg(long, value_name = "WHERE")]
    #[allow(clippy::doc_markdown, reason = "the text is shown as it stands")]
    credentials: Option<CredentialsArgument>,
    /// Does not open a browser.
    #[arg(long)]
    no_open: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CredentialsArgument {
    /// In a file of their own that only you may read.
    File,
    /// In that file, sealed with a key from the system's keyring.
    Keyring,
    /// In the registration files, in the open.
    Inline,
}

impl From<CredentialsArgument> for CredentialProvider {
    fn from(argument: CredentialsArgument) -> Self {
        match argument {
            CredentialsArgument::File => Self::File,
            CredentialsArgument::Keyring => Self::Keyring,
            CredentialsArgument::Inline => Self::Inline,
        }
    }
}

impl ServeArguments {
    /// The flags that were given and count only for a Toolgate that is started.
    fn for_a_start(&self) -> Vec<&'static str> {
        let given = [
            ("--port", self.port.is_some()),
            ("--bind", self.bind.is_some()),
            ("--allow-host", !self.allow_host.is_empty()),
            ("--allow-origin", !self.allow_origin.is_empty()),
            ("--token-file", self.token_file.is_some()),
            ("--credentials", self.credentials.is_some()),
        ];
        let given = given.into_iter().filter(|(_, given)| *given);
        given.map(|(flag, _)| flag).collect()
    }
}

#[derive(Args, Debug)]
struct RpcArguments {
    #[command(flatten)]
    data: DataArguments,
    /// The method, such as servers.list.
    method: String,
    /// The parameters as a JSON object; - reads them from standard input, which keeps secrets off the command line.
    #[arg(value_name = "PARAMS_JSON", allow_hyphen_values = true)]
    params: Option<String>,
}

#[derive(Args, Debug)]
struct BridgeArguments {
    #[command(flatten)]
    data: DataArguments,
}

/// Runs the program with the process's arguments.
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    logging::start(match &arguments.command {
        Command::Serve(_) => "info",
        Command::Bridge(_) => "warn",
        // Standard error is for the error's JSON.
        Command::Rpc(_) => "off",
    });
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&format!("cannot start: {error}")),
    };
    let code = runtime.block_on(async {
        match arguments.command {
            Command::Serve(arguments) => end(serve::run(arguments).await),
            Command::Bridge(arguments) => end(bridge::run(&arguments).await),
            Command::Rpc(arguments) => rpc::run(arguments).await,
        }
    });
    // A thread that waits for standard input cannot be ended otherwise.
    runtime.shutdown_background();
    code
}

/// What the arguments are refused with, or the help that was asked for.
fn refuse(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    if let Cow::Owned(inert) = inert::lines(&text) {
        // An argument that would be shown again holds what a terminal obeys; colours are of no use then.
        write_line(&mut io::stderr(), inert.trim_end());
    } else {
        // Where nobody reads there is nothing to be told.
        let _ = error.print();
    }
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

fn end(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    write_line(&mut io::stderr(), &format!("toolgate: {}", inert::message(message)));
    ExitCode::FAILURE
}

/// Writes a line where the other end may be gone, which is nothing to fail for.
fn write_line(to: &mut impl io::Write, line: &str) {
    let _ = writeln!(to, "{line}").and_then(|()| to.flush());
}

/// A host on a directory that this process owns; connections are kept where it is asked for, or where they are.
fn open_host(ownership: &Ownership, credentials: Option<CredentialProvider>) -> Result<Host, String> {
    let connector = RmcpConnector::new(NetLimits::default(), &ProxySettings::from_environment())
        .map_err(|error| error.to_string())?
        .with_guard(Guard::this_program());
    let mut options = HostOptions::owned(ownership);
    options.credentials =
        credentials.unwrap_or_else(|| CredentialProvider::usual(options.files.as_ref(), &options.data_dir));
    options.proxies = connector.proxies().to_vec();
    Host::open(options, Arc::new(connector)).map_err(|error| error.to_string())
}
