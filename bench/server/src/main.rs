//! A quick MCP server with as many tools as it is asked for: what every client in the comparison talks to. It speaks
//! 2025-11-25, as most servers do, without sessions, and answers each request with JSON.
//!
//! `toolgate-bench-server` prints its address on a free port of loopback and serves until its input ends: the path
//! `/512/anything` is a server with 512 tools. `toolgate-bench-server 512` is one on standard input and output. A tool has 2 KiB;
//! a call of any tool answers with its arguments.

use std::collections::HashMap;
use std::io::{BufRead as _, Error, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, post};
use serde_json::{Value, json};
use tokio::io::AsyncReadExt as _;
use toolgate_bench::inputs;

const TOOL_BYTES: usize = 2048;

/// The pages of the lists made so far, by the number of tools: making one is nobody's time to wait.
type Lists = Mutex<HashMap<usize, Arc<Vec<String>>>>;

fn main() -> Result<(), Error> {
    match std::env::args().nth(1).and_then(|tools| tools.parse().ok()) {
        Some(tools) => stdio(tools),
        None => http(),
    }
}

fn stdio(tools: usize) -> Result<(), Error> {
    let pages = inputs::pages(tools, TOOL_BYTES);
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        if let Some(answer) = answer(&line?, &pages) {
            out.write_all(answer.as_bytes())?;
            out.write_all(b"\n")?;
            out.flush()?;
        }
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn http() -> Result<(), Error> {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    writeln!(std::io::stdout(), "http://{}", listener.local_addr()?)?;
    let router = Router::new()
        .route(
            "/{tools}/{name}",
            post(posted).fallback(any(StatusCode::METHOD_NOT_ALLOWED)),
        )
        .with_state(Arc::new(Lists::default()));
    let mut input = tokio::io::stdin();
    let mut rest = Vec::new();
    tokio::select! {
        served = axum::serve(listener, router) => served,
        ended = input.read_to_end(&mut rest) => ended.map(drop),
    }
}

async fn posted(State(lists): State<Arc<Lists>>, Path((tools, _)): Path<(usize, String)>, body: String) -> Response {
    let pages = {
        let mut lists = lists.lock().unwrap_or_else(PoisonError::into_inner);
        let pages = lists
            .entry(tools)
            .or_insert_with(|| Arc::new(inputs::pages(tools, TOOL_BYTES)));
        Arc::clone(pages)
    };
    match answer(&body, &pages) {
        Some(answer) => ([("content-type", "application/json")], answer).into_response(),
        None => StatusCode::ACCEPTED.into_response(),
    }
}

/// The answer to a message; none to a notification.
fn answer(message: &str, pages: &[String]) -> Option<String> {
    let message: Value = serde_json::from_str(message).ok()?;
    let id = message.get("id")?;
    let fields = match message.get("method").and_then(Value::as_str) {
        Some("initialize") => {
            let result = json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "bench", "version": "1.0" },
            });
            format!(r#""result":{result}"#)
        }
        Some("tools/list") => {
            let cursor = message.pointer("/params/cursor").and_then(Value::as_str).unwrap_or("0");
            let page = cursor.parse().ok().and_then(|page: usize| pages.get(page))?;
            format!(r#""result":{page}"#)
        }
        Some("tools/call") => {
            let arguments = message
                .pointer("/params/arguments")
                .cloned()
                .unwrap_or_else(|| json!({}));
            let result = json!({ "content": [{ "type": "text", "text": arguments.to_string() }] });
            format!(r#""result":{result}"#)
        }
        Some("ping") => r#""result":{}"#.to_owned(),
        _ => r#""error":{"code":-32601,"message":"Method not found"}"#.to_owned(),
    };
    Some(format!(r#"{{"jsonrpc":"2.0","id":{id},{fields}}}"#))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Within two of a hundred.
    fn about(bytes: usize, wanted: usize) -> bool {
        bytes.abs_diff(wanted) * 50 < wanted
    }

    #[test]
    fn inputs_have_the_size_they_are_named_by() {
        assert!(about(inputs::schema(256 * 1024).len(), 256 * 1024));
        assert!(about(inputs::result(1024 * 1024).len(), 1024 * 1024));
        let pages = inputs::pages(130, 16 * 1024);
        assert_eq!(pages.len(), 3);
        assert!(about(pages.iter().map(String::len).sum(), 130 * 16 * 1024));
    }

    #[test]
    fn every_tool_is_on_a_page_and_each_page_leads_to_the_next() {
        let pages = inputs::pages(100, TOOL_BYTES);
        let mut cursor = String::new();
        let mut names = Vec::new();
        loop {
            let params = if cursor.is_empty() {
                json!({})
            } else {
                json!({ "cursor": cursor })
            };
            let asked = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": params }).to_string();
            let answer: Value = answer(&asked, &pages)
                .and_then(|text| serde_json::from_str(&text).ok())
                .unwrap_or_default();
            assert_eq!(answer.pointer("/id"), Some(&json!(7)));
            let tools = answer
                .pointer("/result/tools")
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default();
            names.extend(
                tools
                    .iter()
                    .filter_map(|tool| tool.get("name")?.as_str().map(str::to_owned)),
            );
            match answer.pointer("/result/nextCursor").and_then(Value::as_str) {
                Some(next) => cursor = next.to_owned(),
                None => break,
            }
        }
        assert_eq!(names, (0..100).map(inputs::tool_name).collect::<Vec<_>>());
    }
}
