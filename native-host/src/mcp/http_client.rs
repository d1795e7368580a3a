//! The HTTP client under the SDK, which drives session and lifecycle: one per connection. It applies the configured
//! headers, bounds and checks every answer, keeps what the host reads in the [`Tap`], and records why something failed
//! by its cause; the SDK's errors carry nothing but a class from here.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{HeaderMap, Method, StatusCode};
use reqwest::Response;
use rmcp::model::{ClientJsonRpcMessage, ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse as PostResponse,
};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::body::{is_media_type, whole};
use super::events::{Events, SdkStream};
use super::exchange::{Exchange, Passed};
use super::headers::Target;
use super::lifecycle::Start;
use super::outgoing::Outgoing;
use super::sse::EventReader;
use super::tap::Tap;
use super::{Failure, FailureClass, NetLimits, cause, envelope, status};

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

/// The client of one connection; clones share it.
#[derive(Clone)]
pub(super) struct HttpClient(Arc<Inner>);

struct Inner {
    http: reqwest::Client,
    target: Arc<Target>,
    limits: NetLimits,
    tap: Arc<Tap>,
    cancelled: CancellationToken,
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
            cancelled,
            discover: falls_back.then_some(start.limits.discover),
        }))
    }

    /// Whether a GET of the endpoint is answered by the event stream of the HTTP+SSE transport of 2024.
    pub(super) async fn speaks_legacy_sse(&self) -> bool {
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
        body: Option<Vec<u8>>,
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

    async fn post(
        &self,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        sdk: SdkHeaders,
    ) -> Result<PostResponse, Error> {
        let exchange = Exchange::of(&message);
        match &exchange {
            Exchange::Start { .. } => self.0.tap.start_begins(),
            Exchange::Request { id, step } => self.0.tap.open(id, *step),
            Exchange::OneWay | Exchange::Standing => {}
        }
        let deadline = match (&exchange, self.0.discover) {
            (Exchange::Start { id, discover: true }, Some(limit)) => Some((Instant::now() + limit, id.clone())),
            _ => None,
        };
        let Some((deadline, id)) = deadline else {
            return self.exchange(exchange, message, session, sdk, None).await;
        };
        let answered = self.exchange(exchange.clone(), message, session, sdk, Some(deadline));
        timeout_at(deadline, answered).await.unwrap_or_else(|_| {
            Ok(self.legacy_refusal(&exchange, &id, Failure::new(FailureClass::Timeout, exchange.step())))
        })
    }

    async fn exchange(
        &self,
        exchange: Exchange,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        sdk: SdkHeaders,
        deadline: Option<Instant>,
    ) -> Result<PostResponse, Error> {
        let mut own = own_headers([(SESSION_ID, session.as_deref())])?;
        let body = match Outgoing::of(&message) {
            None => serde_json::to_vec(&message)?,
            Some(call) => {
                own.extend_from_slice(call.headers());
                let Some(body) = call.write(&message) else {
                    return Err(Error::TransportChannelClosed);
                };
                body?
            }
        };
        let sent = self.send(Method::POST, JSON_OR_EVENTS, &sdk, &own, Some(body));
        let response = match self.unless_cancelled(sent).await {
            None => return Err(Error::TransportChannelClosed),
            Some(Err(error)) => return Err(self.fail(&exchange, cause::of_request(&error, exchange.step()))),
            Some(Ok(response)) => response,
        };
        if response.status().is_success() {
            self.answer(exchange, response, &sdk, deadline).await
        } else {
            self.refusal(exchange, response, session.is_some()).await
        }
    }

    /// An answer of status 2xx.
    async fn answer(
        &self,
        exchange: Exchange,
        response: Response,
        sdk: &SdkHeaders,
        deadline: Option<Instant>,
    ) -> Result<PostResponse, Error> {
        let step = exchange.step();
        if let Exchange::OneWay = exchange {
            return Ok(PostResponse::Accepted);
        }
        if matches!(response.status(), StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
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
            let events = self.events(exchange, may_resume(sdk), deadline);
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

    fn events(&self, exchange: Exchange, may_resume: bool, deadline: Option<Instant>) -> Events {
        Events {
            exchange,
            tap: Arc::clone(&self.0.tap),
            cancelled: self.0.cancelled.clone(),
            limit: self.0.limits.response_bytes,
            may_resume,
            deadline,
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
        self.post(message, session_id, custom_headers).await
    }

    async fn delete_session(
        &self,
        _uri: Arc<str>,
        session_id: Arc<str>,
        _auth_header: Option<String>,
        custom_headers: SdkHeaders,
    ) -> Result<(), Error> {
        let own = own_headers([(SESSION_ID, Some(&session_id))])?;
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
        let resumed = last_event_id.as_deref().and_then(|id| self.0.tap.resumed_request(id));
        let exchange = resumed.map_or(Exchange::Standing, |(id, step)| Exchange::Request { id, step });
        let own = own_headers([
            (SESSION_ID, session_id.as_deref()),
            (LAST_EVENT_ID, last_event_id.as_deref()),
        ])?;
        let sent = self.send(Method::GET, EVENT_STREAM, &custom_headers, &own, None);
        let failure = match self.unless_cancelled(sent).await {
            None => return Err(Error::TransportChannelClosed),
            Some(Ok(response))
                if response.status().is_success() && has_type(&response, EVENT_STREAM) && !is_encoded(&response) =>
            {
                return Ok(self.events(exchange, may_resume(&custom_headers), None).of(response));
            }
            Some(Ok(response)) => {
                status::failure(&response, self.0.target.url(), exchange.step(), session_id.is_some())
            }
            Some(Err(error)) => cause::of_request(&error, exchange.step()),
        };
        // A server need not offer this stream; said so, the SDK does not ask again.
        exchange.failed(&self.0.tap, failure);
        Err(Error::ServerDoesNotSupportSse)
    }
}

fn own_headers<const N: usize>(
    pairs: [(HeaderName, Option<&str>); N],
) -> Result<Vec<(HeaderName, HeaderValue)>, Error> {
    let mut headers = Vec::with_capacity(N);
    for (name, value) in pairs {
        if let Some(value) = value {
            let value = HeaderValue::from_bytes(value.as_bytes())
                .map_err(|_| Error::Client(Failed(FailureClass::MalformedResponse)))?;
            headers.push((name, value));
        }
    }
    Ok(headers)
}

fn may_resume(sdk: &SdkHeaders) -> bool {
    // Versions are dates, so they compare as text.
    sdk.get(&PROTOCOL_VERSION)
        .is_none_or(|version| version.as_bytes() < WITHOUT_RESUMPTION.as_bytes())
}

pub(super) fn text_of<'a>(response: &'a Response, name: &HeaderName) -> Option<&'a str> {
    response.headers().get(name)?.to_str().ok()
}

fn has_type(response: &Response, media_type: &str) -> bool {
    text_of(response, &CONTENT_TYPE).is_some_and(|text| is_media_type(text, media_type))
}

fn is_encoded(response: &Response) -> bool {
    response
        .headers()
        .get_all(CONTENT_ENCODING)
        .iter()
        .any(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity"))
}
