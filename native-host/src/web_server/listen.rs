//! Connections: accepted while there are places, given up where a client does not get its request out.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use futures_util::FutureExt as _;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::places::{Place, Places};
use super::{Shared, routes};

/// The bytes of a request's head. Browsers send about one kilobyte.
const MAX_HEAD_BYTES: usize = 32 * 1024;
/// The pause after a failed accept, such as one for want of file descriptors, which nothing announces the end of.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Takes connections until the server stops, then waits for those it has.
pub(super) async fn accept(listener: TcpListener, shared: Arc<Shared>, places: Arc<Places>) {
    let mut stopping = shared.stopping.clone();
    let mut tasks = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = tasks.join_next() => continue,
            () = stopping.wait_for(|stop| *stop).map(drop) => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let place = tokio::select! {
            place = places.take() => place,
            () = stopping.wait_for(|stop| *stop).map(drop) => break,
        };
        tasks.spawn(serve(stream, Arc::clone(&shared), Arc::new(place)));
    }
    drop(listener);
    while tasks.join_next().await.is_some() {}
}

async fn serve(stream: TcpStream, shared: Arc<Shared>, place: Arc<Place>) {
    // Messages are small and each is waited for.
    let _ = stream.set_nodelay(true);
    let mut stopping = shared.stopping.clone();
    let head_timeout = shared.limits.head_timeout;
    let holder = Arc::clone(&place);
    let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        let shared = Arc::clone(&shared);
        request.extensions_mut().insert(Arc::clone(&holder));
        async move { Ok::<_, Infallible>(routes::answer(&shared, request.map(Body::new)).await) }
    });
    let mut connection = pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(head_timeout)
            .max_buf_size(MAX_HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades()
    );
    let early = tokio::select! {
        ended = connection.as_mut() => Some(ended),
        () = place.given_up() => return,
        // `map` drops the guard that the wait answers with.
        () = stopping.wait_for(|stop| *stop).map(drop) => None,
    };
    let ended = if let Some(ended) = early {
        ended
    } else {
        connection.as_mut().graceful_shutdown();
        connection.await
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}
