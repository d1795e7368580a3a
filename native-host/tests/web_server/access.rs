//! Who is let in: every route, with everything that must not suffice.

use toolgate_host::secret::Secret;
use toolgate_host::web_server::{AllowedHost, AllowedOrigin};

use crate::support::{INFO, Server, Session, start};

const JSON: (&str, &str) = ("Content-Type", "application/json");

/// Every kind of request that there is, each as it would be right but for who sends it.
const REQUESTS: &[(&str, &[(&str, &str)])] = &[
    ("GET /", &[]),
    ("HEAD /", &[]),
    ("POST /", &[]),
    ("GET /start.js", &[]),
    ("GET /assets/main-AAAA1111.js", &[]),
    ("GET /assets/nothing.js", &[]),
    ("POST /rpc", &[JSON]),
    ("GET /rpc", &[]),
    ("OPTIONS /rpc", &[("Access-Control-Request-Method", "POST")]),
    ("POST /address", &[JSON]),
    ("GET /nothing", &[]),
    (
        "GET /ws",
        &[
            ("Upgrade", "websocket"),
            ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="),
        ],
    ),
];

async fn refused_everywhere(server: &Server, extra: &[(&str, &str)], host: Option<&str>, statuses: &[u16]) {
    for (line, headers) in REQUESTS {
        let name = server.name();
        let mut all = vec![("Host", host.unwrap_or(&name))];
        all.extend_from_slice(headers);
        all.extend_from_slice(extra);
        let body = if line.starts_with("POST") { INFO.as_bytes() } else { b"" };
        let answer = server.send_exactly(line, &all, body).await;
        assert!(statuses.contains(&answer.status), "{line} with {all:?}: {answer:?}");
        assert!(answer.header("set-cookie").is_none(), "{line}: {answer:?}");
        if !line.starts_with("HEAD") {
            let text = answer.text();
            assert!(text.len() > 40 && !text.contains("jsonrpc"), "{line}: {text}");
        }
    }
}

#[tokio::test]
async fn nothing_is_answered_without_a_token() {
    let server = Server::plain().await;
    refused_everywhere(&server, &[], None, &[401]).await;
    refused_everywhere(&server, &[("Sec-Fetch-Site", "none")], None, &[401]).await;
    refused_everywhere(&server, &[("Origin", &server.origin())], None, &[401]).await;
    let cookie = format!("toolgate_session_{}={}", server.web.port(), "0".repeat(64));
    refused_everywhere(&server, &[("Cookie", &cookie)], None, &[401]).await;
}

#[tokio::test]
async fn a_wrong_token_is_refused_everywhere() {
    let server = Server::plain().await;
    let token = server.token();
    let nearly = format!("Bearer {}", &token[..63]);
    let longer = format!("Bearer {token}0");
    let basic = format!("Basic {token}");
    for value in [nearly.as_str(), &longer, &basic, "Bearer", "Bearer ", &token] {
        refused_everywhere(&server, &[("Authorization", value)], None, &[403]).await;
    }
    // The right one beside a second one is no single answer to who it is.
    let twice = [("Authorization", server.bearer()), ("Authorization", server.bearer())];
    let twice: Vec<_> = twice.iter().map(|(name, value)| (*name, value.as_str())).collect();
    refused_everywhere(&server, &twice, None, &[403]).await;
    for query in ["token=x", "token=", "TOKEN=x", &format!("token={token}&token={token}")] {
        let answer = server.send(&format!("GET /?{query}"), &[], b"").await;
        assert!(matches!(answer.status, 401 | 403), "{query}: {answer:?}");
        assert!(answer.header("set-cookie").is_none());
    }
}

#[tokio::test]
async fn a_foreign_host_is_refused_everywhere_even_with_the_token() {
    let server = Server::plain().await;
    let port = server.web.port();
    let bearer = server.bearer();
    for host in [
        format!("evil.example:{port}"),
        "evil.example".to_owned(),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port.wrapping_add(1)),
        format!("localhost.evil.example:{port}"),
        format!("0.0.0.0:{port}"),
        String::new(),
    ] {
        refused_everywhere(&server, &[("Authorization", &bearer)], Some(&host), &[403]).await;
    }
    let answer = server
        .send_exactly("POST /rpc", &[JSON, ("Authorization", &bearer)], INFO.as_bytes())
        .await;
    assert_eq!(answer.status, 403, "no Host at all: {answer:?}");
    let twice = [("Host", server.name()), ("Host", server.name())];
    let twice: Vec<_> = twice.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_ne!(server.send_exactly("GET /", &twice, b"").await.status, 200);
    // A whole address in the request line overrides the header.
    let answer = server
        .send(
            &format!("GET http://evil.example:{port}/?token={}", server.token()),
            &[],
            b"",
        )
        .await;
    assert_eq!(answer.status, 403, "{answer:?}");
    let answer = server
        .send(
            &format!("GET http://{}/?token={}", server.name(), server.token()),
            &[],
            b"",
        )
        .await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

#[tokio::test]
async fn a_foreign_origin_is_refused_everywhere_even_with_token_or_session() {
    let server = start(|options| options.origins = vec!["https://app.example".parse().unwrap()]).await;
    let (bearer, session) = (server.bearer(), server.session().await);
    let other_port = format!("http://127.0.0.1:{}", server.web.port().wrapping_add(1));
    let other_name = format!("http://localhost:{}", server.web.port());
    let secure = format!("https://{}", server.name());
    for origin in [
        "https://evil.example",
        "https://app.example.evil.example",
        "null",
        "file://",
        &other_port,
        &other_name,
        &secure,
        "",
    ] {
        refused_everywhere(&server, &[("Origin", origin), ("Authorization", &bearer)], None, &[403]).await;
        refused_everywhere(
            &server,
            &[("Origin", origin), ("Cookie", &session.cookie)],
            None,
            &[403],
        )
        .await;
        let line = format!("GET /?token={}", server.token());
        assert_eq!(server.send(&line, &[("Origin", origin)], b"").await.status, 403);
    }
}

#[tokio::test]
async fn an_allowed_origin_gets_the_websocket_and_nothing_else() {
    let server = start(|options| options.origins = vec!["https://app.example".parse().unwrap()]).await;
    let origin = ("Origin", "https://app.example");
    let bearer = server.bearer();
    let answer = server
        .send(
            "POST /rpc",
            &[JSON, origin, ("Authorization", &bearer)],
            INFO.as_bytes(),
        )
        .await;
    assert_eq!(answer.status, 403, "{answer:?}");
    let answer = server.send("GET /", &[origin, ("Authorization", &bearer)], b"").await;
    assert_eq!(answer.status, 403, "{answer:?}");

    let with_token = format!("toolgate.bearer.{}", server.token());
    let both = format!("toolgate, {with_token}");
    let origin = ("origin", "https://app.example");
    let mut socket = server
        .socket(&[origin, ("sec-websocket-protocol", &both)])
        .await
        .unwrap();
    assert_eq!(socket.protocol.as_deref(), Some("toolgate"));
    socket.send(INFO).await;
    assert_eq!(socket.answer(1).await["result"]["transports"][0], "http");
    let socket = server
        .socket(&[origin, ("sec-websocket-protocol", &with_token)])
        .await
        .unwrap();
    assert_eq!(socket.protocol.as_deref(), Some(with_token.as_str()));

    let wrong = format!("toolgate.bearer.{}", "0".repeat(64));
    let Session { cookie, key } = server.session().await;
    let with_key = format!("toolgate, toolgate.page.{key}");
    let own = server.origin();
    for headers in [
        vec![origin],
        vec![origin, ("cookie", cookie.as_str())],
        vec![
            origin,
            ("cookie", cookie.as_str()),
            ("sec-websocket-protocol", with_key.as_str()),
        ],
        vec![origin, ("sec-websocket-protocol", "toolgate")],
        vec![origin, ("sec-websocket-protocol", wrong.as_str())],
        vec![("sec-websocket-protocol", with_token.as_str())],
        vec![
            ("origin", own.as_str()),
            ("sec-websocket-protocol", with_token.as_str()),
        ],
        vec![
            ("origin", "https://evil.example"),
            ("sec-websocket-protocol", with_token.as_str()),
        ],
    ] {
        let refused = server.socket(&headers).await.unwrap_err();
        assert!(matches!(refused.status, 401 | 403), "{headers:?}: {refused:?}");
        assert!(refused.text.len() > 40, "{refused:?}");
    }
}

#[tokio::test]
async fn programs_use_the_token_as_bearer() {
    let server = Server::plain().await;
    let bearer = server.bearer();
    let lower = bearer.replace("Bearer", "bearer");
    for authorization in [&bearer, &lower] {
        let answer = server
            .send("POST /rpc", &[JSON, ("Authorization", authorization)], INFO.as_bytes())
            .await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.json()["result"]["version"], env!("CARGO_PKG_VERSION"));
    }
    // The address with its token is for clients that can read host.json.
    let answer = server.send("POST /address", &[("Authorization", &bearer)], b"").await;
    assert_eq!(answer.status, 404, "{answer:?}");
    let client = format!("Bearer {}", server.web.client_access().1.reveal());
    let answer = server.send("POST /address", &[("Authorization", &client)], b"").await;
    assert_eq!(answer.json()["printed"], server.web.addresses().printed);
    let answer = server.send("GET /address", &[("Authorization", &client)], b"").await;
    assert_eq!((answer.status, answer.header("allow")), (405, Some("POST")));
    let answer = server
        .send("POST /rpc", &[JSON, ("Authorization", &client)], INFO.as_bytes())
        .await;
    assert_eq!(answer.status, 200);
    // It is no token for the address bar.
    let line = format!("GET /?token={}", server.web.client_access().1.reveal());
    assert_eq!(server.send(&line, &[], b"").await.status, 403);
}

#[tokio::test]
async fn further_names_are_let_in_by_allow_host() {
    let hosts: Vec<AllowedHost> = vec!["box.example".parse().unwrap()];
    let server = start(move |options| options.hosts = hosts).await;
    let bearer = server.bearer();
    for (host, origin, status) in [
        ("box.example", "https://box.example", 200),
        ("box.example", "http://box.example", 200),
        ("box.example", "https://other.example", 403),
        ("other.example", "https://other.example", 403),
    ] {
        let headers = [("Host", host), ("Origin", origin), JSON, ("Authorization", &bearer)];
        let answer = server.send_exactly("POST /rpc", &headers, INFO.as_bytes()).await;
        assert_eq!(answer.status, status, "{host} {origin}: {answer:?}");
    }
}

#[tokio::test]
async fn a_token_of_ones_own_replaces_the_random_one_and_is_not_printed() {
    let token = "a-token-of-my-own";
    let server = start(|options| options.token = Some(Secret::given(token).unwrap())).await;
    assert_eq!(server.token(), token);
    assert_eq!(server.web.addresses().printed, format!("http://{}/", server.name()));
    assert_eq!(server.send(&format!("GET /?token={token}"), &[], b"").await.status, 200);
}

#[tokio::test]
async fn other_addresses_than_loopback_need_a_token_and_keep_a_way_in_for_clients() {
    use toolgate_host::web_server::WebServerOptions;
    for bind in ["0.0.0.0", "::", "192.0.2.1"] {
        let options = WebServerOptions {
            bind: bind.parse().unwrap(),
            ..WebServerOptions::default()
        };
        let error = options.check().unwrap_err().to_string();
        assert!(
            error.contains("--token-file") && error.contains("TOOLGATE_TOKEN"),
            "{error}"
        );
    }
    let server = start(|options| {
        options.bind = "0.0.0.0".parse().unwrap();
        options.token = Some(Secret::given("a-token-of-my-own").unwrap());
    })
    .await;
    assert_eq!(server.web.client_access().0, server.web.port());
    assert_eq!(server.web.addresses().printed, format!("http://{}/", server.name()));

    // 127.0.0.2 is loopback, but not where clients look.
    let server = start(|options| options.bind = "127.0.0.2".parse().unwrap()).await;
    let (port, token) = server.web.client_access();
    assert_ne!(port, server.web.port());
    let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let request = format!(
        "POST /address HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\r\n",
        token.reveal()
    );
    tokio::io::AsyncWriteExt::write_all(&mut stream, request.as_bytes())
        .await
        .unwrap();
    let answer = crate::support::Answer::read(&mut stream).await;
    assert_eq!(answer.json()["printed"], server.web.addresses().printed);
    assert!(
        server
            .web
            .addresses()
            .printed
            .starts_with(&format!("http://127.0.0.2:{}/?token=", server.web.port()))
    );
}

#[test]
fn origins_that_let_everyone_in_are_refused_at_the_start() {
    for origin in ["*", "null"] {
        assert!(origin.parse::<AllowedOrigin>().is_err());
    }
}
