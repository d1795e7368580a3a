//! What is too large, too slow or too many, and the end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpSocket;
use tokio_tungstenite::tungstenite::Message;

use crate::support::{Answer, INFO, Server, Silent, start, start_with};

const MIB: usize = 1024 * 1024;

/// A request of exactly so many bytes, filled up with white space.
fn padded(bytes: usize) -> Vec<u8> {
    let mut message = INFO.as_bytes().to_vec();
    message.resize(bytes, b' ');
    message
}

#[tokio::test]
async fn a_posted_message_may_have_8_mib_and_not_a_byte_more() {
    let server = Server::plain().await;
    assert_eq!(server.post(&padded(8 * MIB)).await.status, 200);
    let refused = server.post(&padded(8 * MIB + 1)).await;
    assert_eq!(refused.status, 413);
    assert!(refused.text().contains("8 MiB"), "{}", refused.text());
}

#[tokio::test]
async fn a_length_that_is_not_announced_is_limited_all_the_same() {
    let server = start(|options| options.limits.message_bytes = 1000).await;
    for (bytes, status) in [(1000, 200), (1001, 413)] {
        let mut stream = server.connect().await;
        let head = format!(
            "POST /rpc HTTP/1.1\r\nHost: {}\r\nAuthorization: {}\r\nContent-Type: application/json\r\n\
             Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n{bytes:x}\r\n",
            server.name(),
            server.bearer()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&padded(bytes)).await.unwrap();
        stream.write_all(b"\r\n0\r\n\r\n").await.unwrap();
        assert_eq!(Answer::read(&mut stream).await.status, status, "{bytes}");
    }
}

#[tokio::test]
async fn a_message_on_a_socket_may_have_8_mib_and_not_a_byte_more() {
    let server = Server::plain().await;
    let mut socket = server.program_socket().await;
    socket.send(std::str::from_utf8(&padded(8 * MIB)).unwrap()).await;
    assert!(socket.answer(1).await["result"].is_object());
    let too_large = String::from_utf8(padded(8 * MIB + 1)).unwrap();
    // The server gives up at the frame's head; what is still being sent then breaks the connection.
    let _ = socket.stream.send(Message::text(too_large)).await;
    while let Some(Ok(message)) = socket.stream.next().await {
        assert!(message.is_close(), "{message:?}");
    }
}

#[tokio::test]
async fn a_message_that_is_too_large_for_a_socket_ends_it_with_a_reason() {
    let server = start(|options| options.limits.message_bytes = 1000).await;
    let mut socket = server.program_socket().await;
    socket.send(std::str::from_utf8(&padded(1000)).unwrap()).await;
    assert!(socket.answer(1).await["result"].is_object());
    socket.send(std::str::from_utf8(&padded(1001)).unwrap()).await;
    assert_eq!(socket.closing_code().await, 1009);
}

#[tokio::test]
async fn requests_that_wait_for_servers_hold_nothing_else_up() {
    let server = start_with(Arc::new(Silent), |options| options.limits.requests_per_socket = 3).await;
    let mut socket = server.program_socket().await;
    let config = json!({"type": "http", "url": "http://127.0.0.1:1/", "headers": {}, "protocolVersion": "auto"});
    let created = socket
        .ask(1, "servers.create", &json!({"displayName": "silent", "config": config}))
        .await;
    let id = created["result"]["id"].clone();
    socket
        .ask(2, "servers.setState", &json!({"id": id, "state": "active"}))
        .await;
    for number in 100..103 {
        socket.request(number, "servers.refresh", &json!({"id": id})).await;
    }
    let refused = socket.ask(3, "servers.refresh", &json!({"id": id})).await;
    assert_eq!(
        refused["error"]["data"]["code"], "mcp.bridge_requests_limit",
        "{refused}"
    );
    // Many more than wait.
    for number in 4..100 {
        socket
            .ask(number, "tools.cancelTestCall", &json!({"callId": "none"}))
            .await;
    }
    let began = Instant::now();
    let paused = socket
        .ask(200, "servers.setState", &json!({"id": id, "state": "paused"}))
        .await;
    assert_eq!(paused["result"]["state"], "paused", "{paused}");
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_binary_message_ends_the_socket_with_a_reason() {
    let server = Server::plain().await;
    let mut socket = server.program_socket().await;
    socket
        .stream
        .send(Message::binary(INFO.as_bytes().to_vec()))
        .await
        .unwrap();
    assert_eq!(socket.closing_code().await, 1003);
}

#[tokio::test]
async fn a_request_head_that_does_not_come_is_not_waited_for() {
    let server = start(|options| options.limits.head_timeout = Duration::from_millis(100)).await;
    for beginning in ["", "GET / HTTP/1.1\r\nHost: 127"] {
        let mut stream = server.connect().await;
        stream.write_all(beginning.as_bytes()).await.unwrap();
        let mut rest = Vec::new();
        // Ends, by whatever the server does with such a connection.
        let _ = stream.read_to_end(&mut rest).await;
        assert!(!rest.starts_with(b"HTTP/1.1 200"));
    }
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let server = start(|options| options.limits.body_timeout = Duration::from_millis(100)).await;
    let mut stream = server.connect().await;
    let head = format!(
        "POST /rpc HTTP/1.1\r\nHost: {}\r\nAuthorization: {}\r\nContent-Type: application/json\r\n\
         Connection: close\r\nContent-Length: 100\r\n\r\n{{",
        server.name(),
        server.bearer()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    assert_eq!(Answer::read(&mut stream).await.status, 408);
}

#[tokio::test]
async fn a_head_that_is_too_long_is_refused() {
    let server = Server::plain().await;
    let long = "x".repeat(64 * 1024);
    let answer = server.send("GET /", &[("X-Long", &long)], b"").await;
    assert_eq!(answer.status, 431);
}

#[tokio::test]
async fn a_reader_that_stops_reading_is_given_up() {
    let server = start(|options| options.limits.write_timeout = Duration::from_millis(200)).await;
    let socket = TcpSocket::new_v4().unwrap();
    // Little room for what is not read.
    socket.set_recv_buffer_size(4096).unwrap();
    let stream = socket
        .connect(([127, 0, 0, 1], server.web.port()).into())
        .await
        .unwrap();
    let mut socket = server
        .socket_over(stream, &[("authorization", &server.bearer())])
        .await
        .unwrap();
    // Never reads. Writing blocks when the server reads no more, and fails when it has given the connection up.
    while socket.stream.send(Message::text(INFO)).await.is_ok() {}
    // Others are served as before.
    assert_eq!(server.post(INFO.as_bytes()).await.status, 200);
}

#[tokio::test]
async fn sockets_beyond_the_number_are_refused_until_one_is_closed() {
    let server = start(|options| options.limits.sockets = 1).await;
    let mut first = server.program_socket().await;
    let refused = server.socket(&[("authorization", &server.bearer())]).await.unwrap_err();
    assert_eq!(refused.status, 503);
    first.stream.close(None).await.unwrap();
    while first.stream.next().await.is_some() {}
    // The place is free a moment after the close is through.
    let deadline = Instant::now() + Duration::from_secs(5);
    while server.socket(&[("authorization", &server.bearer())]).await.is_err() {
        assert!(Instant::now() < deadline);
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn connections_that_show_nothing_keep_nobody_out() {
    // Times are the defaults: what is not answered at once is answered after half a minute.
    let server = start(|options| options.limits.connections = 4).await;
    let mut silent = Vec::new();
    let strangers = [
        "",
        "GET / HTTP/1.1\r\nHost: 127",
        "POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{",
    ];
    for beginning in strangers.iter().cycle().take(30) {
        let mut stream = server.connect().await;
        // The server may have given the connection up by now.
        let _ = stream.write_all(beginning.as_bytes()).await;
        silent.push(stream);
    }
    let began = Instant::now();
    assert_eq!(server.post(INFO.as_bytes()).await.status, 200);
    let mut socket = server.program_socket().await;
    socket.send(INFO).await;
    assert_eq!(socket.answer(1).await["id"], 1);
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    // The oldest gave way.
    let mut rest = Vec::new();
    let _ = silent.remove(0).read_to_end(&mut rest).await;
    assert!(rest.is_empty());
}

#[tokio::test]
async fn a_connection_that_was_let_in_keeps_its_place_until_it_is_answered() {
    let server = start(|options| options.limits.connections = 1).await;
    let mut first = server.connect().await;
    let head = format!(
        "POST /rpc HTTP/1.1\r\nHost: {}\r\nAuthorization: {}\r\nContent-Type: application/json\r\n\
         Connection: close\r\nExpect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        server.name(),
        server.bearer(),
        INFO.len()
    );
    first.write_all(head.as_bytes()).await.unwrap();
    // The server asks for the body once it has let the request in.
    let mut asked = [0; 25];
    first.read_exact(&mut asked).await.unwrap();
    assert_eq!(&asked, b"HTTP/1.1 100 Continue\r\n\r\n");

    // Others wait, whoever they are.
    let _silent = server.connect().await;
    let second = server.post(INFO.as_bytes());
    let answer = async {
        first.write_all(INFO.as_bytes()).await.unwrap();
        Answer::read(&mut first).await
    };
    let (second, answer) = tokio::join!(second, answer);
    assert_eq!((answer.status, second.status), (200, 200));
}

#[tokio::test]
async fn a_stop_closes_sockets_with_a_reason_and_ends_quickly() {
    let server = Server::plain().await;
    let mut socket = server.program_socket().await;
    let mut idle = server.connect().await;
    let began = Instant::now();
    let (code, (), ()) = tokio::join!(socket.closing_code(), server.web.stop(), server.host.shutdown());
    assert_eq!(code, 1001);
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    let mut rest = Vec::new();
    let _ = idle.read_to_end(&mut rest).await;
    assert!(rest.is_empty());
}
