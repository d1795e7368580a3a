//! Who may use this server: one decision for every route, made before a body is read.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};

use super::answers::Refused;
use super::names::{Names, Origin};
use super::refusal_page::Words;
use crate::secret::Secret;

/// What a WebSocket subprotocol that carries the token begins with.
const TOKEN_SUBPROTOCOL: &str = "toolgate.bearer.";
/// What one begins with that carries the key of a session.
const KEY_SUBPROTOCOL: &str = "toolgate.page.";
/// The header that carries that key to where messages are posted.
const KEY_HEADER: HeaderName = HeaderName::from_static("toolgate-page-key");
/// The subprotocol a client may offer beside the one with the token, so that the answer need not repeat the token.
const PLAIN_SUBPROTOCOL: &str = "toolgate";
/// More pages than that at once are not a person's; the oldest session gives way.
const MAX_SESSIONS: usize = 64;
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The secrets and names that decide.
#[derive(Debug)]
pub(super) struct Access {
    pub(super) names: Names,
    /// For people and the programs they give it to: in the address, as bearer token, as subprotocol.
    pub(super) launch_token: Secret,
    /// For clients that read `host.json`.
    pub(super) client_token: Secret,
    cookie_name: String,
    sessions: Mutex<VecDeque<Session>>,
}

/// What one browser is known by.
#[derive(Debug)]
struct Session {
    /// In the cookie, which browsers send to every port of a host: whoever listens at another one gets to know it.
    id: Secret,
    /// In the storage of the page, which no other port can read. Nothing is asked of the bridge without it.
    key: Secret,
}

/// A session that was started, or goes on.
pub(super) struct Started {
    /// For `Set-Cookie`, where the browser has no cookie yet.
    pub(super) cookie: Option<String>,
    /// For the page alone.
    pub(super) key: Secret,
}

/// By what a request was let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Caller {
    /// Our own page, by its session.
    Page,
    /// A program that has the launch token.
    Program,
    /// A client that has read `host.json`.
    Client,
}

impl Access {
    pub(super) fn new(names: Names, launch_token: Secret, client_token: Secret, port: u16) -> Self {
        Self {
            names,
            launch_token,
            client_token,
            // Cookies are shared by all ports of a host, so the name tells two Toolgates apart.
            cookie_name: format!("toolgate_session_{port}"),
            sessions: Mutex::default(),
        }
    }

    /// Where the request is addressed to and whose page sent it. Refuses foreign hosts on every route, and foreign
    /// origins too; origins that were allowed by name are for the WebSocket alone.
    pub(super) fn origin(&self, parts: &Parts, websocket: bool) -> Result<Origin, Refused> {
        let host = only(&parts.headers, &header::HOST).filter(|host| self.names.allows_host(host));
        // A request line with a whole address overrides the header.
        let line = parts
            .uri
            .authority()
            .is_none_or(|line| self.names.allows_host(line.as_str()));
        let (Some(host), true) = (host, line) else {
            return Err(Refused::to_people(
                StatusCode::FORBIDDEN,
                Words {
                    title: ["Not under this name", "不能使用这个主机名"],
                    english: "This server does not answer under that host name.\nUse the address that `toolgate serve` \
                              printed, or start it with `--allow-host` and the name you use.",
                    chinese: "此服务器不以这个主机名提供服务。\n请使用 `toolgate serve` 输出的地址，或在启动时用 `--allow-host` \
                              指定你使用的名称。",
                },
            ));
        };
        let origin = if parts.headers.contains_key(header::ORIGIN) {
            only(&parts.headers, &header::ORIGIN).map_or(Origin::Foreign, |origin| self.names.origin(origin, host))
        } else {
            Origin::None
        };
        match origin {
            Origin::None | Origin::Own => Ok(origin),
            Origin::Allowed if websocket => Ok(origin),
            Origin::Allowed => Err(Refused::new(
                StatusCode::FORBIDDEN,
                "Pages that --allow-origin names may use the WebSocket at /ws only.",
            )),
            Origin::Foreign => Err(Refused::to_people(
                StatusCode::FORBIDDEN,
                Words {
                    title: ["Another web site sent this", "请求来自其他网站"],
                    english: "Pages of other web sites may not use this server.\nTo let one open the WebSocket at /ws, \
                              start `toolgate serve` with `--allow-origin` and its exact origin.",
                    chinese: "其他网站的页面不能使用此服务器。\n如需允许某个页面打开 /ws 的 WebSocket，请在启动 `toolgate serve` \
                              时用 `--allow-origin` 指定它的确切来源。",
                },
            )),
        }
    }

    /// What the request shows to be let in by: a bearer token, or a session of our own page. The page and its files need
    /// no more; messages do ([`Self::sender`], [`Self::websocket_caller`]).
    pub(super) fn caller(&self, headers: &HeaderMap, origin: Origin) -> Result<Caller, Refused> {
        if headers.contains_key(header::AUTHORIZATION) {
            return only(headers, &header::AUTHORIZATION)
                .and_then(bearer)
                .and_then(|token| self.token(token))
                .ok_or_else(wrong_token);
        }
        if self.session_key(headers).is_none() {
            return Err(no_session());
        }
        let from_our_page = match origin {
            Origin::Own => true,
            Origin::None => matches!(only(headers, &SEC_FETCH_SITE), Some("same-origin" | "none")),
            Origin::Allowed | Origin::Foreign => false,
        };
        if from_our_page {
            Ok(Caller::Page)
        } else {
            // A page on another port of the same host gets the cookie sent along, too.
            Err(Refused::to_people(
                StatusCode::FORBIDDEN,
                Words {
                    title: ["Open this in a tab of its own", "请在单独的标签页中打开"],
                    english: "The session of Toolgate's page counts only for requests that the page itself makes.\nOpen \
                              the address in a tab of its own, or use the token as `Authorization: Bearer`.",
                    chinese: "Toolgate 页面的会话只对页面自身发出的请求有效。\n请在单独的标签页中打开地址；程序请以 \
                              `Authorization: Bearer` 发送令牌。",
                },
            ))
        }
    }

    /// The same for a message by POST: a page shows the key of its session, too.
    pub(super) fn sender(&self, headers: &HeaderMap, origin: Origin) -> Result<Caller, Refused> {
        let caller = self.caller(headers, origin)?;
        self.page_has_key(caller, headers, only(headers, &KEY_HEADER))
    }

    fn page_has_key(&self, caller: Caller, headers: &HeaderMap, key: Option<&str>) -> Result<Caller, Refused> {
        let shown = || key.is_some_and(|key| self.session_key(headers).is_some_and(|own| own.matches(key)));
        if caller != Caller::Page || shown() {
            Ok(caller)
        } else {
            Err(no_session())
        }
    }

    /// The same for a WebSocket, where a page elsewhere has no header to put a token in. Answers the subprotocol to
    /// agree on, too.
    pub(super) fn websocket_caller(
        &self,
        headers: &HeaderMap,
        origin: Origin,
    ) -> Result<(Caller, Option<String>), Refused> {
        let offered: Vec<&str> = headers
            .get_all(header::SEC_WEBSOCKET_PROTOCOL)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(str::trim)
            .collect();
        let plain = offered
            .contains(&PLAIN_SUBPROTOCOL)
            .then(|| PLAIN_SUBPROTOCOL.to_owned());
        let Some((with_token, token)) = offered
            .iter()
            .find_map(|offer| Some((*offer, offer.strip_prefix(TOKEN_SUBPROTOCOL)?)))
        else {
            let key = offered.iter().find_map(|offer| offer.strip_prefix(KEY_SUBPROTOCOL));
            let caller = self.caller(headers, origin)?;
            return self.page_has_key(caller, headers, key).map(|caller| (caller, plain));
        };
        if origin != Origin::Allowed {
            return Err(Refused::new(
                StatusCode::FORBIDDEN,
                "A token as a subprotocol counts only from a page that --allow-origin names; a program sends it as \
                 `Authorization: Bearer`.",
            ));
        }
        match self.token(token) {
            // A browser gives up if none of its offers comes back.
            Some(caller) => Ok((caller, plain.or_else(|| Some(with_token.to_owned())))),
            None => Err(wrong_token()),
        }
    }

    /// Whether this is the token of the address.
    pub(super) fn is_launch_token(&self, candidate: &str) -> bool {
        self.launch_token.matches(candidate)
    }

    /// Starts a session, or goes on with the one that the request shows already.
    pub(super) fn start_session(&self, headers: &HeaderMap) -> Result<Started, getrandom::Error> {
        if let Some(key) = self.session_key(headers) {
            return Ok(Started { cookie: None, key });
        }
        let session = Session {
            id: Secret::random()?,
            key: Secret::random()?,
        };
        let started = Started {
            cookie: Some(format!(
                "{}={}; Path=/; HttpOnly; SameSite=Strict",
                self.cookie_name,
                session.id.reveal()
            )),
            key: session.key.clone(),
        };
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if sessions.len() >= MAX_SESSIONS {
            sessions.pop_front();
        }
        sessions.push_back(session);
        Ok(started)
    }

    /// The key of the session whose cookie the request shows.
    fn session_key(&self, headers: &HeaderMap) -> Option<Secret> {
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .filter(|(name, _)| *name == self.cookie_name)
            .find_map(|(_, id)| sessions.iter().find(|session| session.id.matches(id)))
            .map(|session| session.key.clone())
    }

    fn token(&self, candidate: &str) -> Option<Caller> {
        // Both are always compared, so that time tells nothing of which one it was.
        let (program, client) = (
            self.launch_token.matches(candidate),
            self.client_token.matches(candidate),
        );
        match (program, client) {
            (_, true) => Some(Caller::Client),
            (true, false) => Some(Caller::Program),
            (false, false) => None,
        }
    }
}

/// The value of a header that is there exactly once, as text.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn no_session() -> Refused {
    Refused::to_people(
        StatusCode::UNAUTHORIZED,
        Words {
            title: ["Toolgate needs to know that it is you", "Toolgate 需要确认是你本人"],
            english: "In a browser, open the address that `toolgate serve` printed, the one with `?token=` in it; running \
                      `toolgate serve` again prints it again.\nIf the token is your own, from `--token-file` or \
                      `TOOLGATE_TOKEN`, put `?token=` and the token behind the address yourself.\nA program sends the \
                      token as `Authorization: Bearer`.",
            chinese: "请在浏览器中打开 `toolgate serve` 输出的地址，即带有 `?token=` 的那个；再次运行 `toolgate serve` 会重新输出。\n\
                      如果令牌由你自己通过 `--token-file` 或 `TOOLGATE_TOKEN` 指定，请自行在地址后加上 `?token=` 和令牌。\n\
                      程序请以 `Authorization: Bearer` 发送令牌。",
        },
    )
}

fn wrong_token() -> Refused {
    Refused::to_people(
        StatusCode::FORBIDDEN,
        Words {
            title: ["That token is out of date", "这个令牌已失效"],
            english: "That is not the token of the Toolgate that runs now; each start makes a new one.\nRunning `toolgate \
                      serve` again prints the present address.",
            chinese: "这不是当前运行的 Toolgate 的令牌；每次启动都会生成新的令牌。\n再次运行 `toolgate serve` 会输出当前的地址。",
        },
    )
}
