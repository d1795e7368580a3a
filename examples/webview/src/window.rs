//! The window with Toolgate's page, and the page's way to the host. This file is the recipe: what an application copies.

use std::error::Error;
use std::path::Path;
use std::pin::pin;

use futures_util::StreamExt as _;
use tao::dpi::LogicalSize;
use tao::event::{Event, WindowEvent};
use tao::event_loop::{ControlFlow, EventLoopBuilder};
use tao::platform::run_return::EventLoopExtRunReturn as _;
use tao::window::WindowBuilder;
use tokio::runtime::Handle;
use toolgate_host::Bridge;
use toolgate_host::page::Page;
use wry::{NewWindowResponse, WebContext, WebViewBuilder};

/// Where the page is; Windows has no protocols of an application's own, so there it is under the second name.
const ADDRESSES: [&str; 2] = ["toolgate://localhost/", "http://toolgate.localhost/"];
/// Runs before the page's scripts. The page finds it and does without a WebSocket.
const IPC: &str = "window.__TOOLGATE_IPC__ = { post: (message) => window.ipc.postMessage(message) };";

/// Shows the window until it is closed. What the `WebView` keeps is kept in the data directory.
pub(crate) fn show(bridge: Bridge, runtime: &Handle, directory: &Path) -> Result<(), Box<dyn Error>> {
    let mut event_loop = EventLoopBuilder::<String>::with_user_event().build();
    let window = WindowBuilder::new()
        .with_title("Toolgate")
        .with_inner_size(LogicalSize::new(1200, 800))
        .build(&event_loop)?;

    // From the host to the page: events, and answers as they are ready.
    let to_page = event_loop.create_proxy();
    let events = bridge.events();
    let events_to_page = to_page.clone();
    runtime.spawn(async move {
        let mut events = pin!(events);
        while let Some(event) = events.next().await {
            // Fails once the window is closed; nobody reads on then.
            let _ = events_to_page.send_event(event);
        }
    });
    // From the page to the host. The request goes on whatever becomes of the page.
    let runtime = runtime.clone();
    let from_page = move |message: String| {
        let answer = bridge.handle(message);
        let to_page = to_page.clone();
        runtime.spawn(async move {
            let _ = to_page.send_event(answer.await);
        });
    };

    let page = Page::embedded();
    let mut context = WebContext::new(Some(directory.join("webview")));
    // Lets WebKit's driver in, as the tests use it, by a port that WebKit then opens.
    context.set_allows_automation(std::env::args().any(|argument| argument == "--automation"));
    let builder = WebViewBuilder::new_with_web_context(&mut context)
        .with_custom_protocol("toolgate".to_owned(), move |_, request| page.answer(&request))
        .with_initialization_script(IPC)
        .with_ipc_handler(move |request| from_page(request.into_body()))
        // The IPC is for the page alone, so no other one comes into this window.
        .with_navigation_handler(|address| ADDRESSES.iter().any(|ours| address.starts_with(ours)))
        .with_new_window_req_handler(|_, _| NewWindowResponse::Deny)
        .with_url(ADDRESSES[0]);
    #[cfg(any(target_os = "windows", target_os = "macos"))]
    let webview = builder.build(&window)?;
    #[cfg(not(any(target_os = "windows", target_os = "macos")))]
    let webview = {
        use tao::platform::unix::WindowExtUnix as _;
        use wry::WebViewBuilderExtUnix as _;
        builder.build_gtk(window.default_vbox().ok_or("the window has no place for a WebView")?)?
    };

    let mut shown = Ok(());
    event_loop.run_return(|event, _, flow| {
        *flow = ControlFlow::Wait;
        match event {
            Event::UserEvent(message) => {
                // JSON text of a string is a string of JavaScript, too.
                let message = serde_json::Value::from(message);
                shown = webview.evaluate_script(&format!("window.__TOOLGATE_IPC__.receive?.({message})"));
                if shown.is_err() {
                    *flow = ControlFlow::Exit;
                }
            }
            Event::WindowEvent {
                event: WindowEvent::CloseRequested,
                ..
            } => *flow = ControlFlow::Exit,
            _ => {}
        }
    });
    Ok(shown?)
}
