//! Toolgate in a Tauri 2 application: the host in its process, Toolgate's page in a window, messages between them by
//! Tauri's IPC. Nothing listens on a port.
//!
//! ```no_run
//! # fn application<R: tauri::Runtime>(builder: tauri::Builder<R>) -> tauri::Builder<R> {
//! builder
//!     .plugin(toolgate_tauri_plugin::init())
//!     .setup(|app| {
//!         toolgate_tauri_plugin::open_window(app.handle())?;
//!         Ok(())
//!     })
//! # }
//! ```
//!
//! and a capability that lets the window's page in (`src-tauri/capabilities/toolgate.json`):
//!
//! ```json
//! { "identifier": "toolgate", "windows": ["toolgate"], "permissions": ["toolgate:default"] }
//! ```
//!
//! A window of the application that is named in such a capability has the same IPC at `window.__TOOLGATE_IPC__`, for
//! `@toolgate/manager`. Rust reaches the host by `app.state::<Bridge>()`.

use std::borrow::Cow;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt as _;
use tauri::http::{HeaderValue, Response, header};
use tauri::plugin::{Builder, TauriPlugin};
use tauri::webview::NewWindowResponse;
use tauri::{
    AppHandle, Manager as _, RunEvent, Runtime, State, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder,
    async_runtime,
};
use toolgate_host::mcp::{NetLimits, ProxySettings, RmcpConnector};
use toolgate_host::ownership::{self, Ownership, Patience, Role};
use toolgate_host::page::Page;
use toolgate_host::{Bridge, Host, HostOptions};

/// The label of the window with Toolgate's page.
pub const WINDOW: &str = "toolgate";

/// Runs before the page's scripts. The page finds it and does without a WebSocket.
const IPC: &str = "window.__TOOLGATE_IPC__ = { post: (message) => \
                   window.__TAURI_INTERNALS__.invoke('plugin:toolgate|request', { message }) };";
const ADDRESS: &str = "toolgate://localhost/";
/// How long a host may take to end what it does.
const HOST_ENDS: Duration = Duration::from_secs(5);

/// The plugin, with its data in `toolgate` in the application's data directory.
pub fn init<R: Runtime>() -> TauriPlugin<R> {
    plugin(None)
}

/// The plugin, with its data in this directory.
pub fn init_in<R: Runtime>(directory: PathBuf) -> TauriPlugin<R> {
    plugin(Some(directory))
}

/// Opens the window with Toolgate's page, or brings it to the front.
pub fn open_window<R: Runtime>(app: &AppHandle<R>) -> Result<WebviewWindow<R>, Box<dyn Error>> {
    if let Some(window) = app.get_webview_window(WINDOW) {
        window.set_focus()?;
        return Ok(window);
    }
    let address: Url = ADDRESS.parse()?;
    let window = WebviewWindowBuilder::new(app, WINDOW, WebviewUrl::CustomProtocol(address))
        .title("Toolgate")
        .inner_size(1200.0, 800.0)
        // The window's IPC is for the page alone, so no other one comes into it.
        .on_navigation(|url| url.scheme() == "toolgate" || url.domain() == Some("toolgate.localhost"))
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .build()?;
    Ok(window)
}

/// What is kept while the application runs.
struct Running {
    host: Host,
    // Lets the next owner in when it is dropped, after the host.
    _ownership: Ownership,
}

fn plugin<R: Runtime>(directory: Option<PathBuf>) -> TauriPlugin<R> {
    let page = Page::embedded();
    Builder::new("toolgate")
        .js_init_script(IPC)
        .register_uri_scheme_protocol("toolgate", move |_, request| allow_ipc(page.answer(&request)))
        .invoke_handler(tauri::generate_handler![request])
        .setup(move |app, _| {
            let directory = match directory {
                Some(directory) => directory,
                None => app.path().app_data_dir()?.join("toolgate"),
            };
            let running = async_runtime::block_on(open(&directory))?;
            let bridge = running.host.bridge();
            forward_events(app.clone(), &bridge);
            app.manage(bridge);
            app.manage(Mutex::new(Some(running)));
            Ok(())
        })
        .on_event(|app, event| {
            if matches!(event, RunEvent::Exit) {
                close(app);
            }
        })
        .build()
}

/// One message of a page, and its answer. The request goes on whatever becomes of the page.
#[tauri::command]
async fn request(bridge: State<'_, Bridge>, message: String) -> Result<String, ()> {
    Ok(bridge.handle(message).await)
}

/// Becomes the owner of the data directory, and opens it.
async fn open(directory: &Path) -> Result<Running, Box<dyn Error>> {
    let claim = ownership::claim(directory, Role::Bridge, Patience::default()).await?;
    let ownership = claim.owned().map_err(|diagnostic| diagnostic.to_string())?;
    let connector = RmcpConnector::new(NetLimits::default(), &ProxySettings::from_environment())?;
    let mut options = HostOptions::owned(&ownership);
    options.proxies = connector.proxies().to_vec();
    let host = Host::open(options, Arc::new(connector))?;
    Ok(Running {
        host,
        _ownership: ownership,
    })
}

/// Tells the page what changes.
fn forward_events<R: Runtime>(app: AppHandle<R>, bridge: &Bridge) {
    let events = bridge.events();
    async_runtime::spawn(async move {
        let mut events = pin!(events);
        while let Some(event) = events.next().await {
            if let Some(window) = app.get_webview_window(WINDOW) {
                // JSON text of a string is a string of JavaScript, too.
                let event = serde_json::Value::from(event);
                // Fails once the window is closed; nobody reads on then.
                let _ = window.eval(format!("window.__TOOLGATE_IPC__?.receive?.({event})"));
            }
        }
    });
}

/// Ends the host. Whatever was answered is on disk; a call that waits for a server ends here, and is never sent again.
fn close<R: Runtime>(app: &AppHandle<R>) {
    let running = app.try_state::<Mutex<Option<Running>>>();
    let running = running.and_then(|running| running.lock().unwrap_or_else(PoisonError::into_inner).take());
    if let Some(Running { host, _ownership }) = running {
        let _ = async_runtime::block_on(async { tokio::time::timeout(HOST_ENDS, host.shutdown()).await });
    }
}

/// Adds Tauri's own IPC to what the page may connect to. Without that Tauri would take a slower way.
fn allow_ipc(mut answer: Response<Cow<'static, [u8]>>) -> Response<Cow<'static, [u8]>> {
    if let Some(policy) = answer.headers_mut().get_mut(header::CONTENT_SECURITY_POLICY) {
        let allowed = policy
            .to_str()
            .unwrap_or_default()
            .replace("connect-src 'self'", "connect-src 'self' ipc: http://ipc.localhost");
        if let Ok(allowed) = HeaderValue::from_str(&allowed) {
            *policy = allowed;
        }
    }
    answer
}

#[cfg(test)]
mod tests;
