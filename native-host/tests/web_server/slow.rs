//! Clients that send a little at a time, half of something, or more than they say: each is ended, and keeps nobody waiting.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{INFO, Server, start};

const LIMIT: Duration = Duration::from_millis(300);
/// A pause between two bytes that is far below every limit.
const PAUSE: Duration = Duration::from_millis(10);

/// Sends a byte now and then, without end, until the server ends the connection; answers what it said.
async fn drip(mut stream: TcpStream, beginning: &str, byte: u8) -> Vec<u8> {
    stream.write_all(beginning.as_bytes()).await.unwrap();
    let (mut reading, mut writing) = stream.split();
    let mut said = Vec::new();
    let dripping = async {
        while writing.write_all(&[byte]).await.is_ok() {
            tokio::time::sleep(PAUSE).await;
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        _ = reading.read_to_end(&mut said) => {}
        () = dripping => {}
    }
    said
}

/// A POST of the right person, whose body is to follow.
fn post(server: &Server, rest: &str) -> String {
    format!(
        "POST /rpc HTTP/1.1\r\nHost: {}\r\nAuthorization: {}\r\nContent-Type: application/json\r\n{rest}\r\n\r\n",
        server.name(),
        server.bearer()
    )
}

#[tokio::test]
async fn a_head_that_drips_has_no_more_time_than_one_that_does_not_come() {
    let server = start(|options| options.limits.head_timeout = LIMIT).await;
    let began = Instant::now();
    for (beginning, byte) in [
        ("", b'G'),
        ("GET / HTTP/1.1\r\nX-Slow: ", b'x'),
        ("GET / HTTP/1.1\r\nHost: x\r\n", b'\r'),
    ] {
        let said = drip(server.connect().await, beginning, byte).await;
        assert!(!said.starts_with(b"HTTP/1.1 200"), "{beginning:?}");
    }
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_body_that_drips_has_no_more_time_than_one_that_does_not_come() {
    let server = start(|options| options.limits.body_timeout = LIMIT).await;
    for (rest, byte) in [("Content-Length: 1000000", b' '), ("Transfer-Encoding: chunked", b'0')] {
        let said = drip(server.connect().await, &post(&server, rest), byte).await;
        assert!(
            said.starts_with(b"HTTP/1.1 408 "),
            "{rest}: {}",
            String::from_utf8_lossy(&said)
        );
    }
}

#[tokio::test]
async fn who_shows_nothing_is_refused_before_a_body_comes() {
    // The limits are the defaults: what is not answered at once is answered after half a minute.
    let server = Server::plain().await;
    let began = Instant::now();
    for rest in [
        "Content-Length: 8000000",
        "Transfer-Encoding: chunked",
        "Expect: 100-continue\r\nContent-Length: 9",
    ] {
        let mut stream = server.connect().await;
        let head = post(&server, rest).replace("Authorization: Bearer ", "X-Nothing: ");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut said = [0; 12];
        stream.read_exact(&mut said).await.unwrap();
        assert_eq!(&said, b"HTTP/1.1 401", "{rest}");
    }
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_connection_that_was_answered_and_says_no_more_is_ended() {
    let server = start(|options| options.limits.head_timeout = LIMIT).await;
    let mut stream = server.connect().await;
    let request = format!("GET /rpc HTTP/1.1\r\nHost: {}\r\n\r\n", server.name());
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut said = Vec::new();
    stream.read_to_end(&mut said).await.unwrap();
    assert!(said.starts_with(b"HTTP/1.1 401 "), "{}", String::from_utf8_lossy(&said));
}

/// A WebSocket of the right person, as its bytes.
async fn upgraded(server: &Server) -> TcpStream {
    let mut stream = server.connect().await;
    let head = format!(
        "GET /ws HTTP/1.1\r\nHost: {}\r\nAuthorization: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
        server.name(),
        server.bearer()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut said = Vec::new();
    while !said.ends_with(b"\r\n\r\n") {
        said.push(stream.read_u8().await.unwrap());
    }
    assert!(said.starts_with(b"HTTP/1.1 101 "), "{}", String::from_utf8_lossy(&said));
    stream
}

/// The head of a client's frame, masked with nothing.
fn frame(first: u8, length: u64) -> Vec<u8> {
    let mut head = vec![first, 0xff];
    head.extend_from_slice(&length.to_be_bytes());
    head.extend_from_slice(&[0; 4]);
    head
}

const TEXT: u8 = 0x81;
const TEXT_TO_GO_ON: u8 = 0x01;
const CONTINUED: u8 = 0x00;
/// What the server's closing frame says of a message that is too large (RFC 6455 §7.4.1).
const TOO_LARGE: [u8; 2] = 1009_u16.to_be_bytes();

#[tokio::test]
async fn frames_that_say_they_are_endless_end_the_socket_at_once() {
    let server = Server::plain().await;
    for length in [8 * 1024 * 1024 + 1, u64::from(u32::MAX), u64::MAX >> 1, u64::MAX] {
        let mut stream = upgraded(&server).await;
        stream.write_all(&frame(TEXT, length)).await.unwrap();
        let mut said = Vec::new();
        let _ = stream.read_to_end(&mut said).await;
        assert!(said.len() < 200, "{length}: {} bytes", said.len());
        // The last but one cannot be a length at all; either way nothing of it is waited for.
        assert!(said.is_empty() || said.first() == Some(&0x88), "{length}: {said:?}");
    }
    assert_eq!(server.post(INFO.as_bytes()).await.status, 200);
}

#[tokio::test]
async fn a_message_in_pieces_has_no_more_bytes_than_a_whole_one() {
    let server = start(|options| options.limits.message_bytes = 1000).await;
    let mut stream = upgraded(&server).await;
    for first in [TEXT_TO_GO_ON, CONTINUED, CONTINUED] {
        let mut piece = frame(first, 400);
        piece.extend_from_slice(&[b' '; 400]);
        // The server may have ended it before the last one.
        let _ = stream.write_all(&piece).await;
    }
    let mut said = Vec::new();
    let _ = stream.read_to_end(&mut said).await;
    assert_eq!(said.get(2..4), Some(&TOO_LARGE[..]), "{said:?}");
}

#[tokio::test]
async fn half_a_frame_holds_nobody_up_and_no_stop() {
    let server = Server::plain().await;
    let mut halves = Vec::new();
    for bytes in [
        &[][..],
        &[TEXT],
        &frame(TEXT, 4 * 1024 * 1024),
        &frame(TEXT_TO_GO_ON, 3),
    ] {
        let mut stream = upgraded(&server).await;
        stream.write_all(bytes).await.unwrap();
        halves.push(stream);
    }
    let mut socket = server.program_socket().await;
    socket.send(INFO).await;
    assert_eq!(socket.answer(1).await["id"], 1);
    let began = Instant::now();
    tokio::join!(server.web.stop(), server.host.shutdown());
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    for mut half in halves {
        let mut said = Vec::new();
        let _ = half.read_to_end(&mut said).await;
    }
}

#[tokio::test]
async fn a_socket_whose_other_end_says_no_more_gives_its_place_back() {
    let server = start(|options| options.limits.sockets = 1).await;
    let mut half_closed = upgraded(&server).await;
    // Its reading side stays open, as of a program that has forgotten it.
    half_closed.shutdown().await.unwrap();
    let mut said = Vec::new();
    let _ = half_closed.read_to_end(&mut said).await;
    let deadline = Instant::now() + Duration::from_secs(10);
    while server.socket(&[("authorization", &server.bearer())]).await.is_err() {
        assert!(Instant::now() < deadline, "the place is still taken");
        tokio::task::yield_now().await;
    }
}
