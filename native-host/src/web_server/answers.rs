//! How answers look that are not the page: texts that nothing keeps, and refusals that say what to do.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, Response, StatusCode, header};

use crate::page;

/// A request that is not carried out, and what its sender can do about it.
#[derive(Debug)]
pub(super) struct Refused {
    status: StatusCode,
    text: &'static str,
    extra: Option<(HeaderName, HeaderValue)>,
}

impl Refused {
    pub(super) fn new(status: StatusCode, text: &'static str) -> Self {
        // RFC 9110 §15.5.2 asks for a challenge; browsers show no prompt for this one.
        let extra = (status == StatusCode::UNAUTHORIZED)
            .then(|| (header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")));
        Self { status, text, extra }
    }

    pub(super) fn with(mut self, name: HeaderName, value: &'static str) -> Self {
        self.extra = Some((name, HeaderValue::from_static(value)));
        self
    }

    /// As plain text, for programs.
    pub(super) fn into_text(self) -> Response<Body> {
        let body = format!("{}\n", self.text);
        self.into_answer("text/plain; charset=utf-8", body)
    }

    /// As a small page, for people; without scripts and styles, so that it needs nothing else from here.
    pub(super) fn into_page(self) -> Response<Body> {
        let page = small_page(self.text);
        self.into_answer("text/html; charset=utf-8", page)
    }

    fn into_answer(self, content_type: &'static str, body: String) -> Response<Body> {
        let mut answer = text(self.status, content_type, body);
        if let Some((name, value)) = self.extra {
            answer.headers_mut().insert(name, value);
        }
        answer
    }
}

/// An answer that nothing keeps.
pub(super) fn text(status: StatusCode, content_type: &'static str, body: String) -> Response<Body> {
    let mut answer = Response::new(Body::from(body));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

/// What `/` says where the binary was built without a page.
pub(super) fn page_not_built() -> Response<Body> {
    Refused::new(StatusCode::SERVICE_UNAVAILABLE, page::NOT_BUILT).into_page()
}

/// What is answered where the system gives no random numbers: without them nothing here is safe.
pub(super) fn no_randomness() -> Response<Body> {
    Refused::new(StatusCode::INTERNAL_SERVER_ERROR, page::NO_RANDOMNESS).into_text()
}

fn small_page(text: &str) -> String {
    // The texts are ours; only the marks of HTML itself need care.
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Toolgate</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\"></head>\n<body><main>\n<h1>Toolgate</h1>\n<p>{text}</p>\n\
         <p><a href=\"/\">Try again</a></p>\n</main></body>\n</html>\n"
    )
}

/// 405, with the methods there are.
pub(super) fn wrong_method(allowed: &'static str) -> Refused {
    let text = match allowed {
        "POST" => "This address takes POST requests only.",
        _ => "This address takes GET requests only.",
    };
    Refused::new(StatusCode::METHOD_NOT_ALLOWED, text).with(header::ALLOW, allowed)
}

/// Whether a request only reads.
pub(super) fn reads(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}
