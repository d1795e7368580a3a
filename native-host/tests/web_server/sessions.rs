//! The session of the page: how it starts, and that it counts for our own page only.

use crate::support::{INFO, Server, page_key};

const JSON: (&str, &str) = ("Content-Type", "application/json");

#[tokio::test]
async fn the_token_page_starts_a_session_that_counts_for_our_own_page_only() {
    let server = Server::plain().await;
    let line = format!("GET /?token={}", server.token());
    // As from a link in a page elsewhere.
    let first = server.send(&line, &[("Sec-Fetch-Site", "cross-site")], b"").await;
    assert_eq!(first.status, 200);
    assert!(
        first.text().contains("<script src=\"/start.js\" data-key=\""),
        "{}",
        first.text()
    );
    assert_eq!(first.header("cache-control"), Some("no-store"));
    let set = first.header("set-cookie").unwrap().to_owned();
    let (cookie, attributes) = set.split_once("; ").unwrap();
    assert_eq!(attributes, "Path=/; HttpOnly; SameSite=Strict");
    let (name, id) = cookie.split_once('=').unwrap();
    assert_eq!(name, format!("toolgate_session_{}", server.web.port()));
    assert_eq!(id.len(), 64);
    assert!(!set.contains(&server.token()));
    let key = page_key(&first);
    assert!(key.len() == 64 && key != id && key != server.token());

    let own = server.origin();
    for (line, site, status) in [
        ("GET /", ("Sec-Fetch-Site", "none"), 200),
        ("GET /", ("Sec-Fetch-Site", "same-origin"), 200),
        ("GET /start.js", ("Sec-Fetch-Site", "same-origin"), 200),
        ("GET /assets/main-AAAA1111.js", ("Sec-Fetch-Site", "same-origin"), 200),
        ("POST /rpc", ("Origin", own.as_str()), 200),
        ("POST /rpc", ("Sec-Fetch-Site", "same-origin"), 200),
        ("GET /nothing", ("Origin", own.as_str()), 404),
        // Another port of this host, which gets the cookie sent along, too.
        ("GET /", ("Sec-Fetch-Site", "same-site"), 403),
        ("GET /assets/main-AAAA1111.js", ("Sec-Fetch-Site", "same-site"), 403),
        ("POST /rpc", ("Sec-Fetch-Site", "same-site"), 403),
        ("POST /rpc", ("Sec-Fetch-Site", "cross-site"), 403),
        // Something that is no browser, or an old one.
        ("GET /", ("X-Nothing", ""), 403),
        ("POST /rpc", ("X-Nothing", ""), 403),
    ] {
        let body = if line.starts_with("POST") { INFO.as_bytes() } else { b"" };
        let among = format!("other=1; {cookie}; toolgate_session_1=2");
        let headers = [JSON, site, ("Cookie", &among), ("Toolgate-Page-Key", &key)];
        let answer = server.send(line, &headers, body).await;
        assert_eq!(answer.status, status, "{line} with {site:?}: {answer:?}");
        assert!(
            !answer.body.windows(9).any(|part| part == b"start.js\""),
            "only the first page has it"
        );
    }
    let protocols = format!("toolgate, toolgate.page.{key}");
    let page = [
        ("origin", own.as_str()),
        ("cookie", cookie),
        ("sec-websocket-protocol", &protocols),
    ];
    let mut socket = server.socket(&page).await.unwrap();
    assert_eq!(socket.protocol.as_deref(), Some("toolgate"));
    socket.send(INFO).await;
    assert_eq!(socket.answer(1).await["result"]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(server.socket(&page[1..]).await.unwrap_err().status, 403);

    // Opened again in the same browser: the session stays.
    let again = server.send(&line, &[("Cookie", cookie)], b"").await;
    assert_eq!((again.status, again.header("set-cookie")), (200, None));
    assert_eq!(page_key(&again), key);
    // Another Toolgate's session is none here.
    let other = Server::plain().await;
    let foreign = cookie.replace(&server.web.port().to_string(), &other.web.port().to_string());
    let answer = other
        .send("GET /", &[("Cookie", &foreign), ("Sec-Fetch-Site", "none")], b"")
        .await;
    assert_eq!(answer.status, 401);
}

/// Browsers send a cookie to whatever listens at another port of the same host, which may be a program of another user.
#[tokio::test]
async fn a_session_s_cookie_alone_carries_no_message() {
    let server = Server::plain().await;
    let (stolen, other) = (server.session().await, server.session().await);
    let own = server.origin();
    let cookie = ("cookie", stolen.cookie.as_str());
    let no_key = "0".repeat(64);
    for key in [None, Some(""), Some(&no_key), Some(&other.key), Some(&server.token())] {
        let mut headers = vec![JSON, ("Origin", own.as_str()), cookie];
        headers.extend(key.map(|key| ("Toolgate-Page-Key", key)));
        let answer = server.send("POST /rpc", &headers, INFO.as_bytes()).await;
        assert_eq!(answer.status, 401, "{key:?}: {answer:?}");
        let protocols = key.map(|key| format!("toolgate, toolgate.page.{key}"));
        let mut headers = vec![("origin", own.as_str()), cookie];
        headers.extend(
            protocols
                .as_deref()
                .map(|protocols| ("sec-websocket-protocol", protocols)),
        );
        let refused = server.socket(&headers).await.unwrap_err();
        assert_eq!(refused.status, 401, "{key:?}: {refused:?}");
    }
    // Nor is the key shown to whoever has the cookie.
    for line in ["GET /", "GET /start.js", "GET /assets/main-AAAA1111.js"] {
        let answer = server
            .send(line, &[cookie, ("Sec-Fetch-Site", "same-origin")], b"")
            .await;
        assert_eq!(answer.status, 200, "{line}");
        assert!(!String::from_utf8_lossy(&answer.body).contains(&stolen.key), "{line}");
    }
    // The key alone is nothing either.
    let keyed = [
        JSON,
        ("Origin", own.as_str()),
        ("Toolgate-Page-Key", stolen.key.as_str()),
    ];
    assert_eq!(server.send("POST /rpc", &keyed, INFO.as_bytes()).await.status, 401);
    let bearer = format!("Bearer {}", stolen.key);
    let keyed = [JSON, cookie, ("Authorization", bearer.as_str())];
    assert_eq!(server.send("POST /rpc", &keyed, INFO.as_bytes()).await.status, 403);
}
