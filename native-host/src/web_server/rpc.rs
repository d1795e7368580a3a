//! `POST /rpc`: one message in, its answer out.

use axum::body::{Body, to_bytes};
use axum::http::request::Parts;
use axum::http::{Method, Response, StatusCode, header};

use super::Shared;
use super::answers::{self, Refused};

pub(super) async fn answer(shared: &Shared, parts: &Parts, body: Body) -> Result<Response<Body>, Refused> {
    if parts.method != Method::POST {
        return Err(answers::wrong_method("POST"));
    }
    // A form or a `no-cors` request of another page cannot have this type.
    let content_type = parts
        .headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    if !content_type.is_some_and(is_json) {
        return Err(Refused::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "Send the message as `Content-Type: application/json`.",
        ));
    }
    let message = read(shared, parts, body).await?;
    // The work runs in a task of its own, so a client that goes away neither ends nor repeats it.
    let answer = shared.bridge.handle(message).await;
    Ok(answers::text(StatusCode::OK, "application/json", answer))
}

fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
}

async fn read(shared: &Shared, parts: &Parts, body: Body) -> Result<String, Refused> {
    let limit = shared.limits.message_bytes;
    let too_large = || {
        Refused::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "The message is larger than 8 MiB, the most that is taken.",
        )
    };
    let declared = parts
        .headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if declared.is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    let bytes = tokio::time::timeout(shared.limits.body_timeout, to_bytes(body, limit))
        .await
        .map_err(|_| {
            Refused::new(
                StatusCode::REQUEST_TIMEOUT,
                "The message did not arrive in time; send it again as a whole.",
            )
        })?
        // Over the limit, or the connection broke and nobody reads the answer.
        .map_err(|_| too_large())?;
    String::from_utf8(bytes.into()).map_err(|_| {
        Refused::new(
            StatusCode::BAD_REQUEST,
            "The message is not UTF-8; send the JSON text in UTF-8.",
        )
    })
}
