//! The stream a server keeps open to speak by itself: what it asks there is heard, and bounded.

use std::time::{Duration, Instant};

use toolgate_core::json::JsonText;
use toolgate_core::server::ProtocolVersion::{Auto, V20250618};
use toolgate_host::mcp::{CallAnswer, Connection, Connector, NetLimits, ProxySettings, RmcpConnector, ToolCall};
use toolgate_testkit::{HttpServer, catalogs};

use crate::{config, connect, start};

async fn call(connection: &dyn Connection) -> CallAnswer {
    let call = ToolCall {
        name: "first".to_owned(),
        arguments: JsonText::empty_object(),
        mirrored: Vec::new(),
    };
    let mut pending = connection.call_tool(call).await.unwrap();
    pending.answer().await.unwrap()
}

#[tokio::test]
async fn what_is_asked_on_behalf_of_the_first_call_is_heard() {
    for setting in [Auto, V20250618] {
        // Often, as this was a race.
        for _ in 0..20 {
            let server = start("asks-before-it-answers").await;
            let connection = connect(&server, setting).await.unwrap();
            let answer = call(connection.as_ref()).await;
            assert!(matches!(answer, CallAnswer::Result(_)), "{answer:?}");
            connection.close().await;
            assert_eq!(server.calls(), 1);
        }
    }
}

#[tokio::test]
async fn a_stream_that_is_refused_is_not_waited_for() {
    let limits = NetLimits {
        // Long enough that a test which waited for it would be noticed.
        standing: Duration::from_mins(10),
        ..NetLimits::default()
    };
    let connector = RmcpConnector::new(limits, &ProxySettings::none()).unwrap();
    for behaviour in ["good", "good-stateless", "stream-404", "good-2026"] {
        let server = start(behaviour).await;
        let connecting = connector.connect(&config(&server.url(), &[], Auto)).await;
        let connection = connecting.expect(behaviour);
        assert_eq!(connection.list_tools(None).await, Ok(catalogs::two_tools()));
        connection.close().await;
    }
}

#[tokio::test]
async fn a_stream_without_a_head_holds_nothing_up_for_long() {
    let limits = NetLimits {
        standing: Duration::from_millis(50),
        ..NetLimits::default()
    };
    let connector = RmcpConnector::new(limits, &ProxySettings::none()).unwrap();
    let mut server = start("no-stream-head").await;
    let connection = connector.connect(&config(&server.url(), &[], Auto)).await.unwrap();
    assert!(matches!(call(connection.as_ref()).await, CallAnswer::Result(_)));
    connection.close().await;
    server.wait_for_abandoned(1).await.unwrap();
}

fn answers(server: &HttpServer) -> usize {
    let received = server.received();
    let answers = received
        .iter()
        .filter(|request| request.json()["id"] == 7 && request.rpc().is_empty());
    answers.count()
}

#[tokio::test]
async fn a_flood_of_questions_is_read_no_faster_than_answers_are_taken() {
    let limits = NetLimits {
        // None of them ends during this test.
        answer: Duration::from_mins(10),
        answers: 3,
        ..NetLimits::default()
    };
    let connector = RmcpConnector::new(limits, &ProxySettings::none()).unwrap();
    let mut server = start("flood-of-questions").await;
    let connection = connector.connect(&config(&server.url(), &[], Auto)).await.unwrap();
    server.wait_for(|request| request.json()["id"] == 7).await.unwrap();
    // The flood stands still: the system's own buffers are full, and no more of it is read. What is asked of the server
    // meanwhile is answered as ever.
    let (mut bytes, mut still) = (0, 0);
    while still < 20 {
        assert_eq!(connection.list_tools(None).await, Ok(catalogs::two_tools()));
        let now = server.endless_bytes();
        still = if now == bytes { still + 1 } else { 0 };
        bytes = now;
        assert!(bytes < 64 << 20, "{bytes} bytes of questions were read");
    }
    assert_eq!(answers(&server), 3);
    assert!(matches!(call(connection.as_ref()).await, CallAnswer::Result(_)));
    connection.close().await;
    server.wait_for_abandoned(3).await.unwrap();
}

#[tokio::test]
async fn a_flood_that_takes_its_answers_does_not_hold_up_a_call() {
    for behaviour in ["flood-of-answered-questions", "flood-of-notifications"] {
        let mut server = start(behaviour).await;
        let connection = connect(&server, Auto).await.unwrap();
        if behaviour == "flood-of-answered-questions" {
            server.wait_for(|request| request.json()["id"] == 7).await.unwrap();
        }
        for _ in 0..20 {
            assert_eq!(connection.list_tools(None).await, Ok(catalogs::two_tools()));
        }
        assert!(matches!(call(connection.as_ref()).await, CallAnswer::Result(_)));
        connection.close().await;
        assert_eq!(server.calls(), 1);
    }
}

#[tokio::test]
async fn a_stream_that_ends_at_once_is_not_asked_for_in_a_loop() {
    let server = start("stream-ends").await;
    let began = Instant::now();
    let connection = connect(&server, Auto).await.unwrap();
    while server.asked().iter().filter(|what| *what == "GET").count() < 10 {
        assert_eq!(connection.list_tools(None).await, Ok(catalogs::two_tools()));
    }
    // Nine pauses of 20 ms.
    assert!(began.elapsed() >= Duration::from_millis(180), "{:?}", began.elapsed());
    connection.close().await;
}
