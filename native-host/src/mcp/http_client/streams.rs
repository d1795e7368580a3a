//! Event streams that are asked for by GET: the one a server keeps open for what it has to say by itself, those on which
//! it goes on with an answer, and the one by which a server of the 2024 transport is known.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use http::Method;
use tokio::sync::watch;
use tokio::time::Instant;

use super::{EVENT_STREAM, Error, HttpClient, LAST_EVENT_ID, Route, SdkHeaders};
use crate::mcp::body::{has_type, is_encoded};
use crate::mcp::events::SdkStream;
use crate::mcp::exchange::Exchange;
use crate::mcp::sse::EventReader;
use crate::mcp::{cause, status};

/// Between two streams asked for on one connection at the least: a server that ends each at once is not asked in a loop.
const PACE: Duration = Duration::from_millis(20);

/// What one connection knows of the streams it asks for.
#[derive(Debug)]
pub(super) struct Streams {
    standing: watch::Sender<Standing>,
    next: Mutex<Instant>,
}

/// Of the stream on which a server speaks by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// There is no session, and so no such stream.
    None,
    /// The SDK asks for it.
    Expected,
    /// It is open, or the server does not offer it.
    Settled,
}

impl Streams {
    pub(super) fn new() -> Self {
        Self {
            standing: watch::Sender::new(Standing::None),
            next: Mutex::new(Instant::now()),
        }
    }

    /// A session has begun: the SDK will ask for the standing stream.
    pub(super) fn expect_standing(&self) {
        self.standing.send_if_modified(|standing| {
            let begins = *standing == Standing::None;
            if begins {
                *standing = Standing::Expected;
            }
            begins
        });
    }

    fn settle_standing(&self) {
        self.standing.send_replace(Standing::Settled);
    }

    /// When the next stream may be asked for; the one after that comes later.
    fn turn(&self) -> Instant {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = Instant::now().max(*next);
        *next = turn + PACE;
        turn
    }
}

impl HttpClient {
    /// Waits until the server's standing stream is open or refused, where it is asked for at all. A server may ask
    /// something there on behalf of a call, which would be lost if the call came first. Some send no head before they
    /// have something to say, so this does not wait for long.
    pub(in crate::mcp) async fn standing_settled(&self) {
        let mut standing = self.0.streams.standing.subscribe();
        let settled = standing.wait_for(|standing| *standing != Standing::Expected);
        if tokio::time::timeout(self.0.limits.standing, settled).await.is_err() {
            tracing::debug!("a server has not opened its own stream; calls do not wait for it");
        }
    }

    /// Asks for a stream: after an event, the one that goes on there, else the standing one.
    pub(super) async fn stream(&self, route: Route, last_event_id: Option<String>) -> Result<SdkStream, Error> {
        let resumed = last_event_id.as_deref().and_then(|id| self.0.tap.resumed_request(id));
        let exchange = resumed.map_or(Exchange::Standing, |(id, step)| Exchange::Request { id, step });
        let mut own = route.headers()?;
        own.extend(super::own_header(LAST_EVENT_ID, last_event_id.as_deref())?);
        let asked = async {
            tokio::time::sleep_until(self.0.streams.turn()).await;
            self.send(Method::GET, EVENT_STREAM, &route.sdk, &own, None).await
        };
        let asked = self.unless_cancelled(asked).await;
        if let Exchange::Standing = exchange {
            self.0.streams.settle_standing();
        }
        let failure = match asked {
            None => return Err(Error::TransportChannelClosed),
            Some(Ok(response))
                if response.status().is_success() && has_type(&response, EVENT_STREAM) && !is_encoded(&response) =>
            {
                return Ok(self.events(exchange, route, None).of(response));
            }
            Some(Ok(response)) => {
                let in_session = route.session.is_some();
                status::failure(&response, self.0.target.url(), exchange.step(), in_session)
            }
            Some(Err(error)) => cause::of_request(&error, exchange.step()),
        };
        // A server need not offer this stream; said so, the SDK does not ask again.
        exchange.failed(&self.0.tap, failure);
        Err(Error::ServerDoesNotSupportSse)
    }

    /// Whether a GET of the endpoint is answered by the event stream of the HTTP+SSE transport of 2024.
    pub(in crate::mcp) async fn speaks_legacy_sse(&self) -> bool {
        let probe = async {
            let response = self
                .send(Method::GET, EVENT_STREAM, &SdkHeaders::new(), &[], None)
                .await
                .ok()?;
            if !response.status().is_success() || !has_type(&response, EVENT_STREAM) {
                return None;
            }
            let (mut reader, mut events, mut bytes) = (EventReader::default(), Vec::new(), 0);
            let mut body = response.bytes_stream();
            while events.is_empty() && bytes < self.0.limits.error_body_bytes {
                let chunk = body.next().await?.ok()?;
                bytes += chunk.len();
                reader.push(&chunk, &mut events);
            }
            events.first().map(|event| event.name.as_deref() == Some("endpoint"))
        };
        let probe = tokio::time::timeout(self.0.limits.probe, probe);
        self.unless_cancelled(probe).await.and_then(Result::ok).flatten() == Some(true)
    }
}
