//! The plugin in an application of Tauri's mock runtime: its command by Tauri's IPC, who may use it, what it leaves.

// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use serde_json::{Value, json};
use tauri::App;
use tauri::ipc::{CallbackFn, InvokeBody};
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder, mock_context, noop_assets};
use tauri::utils::acl::ExecutionContext;
use tauri::webview::InvokeRequest;
use toolgate_host::page::PageFile;

use super::*;

/// An application with the plugin; its window may use it, as by `toolgate:default`, or may not.
fn application(directory: &Path, allowed: bool) -> App<MockRuntime> {
    let mut context = mock_context(noop_assets());
    if allowed {
        context
            .runtime_authority_mut()
            .__allow_command("plugin:toolgate|request".to_owned(), ExecutionContext::Local);
    }
    mock_builder()
        .plugin(init_in(directory.to_owned()))
        .build(context)
        .unwrap()
}

/// What the page's `post` comes to.
fn post(window: &WebviewWindow<MockRuntime>, message: &str) -> Result<String, Value> {
    let request = InvokeRequest {
        cmd: "plugin:toolgate|request".to_owned(),
        callback: CallbackFn(0),
        error: CallbackFn(1),
        url: ADDRESS.parse().unwrap(),
        body: InvokeBody::Json(json!({ "message": message })),
        headers: tauri::http::HeaderMap::new(),
        invoke_key: INVOKE_KEY.to_owned(),
    };
    get_ipc_response(window, request).map(|body| body.deserialize::<String>().unwrap())
}

#[test]
fn the_page_speaks_to_the_host_and_what_it_does_is_kept() {
    let data = tempfile::tempdir().unwrap();
    let app = application(data.path(), true);
    let window = open_window(app.handle()).unwrap();
    let create = r#"{"jsonrpc":"2.0","id":"a","method":"servers.create","params":{"displayName":"one",
        "config":{"type":"http","url":"http://127.0.0.1:9/mcp","headers":{},"protocolVersion":"auto"}}}"#;
    let created: Value = serde_json::from_str(&post(&window, create).unwrap()).unwrap();
    assert!(created["result"]["id"].is_string(), "{created}");
    // Once more is the same window.
    assert_eq!(open_window(app.handle()).unwrap().label(), WINDOW);

    close(app.handle());
    assert!(!data.path().join("host.json").exists());
    let next = application(data.path(), true);
    let window = open_window(next.handle()).unwrap();
    let listed = post(&window, r#"{"jsonrpc":"2.0","id":1,"method":"servers.list"}"#).unwrap();
    assert!(listed.contains("\"one\""), "{listed}");
}

#[test]
fn four_mebibytes_go_through_unchanged() {
    let data = tempfile::tempdir().unwrap();
    let app = application(data.path(), true);
    let window = open_window(app.handle()).unwrap();
    // The host gives a request's id back as it was spelled.
    let id = "a\u{4e2d}\u{1f600}\"\\\u{2028}\n".repeat(1 << 18);
    let message = json!({ "jsonrpc": "2.0", "id": id, "method": "host.info" }).to_string();
    assert!(message.len() >= 4 << 20);
    let answer: Value = serde_json::from_str(&post(&window, &message).unwrap()).unwrap();
    assert!(answer["id"] == id && answer["result"].is_object());
}

#[test]
fn a_window_without_the_capability_is_not_let_in() {
    let data = tempfile::tempdir().unwrap();
    let app = application(data.path(), false);
    let window = open_window(app.handle()).unwrap();
    let refused = post(&window, r#"{"jsonrpc":"2.0","id":1,"method":"servers.list"}"#).unwrap_err();
    assert!(refused.to_string().contains("not allowed"), "{refused}");
}

#[test]
fn two_applications_do_not_share_a_data_directory() {
    let data = tempfile::tempdir().unwrap();
    let _app = application(data.path(), true);
    let refused = async_runtime::block_on(open(data.path())).err().unwrap().to_string();
    assert!(refused.contains(&std::process::id().to_string()), "{refused}");
}

#[test]
fn the_policy_lets_tauris_ipc_through_and_nothing_else() {
    let page = Page::new([PageFile {
        name: "index.html".into(),
        brotli: false,
        bytes: b"<!doctype html>".into(),
    }]);
    let request = tauri::http::Request::get(ADDRESS).body(()).unwrap();
    let (own, allowed) = (page.answer(&request), allow_ipc(page.answer(&request)));
    let policy = |answer: &Response<Cow<'static, [u8]>>| -> Vec<String> {
        let policy = answer.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        policy.split("; ").map(str::to_owned).collect()
    };
    let changed: Vec<_> = policy(&own)
        .into_iter()
        .zip(policy(&allowed))
        .filter(|(before, after)| before != after && !before.starts_with("style-src"))
        .map(|(_, after)| after)
        .collect();
    assert_eq!(changed, ["connect-src 'self' ipc: http://ipc.localhost"]);
}
