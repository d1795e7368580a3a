//! The page's files, embedded by the build or given by an embedding application, and how they are answered: types,
//! compression, the policy they need. The web server and a `WebView`'s own protocol answer by the same functions; who may
//! ask is the web server's business.

mod policy;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};

pub use self::policy::{Nonce, content_security_policy, protect};

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Where the page takes the nonce for the style sheets it makes itself.
const NONCE_MARK: &str = "__NONCE__";
const HTML: &str = "text/html; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";

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
///
/// An application whose `WebView` has a protocol of its own answers each of its requests with [`Page::answer`]; a server
/// that does more takes [`Page::index`], [`Page::asset`] and [`protect`].
#[derive(Debug)]
pub struct Page {
    index: Option<String>,
    assets: HashMap<Cow<'static, str>, Stored>,
}

/// A file as it is sent.
#[derive(Clone, Debug)]
pub struct Asset {
    /// For `Content-Type`.
    pub content_type: &'static str,
    /// Whether the bytes are compressed with brotli, for `Content-Encoding: br`.
    pub brotli: bool,
    /// The bytes.
    pub bytes: Bytes,
}

#[derive(Debug)]
struct Stored {
    file: PageFile,
    plain: OnceLock<Bytes>,
}

impl Page {
    /// The page that was embedded when this program was built; without an index where there was none
    /// (`cargo xtask build` makes it).
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
            let stored = Stored { file, plain };
            if stored.file.name == "index.html" {
                page.index = Some(String::from_utf8_lossy(&stored.plain()).into_owned());
            } else {
                page.assets.insert(stored.file.name.clone(), stored);
            }
        }
        page
    }

    /// The index for one answer, as `text/html; charset=utf-8`; `None` where there is no page. The answer's policy has to
    /// allow the nonce ([`content_security_policy`]).
    pub fn index(&self, nonce: &Nonce) -> Option<String> {
        Some(self.index.as_ref()?.replace(NONCE_MARK, nonce.as_str()))
    }

    /// The names of all files but the index, such as `assets/main-1A2B3C4D.js`, in no order.
    pub fn asset_names(&self) -> impl Iterator<Item = &str> {
        self.assets.keys().map(AsRef::as_ref)
    }

    /// A file but the index by its name; with `brotli` in the compressed form, where it has one.
    pub fn asset(&self, name: &str, brotli: bool) -> Option<Asset> {
        let stored = self.assets.get(name)?;
        let brotli = brotli && stored.file.brotli;
        Some(Asset {
            content_type: media_type(name),
            brotli,
            bytes: if brotli { stored.as_it_is() } else { stored.plain() },
        })
    }

    /// The whole answer to one request of a `WebView` whose protocol belongs to the application: the index at `/`, every
    /// file at its name, without compression, with the same policy that the web server sends. Whatever the address has
    /// before its path does not matter. The form is the one that `wry` and Tauri take.
    pub fn answer<B>(&self, request: &Request<B>) -> Response<Cow<'static, [u8]>> {
        let Ok(nonce) = Nonce::new() else {
            return protect(plain(StatusCode::INTERNAL_SERVER_ERROR, NO_RANDOMNESS), None);
        };
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return protect(plain(StatusCode::METHOD_NOT_ALLOWED, "The page is only read."), None);
        }
        let path = request.uri().path();
        let name = path.strip_prefix('/').unwrap_or(path);
        let answer = if name.is_empty() {
            match self.index(&nonce) {
                Some(index) => with_type(StatusCode::OK, HTML, Cow::Owned(index.into_bytes())),
                None => plain(StatusCode::SERVICE_UNAVAILABLE, NOT_BUILT),
            }
        } else {
            match self.asset(name, false) {
                Some(asset) => with_type(StatusCode::OK, asset.content_type, Cow::Owned(asset.bytes.to_vec())),
                None => plain(StatusCode::NOT_FOUND, "The page has no file of this name."),
            }
        };
        protect(answer, Some(&nonce))
    }
}

/// What is said in place of the page where the program was built without one.
pub(crate) const NOT_BUILT: &str = "This Toolgate was built without its page. `cargo xtask build` in the source folder builds the page and then the \
     program with the page inside. Everything but the page works.";
/// What is answered where the system gives no random numbers: without them nothing here is safe.
pub(crate) const NO_RANDOMNESS: &str =
    "The system gave no random numbers, which the page's protection needs. Try again.";

fn plain(status: StatusCode, text: &'static str) -> Response<Cow<'static, [u8]>> {
    with_type(status, TEXT, Cow::Borrowed(text.as_bytes()))
}

fn with_type(status: StatusCode, content_type: &'static str, body: Cow<'static, [u8]>) -> Response<Cow<'static, [u8]>> {
    let mut answer = Response::new(body);
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

impl Stored {
    fn as_it_is(&self) -> Bytes {
        match &self.file.bytes {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => Bytes::copy_from_slice(bytes),
        }
    }

    /// The bytes without compression; made once, for those who take no brotli.
    fn plain(&self) -> Bytes {
        if !self.file.brotli {
            return self.as_it_is();
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

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "html" => HTML,
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "wasm" => "application/wasm",
        "woff2" => "font/woff2",
        "txt" => TEXT,
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests;
