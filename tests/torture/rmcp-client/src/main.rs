//! The least a program needs to list a server's tools, or to call `first`, by the official Rust SDK as its documentation
//! shows it: `toolgate-torture-rmcp-client list|call URL`, or `… list|call COMMAND ARGUMENT…`.
//! Prints the SDK's result as JSON; where there is none, its error, and exits with 1.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program talks to its terminal"
)]

use std::process::ExitCode;

use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _, RunningService};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{RoleClient, model::JsonObject};
use tokio::process::Command;

type Error = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run().await {
        Ok(json) => {
            println!("{json}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<String, Error> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().ok_or("list or call?")?;
    let server = arguments.next().ok_or("which server?")?;
    // The newest revision, else the one before it.
    let mode = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::V_2025_11_25),
    };
    let client: RunningService<RoleClient, ()> = if server.starts_with("http://") || server.starts_with("https://") {
        let transport = StreamableHttpClientTransport::from_uri(server);
        ().serve_with_lifecycle(transport, mode).await?
    } else {
        let mut command = Command::new(server);
        command.args(arguments);
        ().serve_with_lifecycle(TokioChildProcess::new(command)?, mode).await?
    };
    let json = if what == "call" {
        let mut given = JsonObject::new();
        given.insert("n".to_owned(), 9_007_199_254_740_993_i64.into());
        let mut params = CallToolRequestParams::new("first");
        params.arguments = Some(given);
        serde_json::to_string(&client.call_tool(params).await?)?
    } else {
        serde_json::to_string(&client.list_all_tools().await?)?
    };
    client.cancel().await?;
    Ok(json)
}
