//! The same over real sockets: how many connections a server sees, and what it sees of their ends.

use std::cell::Cell;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use toolgate_host::mcp::{NetLimits, ProxySettings, RmcpConnector};
use toolgate_host::{Host, HostOptions};
use toolgate_testkit::{Answer, HttpServer, On, Received, Script};

use crate::support::call;
use crate::{ended, good};

/// One for all hosts: reading the platform's certificates takes a while.
static CONNECTOR: LazyLock<Arc<RmcpConnector>> =
    LazyLock::new(|| Arc::new(RmcpConnector::new(NetLimits::default(), &ProxySettings::none()).unwrap()));

struct World {
    host: Host,
    kit: HttpServer,
    server: String,
    _folder: TempDir,
}

impl World {
    async fn new(script: Script, idle: Duration) -> Self {
        let folder = TempDir::new().unwrap();
        let mut options = HostOptions::new(folder.path());
        options.budgets.shared_idle = idle;
        let connector: Arc<RmcpConnector> = Arc::clone(&CONNECTOR);
        let host = Host::open(options, connector).unwrap();
        let kit = HttpServer::play(script).await.unwrap();
        let config = json!({"type": "http", "url": kit.url()});
        let mut world = Self {
            host,
            kit,
            server: String::new(),
            _folder: folder,
        };
        let created = world
            .ok("servers.create", json!({"displayName": "Kit", "config": config}))
            .await;
        created["id"].as_str().unwrap().clone_into(&mut world.server);
        let id = &world.server;
        world.ok("servers.setState", json!({"id": id, "state": "active"})).await;
        world.ok("servers.discover", json!({"id": id})).await;
        let permit = json!({"id": id, "nativeName": "first", "permission": "allow"});
        world.ok("tools.setPermission", permit).await;
        // The connection of the discovery has ended.
        world.kit.wait_for(|request| request.method == "DELETE").await.unwrap();
        world
    }

    async fn ok(&self, method: &str, params: serde_json::Value) -> serde_json::Value {
        call(&self.host.bridge(), method, params).await.unwrap()
    }

    async fn invocation(&self) -> String {
        let profile = json!({"tools": {"allow": [format!("mcp/{}:first", self.server)]}});
        let prepared = self.ok("agent.prepare", json!({ "profile": profile })).await;
        prepared["invocationId"].as_str().unwrap().to_owned()
    }

    async fn call(&self, invocation: &str) -> (&'static str, String) {
        let params = json!({"invocationId": invocation, "alias": "mcp__Kit__first", "argumentsJson": "{}"});
        let result = self.ok("agent.call", params).await;
        match result["code"].as_str() {
            Some(code) => ("ended", code.to_owned()),
            None => ("result", result["errorCode"].as_str().unwrap_or_default().to_owned()),
        }
    }

    /// Waits until the server was given back the session that a call went out on.
    async fn session_of_calls_given_back(&mut self) {
        // The requests are looked through in order, from the first one on.
        let had_call = Cell::new(false);
        let given_back = |request: &Received| {
            match request.rpc().as_str() {
                "initialize" => had_call.set(false),
                "tools/call" => had_call.set(true),
                _ => {}
            }
            request.method == "DELETE" && had_call.get()
        };
        self.kit.wait_for(given_back).await.unwrap();
    }

    /// How often the server was asked this.
    fn count(&self, what: &str) -> usize {
        let asked = self.kit.received();
        let fits = |request: &&Received| request.rpc() == what || request.method == what;
        asked.iter().filter(fits).count()
    }
}

#[tokio::test]
async fn many_calls_one_session_which_is_given_back_when_the_server_is_paused() {
    let mut world = World::new(Script::default(), Duration::from_mins(1)).await;
    let invocation = world.invocation().await;
    let calls = tokio::join!(
        world.call(&invocation),
        world.call(&invocation),
        world.call(&invocation)
    );
    assert_eq!(calls, (good(), good(), good()));
    assert_eq!(world.call(&world.invocation().await).await, good());
    // One for the discovery, one for the calls.
    assert_eq!((world.count("initialize"), world.count("tools/call")), (2, 4));
    assert_eq!(world.count("DELETE"), 1);
    let paused = json!({"id": world.server, "state": "paused"});
    world.ok("servers.setState", paused).await;
    world.session_of_calls_given_back().await;
    world.host.shutdown().await;
    assert_eq!(world.kit.calls(), 4);
}

#[tokio::test]
async fn a_404_to_the_call_is_unknown_and_the_next_call_begins_a_new_session() {
    let gone = Answer::typed(404, "text/plain", "gone");
    let world = World::new(
        Script::default().instead(On::Rpc("tools/call"), gone),
        Duration::from_mins(1),
    )
    .await;
    for attempts in [1, 2] {
        let invocation = world.invocation().await;
        assert_eq!(world.call(&invocation).await, ended("mcp.call_response_failed"));
        assert_eq!(world.count("tools/call"), attempts);
        assert_eq!(world.count("initialize"), attempts + 1);
    }
    world.host.shutdown().await;
    assert_eq!(world.kit.calls(), 2);
}

#[tokio::test]
async fn an_error_of_the_server_keeps_the_session() {
    let refused = Answer::Error {
        status: 200,
        code: -32602,
        data: None,
    };
    let world = World::new(
        Script::default().instead(On::Rpc("tools/call"), refused),
        Duration::from_mins(1),
    )
    .await;
    let invocation = world.invocation().await;
    for _ in 0..2 {
        assert_eq!(
            world.call(&invocation).await,
            ("result", "mcp.model_server_error".to_owned())
        );
    }
    assert_eq!((world.count("initialize"), world.count("tools/call")), (2, 2));
}

#[tokio::test]
async fn an_unused_session_is_given_back_and_the_next_call_begins_another() {
    let mut world = World::new(Script::default(), Duration::from_millis(50)).await;
    let invocation = world.invocation().await;
    assert_eq!(world.call(&invocation).await, good());
    world.session_of_calls_given_back().await;
    assert_eq!(world.call(&invocation).await, good());
    assert_eq!((world.count("initialize"), world.count("tools/call")), (3, 2));
}
