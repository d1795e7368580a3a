//! The page's files: embedded by the build, or given by an embedding application.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};

use super::answers::Nonce;

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Where the page takes the nonce for the style sheets it makes itself.
const NONCE_MARK: &str = "__NONCE__";
/// Runs before anything else of a page that was opened with the token, and takes the token out of the address bar and
/// the history. A file of its own, because inline scripts are not allowed.
pub(super) const START_SCRIPT_PATH: &str = "/start.js";
pub(super) const START_SCRIPT: &str = "history.replaceState(null, \"\", \"/\" + location.hash);\n";

/// One file of the page.
#[derive(Clone, Debug)]
pub struct PageFile {
    /// The path under `/`, such as `index.html` or `assets/main-1A2B3C4D.js`.
    pub name: Cow<'static, str>,
    /// Whether the bytes are compressed with brotli.
    pub brotli: bool,
    /// The bytes.
    pub bytes: Cow<'static, [u8]>,
}

/// The page: `index.html` and everything under `assets/`.
#[derive(Debug)]
pub struct Page {
    index: Option<String>,
    assets: HashMap<Cow<'static, str>, Asset>,
}

#[derive(Debug)]
struct Asset {
    file: PageFile,
    plain: OnceLock<Bytes>,
}

impl Page {
    /// The page that was embedded when this program was built; without an index where there was none.
    pub fn embedded() -> Self {
        Self::new(EMBEDDED.iter().map(|(name, brotli, bytes)| PageFile {
            name: Cow::Borrowed(name),
            brotli: *brotli,
            bytes: Cow::Borrowed(bytes),
        }))
    }

    /// A page of these files. Files under `assets/` are kept by browsers for ever, so their names have to change with
    /// their content.
    pub fn new(files: impl IntoIterator<Item = PageFile>) -> Self {
        let mut page = Self {
            index: None,
            assets: HashMap::new(),
        };
        for file in files {
            let plain = OnceLock::new();
            let asset = Asset { file, plain };
            if asset.file.name == "index.html" {
                page.index = Some(String::from_utf8_lossy(&asset.plain()).into_owned());
            } else {
                page.assets.insert(asset.file.name.clone(), asset);
            }
        }
        page
    }

    /// The index for one answer; `None` where there is no page. With `first` it takes the token out of the address.
    pub(super) fn index(&self, nonce: &Nonce, first: bool) -> Option<String> {
        let index = self.index.as_ref()?.replace(NONCE_MARK, nonce.as_str());
        if !first {
            return Some(index);
        }
        let script = format!("<script src=\"{START_SCRIPT_PATH}\"></script>");
        Some(match index.find("<head>") {
            Some(head) => {
                let (before, after) = index.split_at(head + "<head>".len());
                format!("{before}{script}{after}")
            }
            None => format!("{script}{index}"),
        })
    }

    /// The file at a path under `/`, in a form the client takes.
    pub(super) fn asset(&self, name: &str, request: &HeaderMap) -> Option<Response<Body>> {
        let asset = self.assets.get(name)?;
        let compressed = asset.file.brotli && accepts_brotli(request);
        let bytes = if compressed { asset.stored() } else { asset.plain() };
        let mut answer = Response::new(Body::from(bytes));
        *answer.status_mut() = StatusCode::OK;
        let headers = answer.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type(name)));
        headers.insert(
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, max-age=31536000, immutable"),
        );
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if compressed {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
        }
        Some(answer)
    }
}

impl Asset {
    fn stored(&self) -> Bytes {
        match &self.file.bytes {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => Bytes::copy_from_slice(bytes),
        }
    }

    /// The bytes without compression; made once, for the rare client that takes no brotli.
    fn plain(&self) -> Bytes {
        if !self.file.brotli {
            return self.stored();
        }
        self.plain
            .get_or_init(|| {
                let mut plain = Vec::new();
                if brotli_decompressor::BrotliDecompress(&mut &*self.file.bytes, &mut plain).is_err() {
                    tracing::error!(name = %self.file.name, "a file of the page is damaged");
                    plain.clear();
                }
                plain.into()
            })
            .clone()
    }
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

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "wasm" => "application/wasm",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    // Tests may fail loudly.
    #![allow(clippy::unwrap_used)]

    use super::*;

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
        let first = page.index(&nonce, true).unwrap();
        let start = first.find("<script src=\"/start.js\"></script>").unwrap();
        assert!(start < first.find("<meta").unwrap());
        assert!(first.contains(nonce.as_str()) && !first.contains(NONCE_MARK));
        assert!(!page.index(&nonce, false).unwrap().contains("start.js"));
    }
}
