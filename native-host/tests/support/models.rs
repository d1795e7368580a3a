//! What tests of calls by models share: a server whose tools are allowed, invocations on it, and their calls.

use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::Bench;

/// A request that runs.
pub type Running = JoinHandle<Result<Value, Value>>;

/// The id of a server's tool.
pub fn tool_id(server: &str, name: &str) -> String {
    format!("mcp/{server}:{name}")
}

/// A host with one active server, whose tool `search` is allowed: host, the server's id, an invocation with the tool.
pub async fn searching(url: &str) -> (Bench, String, String) {
    let mut bench = Bench::new();
    let id = bench.allowed_server(url, &["search"]).await;
    let invocation = bench.invocation(&id, "search").await;
    (bench, id, invocation)
}

impl Bench {
    /// An active server with these tools in its catalog, all allowed; its id.
    pub async fn allowed_server(&mut self, url: &str, tools: &[&str]) -> String {
        let id = self.active_server(url).await;
        self.discover(&id, tools).await;
        let changes: serde_json::Map<_, _> = tools.iter().map(|name| ((*name).to_owned(), json!("allow"))).collect();
        self.ok("tools.setPermissions", json!({"id": id, "changes": changes}))
            .await;
        id
    }

    /// An invocation with these tools.
    pub async fn prepare(&self, tools: &[String]) -> Value {
        self.ok("agent.prepare", json!({"profile": {"tools": {"allow": tools}}}))
            .await
    }

    /// An invocation with one tool; its id.
    pub async fn invocation(&self, server: &str, tool: &str) -> String {
        let prepared = self.prepare(&[tool_id(server, tool)]).await;
        assert_eq!(prepared["bindings"].as_array().unwrap().len(), 1, "{prepared}");
        prepared["invocationId"].as_str().unwrap().to_owned()
    }

    /// Begins a call of the tool `search` of the server called Docs in an invocation.
    pub fn agent_call(&self, invocation: &str) -> Running {
        self.agent_call_with(invocation, json!({}))
    }

    /// The same with further parameters.
    pub fn agent_call_with(&self, invocation: &str, more: Value) -> Running {
        let mut params = json!({"invocationId": invocation, "alias": "mcp__Docs__search", "argumentsJson": "{}"});
        let Value::Object(more) = more else {
            panic!("parameters are an object")
        };
        params.as_object_mut().unwrap().extend(more);
        self.start("agent.call", params)
    }
}

/// What came of a call in two words: `result` with the code of an error, or `ended` with the reason.
pub async fn came_of(running: Running) -> (&'static str, String) {
    let result = running.await.unwrap().unwrap();
    match result["kind"].as_str().unwrap() {
        "tool_result" => ("result", result["errorCode"].as_str().unwrap_or_default().to_owned()),
        "invocation_ended" => ("ended", result["code"].as_str().unwrap().to_owned()),
        other => panic!("{other}"),
    }
}
