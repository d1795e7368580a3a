//! The WebSocket at `/ws`: each text message in is one request, answered in the order in which answers come; the
//! host's events go out to every socket.
//!
//! Nothing here grows with a slow reader: requests are read only while few answers wait to be written, those that wait
//! for servers are bounded apart ([`Intake`]), events wait in the bridge's own bounded queue, and a message that cannot be
//! written in time ends the connection.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::FromRequestParts as _;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Response, StatusCode, header};
use futures_util::stream::SplitStream;
use futures_util::{Sink, SinkExt as _, Stream, StreamExt as _};
use tokio::sync::{mpsc, watch};

use super::answers::Refused;
use super::names::Origin;
use super::routes::let_in;
use super::{Shared, WebLimits};
use crate::bridge::{Bridge, Intake};

/// How often an idle connection is tried, so that one whose other end vanished is noticed.
const PING_INTERVAL: Duration = Duration::from_secs(30);
/// Answers that wait to be written; behind them their tasks wait.
const QUEUED_ANSWERS: usize = 4;
/// How long the closing message may take to be written.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

pub(super) async fn answer(shared: &Shared, parts: &mut Parts, origin: Origin) -> Result<Response<Body>, Refused> {
    let (_, protocol) = shared.access.websocket_caller(&parts.headers, origin)?;
    let_in(parts);
    let upgrade = WebSocketUpgrade::from_request_parts(parts, &()).await.map_err(|_| {
        Refused::new(
            StatusCode::UPGRADE_REQUIRED,
            "This address speaks WebSocket (version 13) only; single messages go to /rpc by POST.",
        )
        .with(header::UPGRADE, "websocket")
    })?;
    let permit = Arc::clone(&shared.sockets).try_acquire_owned().map_err(|_| {
        Refused::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "There are as many open pages and programs as there may be; close one.",
        )
    })?;
    let (bridge, limits, stopping) = (shared.bridge.clone(), shared.limits.clone(), shared.stopping.clone());
    let mut upgrade = upgrade
        .max_message_size(limits.message_bytes)
        .max_frame_size(limits.message_bytes);
    if let Some(protocol) = protocol.and_then(|protocol| HeaderValue::from_str(&protocol).ok()) {
        upgrade.set_selected_protocol(protocol);
    }
    Ok(upgrade.on_upgrade(move |socket| async move {
        serve(socket, bridge, &limits, stopping).await;
        drop(permit);
    }))
}

/// Why a socket ends, where the other end should know.
struct Ending {
    code: u16,
    reason: &'static str,
}

async fn serve(socket: WebSocket, bridge: Bridge, limits: &WebLimits, mut stopping: watch::Receiver<bool>) {
    // From before the first request on, so that no change in between is missed.
    let events = bridge.events();
    let (mut sink, stream) = socket.split();
    let (answers, queue) = mpsc::channel(QUEUED_ANSWERS);
    let intake = Intake::new(bridge, answers, limits.requests_per_socket);
    let ending = tokio::select! {
        ending = read(stream, intake) => ending,
        () = write(&mut sink, queue, events, limits.write_timeout) => None,
        _ = stopping.wait_for(|stop| *stop) => Some(Ending {
            code: close_code::AWAY,
            reason: "Toolgate is shutting down",
        }),
    };
    if let Some(Ending { code, reason }) = ending {
        let close = Message::Close(Some(CloseFrame {
            code,
            reason: reason.into(),
        }));
        // The other end may be gone already.
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, sink.send(close)).await;
    }
}

async fn read(mut stream: SplitStream<WebSocket>, intake: Intake) -> Option<Ending> {
    loop {
        let room = intake.room().await?;
        let text = loop {
            match stream.next().await {
                Some(Ok(Message::Text(text))) => break text,
                // A closing message is answered underneath while the stream is read to its end.
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Close(_))) => {}
                Some(Ok(Message::Binary(_))) => {
                    return Some(Ending {
                        code: close_code::UNSUPPORTED,
                        reason: "messages are text",
                    });
                }
                Some(Err(error)) => return ending_of(&error),
                None => return None,
            }
        };
        // Where the connection is gone before the answer, the work is done all the same.
        intake.take(room, text.as_str().to_owned());
    }
}

/// Writes answers and events until the connection is lost or the host stops.
async fn write<S>(
    sink: &mut S,
    mut queue: mpsc::Receiver<String>,
    events: impl Stream<Item = String>,
    patience: Duration,
) where
    S: Sink<Message> + Unpin,
{
    let mut events = pin!(events.fuse());
    let mut ping = tokio::time::interval(PING_INTERVAL);
    ping.reset();
    loop {
        let message = tokio::select! {
            Some(answer) = queue.recv() => Message::Text(answer.into()),
            Some(event) = events.next() => Message::Text(event.into()),
            _ = ping.tick() => Message::Ping(axum::body::Bytes::new()),
        };
        match tokio::time::timeout(patience, sink.send(message)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return,
            Err(_) => {
                tracing::debug!("a WebSocket was given up because its other end does not read");
                return;
            }
        }
    }
}

fn ending_of(error: &axum::Error) -> Option<Ending> {
    // The library's own error type is not ours to name; its text is the only sign of this case, and only a better
    // reason for the close depends on it.
    std::error::Error::source(error)
        .is_some_and(|source| source.to_string().contains("too long"))
        .then_some(Ending {
            code: close_code::SIZE,
            reason: "the message is larger than 8 MiB",
        })
}
