//! `toolgate bridge`

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::support::{Data, error, server, text};

struct Bridge {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Bridge {
    fn start(data: &Data) -> Self {
        let mut child = data.command(&["bridge"]).stdin(Stdio::piped()).spawn().unwrap();
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn request(&mut self, id: u32, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
    }

    /// The answer to a request, those of others and events passed over.
    fn ask(&mut self, id: u32, method: &str, params: &Value) -> Value {
        self.request(id, method, params);
        loop {
            let message = self.next().unwrap();
            if message["id"] == id {
                return message;
            }
        }
    }

    fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        match self.output.read_line(&mut line).unwrap() {
            0 => None,
            _ => Some(serde_json::from_str(&line).unwrap()),
        }
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn messages_and_events_go_one_a_line_until_the_input_ends() {
    let data = Data::new();
    let mut bridge = Bridge::start(&data);
    let params: Value = serde_json::from_str(&server("Docs")).unwrap();
    bridge.send(&json!({"jsonrpc": "2.0", "id": "a", "method": "servers.create", "params": params}).to_string());
    let (one, other) = (bridge.next().unwrap(), bridge.next().unwrap());
    let (answer, event) = if one["id"] == "a" { (one, other) } else { (other, one) };
    assert_eq!(event["method"], "host.changed", "{event}");
    assert_eq!(event["params"]["id"], answer["result"]["id"]);

    bridge.send("");
    bridge.send("not json");
    assert_eq!(
        bridge.next().unwrap()["error"]["data"]["code"],
        "mcp.bridge_parse_error"
    );
    bridge.send(r#"{"jsonrpc":"2.0","id":1,"method":"servers.list"}"#);
    bridge.input = None;
    // Answered although the input has ended.
    assert_eq!(bridge.next().unwrap()["result"]["servers"][0]["displayName"], "Docs");
    assert_eq!(bridge.next(), None);
    assert_eq!(bridge.child.wait().unwrap().code(), Some(0));
    assert!(!data.host_json().exists());
}

#[test]
fn it_takes_no_clients_and_says_who_it_is() {
    let data = Data::new();
    let mut bridge = Bridge::start(&data);
    bridge.send(r#"{"jsonrpc":"2.0","id":1,"method":"host.info"}"#);
    assert_eq!(bridge.next().unwrap()["id"], 1);
    let pid = bridge.child.id().to_string();

    let busy = error(&data.run(&["rpc", "host.info"]));
    assert_eq!(busy["data"]["code"], "mcp.host_busy");
    assert!(busy["message"].as_str().unwrap().contains(&pid), "{busy}");
    for arguments in [&["serve", "--no-open", "--port", "0"][..], &["bridge"]] {
        let output = data.run(arguments);
        assert_eq!(output.status.code(), Some(1));
        let message = text(&output.stderr);
        assert!(message.contains("mcp.host_busy") && message.contains(&pid), "{message}");
    }
}

#[test]
fn it_does_not_start_where_a_page_is_served() {
    let data = Data::new();
    let serve = data.serve(&["--no-open"]);
    let output = data.run(&["bridge"]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    let address = format!("http://127.0.0.1:{}", serve.port());
    for part in [
        "mcp.host_busy",
        &serve.pid().to_string(),
        &address,
        "`toolgate rpc` works",
    ] {
        assert!(message.contains(part), "{message}");
    }
    assert!(!message.contains("takes no clients"), "{message}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_although_the_input_stays_open() {
    let data = Data::new();
    let mut bridge = Bridge::start(&data);
    bridge.send(r#"{"jsonrpc":"2.0","id":1,"method":"host.info"}"#);
    bridge.next().unwrap();
    crate::support::send("TERM", bridge.child.id());
    assert_eq!(bridge.child.wait().unwrap().code(), Some(0));
    data.rpc(&["host.info"]);
}

#[test]
fn requests_that_wait_for_servers_hold_nothing_else_up() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap();
    let data = Data::new();
    let mut bridge = Bridge::start(&data);
    let config =
        json!({"type": "http", "url": format!("http://{address}/mcp"), "headers": {}, "protocolVersion": "auto"});
    let id =
        bridge.ask(1, "servers.create", &json!({"displayName": "silent", "config": config}))["result"]["id"].clone();
    bridge.ask(2, "servers.setState", &json!({"id": id, "state": "active"}));
    for number in 0..256 {
        bridge.request(1000 + number, "servers.refresh", &json!({"id": id}));
    }
    // All places are taken: one more is refused, and everything else answered.
    let refused = bridge.ask(3, "servers.refresh", &json!({"id": id}));
    assert_eq!(
        refused["error"]["data"]["code"], "mcp.bridge_requests_limit",
        "{refused}"
    );
    assert_eq!(refused["error"]["code"], -32000);
    let began = std::time::Instant::now();
    bridge.ask(4, "tools.cancelTestCall", &json!({"callId": "none"}));
    let paused = bridge.ask(5, "servers.setState", &json!({"id": id, "state": "paused"}));
    assert_eq!(paused["result"]["state"], "paused", "{paused}");
    assert!(bridge.ask(6, "servers.remove", &json!({"id": id}))["error"].is_null());
    assert!(
        began.elapsed() < std::time::Duration::from_secs(10),
        "{:?}",
        began.elapsed()
    );
}
