//! Messages by POST and by WebSocket.

use serde_json::{Value, json};

use crate::support::{INFO, Server};

fn create(id: i32, name: &str) -> String {
    json!({
        "jsonrpc": "2.0",
        "id": id,
        "method": "servers.create",
        "params": {
            "displayName": name,
            "config": {"type": "http", "url": "http://127.0.0.1:1/mcp", "headers": {}, "protocolVersion": "auto"},
        },
    })
    .to_string()
}

#[tokio::test]
async fn a_message_is_posted_as_json_and_as_nothing_else() {
    let server = Server::plain().await;
    let bearer = server.bearer();
    for (content_type, status) in [
        ("application/json", 200),
        ("application/json; charset=utf-8", 200),
        ("Application/JSON", 200),
        ("text/plain", 415),
        ("text/plain; application/json", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=x", 415),
        ("application/jsonp", 415),
        ("", 415),
    ] {
        let headers = [("Authorization", bearer.as_str()), ("Content-Type", content_type)];
        let answer = server.send("POST /rpc", &headers, INFO.as_bytes()).await;
        assert_eq!(answer.status, status, "{content_type}: {answer:?}");
        if status == 200 {
            assert_eq!(answer.header("content-type"), Some("application/json"));
            assert_eq!(answer.header("cache-control"), Some("no-store"));
        }
    }
    let answer = server
        .send("POST /rpc", &[("Authorization", &bearer)], INFO.as_bytes())
        .await;
    assert_eq!(answer.status, 415, "no type at all: {answer:?}");
}

#[tokio::test]
async fn the_bridges_errors_are_answers_with_status_200() {
    let server = Server::plain().await;
    for (message, code) in [
        (&b"{"[..], -32700),
        (b"[]", -32600),
        (br#"{"jsonrpc":"2.0","id":1,"method":"no.such"}"#, -32601),
        (br#"{"jsonrpc":"2.0","id":1,"method":"host.info","params":[]}"#, -32602),
    ] {
        let answer = server.post(message).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.json()["error"]["code"], code, "{}", answer.text());
    }
}

#[tokio::test]
async fn every_socket_hears_what_another_one_and_a_post_changed() {
    let server = Server::plain().await;
    let (mut one, mut other) = (server.program_socket().await, server.program_socket().await);
    one.send(&create(7, "First")).await;
    let made = one.answer(7).await;
    let id = made["result"]["id"].as_str().unwrap().to_owned();
    let event = other.next().await;
    assert_eq!(event["method"], "host.changed");
    assert_eq!(event["params"], json!({"area": "servers", "id": id}));

    let posted = server.post(create(8, "Second").as_bytes()).await.json();
    let id = posted["result"]["id"].as_str().unwrap().to_owned();
    for socket in [&mut one, &mut other] {
        let event = loop {
            let event = socket.next().await;
            if event["params"]["id"] == id.as_str() {
                break event;
            }
        };
        assert_eq!(event["params"]["area"], "servers");
    }
    other.send(r#"{"jsonrpc":"2.0","id":9,"method":"servers.list"}"#).await;
    let list = other.answer(9).await;
    assert_eq!(list["result"]["servers"].as_array().unwrap().len(), 2, "{list}");
}

#[tokio::test]
async fn a_socket_answers_every_request_by_its_id() {
    let server = Server::plain().await;
    let mut socket = server.program_socket().await;
    // More than may be unanswered at once.
    for id in 0..200 {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": "host.info"});
        socket.send(&request.to_string()).await;
    }
    let mut ids: Vec<i64> = Vec::new();
    for _ in 0..200 {
        let answer: Value = socket.next().await;
        assert!(answer["result"].is_object(), "{answer}");
        ids.push(answer["id"].as_i64().unwrap());
    }
    ids.sort_unstable();
    assert_eq!(ids, (0..200).collect::<Vec<_>>());
}

#[tokio::test]
async fn work_goes_on_when_the_socket_that_asked_is_gone() {
    let server = Server::plain().await;
    let mut watcher = server.program_socket().await;
    let mut socket = server.program_socket().await;
    socket.send(&create(1, "Left behind")).await;
    drop(socket);
    assert_eq!(watcher.next().await["params"]["area"], "servers");
    watcher
        .send(r#"{"jsonrpc":"2.0","id":2,"method":"servers.list"}"#)
        .await;
    assert_eq!(
        watcher.answer(2).await["result"]["servers"][0]["displayName"],
        "Left behind"
    );
}

#[tokio::test]
async fn a_call_that_a_browser_posts_a_second_time_is_not_made_again() {
    let server = Server::plain().await;
    let message = |method: &str, params: Value| {
        json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
    };
    let start = message("tools.startTestCall", json!({"callId": "c"}));
    let call = message(
        "tools.testCall",
        json!({"callId": "c", "id": "11111111-1111-4111-8111-111111111111", "nativeName": "a", "argumentsJson": "{}"}),
    );
    // The announcement may be posted twice, the call may not.
    for _ in 0..2 {
        assert_eq!(server.post(start.as_bytes()).await.json()["result"], Value::Null);
    }
    let first = server.post(call.as_bytes()).await.json();
    assert_eq!(first["result"]["code"], "mcp.call_registration_not_found", "{first}");
    for message in [&call, &start] {
        let again = server.post(message.as_bytes()).await.json();
        assert_eq!(again["error"]["data"]["code"], "mcp.call_already_dispatched", "{again}");
    }
}
