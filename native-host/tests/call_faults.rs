//! Test calls through the bridge, over real sockets, with a fault at every step: what the caller is told, and how often
//! the server received the call.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A test may fail loudly.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use toolgate_host::mcp::{NetLimits, ProxySettings, RmcpConnector};
use toolgate_host::{Budgets, Host, HostOptions};
use toolgate_testkit::{HttpServer, Script, behaviours};

/// One for all hosts: reading the platform's certificates takes a while.
static CONNECTOR: LazyLock<Arc<RmcpConnector>> = LazyLock::new(|| connector(NetLimits::default()));

fn connector(limits: NetLimits) -> Arc<RmcpConnector> {
    Arc::new(RmcpConnector::new(limits, &ProxySettings::none()).expect("a connector"))
}

/// A host on a folder of its own.
struct World {
    host: Host,
    _folder: TempDir,
}

/// A call to be made.
struct Call<'a> {
    id: &'a str,
    tool: &'a str,
    arguments: &'a str,
}

impl World {
    fn new() -> Self {
        Self::with(Arc::clone(&CONNECTOR), |_| {})
    }

    fn with(connector: Arc<RmcpConnector>, adjust: impl FnOnce(&mut Budgets)) -> Self {
        let folder = TempDir::new().expect("a folder");
        let mut options = HostOptions::new(folder.path());
        adjust(&mut options.budgets);
        let host = Host::open(options, connector).expect("a host");
        Self { host, _folder: folder }
    }

    async fn request(&self, method: &str, params: Value) -> Result<Value, Value> {
        request(&self.host, method, params).await
    }

    /// Registers a server and activates it; its id.
    async fn add(&self, server: &HttpServer, headers: Value) -> String {
        self.add_at(&server.url(), headers).await
    }

    async fn add_at(&self, url: &str, headers: Value) -> String {
        let config = json!({"type": "http", "url": url, "headers": headers, "protocolVersion": "auto"});
        let params = json!({"displayName": "Kit", "config": config});
        let created = self.request("servers.create", params).await.expect("created");
        let id = created["id"].as_str().expect("an id").to_owned();
        let active = json!({"id": id, "state": "active"});
        self.request("servers.setState", active).await.expect("activated");
        id
    }

    /// Announces a call under the id `c` and asks for it; it runs while the test goes on.
    async fn begin(&self, call: &Call<'_>) -> tokio::task::JoinHandle<Result<Value, Value>> {
        self.request("tools.startTestCall", json!({"callId": "c"}))
            .await
            .expect("announced");
        let params = json!({"callId": "c", "id": call.id, "nativeName": call.tool, "argumentsJson": call.arguments});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools.testCall", "params": params});
        let answer = self.host.bridge().handle(message.to_string());
        tokio::spawn(async move { read(&answer.await) })
    }

    async fn cancel(&self) {
        let params = json!({"callId": "c"});
        self.request("tools.cancelTestCall", params).await.expect("cancelled");
    }
}

async fn request(host: &Host, method: &str, params: Value) -> Result<Value, Value> {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    read(&host.bridge().handle(message.to_string()).await)
}

fn read(answer: &str) -> Result<Value, Value> {
    let answer: Value = serde_json::from_str(answer).expect("JSON");
    match answer.get("error") {
        Some(error) => Err(error["data"].clone()),
        None => Ok(answer["result"].clone()),
    }
}

fn script(behaviour: &str) -> Script {
    (behaviours::find(behaviour).expect("a behaviour").script)()
}

/// What an outcome is in one word: a code, or the kind of the answer.
fn word(outcome: &Value) -> String {
    let response = &outcome["response"];
    let word = match outcome["outcome"].as_str().expect("an outcome") {
        "known_response" => match response["kind"].as_str().expect("a kind") {
            "tool_result" => "tool_result",
            "server_error" => "server_error",
            _ => response["responseType"].as_str().expect("a type"),
        },
        "not_sent" => outcome["code"].as_str().expect("a code"),
        _ => return format!("unknown {}", outcome["code"].as_str().expect("a code")),
    };
    word.to_owned()
}

/// Nothing that a server said beside its answer, or a configuration holds, may be in what a person gets to see.
fn assert_clean(outcome: &Value) {
    let message = outcome["message"].as_str().unwrap_or_default();
    for secret in ["remote text", "secret", "/mcp?", "html>"] {
        assert!(!message.contains(secret), "{secret:?} in {message}");
    }
}

/// Makes one call of a server and says what it came to; the server's record beside it.
async fn play(script: Script, tool: &str, arguments: &str, adjust: impl FnOnce(&mut Budgets)) -> (String, HttpServer) {
    let world = World::with(Arc::clone(&CONNECTOR), adjust);
    let server = HttpServer::play(script).await.expect("a server");
    let id = world.add(&server, json!({"X-Key": "secret"})).await;
    let call = Call {
        id: &id,
        tool,
        arguments,
    };
    let outcome = world.begin(&call).await.await.expect("a task").expect("an outcome");
    assert_clean(&outcome);
    // Whatever is left to do with the server is done, and could be a second call.
    world.host.shutdown().await;
    (word(&outcome), server)
}

const UNKNOWN: &str = "unknown mcp.call_response_failed";

#[tokio::test]
async fn nothing_is_sent_where_the_start_fails() {
    let failed = "mcp.call_initialize_failed";
    for (behaviour, expected) in [
        ("closed-port", failed),
        ("reset", failed),
        ("not-http", failed),
        ("html", failed),
        ("gzip", failed),
        ("redirect", failed),
        ("401", failed),
        ("403", failed),
        ("404", failed),
        ("429", failed),
        ("503", failed),
        ("legacy-sse", failed),
        ("old-version", failed),
        ("initialized-500", failed),
        ("no-tools-capability", "mcp.call_tools_capability_missing"),
    ] {
        let (word, server) = play(script(behaviour), "first", "{}", |_| {}).await;
        assert_eq!((word.as_str(), server.calls()), (expected, 0), "{behaviour}");
    }
    let short = |budgets: &mut Budgets| budgets.call_start = Duration::from_millis(100);
    for behaviour in ["silent", "stalled-stream"] {
        let (word, mut server) = play(script(behaviour), "first", "{}", short).await;
        assert_eq!(word, "mcp.call_initialize_timeout", "{behaviour}");
        server.wait_for_abandoned(1).await.expect("the request ended");
        assert_eq!(server.calls(), 0, "{behaviour}");
    }
}

#[tokio::test]
async fn nothing_is_sent_where_tls_fails() {
    let world = World::new();
    let server = HttpServer::start("good").await.expect("a server");
    let id = world.add_at(&server.url().replace("http:", "https:"), json!({})).await;
    let params = json!({"id": id, "nativeName": "first", "argumentsJson": "{}"});
    let outcome = world.request("tools.testCall", params).await.expect("an outcome");
    assert_eq!(word(&outcome), "mcp.call_initialize_failed");
    assert_eq!(server.calls(), 0);
}

#[tokio::test]
async fn nothing_is_sent_where_what_headers_need_cannot_be_read() {
    let failed = "mcp.call_metadata_failed";
    for (behaviour, tool, expected) in [
        ("list-refused", "first", failed),
        ("202-list", "first", failed),
        ("malformed-json", "first", failed),
        ("foreign-id", "first", failed),
        ("reset-body", "first", failed),
        ("short-body", "first", failed),
        ("5-mib-body", "first", failed),
        ("stream-without-answer", "first", failed),
        ("600-tools", "first", failed),
        ("duplicates", "twice", failed),
        ("cursor-loop", "absent", failed),
        ("two-pages", "absent", "mcp.call_tool_unavailable"),
    ] {
        let (word, server) = play(script(behaviour).in_2026(), tool, "{}", |_| {}).await;
        assert_eq!((word.as_str(), server.calls()), (expected, 0), "{behaviour}");
        // The older revisions read no list, so the same servers are called.
        let (word, server) = play(script(behaviour), tool, "{}", |_| {}).await;
        assert_eq!((word.as_str(), server.calls()), ("tool_result", 1), "{behaviour}");
    }
    let short = |budgets: &mut Budgets| budgets.call_start = Duration::from_secs(1);
    let (word, mut server) = play(script("silent-list").in_2026(), "first", "{}", short).await;
    assert_eq!(word, "mcp.call_metadata_timeout");
    server.wait_for_abandoned(1).await.expect("the request ended");
    assert_eq!(server.calls(), 0);
}

#[tokio::test]
async fn a_header_that_cannot_be_sent_ends_before_anything_is() {
    let world = World::new();
    let server = HttpServer::start("good").await.expect("a server");
    for headers in [json!({"Content-Length": "1"}), json!({"X-Key": "secret\r\n"})] {
        let id = world.add(&server, headers).await;
        let params = json!({"id": id, "nativeName": "first", "argumentsJson": "{}"});
        let outcome = world.request("tools.testCall", params).await.expect("an outcome");
        assert_eq!(word(&outcome), "mcp.call_headers_invalid");
        assert_clean(&outcome);
    }
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn once_it_is_sent_the_call_is_known_or_unknown_and_was_received_once() {
    for (behaviour, expected) in [
        ("good", "tool_result"),
        ("good-sse", "tool_result"),
        ("good-stateless", "tool_result"),
        ("crlf-stream", "tool_result"),
        ("chatty-stream", "tool_result"),
        ("call-error", "server_error"),
        ("call-400-error", "server_error"),
        ("call-500-error", "server_error"),
        ("call-null-error", "server_error"),
        ("call-null-error-500", UNKNOWN),
        ("call-input-required", "input_required"),
        ("call-task", "task"),
        ("call-401", UNKNOWN),
        ("call-401-error", UNKNOWN),
        ("call-404", UNKNOWN),
        ("call-429", UNKNOWN),
        ("call-500", UNKNOWN),
        ("call-redirect", UNKNOWN),
        ("call-202", UNKNOWN),
        ("call-html", UNKNOWN),
        ("call-gzip", UNKNOWN),
        ("call-malformed", UNKNOWN),
        ("call-foreign-id", UNKNOWN),
        ("call-foreign-error", UNKNOWN),
        ("call-5-mib", UNKNOWN),
        ("call-5-mib-stream", UNKNOWN),
        ("call-reset", UNKNOWN),
        ("call-close", UNKNOWN),
        ("call-not-http", UNKNOWN),
        ("call-half-head", UNKNOWN),
        ("call-half-body", UNKNOWN),
        ("call-short-body", UNKNOWN),
        ("call-stream-ends", UNKNOWN),
        ("call-stream-reset", UNKNOWN),
        ("call-stream-noise", UNKNOWN),
    ] {
        for (era, script) in [("2025", script(behaviour)), ("2026", script(behaviour).in_2026())] {
            let (word, server) = play(script, "first", r#"{"a":1}"#, |_| {}).await;
            assert_eq!((word.as_str(), server.calls()), (expected, 1), "{behaviour}, {era}");
        }
    }
}

#[tokio::test]
async fn a_404_with_an_error_is_a_lost_session_in_one_revision_and_an_answer_in_the_other() {
    let (word, server) = play(script("call-404-error"), "first", "{}", |_| {}).await;
    assert_eq!((word.as_str(), server.calls()), (UNKNOWN, 1));
    let starts = server.asked().iter().filter(|what| *what == "POST initialize").count();
    assert_eq!(starts, 1, "no session is begun to send the call again");
    let (word, server) = play(script("call-404-error").in_2026(), "first", "{}", |_| {}).await;
    assert_eq!((word.as_str(), server.calls()), ("server_error", 1));
}

#[tokio::test]
async fn a_request_that_is_cut_off_while_it_is_sent_is_not_sent_again() {
    let arguments = format!(r#"{{"a":"{}"}}"#, "x".repeat(200 * 1024));
    for script in [script("call-cut"), script("call-cut").in_2026()] {
        let (word, server) = play(script, "first", &arguments, |_| {}).await;
        assert_eq!((word.as_str(), server.calls()), (UNKNOWN, 1));
    }
}

#[tokio::test]
async fn a_stream_that_is_resumed_answers_the_call_without_a_second_one() {
    let (word, server) = play(script("call-resumed"), "first", "{}", |_| {}).await;
    assert_eq!((word.as_str(), server.calls()), ("tool_result", 1));
    assert!(server.asked().contains(&"GET".to_owned()));
    // Revision 2026-07-28 knows no such thing.
    let mut modern = script("call-resumed").in_2026();
    modern.pages = script("good").pages;
    let (word, server) = play(modern, "first", "{}", |_| {}).await;
    assert!(word.starts_with("mcp.call_metadata_failed"), "{word}");
    assert_eq!(server.calls(), 0);
}

const NEVER_ANSWERED: [&str; 3] = ["call-silent", "call-quiet-stream", "call-stalled-body"];

/// After the call was given up: an older server is told by a notification that names the call, a newer one by nothing
/// but the end of the request; both see the request end.
async fn assert_told(server: &mut HttpServer, era: &str, behaviour: &str) {
    server.wait_for_abandoned(1).await.expect("the request ended");
    let received = server.received();
    let call = received
        .iter()
        .find(|request| request.rpc() == "tools/call")
        .expect("a call");
    let told: Vec<_> = received
        .iter()
        .filter(|request| request.rpc() == "notifications/cancelled")
        .map(|request| request.json()["params"]["requestId"].clone())
        .collect();
    let expected = if era == "2025" {
        vec![call.json()["id"].clone()]
    } else {
        Vec::new()
    };
    assert_eq!(told, expected, "{behaviour}, {era}");
    assert_eq!(server.calls(), 1, "{behaviour}, {era}");
}

#[tokio::test]
async fn an_answer_that_does_not_come_in_time_is_unknown_and_the_server_is_told() {
    let short = |budgets: &mut Budgets| budgets.call = Duration::from_millis(200);
    for behaviour in NEVER_ANSWERED {
        for (era, script) in [("2025", script(behaviour)), ("2026", script(behaviour).in_2026())] {
            let (word, mut server) = play(script, "first", "{}", short).await;
            assert_eq!(word, "unknown mcp.call_timeout", "{behaviour}, {era}");
            assert_told(&mut server, era, behaviour).await;
        }
    }
}

#[tokio::test]
async fn a_call_cancelled_under_way_is_unknown_and_the_server_is_told() {
    for behaviour in NEVER_ANSWERED {
        for (era, script) in [("2025", script(behaviour)), ("2026", script(behaviour).in_2026())] {
            let world = World::new();
            let mut server = HttpServer::play(script).await.expect("a server");
            let id = world.add(&server, json!({})).await;
            let call = Call {
                id: &id,
                tool: "first",
                arguments: "{}",
            };
            let running = world.begin(&call).await;
            server
                .wait_for(|request| request.rpc() == "tools/call")
                .await
                .expect("a call");
            world.cancel().await;
            let outcome = running.await.expect("a task").expect("an outcome");
            assert_eq!(word(&outcome), "unknown mcp.call_cancelled", "{behaviour}, {era}");
            world.host.shutdown().await;
            assert_told(&mut server, era, behaviour).await;
        }
    }
}

#[tokio::test]
async fn a_host_that_shuts_down_tells_the_server_too() {
    for (era, script) in [
        ("2025", script("call-silent")),
        ("2026", script("call-silent").in_2026()),
    ] {
        let world = World::new();
        let mut server = HttpServer::play(script).await.expect("a server");
        let id = world.add(&server, json!({})).await;
        let call = Call {
            id: &id,
            tool: "first",
            arguments: "{}",
        };
        let running = world.begin(&call).await;
        server
            .wait_for(|request| request.rpc() == "tools/call")
            .await
            .expect("a call");
        world.host.shutdown().await;
        let outcome = running.await.expect("a task").expect("an outcome");
        assert_eq!(word(&outcome), "unknown mcp.call_cancelled", "{era}");
        assert_told(&mut server, era, "call-silent").await;
    }
}

#[tokio::test]
async fn a_call_cancelled_before_it_is_sent_is_never_received() {
    for (script, last) in [
        (script("silent"), "POST server/discover"),
        (script("silent-list").in_2026(), "POST tools/list"),
    ] {
        let world = World::new();
        let mut server = HttpServer::play(script).await.expect("a server");
        let id = world.add(&server, json!({})).await;
        let call = Call {
            id: &id,
            tool: "first",
            arguments: "{}",
        };
        let running = world.begin(&call).await;
        server.wait_for(|request| request.what() == last).await.expect(last);
        world.cancel().await;
        let outcome = running.await.expect("a task").expect("an outcome");
        assert_eq!(word(&outcome), "mcp.call_cancelled_before_send");
        server.wait_for_abandoned(1).await.expect("the request ended");
        world.host.shutdown().await;
        assert_eq!(server.calls(), 0);
    }
}

#[tokio::test]
async fn the_outcome_is_there_before_the_close_is_answered() {
    // Long enough that a test which waited for the close would be noticed.
    let limits = NetLimits {
        close: Duration::from_secs(600),
        ..NetLimits::default()
    };
    let world = World::with(connector(limits), |_| {});
    let mut server = HttpServer::start("no-delete").await.expect("a server");
    let id = world.add(&server, json!({})).await;
    let call = Call {
        id: &id,
        tool: "first",
        arguments: "{}",
    };
    let running = world.begin(&call).await;
    let outcome = tokio::time::timeout(Duration::from_secs(60), running).await;
    let outcome = outcome.expect("in time").expect("a task").expect("an outcome");
    assert_eq!(word(&outcome), "tool_result");
    // The session is being given back all the same.
    server
        .wait_for(|request| request.method == "DELETE")
        .await
        .expect("a DELETE");
}

#[tokio::test]
async fn a_close_that_is_never_answered_is_abandoned_and_changes_nothing() {
    let limits = NetLimits {
        close: Duration::from_millis(100),
        ..NetLimits::default()
    };
    let world = World::with(connector(limits), |_| {});
    let mut server = HttpServer::start("no-delete").await.expect("a server");
    let id = world.add(&server, json!({})).await;
    let call = Call {
        id: &id,
        tool: "first",
        arguments: "{}",
    };
    let outcome = world.begin(&call).await.await.expect("a task").expect("an outcome");
    assert_eq!(word(&outcome), "tool_result");
    server.wait_for_abandoned(1).await.expect("abandoned");
    world.host.shutdown().await;
}

#[tokio::test]
async fn arguments_reach_the_server_byte_for_byte_and_results_come_back_so() {
    let arguments = concat!(
        r#"{"z":9007199254740993,"a":[18446744073709551615,-9223372036854775808,9223372036854775807],"#,
        r#""long":0.1000000000000000055511151231257827,"big":1e400,"minus":-0,"spelled":1.50E+01,"#,
        r#""text":"\u00e9\/\ud83d\ude00","b":{"y":1,"x":2},"":null}"#
    );
    for script in [
        script("good"),
        script("good-sse"),
        script("good-2026"),
        script("good-2026-sse"),
    ] {
        let world = World::new();
        let server = HttpServer::play(script).await.expect("a server");
        let id = world.add(&server, json!({})).await;
        let call = Call {
            id: &id,
            tool: "first",
            arguments,
        };
        let outcome = world.begin(&call).await.await.expect("a task").expect("an outcome");
        let received = server.received();
        let sent = received
            .iter()
            .find(|request| request.rpc() == "tools/call")
            .expect("a call");
        assert_eq!(sent.arguments(), arguments);
        assert_eq!(sent.json()["params"]["name"], "first");
        assert_eq!(outcome["response"]["structuredJson"], arguments);
        assert_eq!(outcome["response"]["textBlocks"][0]["text"], arguments);
        world.host.shutdown().await;
    }
}

#[tokio::test]
async fn arguments_that_the_server_wants_in_headers_go_out_in_them() {
    let world = World::new();
    let server = HttpServer::start("mirroring").await.expect("a server");
    let id = world.add(&server, json!({"Mcp-Param-Text": "mine"})).await;
    let call = Call {
        id: &id,
        tool: "mirrored",
        arguments: r#"{"n":9007199254740993,"text":"Hello, 世界","flag":false,"in":{"region":" eu "},"other":"x"}"#,
    };
    let outcome = world.begin(&call).await.await.expect("a task").expect("an outcome");
    assert_eq!(word(&outcome), "tool_result");
    assert_eq!(
        server.asked(),
        [
            "POST server/discover",
            "POST tools/list",
            "POST tools/list",
            "POST tools/call"
        ],
        "the list is read until the tool is found"
    );
    for request in server.received() {
        let is_call = request.rpc() == "tools/call";
        let expect = |name: &str, value: &'static str| {
            let expected: &[&str] = if is_call { &[value] } else { &[] };
            assert_eq!(request.header(name), expected, "{name} of {}", request.what());
        };
        expect("mcp-param-count", "9007199254740993");
        expect("mcp-param-flag", "false");
        expect("mcp-param-region", "=?base64?IGV1IA==?=");
        expect("mcp-name", "mirrored");
        let text = if is_call {
            "=?base64?SGVsbG8sIOS4lueVjA==?="
        } else {
            "mine"
        };
        assert_eq!(request.header("mcp-param-text"), [text], "{}", request.what());
    }
    world.host.shutdown().await;
}

#[tokio::test]
async fn the_same_request_again_reaches_no_server() {
    let world = World::new();
    let mut server = HttpServer::start("call-silent").await.expect("a server");
    let id = world.add(&server, json!({})).await;
    let call = Call {
        id: &id,
        tool: "first",
        arguments: "{}",
    };
    let running = world.begin(&call).await;
    server
        .wait_for(|request| request.rpc() == "tools/call")
        .await
        .expect("a call");
    let again = json!({"callId": "c", "id": id, "nativeName": "first", "argumentsJson": "{}"});
    for _ in 0..3 {
        let refused = world
            .request("tools.testCall", again.clone())
            .await
            .expect_err("refused");
        assert_eq!(refused["code"], "mcp.call_already_dispatched");
    }
    world.cancel().await;
    running.await.expect("a task").expect("an outcome");
    world.request("tools.testCall", again).await.expect_err("refused");
    world.host.shutdown().await;
    assert_eq!(server.calls(), 1);
}
