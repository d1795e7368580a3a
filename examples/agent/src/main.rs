//! `toolgate-agent`: gives a task to a model that may use the tools of a Toolgate data directory.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the answer is this program's output"
)]

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use toolgate_agent_example::agent::{Agent, Ended};
use toolgate_agent_example::chat::Endpoint;
use toolgate_host::bridge::messages::{AgentProfile, AgentProfileTools};
use toolgate_host::guard::{self, Guard};
use toolgate_host::mcp::{NetLimits, ProxySettings, RmcpConnector};
use toolgate_host::ownership::{self, Claim, Patience, Role};
use toolgate_host::toolgate_core::Refusal;
use toolgate_host::{Host, HostOptions};

/// Gives a task to a model that may use your tools.
#[derive(Parser)]
struct Arguments {
    /// What the model is to do.
    task: String,
    /// The address below which the endpoint has `/chat/completions`.
    #[arg(long, env = "OPENAI_BASE_URL", default_value = "https://api.openai.com/v1")]
    base_url: String,
    /// The model's name at the endpoint.
    #[arg(long, env = "OPENAI_MODEL")]
    model: String,
    /// The key of the endpoint; better by the environment than in a command line.
    #[arg(long, env = "OPENAI_API_KEY", hide_env_values = true)]
    key: Option<String>,
    /// A file with the profile, `{"tools": {"allow": [...]}}`; without it every tool at Ask or Allow is allowed.
    #[arg(long)]
    profile: Option<PathBuf>,
    /// Toolgate's data directory; the platform's usual one where it is left out.
    #[arg(long, env = "TOOLGATE_DATA_DIR")]
    data_dir: Option<PathBuf>,
    /// How often the model is asked at most.
    #[arg(long, default_value_t = 50)]
    most_rounds: usize,
}

#[tokio::main]
async fn main() -> ExitCode {
    // Servers that are programs end with this one, however it ends.
    guard::run_if_asked();
    match run(Arguments::parse()).await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Result<ExitCode, Box<dyn Error>> {
    let directory = ownership::data_directory(arguments.data_dir)?;
    // One program at a time owns the data; the value is kept to the end.
    let claim = ownership::claim(&directory, Role::Bridge, Patience::default()).await?;
    let Claim::Owned(ownership) = claim else {
        return Err("Toolgate, or another agent, has this data directory open; end it first.".into());
    };
    let connector =
        RmcpConnector::new(NetLimits::default(), &ProxySettings::from_environment())?.with_guard(Guard::this_program());
    let host = Host::open(HostOptions::owned(&ownership), Arc::new(connector))?;
    let profile = match arguments.profile {
        Some(file) => serde_json::from_slice(&std::fs::read(file)?)?,
        None => everything_decided(&host).await?,
    };
    let endpoint = Endpoint::new(&arguments.base_url, arguments.model, arguments.key)?;
    let agent = Agent {
        host: &host,
        endpoint: &endpoint,
        profile,
        most_rounds: arguments.most_rounds,
    };
    let ended = agent
        .run(&arguments.task, |left_out| eprintln!("left out: {left_out}"))
        .await;
    host.shutdown().await;
    Ok(match ended? {
        Ended::Answered(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Ended::OutcomeUnknown(unknown) => {
            eprintln!("{} ({})", unknown.message, unknown.code);
            ExitCode::FAILURE
        }
        Ended::TooManyRounds => {
            eprintln!(
                "The model was asked {} times and has no answer yet.",
                arguments.most_rounds
            );
            ExitCode::FAILURE
        }
    })
}

/// A profile of every tool that a person has set to Ask or Allow.
async fn everything_decided(host: &Host) -> Result<AgentProfile, Refusal> {
    let list = host.servers().list(false).await?;
    let allow = list.servers.iter().flat_map(|server| {
        let names = server.tool_permissions.keys();
        names.map(|name| format!("mcp/{}:{name}", server.id))
    });
    Ok(AgentProfile {
        tools: AgentProfileTools {
            allow: allow.collect(),
            ..AgentProfileTools::default()
        },
    })
}
