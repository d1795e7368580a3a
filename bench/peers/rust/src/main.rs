//! The Rust SDK's client in the comparison. Arguments: how often to discover, how many calls to make, then `http URL` or
//! `stdio COMMAND ARGUMENT…`. Writes what each took as one line of JSON.

use std::error::Error;
use std::io::Write as _;
use std::time::Instant;

use rmcp::model::{CallToolRequestParams, Tool};
use rmcp::service::RunningService;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{RoleClient, ServiceExt as _};
use serde_json::json;
use tokio::process::Command;

type Client = RunningService<RoleClient, ()>;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [repeats, calls, kind, target, rest @ ..] = arguments.as_slice() else {
        return Err("usage: REPEATS CALLS http|stdio TARGET ARGUMENT…".into());
    };
    let mut discover_ms = Vec::new();
    let mut tools: Vec<Tool> = Vec::new();
    for _ in 0..repeats.parse::<usize>()? {
        let start = Instant::now();
        let client = connect(kind, target, rest).await?;
        tools = client.list_all_tools().await?;
        discover_ms.push(milliseconds(start));
        client.cancel().await?;
    }
    let mut call_ms = Vec::new();
    let client = connect(kind, target, rest).await?;
    for _ in 0..calls.parse::<usize>()? {
        let Some(tool) = tools.first() else { break };
        let arguments = json!({ "account_0": "a" }).as_object().cloned().unwrap_or_default();
        let start = Instant::now();
        let call = CallToolRequestParams::new(tool.name.clone()).with_arguments(arguments);
        client.call_tool(call).await?;
        call_ms.push(milliseconds(start));
    }
    client.cancel().await?;
    let line = json!({ "tools": tools.len(), "discoverMs": discover_ms, "callMs": call_ms });
    writeln!(std::io::stdout(), "{line}")?;
    Ok(())
}

async fn connect(kind: &str, target: &str, arguments: &[String]) -> Result<Client, Box<dyn Error>> {
    if kind == "http" {
        return Ok(().serve(StreamableHttpClientTransport::from_uri(target)).await?);
    }
    let mut command = Command::new(target);
    command.args(arguments);
    Ok(().serve(TokioChildProcess::new(command)?).await?)
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1000.0
}
