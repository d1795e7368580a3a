//! The HTTP client under the SDK, which drives session and lifecycle: one per connection. It applies the configured
//! headers, bounds and checks every answer, keeps what the host reads in the [`Tap`], and records why something failed
//! by its cause; the SDK's errors carry nothing but a class from here.

mod questions;
mod streams;

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use http::header::{HeaderName, HeaderValue};
use http::{HeaderMap, Method, StatusCode};
use reqwest::Response;
use rmcp::model::{ClientJsonRpcMessage, ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse as PostResponse,
};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::body::{has_type, is_encoded, text_of, whole};
use super::events::{Events, SdkStream};
use super::exchange::{Exchange, Passed};
use super::headers::Target;
use super::lifecycle::Start;
use super::outgoing::{self, Written};
use super::tap::Tap;
use super::{Failure, FailureClass, NetLimits, Progress, cause, envelope, status};

pub(super) use self::questions::{Answering, Question};
use self::streams::Streams;

const JSON: &str = "application/json";
const EVENT_STREAM: &str = "text/event-stream";
const JSON_OR_EVENTS: &str = "application/json, text/event-stream";
const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
/// The first revision whose streams cannot be resumed.
const WITHOUT_RESUMPTION: &str = "2026-07-28";

/// What the SDK sees of a failure; the rest is in the tap.
#[derive(Debug, thiserror::Error)]
#[error("{0:?}")]
pub(super) struct Failed(FailureClass);

type Error = StreamableHttpError<Failed>;
type SdkHeaders = HashMap<HeaderName, HeaderValue>;

/// How messages of one session are addressed.
#[derive(Clone)]
struct Route {
    session: Option<Arc<str>>,
    /// What the SDK wants sent along.
    sdk: SdkHeaders,
}

impl Route {
    /// Headers of the protocol that the SDK leaves to its client.
    fn headers(&self) -> Result<Vec<(HeaderName, HeaderValue)>, Error> {
        Ok(own_header(SESSION_ID, self.session.as_deref())?.into_iter().collect())
    }

    fn may_resume(&self) -> bool {
        // Versions are dates, so they compare as text.
        self.sdk
            .get(&PROTOCOL_VERSION)
            .is_none_or(|version| version.as_bytes() < WITHOUT_RESUMPTION.as_bytes())
    }
}

/// The client of one connection; clones share it.
#[derive(Clone)]
pub(super) struct HttpClient(Arc<Inner>);

struct Inner {
    http: reqwest::Client,
    target: Arc<Target>,
    limits: NetLimits,
    tap: Arc<Tap>,
    progress: Progress,
    cancelled: CancellationToken,
    streams: Streams,
    /// Room for answers to the server's own requests.
    answering: Arc<Semaphore>,
    /// How long the answer to `server/discover` is waited for, where `initialize` may follow.
    discover: Option<Duration>,
}

impl HttpClient {
    /// A client for one attempt of `start`, whose requests all end when `cancelled` is.
    pub(super) fn new(start: &Start, falls_back: bool, tap: Arc<Tap>, cancelled: CancellationToken) -> Self {
        Self(Arc::new(Inner {
            http: start.http.clone(),
            target: Arc::clone(&start.target),
            limits: start.limits.clone(),
            tap,
            progress: start.progress.clone(),
            cancelled,
            streams: Streams::new(),
            answering: Arc::new(Semaphore::new(start.limits.answers)),
            discover: falls_back.then_some(start.limits.discover),
        }))
    }

    async fn unless_cancelled<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.0.cancelled.cancelled() => None,
            done = work => Some(done),
        }
    }

    /// Sends one request. `own` are headers of the protocol that the SDK leaves to its client.
    async fn send(
        &self,
        method: Method,
        accept: &'static str,
        sdk: &SdkHeaders,
        own: &[(HeaderName, HeaderValue)],
        body: Option<reqwest::Body>,
    ) -> reqwest::Result<Response> {
        let own = own.iter().map(|(name, value)| (name, value));
        let headers: HeaderMap = self.0.target.headers(accept, sdk.iter().chain(own));
        let mut request = self
            .0
            .http
            .request(method, self.0.target.url().clone())
            .headers(headers);
        if let Some(body) = body {
            request = request.body(body);
        }
        request.send().await
    }

    /// Records the failure and tells the SDK that there was one.
    fn fail(&self, exchange: &Exchange, failure: Failure) -> Error {
        let class = failure.class;
        exchange.failed(&self.0.tap, failure);
        Error::Client(Failed(class))
    }

    async fn post(&self, message: ClientJsonRpcMessage, route: Route) -> Result<PostResponse, Error> {
        let exchange = Exchange::of(&message);
        match &exchange {
            Exchange::Start { .. } => self.0.tap.start_begins(),
            Exchange::Request { id, step } => self.0.tap.open(id, *step),
            Exchange::OneWay if route.session.is_some() => self.0.streams.expect_standing(),
            Exchange::OneWay | Exchange::Standing => {}
        }
        let deadline = match (&exchange, self.0.discover) {
            (Exchange::Start { id, discover: true }, Some(limit)) => Some((Instant::now() + limit, id.clone())),
            _ => None,
        };
        let Some((deadline, id)) = deadline else {
            return self.exchange(exchange, message, route, None).await;
        };
        let answered = self.exchange(exchange.clone(), message, route, Some(deadline));
        timeout_at(deadline, answered).await.unwrap_or_else(|_| {
            Ok(self.legacy_refusal(&exchange, &id, Failure::new(FailureClass::Timeout, exchange.step())))
        })
    }

    async fn exchange(
        &self,
        exchange: Exchange,
        message: ClientJsonRpcMessage,
        route: Route,
        deadline: Option<Instant>,
    ) -> Result<PostResponse, Error> {
        let Some(Written { body, headers }) = outgoing::write(&message)? else {
            return Err(Error::TransportChannelClosed);
        };
        let mut own = route.headers()?;
        own.extend(headers);
        let body = match &exchange {
            Exchange::Start { .. } => self.0.progress.watch(body),
            _ => body.into(),
        };
        let sent = self.send(Method::POST, JSON_OR_EVENTS, &route.sdk, &own, Some(body));
        let response = match self.unless_cancelled(sent).await {
            None => return Err(Error::TransportChannelClosed),
            Some(Err(error)) => return Err(self.fail(&exchange, cause::of_request(&error, exchange.step()))),
            Some(Ok(response)) => response,
        };
        if response.status().is_success() {
            self.answer(exchange, response, route, deadline).await
        } else {
            self.refusal(exchange, response, route.session.is_some()).await
        }
    }

    /// An answer of status 2xx.
    async fn answer(
        &self,
        exchange: Exchange,
        response: Response,
        mut route: Route,
        deadline: Option<Instant>,
    ) -> Result<PostResponse, Error> {
        let step = exchange.step();
        if let Exchange::OneWay = exchange {
            return Ok(PostResponse::Accepted);
        }
        if matches!(response.status(), StatusCode::ACCEPTED | StatusCode::NO_CONTENT)
            && !holds_answer(&exchange, &response)
        {
            let failure = Failure::new(FailureClass::MalformedResponse, step)
                .with_detail(format!("HTTP status {} without an answer", response.status().as_u16()));
            let error = self.fail(&exchange, failure);
            // At the start the SDK says of this that the connection closed, as of every answer that does not come.
            return if exchange.request().is_some() {
                Err(error)
            } else {
                Ok(PostResponse::Accepted)
            };
        }
        if is_encoded(&response) {
            return Err(self.fail(&exchange, Failure::new(FailureClass::UnsupportedEncoding, step)));
        }
        let session = text_of(&response, &SESSION_ID).map(str::to_owned);
        if has_type(&response, EVENT_STREAM) {
            if route.session.is_none() {
                route.session = session.as_deref().map(Arc::from);
            }
            let events = self.events(exchange, route, deadline);
            return Ok(PostResponse::Sse(events.of(response), session));
        }
        if !has_type(&response, JSON) {
            let detail = if has_type(&response, "text/html") {
                "it is a web page"
            } else {
                "it is neither JSON nor an event stream"
            };
            return Err(self.fail(&exchange, Failure::new(FailureClass::NotMcp, step).with_detail(detail)));
        }
        let text = self.body(response, &exchange).await?;
        let Ok(messages) = envelope::split(&text) else {
            return Err(self.fail(&exchange, Failure::new(FailureClass::MalformedResponse, step)));
        };
        for message in &messages {
            if let Passed::Answer(text) = exchange.take(&self.0.tap, message, StatusCode::OK) {
                return Ok(PostResponse::Json(serde_json::from_str(&text)?, session));
            }
        }
        let failure = Failure::new(FailureClass::MalformedResponse, step).with_detail("it answers another request");
        Err(self.fail(&exchange, failure))
    }

    /// An answer of any other status.
    async fn refusal(&self, exchange: Exchange, response: Response, in_session: bool) -> Result<PostResponse, Error> {
        let status = response.status();
        let failure = status::failure(&response, self.0.target.url(), exchange.step(), in_session);
        let session_over = in_session && status == StatusCode::NOT_FOUND;
        let says_all = matches!(
            failure.class,
            FailureClass::Unauthorized | FailureClass::Forbidden | FailureClass::RateLimited | FailureClass::Redirect
        );
        let may_hold_error = !(says_all || session_over);
        let (Exchange::Start { id, .. } | Exchange::Request { id, .. }) = &exchange else {
            return Err(self.fail(&exchange, failure));
        };
        if may_hold_error && has_type(&response, JSON) && !is_encoded(&response) {
            let text = self.body(response, &exchange).await?;
            for message in envelope::split(&text).unwrap_or_default() {
                if let envelope::Message::Error { .. } = message
                    && let Passed::Answer(text) = exchange.take(&self.0.tap, &message, status)
                {
                    return Ok(PostResponse::Json(serde_json::from_str(&text)?, None));
                }
            }
        }
        if let Exchange::Start { discover: true, .. } = exchange
            && may_hold_error
            && status.is_client_error()
        {
            return Ok(self.legacy_refusal(&exchange, id, failure));
        }
        Err(self.fail(&exchange, failure))
    }

    /// A bare 4xx to `server/discover`: how a server of an older revision refuses what it does not know (MCP 2026-07-28,
    /// backward compatibility). The SDK decides by a JSON-RPC error, so it gets one.
    fn legacy_refusal(&self, exchange: &Exchange, id: &RequestId, failure: Failure) -> PostResponse {
        exchange.failed(&self.0.tap, failure);
        let error = ErrorData::invalid_request("refused without a JSON-RPC error", None);
        PostResponse::Json(ServerJsonRpcMessage::error(error, Some(id.clone())), None)
    }

    async fn body(&self, response: Response, exchange: &Exchange) -> Result<String, Error> {
        let read = whole(response, self.0.limits.response_bytes, exchange.step());
        match self.unless_cancelled(read).await {
            None => Err(Error::TransportChannelClosed),
            Some(Err(failure)) => Err(self.fail(exchange, failure)),
            Some(Ok(text)) => Ok(text),
        }
    }

    fn events(&self, exchange: Exchange, route: Route, deadline: Option<Instant>) -> Events {
        let may_resume = route.may_resume();
        Events {
            exchange,
            tap: Arc::clone(&self.0.tap),
            cancelled: self.0.cancelled.clone(),
            limit: self.0.limits.response_bytes,
            may_resume,
            deadline,
            // In the revisions without resumption a server has no requests of its own either.
            answering: may_resume.then(|| Answering {
                client: self.clone(),
                route,
            }),
        }
    }
}

impl StreamableHttpClient for HttpClient {
    type Error = Failed;

    async fn post_message(
        &self,
        _uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _auth_header: Option<String>,
        custom_headers: SdkHeaders,
    ) -> Result<PostResponse, Error> {
        let route = Route {
            session: session_id,
            sdk: custom_headers,
        };
        self.post(message, route).await
    }

    async fn delete_session(
        &self,
        _uri: Arc<str>,
        session_id: Arc<str>,
        _auth_header: Option<String>,
        custom_headers: SdkHeaders,
    ) -> Result<(), Error> {
        let own: Vec<_> = own_header(SESSION_ID, Some(&session_id))?.into_iter().collect();
        let sent = self.send(Method::DELETE, JSON_OR_EVENTS, &custom_headers, &own, None);
        // Whatever the server says to it, the session is over for us.
        self.unless_cancelled(sent).await;
        Ok(())
    }

    async fn get_stream(
        &self,
        _uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        _auth_header: Option<String>,
        custom_headers: SdkHeaders,
    ) -> Result<SdkStream, Error> {
        let route = Route {
            session: session_id,
            sdk: custom_headers,
        };
        self.stream(route, last_event_id).await
    }
}

/// Whether an answer of status 202 has what was asked for all the same. At the start the SDK decides by the status.
fn holds_answer(exchange: &Exchange, response: &Response) -> bool {
    let has_body = response.content_length() != Some(0);
    exchange.request().is_some() && has_body && (has_type(response, JSON) || has_type(response, EVENT_STREAM))
}

/// A header of the protocol, where it has a value.
fn own_header(name: HeaderName, value: Option<&str>) -> Result<Option<(HeaderName, HeaderValue)>, Error> {
    let Some(value) = value else { return Ok(None) };
    let value = HeaderValue::from_bytes(value.as_bytes())
        .map_err(|_| Error::Client(Failed(FailureClass::MalformedResponse)))?;
    Ok(Some((name, value)))
}
