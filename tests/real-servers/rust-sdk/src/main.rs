//! A server on the official Rust SDK, for the test against real servers. It listens on a free port of loopback, and says
//! on one line of JSON where, which SDK it is, and which protocol versions that SDK speaks by each of MCP's two ways to
//! start.

#![allow(clippy::print_stdout, reason = "the line that says where the server is")]

use std::error::Error;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

#[derive(Clone)]
struct Server;

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::from_build_env())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(vec![
            tool("echo_number", "Answers the number's digits.", "n", "integer"),
            tool("shout", "Answers the text in upper case.", "text", "string"),
        ]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let argument = |name: &str| request.arguments.as_ref().and_then(|all| all.get(name));
        let text = match (request.name.as_ref(), argument("n"), argument("text")) {
            ("echo_number", Some(Value::Number(number)), _) => number.to_string(),
            ("shout", _, Some(Value::String(text))) => text.to_uppercase(),
            _ => return Err(ErrorData::invalid_params("no such tool, or not its argument", None)),
        };
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}

fn tool(name: &'static str, description: &'static str, argument: &str, kind: &str) -> Tool {
    let schema = json!({
        "type": "object",
        "properties": { argument: { "type": kind } },
        "required": [argument],
    });
    let schema: JsonObject = schema.as_object().cloned().unwrap_or_default();
    Tool::new(name, description, Arc::new(schema))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let service = StreamableHttpService::new(
        || Ok(Server),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let (initialize, discover): (Vec<_>, Vec<_>) = ProtocolVersion::KNOWN_VERSIONS
        .iter()
        .partition(|version| version.has_initialize());
    // The SDK's own name and version, taken from its manifest.
    let sdk = Implementation::from_build_env();
    let ready = json!({
        "url": format!("http://{}/mcp", listener.local_addr()?),
        "sdk": format!("{} {} (Rust)", sdk.name, sdk.version),
        "initialize": initialize,
        "discover": discover,
    });
    println!("{ready}");
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
