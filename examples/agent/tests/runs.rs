//! The agent against a scripted endpoint on loopback and a real MCP server: what the model gets to see, what reaches the
//! server, and how a run ends.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where its ground is missing"
)]

mod model;

use std::fmt::Write as _;
use std::sync::Arc;

use model::{Asked, Model};
use serde_json::{Value, json};
use tempfile::TempDir;
use toolgate_agent_example::agent::{Agent, Ended};
use toolgate_agent_example::chat::{ChatError, Endpoint};
use toolgate_host::bridge::messages::{AgentProfile, AgentProfileTools};
use toolgate_host::mcp::{NetLimits, ProxySettings, RmcpConnector};
use toolgate_host::toolgate_core::identity::RegistrationId;
use toolgate_host::toolgate_core::named_values::NamedValues;
use toolgate_host::toolgate_core::server::{
    DescriptionOverride, HttpConfig, Permission, ProtocolVersion, ServerConfig, ServerState,
};
use toolgate_host::{Host, HostOptions};
use toolgate_testkit::{Answer, HttpServer, On, Script};

const ALIAS: &str = "mcp__Kit__first";

/// A host with the server registered, read, and its tool `first` allowed.
struct World {
    host: Arc<Host>,
    server: RegistrationId,
    kit: HttpServer,
    _folder: TempDir,
}

impl World {
    async fn new(script: Script) -> Self {
        let folder = TempDir::new().unwrap();
        let connector = RmcpConnector::new(NetLimits::default(), &ProxySettings::none()).unwrap();
        let host = Host::open(HostOptions::new(folder.path()), Arc::new(connector)).unwrap();
        let kit = HttpServer::play(script).await.unwrap();
        let config = ServerConfig::Http(HttpConfig {
            url: kit.url(),
            headers: NamedValues::new(),
            protocol_version: ProtocolVersion::Auto,
        });
        let servers = host.servers();
        let server = servers.create("Kit", config).await.unwrap().id;
        servers.set_state(server, ServerState::Active).await.unwrap();
        servers.discover(server).await.unwrap();
        servers
            .set_permission(server, "first", Permission::Allow)
            .await
            .unwrap();
        Self {
            host: Arc::new(host),
            server,
            kit,
            _folder: folder,
        }
    }

    /// Begins a run, with the profile's tools adjusted; it goes on while the test is the model.
    fn run(
        &self,
        model: &Model,
        adjust: impl FnOnce(&mut AgentProfileTools),
    ) -> tokio::task::JoinHandle<(Ended, Vec<String>)> {
        let mut tools = AgentProfileTools {
            allow: vec![format!("mcp/{}:first", self.server)],
            ..AgentProfileTools::default()
        };
        adjust(&mut tools);
        let host = Arc::clone(&self.host);
        let endpoint = Endpoint::new(&model.base_url(), "scripted", Some("key".to_owned())).unwrap();
        tokio::spawn(async move {
            let agent = Agent {
                host: &host,
                endpoint: &endpoint,
                profile: AgentProfile { tools },
                most_rounds: 20,
            };
            let left_out = std::sync::Mutex::new(Vec::new());
            let ended = agent
                .run("Do it.", |reason| {
                    left_out.lock().unwrap().push(reason.code.to_string());
                })
                .await
                .unwrap();
            (ended, left_out.into_inner().unwrap())
        })
    }

    async fn shut_down(self) -> HttpServer {
        let host = Arc::into_inner(self.host).expect("no run goes on");
        host.shutdown().await;
        self.kit
    }
}

fn answered(ended: &Ended) -> &str {
    match ended {
        Ended::Answered(text) => text,
        other => panic!("{other:?}"),
    }
}

/// What the model reads of its last call.
fn last(asked: &Asked) -> &str {
    let messages = asked.body["messages"].as_array().unwrap();
    let last = messages.last().unwrap();
    assert_eq!(last["role"], "tool");
    last["content"].as_str().unwrap()
}

#[tokio::test]
async fn the_model_sees_its_tools_as_they_are_described_for_it_and_its_calls_reach_the_server() {
    let world = World::new(Script::default()).await;
    let layer = DescriptionOverride {
        description: Some("For the person.".to_owned()),
        properties: [("a".to_owned(), "The number.".to_owned())].into(),
    };
    let servers = world.host.servers();
    servers
        .set_description_override(world.server, "first", Some(layer))
        .await
        .unwrap();
    let mut model = Model::start().await;
    let id = format!("mcp/{}:first", world.server);
    let running = world.run(&model, |tools| {
        tools.allow.push("mcp/none".to_owned());
        let layer = DescriptionOverride {
            description: Some("For this agent.".to_owned()),
            properties: [("gone".to_owned(), "?".to_owned())].into(),
        };
        tools.tool_descriptions.insert(id, layer);
    });

    let first = model.asked().await;
    assert_eq!(first.authorization.as_deref(), Some("Bearer key"));
    assert_eq!(first.body["model"], "scripted");
    assert_eq!(first.body["messages"], json!([{"role": "user", "content": "Do it."}]));
    let tools = first.body["tools"].as_array().unwrap();
    let names: Vec<_> = tools
        .iter()
        .map(|tool| tool["function"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, [ALIAS, "read_tool_result"]);
    assert_eq!(tools[0]["function"]["description"], "For this agent.");
    let a = &tools[0]["function"]["parameters"]["properties"]["a"];
    assert_eq!(a["description"], "The number.");
    // Spelled as the server spells it.
    assert_eq!(a["minimum"].to_string(), "1.0");
    first.call(&[(ALIAS, r#"{"a": 9007199254740993}"#)]);

    let second = model.asked().await;
    let messages = second.body["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 3);
    // The model's own message goes back as it came.
    assert_eq!(messages[1]["tool_calls"][0]["id"], "call-0");
    assert_eq!(messages[1]["of_the_provider"], json!({"n": 1}));
    assert_eq!(messages[2]["tool_call_id"], "call-0");
    assert_eq!(last(&second), "## Details\n\n- `a`: `9007199254740993`");
    second.say("It is done.");
    let (ended, left_out) = running.await.unwrap();
    assert_eq!(answered(&ended), "It is done.");
    assert_eq!(left_out, ["mcp.tool_id_invalid", "mcp.description_property_missing"]);
    let kit = world.shut_down().await;
    assert_eq!(kit.calls(), 1);
    let call = kit
        .received()
        .into_iter()
        .find(|request| request.rpc() == "tools/call")
        .unwrap();
    assert!(call.body.contains("9007199254740993"), "{}", call.body);
}

#[tokio::test]
async fn a_result_of_four_mebibytes_is_read_on_in_pieces_to_its_end() {
    const BYTES: usize = 39 * 1024 * 1024 / 10;
    let mut whole = String::with_capacity(BYTES);
    while whole.len() < BYTES - 64 {
        let _ = writeln!(whole, "Line {:07} of a long result, which says something.", whole.len());
    }
    let result = json!({"content": [{"type": "text", "text": whole}]}).to_string();
    assert!(result.len() < 4 * 1024 * 1024);
    let world = World::new(Script::default().instead(On::Rpc("tools/call"), Answer::Result(result))).await;
    let mut model = Model::start().await;
    let running = world.run(&model, |tools| tools.mcp_result_inline_char_limit = Some(700_000));
    model.asked().await.call(&[(ALIAS, "{}")]);

    let mut asked = model.asked().await;
    let preview = last(&asked);
    assert!(preview.len() < 4000);
    assert!(preview.ends_with(&whole[..3000]));
    let path = preview.split('`').nth(1).unwrap().to_owned();
    assert!(path.starts_with("tool-results/"));
    assert!(
        !asked.body.to_string().contains(".json"),
        "the audit file is not for the model"
    );
    // A path of its own making leads nowhere, and the run goes on.
    let bad = json!({"path": "../settings.json", "startLine": 1, "lineCount": 9}).to_string();
    asked.call(&[("read_tool_result", &bad)]);
    asked = model.asked().await;
    assert!(last(&asked).contains("no result at that path"), "{}", last(&asked));

    let mut read = String::new();
    let mut pieces = 0;
    let mut next = Some(1);
    while let Some(start) = next {
        let part = json!({"path": path, "startLine": start, "lineCount": 1_000_000}).to_string();
        asked.call(&[("read_tool_result", &part)]);
        asked = model.asked().await;
        let (head, piece) = last(&asked).split_once("\n\n").unwrap();
        next = head
            .split_once("startLine ")
            .map(|(_, number)| number.trim_end_matches('.').parse::<usize>().unwrap());
        assert!(piece.len() <= 700_000);
        read.push_str(piece);
        read.push('\n');
        pieces += 1;
    }
    assert_eq!(pieces, 6);
    assert!(read == whole, "the pieces are not the whole");
    asked.say("Read.");
    assert_eq!(answered(&running.await.unwrap().0), "Read.");
    assert_eq!(world.shut_down().await.calls(), 1);
}

#[tokio::test]
async fn a_permission_that_is_withdrawn_is_refused_before_anything_is_sent() {
    let world = World::new(Script::default()).await;
    let mut model = Model::start().await;
    let running = world.run(&model, |_| {});
    model.asked().await.call(&[(ALIAS, "{}")]);
    let asked = model.asked().await;
    assert_eq!(world.kit.calls(), 1);
    let servers = world.host.servers();
    servers
        .set_permission(world.server, "first", Permission::Off)
        .await
        .unwrap();
    asked.call(&[(ALIAS, "{}")]);
    let asked = model.asked().await;
    assert!(last(&asked).contains("mcp.call_permission_off"), "{}", last(&asked));
    asked.say("I may not.");
    assert_eq!(answered(&running.await.unwrap().0), "I may not.");
    assert_eq!(world.shut_down().await.calls(), 1);
}

#[tokio::test]
async fn an_unknown_outcome_ends_the_run_with_one_request_to_the_model() {
    // The session is gone, as after a restart of the server.
    let gone = Answer::typed(404, "text/plain", "gone");
    let world = World::new(Script::default().instead(On::Rpc("tools/call"), gone)).await;
    let mut model = Model::start().await;
    let running = world.run(&model, |_| {});
    model.asked().await.call(&[(ALIAS, "{}"), (ALIAS, "{}")]);
    let (ended, _) = running.await.unwrap();
    let Ended::OutcomeUnknown(unknown) = ended else {
        panic!("{ended:?}")
    };
    assert_eq!(unknown.code.as_str(), "mcp.call_response_failed");
    // The second call of the batch was not made either.
    assert_eq!(world.shut_down().await.calls(), 1);
    assert_eq!(model.requests(), 1);
}

#[tokio::test]
async fn a_model_that_never_answers_is_asked_so_often_and_no_more() {
    let world = World::new(Script::default()).await;
    let mut model = Model::start().await;
    let running = world.run(&model, |_| {});
    for _ in 0..20 {
        model.asked().await.call(&[("read_tool_result", "{}")]);
    }
    assert!(matches!(running.await.unwrap().0, Ended::TooManyRounds));
    assert_eq!(model.requests(), 20);
    assert_eq!(world.shut_down().await.calls(), 0);
}

#[tokio::test]
async fn an_endpoint_that_fails_says_so_without_the_key() {
    let mut model = Model::start().await;
    let endpoint = Endpoint::new(&model.base_url(), "scripted", Some("sesame".to_owned())).unwrap();
    let asking = tokio::spawn(async move { endpoint.ask(&[], &[]).await.map(|said| said.text) });
    model.asked().await.answer(401, &Value::Null);
    let error = asking.await.unwrap().unwrap_err();
    assert!(matches!(error, ChatError::Status(401)));
    let endpoint = Endpoint::new(
        "http://127.0.0.1:1/v1?key=sesame",
        "scripted",
        Some("sesame".to_owned()),
    )
    .unwrap();
    let error = endpoint.ask(&[], &[]).await.map(|said| said.text).unwrap_err();
    assert!(matches!(error, ChatError::Request(_)));
    assert!(!format!("{error} {error:?}").contains("sesame"));
}
