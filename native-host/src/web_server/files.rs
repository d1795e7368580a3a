//! The page as browsers get it: compressed for those who take that, its files kept for ever, its first answer with the
//! script that takes the token out of the address.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, header};

use crate::page::{Nonce, Page};
use crate::secret::Secret;

/// Runs before anything else of a page that was opened with the token: takes the token out of the address bar and the
/// history, and keeps the key of the session in the page's storage. A file of its own, because inline scripts are not allowed.
pub(super) const START_SCRIPT_PATH: &str = "/start.js";
pub(super) const START_SCRIPT: &str = "history.replaceState(null, \"\", \"/\" + location.hash);\n\
                                       localStorage.setItem(\"toolgate.page\", document.currentScript.dataset.key);\n";

/// The index for one answer; `None` where there is no page. The first one of a session has its `key`: it takes the token
/// out of the address, and keeps the key where only the page can read it.
pub(super) fn index(page: &Page, nonce: &Nonce, key: Option<&Secret>) -> Option<String> {
    let index = page.index(nonce)?;
    let Some(key) = key else {
        return Some(index);
    };
    // The key is hexadecimal digits.
    let script = format!(
        "<script src=\"{START_SCRIPT_PATH}\" data-key=\"{}\"></script>",
        key.reveal()
    );
    Some(match index.find("<head>") {
        Some(head) => {
            let (before, after) = index.split_at(head + "<head>".len());
            format!("{before}{script}{after}")
        }
        None => format!("{script}{index}"),
    })
}

/// The file at a path under `/`, in a form the client takes.
pub(super) fn asset(page: &Page, name: &str, request: &HeaderMap) -> Option<Response<Body>> {
    let asset = page.asset(name, accepts_brotli(request))?;
    let mut answer = Response::new(Body::from(asset.bytes));
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("private, max-age=31536000, immutable"),
    );
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if asset.brotli {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
    }
    Some(answer)
}

/// Whether `Accept-Encoding` takes brotli (RFC 9110 §12.5.3): named or covered by `*`, and not with `q=0`.
fn accepts_brotli(request: &HeaderMap) -> bool {
    let mut any = false;
    for value in request.get_all(header::ACCEPT_ENCODING) {
        let Ok(value) = value.to_str() else { continue };
        for offer in value.split(',') {
            let mut parts = offer.split(';').map(str::trim);
            let coding = parts.next().unwrap_or_default();
            let refused = parts
                .filter_map(|part| part.split_once('='))
                .any(|(name, weight)| name.trim().eq_ignore_ascii_case("q") && weight.trim().parse() == Ok(0.0_f32));
            if coding.eq_ignore_ascii_case("br") {
                return !refused;
            }
            any |= coding == "*" && !refused;
        }
    }
    any
}

#[cfg(test)]
mod tests {
    // Tests may fail loudly.
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::page::PageFile;

    #[test]
    fn brotli_is_sent_to_those_who_take_it() {
        for (value, takes) in [
            ("br", true),
            ("gzip, deflate, br, zstd", true),
            ("gzip, BR;q=0.5", true),
            ("*", true),
            ("gzip, br;q=0", false),
            ("br; q=0.000, *", false),
            ("*;q=0", false),
            ("gzip", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_str(value).unwrap())]);
            assert_eq!(accepts_brotli(&headers), takes, "{value}");
        }
        assert!(!accepts_brotli(&HeaderMap::new()));
    }

    #[test]
    fn the_token_leaves_the_address_before_anything_else_runs() {
        let page = Page::new([PageFile {
            name: "index.html".into(),
            brotli: false,
            bytes: b"<html><head><meta content=\"__NONCE__\"><script src=x></script></head>".into(),
        }]);
        let nonce = Nonce::new().unwrap();
        let key = Secret::random().unwrap();
        let first = index(&page, &nonce, Some(&key)).unwrap();
        let script = format!("<script src=\"/start.js\" data-key=\"{}\"></script>", key.reveal());
        let start = first.find(&script).unwrap();
        assert!(start < first.find("<meta").unwrap());
        assert!(first.contains(nonce.as_str()) && !first.contains("__NONCE__"));
        assert!(!index(&page, &nonce, None).unwrap().contains("start.js"));
    }
}
