//! A connection is released once it has not been used for 60 seconds, by a clock that the test moves.

use std::time::Duration;

use tokio::time::{Instant, advance};

use crate::support::models::{came_of, searching};
use crate::{URL, good};

const MINUTE: Duration = Duration::from_mins(1);
const ALMOST: Duration = Duration::from_millis(1);

#[tokio::test]
async fn sixty_seconds_after_the_last_call() {
    let (mut bench, _, invocation) = searching(URL).await;
    tokio::time::pause();
    let first = bench.agent_call(&invocation);
    let mut server = bench.attempt().await.serve("2025-06-18");
    server.call().await.say("done");
    assert_eq!(came_of(first).await, good());
    advance(MINUTE.checked_sub(ALMOST).unwrap()).await;
    assert!(!server.is_closing());

    let second = bench.agent_call(&invocation);
    let call = server.call().await;
    // A call that takes long is a use all the while.
    advance(Duration::from_secs(50)).await;
    assert!(!server.is_closing());
    call.say("done");
    assert_eq!(came_of(second).await, good());
    let ended = Instant::now();
    drop(server.closing().await);
    assert_eq!(ended.elapsed().as_secs(), 60);

    let third = bench.agent_call(&invocation);
    bench.attempt().await.serve("2025-06-18").call().await.say("done");
    assert_eq!(came_of(third).await, good());
}

#[tokio::test]
async fn one_that_nobody_came_to_use_is_released_as_well() {
    let (mut bench, _, invocation) = searching(URL).await;
    tokio::time::pause();
    let running = bench.agent_call_with(&invocation, serde_json::json!({"callId": "a"}));
    let attempt = bench.attempt().await;
    bench.ok("agent.cancel", serde_json::json!({"callId": "a"})).await;
    came_of(running).await;
    let mut server = attempt.serve("2025-06-18");
    let made = Instant::now();
    drop(server.closing().await);
    assert_eq!(made.elapsed().as_secs(), 60);
}
