//! What an application's own protocol gets.

// Tests may fail loudly.
#![allow(clippy::unwrap_used)]

use super::*;

const SCRIPT: &[u8] = b"console.log(1);\n";
/// The same in brotli (RFC 7932 §9.2), as one uncompressed metablock.
const COMPRESSED: &[u8] = b"\xf0\x00\x10console.log(1);\n\x03";

fn page() -> Page {
    Page::new([
        PageFile {
            name: "index.html".into(),
            brotli: false,
            bytes: b"<meta content=\"__NONCE__\">".into(),
        },
        PageFile {
            name: "assets/main-AAAA1111.js".into(),
            brotli: true,
            bytes: COMPRESSED.into(),
        },
        PageFile {
            name: "assets/core-BBBB2222.wasm".into(),
            brotli: false,
            bytes: Cow::Borrowed(b"\0asm"),
        },
    ])
}

fn get(page: &Page, address: &str) -> Response<Cow<'static, [u8]>> {
    page.answer(&Request::get(address).body(()).unwrap())
}

fn header<'a>(answer: &'a Response<Cow<'static, [u8]>>, name: &str) -> &'a str {
    answer.headers().get(name).unwrap().to_str().unwrap()
}

#[test]
fn the_index_has_the_nonce_of_its_policy_and_each_answer_its_own() {
    let page = page();
    let nonces = [
        "toolgate://localhost",
        "toolgate://localhost/",
        "http://toolgate.localhost/?a#b",
    ]
    .map(|address| {
        let answer = get(&page, address);
        assert_eq!(
            (answer.status(), header(&answer, "content-type")),
            (StatusCode::OK, HTML)
        );
        assert_eq!(header(&answer, "cache-control"), "no-store");
        let policy = header(&answer, "content-security-policy").to_owned();
        let nonce = policy
            .split_once("'nonce-")
            .unwrap()
            .1
            .split_once('\'')
            .unwrap()
            .0
            .to_owned();
        assert_eq!(
            String::from_utf8_lossy(answer.body()),
            format!("<meta content=\"{nonce}\">")
        );
        nonce
    });
    assert!(nonces[0].len() >= 32);
    assert!(nonces[0] != nonces[1] && nonces[1] != nonces[2]);
}

#[test]
fn a_file_comes_whole_with_its_type() {
    let page = page();
    let answer = get(&page, "toolgate://localhost/assets/main-AAAA1111.js");
    assert_eq!(header(&answer, "content-type"), "text/javascript; charset=utf-8");
    assert_eq!(&answer.body()[..], SCRIPT);
    assert!(answer.headers().get("content-encoding").is_none());
    let answer = get(&page, "toolgate://localhost/assets/core-BBBB2222.wasm");
    assert_eq!(header(&answer, "content-type"), "application/wasm");
    assert_eq!(header(&answer, "x-content-type-options"), "nosniff");
    assert!(header(&answer, "content-security-policy").starts_with("default-src 'none';"));
}

#[test]
fn nothing_else_is_there() {
    let page = page();
    for path in [
        "/index.html",
        "/assets/",
        "/assets/../index.html",
        "/assets/%6dain-AAAA1111.js",
        "//",
        "/rpc",
    ] {
        let answer = get(&page, &format!("toolgate://localhost{path}"));
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
        assert!(answer.headers().contains_key("content-security-policy"), "{path}");
    }
    let posted = page.answer(&Request::post("toolgate://localhost/").body("text").unwrap());
    assert_eq!(posted.status(), StatusCode::METHOD_NOT_ALLOWED);
    let without = get(&Page::new([]), "toolgate://localhost/");
    assert_eq!(without.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(String::from_utf8_lossy(without.body()).contains("cargo xtask build"));
}

#[test]
fn the_names_of_the_files_are_told() {
    let page = page();
    let mut names: Vec<&str> = page.asset_names().collect();
    names.sort_unstable();
    assert_eq!(names, ["assets/core-BBBB2222.wasm", "assets/main-AAAA1111.js"]);
    let compressed = page.asset("assets/main-AAAA1111.js", true).unwrap();
    assert!(compressed.brotli && compressed.bytes == COMPRESSED);
}
