//! How answers look that are not the page: texts that nothing keeps, and refusals that say what to do.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header};

use super::refusal_page::{self, Language, Words};
use crate::page::{self, Nonce};

/// A request that is not carried out, and what its sender can do about it.
#[derive(Debug)]
pub(super) struct Refused {
    status: StatusCode,
    words: Words,
    extra: Option<(HeaderName, HeaderValue)>,
}

impl Refused {
    /// For programs: what only they can do wrong.
    pub(super) fn new(status: StatusCode, text: &'static str) -> Self {
        let title = ["This did not work", "无法完成"];
        Self::to_people(
            status,
            Words {
                title,
                english: text,
                chinese: text,
            },
        )
    }

    /// For whoever may be a person with a browser.
    pub(super) fn to_people(status: StatusCode, words: Words) -> Self {
        // RFC 9110 §15.5.2 asks for a challenge; browsers show no prompt for this one.
        let extra = (status == StatusCode::UNAUTHORIZED)
            .then(|| (header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")));
        Self { status, words, extra }
    }

    pub(super) fn with(mut self, name: HeaderName, value: &'static str) -> Self {
        self.extra = Some((name, HeaderValue::from_static(value)));
        self
    }

    /// As plain text, for programs.
    pub(super) fn into_text(self) -> Response<Body> {
        let body = format!("{}\n", self.words.english.replace('\n', " "));
        self.into_answer("text/plain; charset=utf-8", body)
    }

    /// As a small page, for people, in the language they ask for. It needs nothing else from here.
    pub(super) fn into_page(self, request: &HeaderMap, nonce: &Nonce) -> Response<Body> {
        let language = Language::of(request);
        let page = refusal_page::page(&self.words, language, nonce);
        let mut answer = self.into_answer("text/html; charset=utf-8", page);
        let headers = answer.headers_mut();
        headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(language.tag()));
        headers.insert(header::VARY, HeaderValue::from_static("accept-language"));
        answer
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
pub(super) fn page_not_built() -> Refused {
    Refused::to_people(
        StatusCode::SERVICE_UNAVAILABLE,
        Words {
            title: ["There is no page in this program", "此程序中没有页面"],
            english: "This Toolgate was built without its page. `cargo xtask build` in the source folder builds the \
                      page and then the program with the page inside.\nEverything else works: `toolgate rpc`, `/rpc` \
                      and `/ws`.",
            chinese: "这个 Toolgate 在构建时没有包含页面。在源代码目录运行 `cargo xtask build`，即可构建页面以及包含页面的程序。\n\
                      其他功能不受影响：`toolgate rpc`、`/rpc` 和 `/ws`。",
        },
    )
}

/// What is answered where the system gives no random numbers: without them nothing here is safe.
pub(super) fn no_randomness() -> Response<Body> {
    Refused::new(StatusCode::INTERNAL_SERVER_ERROR, page::NO_RANDOMNESS).into_text()
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
