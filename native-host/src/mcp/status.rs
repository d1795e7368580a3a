//! What an HTTP status other than success says.

use http::header::{LOCATION, RETRY_AFTER};
use reqwest::Response;
use url::Url;

use super::body::text_of;
use super::{Failure, FailureClass, Step};

/// The failure that a response of the endpoint is by its status alone.
pub(super) fn failure(response: &Response, endpoint: &Url, step: Step, in_session: bool) -> Failure {
    let status = response.status().as_u16();
    let with = |class| Failure::new(class, step);
    match status {
        301 | 302 | 303 | 307 | 308 => match redirect_target(response, endpoint) {
            Some(target) => with(FailureClass::Redirect).with_detail(target),
            None => with(FailureClass::Redirect),
        },
        401 => with(FailureClass::Unauthorized),
        403 => with(FailureClass::Forbidden),
        404 if in_session => with(FailureClass::NotFound).with_detail("the server no longer knows the session"),
        404 => with(FailureClass::NotFound),
        405 => with(FailureClass::MethodNotAllowed),
        429 => match text_of(response, &RETRY_AFTER).and_then(|text| text.parse::<u32>().ok()) {
            Some(seconds) => with(FailureClass::RateLimited).with_detail(format!("again in {seconds} seconds")),
            None => with(FailureClass::RateLimited),
        },
        400 => bad_request(step),
        402..=499 => with(FailureClass::Refused).with_detail(format!("HTTP status {status}")),
        500..=599 => with(FailureClass::ServerError).with_detail(format!("HTTP status {status}")),
        // No answer to what was asked: 304 to what was not conditional, 101 to what asked for no other protocol.
        _ => with(FailureClass::NotMcp).with_detail(format!("HTTP status {status}")),
    }
}

/// A request that was refused with status 400 and no JSON-RPC error.
pub(super) fn bad_request(step: Step) -> Failure {
    Failure::new(FailureClass::Refused, step).with_detail("HTTP status 400")
}

/// Where a redirect leads, without path and query, which may hold secrets.
fn redirect_target(response: &Response, endpoint: &Url) -> Option<String> {
    let there = endpoint.join(text_of(response, &LOCATION)?).ok()?.origin();
    if !there.is_tuple() {
        return None;
    }
    let shown = there.ascii_serialization();
    Some(if there == endpoint.origin() {
        format!("to another path at {shown}")
    } else {
        format!("to {shown}")
    })
}
