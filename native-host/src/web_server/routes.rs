//! The routes, and the order of checks: name and origin, then who it is, then what is asked for.

use std::sync::Arc;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Request, Response, StatusCode, header};
use serde::{Deserialize, Serialize};

use super::access::{Caller, Started};
use super::answers::{self, Refused};
use super::files::{self, START_SCRIPT, START_SCRIPT_PATH};
use super::names::Origin;
use super::places::Place;
use super::refusal_page::Words;
use super::{Shared, rpc, socket};
use crate::page::{Nonce, protect};
use crate::secret::Secret;

/// Where a client that has read `host.json` asks for the page's address.
pub(crate) const ADDRESS_PATH: &str = "/address";
/// Where messages are posted.
pub(crate) const RPC_PATH: &str = "/rpc";
const SOCKET_PATH: &str = "/ws";

/// The answer at [`ADDRESS_PATH`].
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddressAnswer {
    /// What may be printed.
    pub(crate) printed: String,
    /// With the token, for the file that opens a browser.
    pub(crate) with_token: String,
}

/// Answers one request.
pub(super) async fn answer(shared: &Shared, request: Request<Body>) -> Response<Body> {
    let (mut parts, body) = request.into_parts();
    let path = parts.uri.path().to_owned();
    let checked = shared.access.origin(&parts, path == SOCKET_PATH);
    let for_people = path == "/" && answers::reads(&parts.method);
    let answered = match checked {
        Err(refused) => Err(refused),
        Ok(origin) if path == "/" => return page(shared, &parts, origin),
        Ok(origin) if path == SOCKET_PATH => socket::answer(shared, &mut parts, origin).await,
        Ok(origin) => match who(shared, &path, &parts, origin) {
            Err(refused) => Err(refused),
            Ok(caller) => authorised(shared, &path, &parts, body, caller).await,
        },
    };
    match (answered, for_people) {
        (Ok(answer), _) => protect(answer, None),
        (Err(refused), false) => protect(refused.into_text(), None),
        (Err(refused), true) => match Nonce::new() {
            Ok(nonce) => protect(refused.into_page(&parts.headers, &nonce), Some(&nonce)),
            Err(_) => protect(answers::no_randomness(), None),
        },
    }
}

fn who(shared: &Shared, path: &str, parts: &Parts, origin: Origin) -> Result<Caller, Refused> {
    match path {
        RPC_PATH => shared.access.sender(&parts.headers, origin),
        _ => shared.access.caller(&parts.headers, origin),
    }
}

async fn authorised(
    shared: &Shared,
    path: &str,
    parts: &Parts,
    body: Body,
    caller: Caller,
) -> Result<Response<Body>, Refused> {
    let_in(parts);
    match path {
        RPC_PATH => rpc::answer(shared, parts, body).await,
        ADDRESS_PATH if caller == Caller::Client => match parts.method {
            Method::POST => Ok(address(shared)),
            _ => Err(answers::wrong_method("POST")),
        },
        START_SCRIPT_PATH if answers::reads(&parts.method) => Ok(answers::text(
            StatusCode::OK,
            "text/javascript; charset=utf-8",
            START_SCRIPT.to_owned(),
        )),
        START_SCRIPT_PATH => Err(answers::wrong_method("GET, HEAD")),
        // An exact name in a table: there is no file system behind it.
        _ => match files::asset(&shared.page, path.trim_start_matches('/'), &parts.headers) {
            Some(_) if !answers::reads(&parts.method) => Err(answers::wrong_method("GET, HEAD")),
            Some(asset) => Ok(asset),
            None => Err(Refused::new(
                StatusCode::NOT_FOUND,
                "There is nothing at this address. There are / for the page, /rpc for messages by POST, and /ws for \
                 the WebSocket.",
            )),
        },
    }
}

/// The request shows by what it is let in: its connection keeps its place.
pub(super) fn let_in(parts: &Parts) {
    if let Some(place) = parts.extensions.get::<Arc<Place>>() {
        place.prove();
    }
}

/// `/`: with the token it starts a session; with a session it is the page; else it says how to get the address.
fn page(shared: &Shared, parts: &Parts, origin: Origin) -> Response<Body> {
    let Ok(nonce) = Nonce::new() else {
        return protect(answers::no_randomness(), None);
    };
    let answered = match token_of(parts) {
        Some(token) if shared.access.is_launch_token(&token) => first_page(shared, parts, &nonce),
        Some(_) => Err(Refused::to_people(
            StatusCode::FORBIDDEN,
            Words {
                title: ["This address is out of date", "这个地址已失效"],
                english: "The token in this address is not the one of the Toolgate that runs now; each start makes a \
                          new one.\nRun `toolgate serve` again: it prints the present address.",
                chinese: "地址中的令牌不属于当前运行的 Toolgate；每次启动都会生成新的令牌。\n再次运行 `toolgate serve`，\
                          它会输出当前的地址。",
            },
        )),
        None => shared
            .access
            .caller(&parts.headers, origin)
            .inspect(|_| let_in(parts))
            .and_then(|_| read_only(parts))
            .and_then(|()| index(shared, &nonce, None)),
    };
    let answer = answered.unwrap_or_else(|refused| {
        if answers::reads(&parts.method) {
            refused.into_page(&parts.headers, &nonce)
        } else {
            refused.into_text()
        }
    });
    protect(answer, Some(&nonce))
}

/// The page, with the session's cookie. Not a redirect: after one from another site's link a browser would leave a
/// `SameSite=Strict` cookie out.
fn first_page(shared: &Shared, parts: &Parts, nonce: &Nonce) -> Result<Response<Body>, Refused> {
    let_in(parts);
    read_only(parts)?;
    let Ok(Started { cookie, key }) = shared.access.start_session(&parts.headers) else {
        return Ok(answers::no_randomness());
    };
    shared.page_opened.send_replace(true);
    let mut answer = index(shared, nonce, Some(&key))?;
    // A cookie of hexadecimal digits and fixed names is always a header value.
    if let Some(cookie) = cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        answer.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(answer)
}

fn index(shared: &Shared, nonce: &Nonce, key: Option<&Secret>) -> Result<Response<Body>, Refused> {
    let index = files::index(&shared.page, nonce, key).ok_or_else(answers::page_not_built)?;
    Ok(answers::text(StatusCode::OK, "text/html; charset=utf-8", index))
}

fn address(shared: &Shared) -> Response<Body> {
    let answer = AddressAnswer {
        printed: shared.addresses.printed.clone(),
        with_token: shared.addresses.with_token.reveal().to_owned(),
    };
    // Two texts always have a JSON form.
    let json = serde_json::to_string(&answer).unwrap_or_default();
    answers::text(StatusCode::OK, "application/json", json)
}

fn read_only(parts: &Parts) -> Result<(), Refused> {
    if answers::reads(&parts.method) {
        Ok(())
    } else {
        Err(answers::wrong_method("GET, HEAD"))
    }
}

/// The token in the query, where there is exactly one.
fn token_of(parts: &Parts) -> Option<String> {
    let query = parts.uri.query()?.as_bytes();
    let mut tokens = url::form_urlencoded::parse(query).filter(|(name, _)| name == "token");
    match (tokens.next(), tokens.next()) {
        (Some((_, token)), None) => Some(token.into_owned()),
        _ => None,
    }
}
