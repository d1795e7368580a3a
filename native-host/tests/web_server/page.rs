//! The page and its files, and the headers of every kind of answer.

use toolgate_host::page::Page;

use crate::support::{Answer, BROTLI_SCRIPT, INFO, PLAIN_SCRIPT, Server, start};

async fn get(server: &Server, line: &str, headers: &[(&str, &str)]) -> Answer {
    let bearer = server.bearer();
    let mut all = vec![("Authorization", bearer.as_str())];
    all.extend_from_slice(headers);
    server.send(line, &all, b"").await
}

#[tokio::test]
async fn files_have_their_type_and_are_kept_for_ever() {
    let server = Server::plain().await;
    for (path, media_type) in [
        ("/assets/main-AAAA1111.js", "text/javascript; charset=utf-8"),
        ("/assets/core-BBBB2222.wasm", "application/wasm"),
        ("/assets/style-CCCC3333.css", "text/css; charset=utf-8"),
        ("/assets/icon-DDDD4444.svg", "image/svg+xml"),
    ] {
        let answer = get(&server, &format!("GET {path}"), &[]).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("content-type"), Some(media_type), "{path}");
        assert_eq!(
            answer.header("cache-control"),
            Some("private, max-age=31536000, immutable")
        );
        let head = get(&server, &format!("HEAD {path}"), &[]).await;
        assert_eq!((head.status, head.body.len()), (200, 0));
        assert_eq!(head.header("content-length"), answer.header("content-length"));
    }
}

#[tokio::test]
async fn files_go_out_compressed_to_those_who_take_it() {
    let server = Server::plain().await;
    let line = "GET /assets/main-AAAA1111.js";
    let compressed = get(&server, line, &[("Accept-Encoding", "gzip, deflate, br, zstd")]).await;
    assert_eq!(compressed.header("content-encoding"), Some("br"));
    assert_eq!(compressed.body, BROTLI_SCRIPT);
    for headers in [
        &[][..],
        &[("Accept-Encoding", "gzip")],
        &[("Accept-Encoding", "br;q=0")],
    ] {
        let plain = get(&server, line, headers).await;
        assert_eq!(
            (plain.header("content-encoding"), &plain.body[..]),
            (None, PLAIN_SCRIPT)
        );
        assert_eq!(plain.header("vary"), Some("accept-encoding"));
    }
    let stored_plain = get(&server, "GET /assets/style-CCCC3333.css", &[("Accept-Encoding", "br")]).await;
    assert_eq!(
        (stored_plain.header("content-encoding"), stored_plain.text()),
        (None, "body{}")
    );
}

#[tokio::test]
async fn each_page_has_a_nonce_of_its_own_in_policy_and_text() {
    let server = Server::plain().await;
    let mut nonces = Vec::new();
    for _ in 0..2 {
        let answer = get(&server, "GET /", &[]).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        let policy = answer.header("content-security-policy").unwrap();
        let nonce = policy
            .split_once("'nonce-")
            .unwrap()
            .1
            .split_once('\'')
            .unwrap()
            .0
            .to_owned();
        assert!(nonce.len() >= 32);
        assert!(
            answer.text().contains(&format!("content=\"{nonce}\"")),
            "{}",
            answer.text()
        );
        nonces.push(nonce);
    }
    assert_ne!(nonces[0], nonces[1]);
}

#[tokio::test]
async fn nothing_outside_of_the_page_can_be_reached() {
    let server = Server::plain().await;
    for path in [
        "/assets/",
        "/assets",
        "/assets/../index.html",
        "/assets/..%2findex.html",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/assets/..\\..\\etc\\passwd",
        "/../../../../etc/passwd",
        "//etc/passwd",
        "/index.html",
        "/assets/main-AAAA1111.js/",
        "/assets/main-AAAA1111.js.br",
        "/Assets/main-AAAA1111.js",
        "/assets/%6dain-AAAA1111.js",
        "/host.json",
        "/rpc/",
    ] {
        let answer = get(&server, &format!("GET {path}"), &[]).await;
        assert!(matches!(answer.status, 404 | 400), "{path}: {answer:?}");
    }
}

#[tokio::test]
async fn wrong_methods_are_told_the_right_ones() {
    let server = Server::plain().await;
    for (line, allow) in [
        ("GET /rpc", "POST"),
        ("HEAD /rpc", "POST"),
        ("PUT /rpc", "POST"),
        ("DELETE /", "GET, HEAD"),
        ("POST /", "GET, HEAD"),
        ("POST /start.js", "GET, HEAD"),
        ("POST /assets/main-AAAA1111.js", "GET, HEAD"),
    ] {
        let answer = get(&server, line, &[]).await;
        assert_eq!(
            (answer.status, answer.header("allow")),
            (405, Some(allow)),
            "{line}: {answer:?}"
        );
    }
    let answer = get(&server, "GET /ws", &[]).await;
    assert_eq!(
        (answer.status, answer.header("upgrade")),
        (426, Some("websocket")),
        "{answer:?}"
    );
    let answer = get(&server, "GET /nothing", &[]).await;
    assert_eq!(answer.status, 404);
    assert!(answer.text().contains("/rpc"), "{}", answer.text());
}

#[tokio::test]
async fn every_kind_of_answer_carries_the_protecting_headers() {
    let server = Server::plain().await;
    let bearer = server.bearer();
    let json = ("Content-Type", "application/json");
    let token_page = format!("GET /?token={}", server.token());
    let known: &[(&str, &str)] = &[("Authorization", &bearer)];
    let answers = [
        server.send("GET /", &[], b"").await,
        server.send(&token_page, &[], b"").await,
        server.send("GET /?token=x", &[], b"").await,
        server.send("GET /", &[("Origin", "null")], b"").await,
        server.send_exactly("GET /", &[("Host", "evil.example")], b"").await,
        server.send("GET /", known, b"").await,
        server.send("DELETE /", known, b"").await,
        server.send("GET /start.js", known, b"").await,
        server.send("GET /assets/main-AAAA1111.js", known, b"").await,
        server.send("GET /nothing", known, b"").await,
        server.send("GET /ws", known, b"").await,
        server.send("GET /rpc", known, b"").await,
        server.send("POST /rpc", known, b"").await,
        server.send("POST /rpc", &[known[0], json], INFO.as_bytes()).await,
        server.send("POST /rpc", &[known[0], json], b"not json").await,
        server.send("POST /rpc", &[known[0], json], b"\xff").await,
        server.send("POST /rpc", &[json], INFO.as_bytes()).await,
    ];
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(
        statuses,
        [
            401, 200, 403, 403, 403, 200, 405, 200, 200, 404, 426, 405, 415, 200, 200, 400, 401
        ]
    );
    for answer in &answers {
        let policy = answer.header("content-security-policy").unwrap();
        let directives: Vec<&str> = policy.split("; ").collect();
        for directive in [
            "default-src 'none'",
            "script-src 'self' 'wasm-unsafe-eval'",
            "connect-src 'self'",
            "img-src 'self' data:",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "form-action 'none'",
        ] {
            assert!(directives.contains(&directive), "{directive} in {policy}");
        }
        assert!(!policy.contains("'unsafe-"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(answer.header("cross-origin-opener-policy"), Some("same-origin"));
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"));
        assert!(answer.header("access-control-allow-origin").is_none());
        let kept = answer.header("cache-control").unwrap();
        assert!(kept == "no-store" || kept.contains("immutable"), "{kept}");
    }
    assert_eq!(answers[0].header("www-authenticate"), Some("Bearer"));
}

#[tokio::test]
async fn a_program_without_a_page_says_how_to_build_one() {
    let server = start(|options| options.page = Page::new([])).await;
    let answer = server.send(&format!("GET /?token={}", server.token()), &[], b"").await;
    assert_eq!(answer.status, 503);
    assert!(answer.text().contains("cargo xtask build"), "{}", answer.text());
    assert_eq!(server.post(INFO.as_bytes()).await.status, 200);
}

#[tokio::test]
async fn a_refusal_to_a_person_is_in_their_language_and_styled_within_the_policy() {
    let server = Server::plain().await;
    let old = format!("{}x", server.token());
    for (line, headers, status, english, chinese) in [
        ("GET /", &[][..], 401, "Toolgate needs to know", "需要确认"),
        (&format!("GET /?token={old}"), &[], 403, "out of date", "已失效"),
        (
            "GET /",
            &[("Origin", "http://evil.example")],
            403,
            "Another web site",
            "其他网站",
        ),
        (
            "GET /",
            &[("Authorization", "Bearer no")],
            403,
            "That token",
            "这个令牌",
        ),
    ] {
        for (language, tag, words) in [
            ("en-US,en;q=0.9,zh;q=0.8", "en", english),
            ("zh-CN,zh;q=0.9,en;q=0.8", "zh-CN", chinese),
        ] {
            let mut all = headers.to_vec();
            all.push(("Accept-Language", language));
            let answer = server.send(line, &all, b"").await;
            let text = answer.text();
            assert_eq!(answer.status, status, "{line}");
            assert_eq!(answer.header("content-language"), Some(tag), "{line}");
            assert!(text.contains(&format!("<html lang=\"{tag}\">")), "{text}");
            assert!(text.contains(words), "{words}: {text}");
            // The one style sheet is the one that the policy allows, and nothing else is there to be allowed.
            let (_, nonce) = text.split_once("<style nonce=\"").unwrap();
            let (nonce, _) = nonce.split_once('"').unwrap();
            let policy = answer.header("content-security-policy").unwrap();
            assert!(
                policy.contains(&format!("style-src 'self' 'nonce-{nonce}';")),
                "{policy}"
            );
            assert!(
                !text.contains("<script") && !text.contains(" style=") && !text.contains(&old),
                "{text}"
            );
        }
    }
    // Programs are told in English, whatever they ask for.
    let answer = server.send("GET /rpc", &[("Accept-Language", "zh-CN")], b"").await;
    assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    assert!(answer.text().contains("toolgate serve"), "{}", answer.text());
}
