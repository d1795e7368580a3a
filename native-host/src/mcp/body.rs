//! Reads an answer's body, bounded on the wire, and what its headers say of it.

use futures_util::StreamExt;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName};
use reqwest::Response;

use super::{Failure, FailureClass, Step, cause};

/// The whole body, or the failure that it is larger than `limit` bytes or broke off.
pub(super) async fn whole(response: Response, limit: usize, step: Step) -> Result<String, Failure> {
    let too_large =
        || Failure::new(FailureClass::ResponseTooLarge, step).with_detail(format!("the limit is {limit} bytes"));
    let announced = response.content_length().unwrap_or(0);
    if usize::try_from(announced).is_ok_and(|announced| announced > limit) {
        return Err(too_large());
    }
    let mut chunks = response.bytes_stream();
    let mut body = Vec::new();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|error| cause::of_request(&error, step))?;
        if body.len() + chunk.len() > limit {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    String::from_utf8(body)
        .map_err(|_| Failure::new(FailureClass::MalformedResponse, step).with_detail("it is not UTF-8"))
}

/// Whether a content type is this media type, whatever its parameters and case.
pub(super) fn is_media_type(content_type: &str, media_type: &str) -> bool {
    content_type
        .split(';')
        .next()
        .is_some_and(|essence| essence.trim().eq_ignore_ascii_case(media_type))
}

/// A header of an answer, where it is text.
pub(super) fn text_of<'a>(response: &'a Response, name: &HeaderName) -> Option<&'a str> {
    response.headers().get(name)?.to_str().ok()
}

/// Whether an answer says that it is of this media type.
pub(super) fn has_type(response: &Response, media_type: &str) -> bool {
    text_of(response, &CONTENT_TYPE).is_some_and(|text| is_media_type(text, media_type))
}

/// Whether an answer says that it is compressed.
pub(super) fn is_encoded(response: &Response) -> bool {
    response
        .headers()
        .get_all(CONTENT_ENCODING)
        .iter()
        .flat_map(|encodings| encodings.as_bytes().split(|byte| *byte == b','))
        .map(<[u8]>::trim_ascii)
        .any(|encoding| !(encoding.is_empty() || encoding.eq_ignore_ascii_case(b"identity")))
}
