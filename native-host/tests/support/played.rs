//! A connector whose every step a test decides: whether and when a connection is made, what it lists, what becomes of a
//! call, and when it is closed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{mpsc, oneshot};
use toolgate_core::server::ServerConfig;
use toolgate_host::mcp::{
    BoxFuture, CallAnswer, Connection, Connector, Failure, FailureClass, PendingCall, ServerIdentity, Step, ToolCall,
};

use super::{BREAK_OFF, page};

/// A connector that asks the test what happens, and its attempts.
pub fn connector() -> (PlayedConnector, mpsc::UnboundedReceiver<Attempt>) {
    let (attempts, receiver) = mpsc::unbounded_channel();
    (PlayedConnector { attempts }, receiver)
}

pub struct PlayedConnector {
    attempts: mpsc::UnboundedSender<Attempt>,
}

/// An attempt to connect, which waits for the test.
pub struct Attempt {
    pub config: ServerConfig,
    answer: oneshot::Sender<Result<PlayedConnection, Failure>>,
}

/// The server's side of a connection.
pub struct PlayedServer {
    /// The pages of `tools/list`, each given when the test wants to.
    pub pages: mpsc::UnboundedSender<Result<String, Failure>>,
    calls: mpsc::UnboundedReceiver<PlayedCall>,
    /// Tells when the connection is being closed; what it tells is dropped to let the closing end.
    closing: oneshot::Receiver<oneshot::Sender<()>>,
    is_open: Arc<AtomicBool>,
}

/// A call that was handed over, which waits for the test.
pub struct PlayedCall {
    pub call: ToolCall,
    answer: oneshot::Sender<Result<CallAnswer, Failure>>,
    cancelled: oneshot::Receiver<()>,
}

impl Attempt {
    /// The connection is made and offers these tools on one page; what tells when it is closed.
    pub fn offer(self, tools: &[&str]) -> oneshot::Receiver<oneshot::Sender<()>> {
        let (pages, closing) = self.connect();
        pages.send(Ok(page(tools))).unwrap();
        closing
    }

    /// The connection is made; the test gives each page when it wants to.
    pub fn connect(
        self,
    ) -> (
        mpsc::UnboundedSender<Result<String, Failure>>,
        oneshot::Receiver<oneshot::Sender<()>>,
    ) {
        let server = self.serve_as("2025-06-18", |connection| connection.close_is_held = false);
        (server.pages, server.closing)
    }

    /// The connection is made in this protocol version.
    pub fn serve(self, version: &str) -> PlayedServer {
        self.serve_as(version, |_| {})
    }

    /// The same without tools.
    pub fn serve_without_tools(self) -> PlayedServer {
        self.serve_as("2025-06-18", |connection| connection.offers_tools = false)
    }

    /// The same, but no call is taken.
    pub fn serve_without_calls(self) -> PlayedServer {
        self.serve_as("2025-06-18", |connection| connection.takes_calls = false)
    }

    /// The same, but when a call is to go out the connection is closed already.
    pub fn serve_hanging_up(self) -> PlayedServer {
        self.serve_as("2025-06-18", |connection| {
            connection.is_open.store(false, Ordering::SeqCst);
        })
    }

    fn serve_as(self, version: &str, adjust: impl FnOnce(&mut PlayedConnection)) -> PlayedServer {
        let (pages, page_receiver) = mpsc::unbounded_channel();
        let (call_sender, calls) = mpsc::unbounded_channel();
        let (close, closing) = oneshot::channel();
        let is_open = Arc::new(AtomicBool::new(true));
        let mut connection = PlayedConnection {
            server: ServerIdentity {
                protocol_version: version.to_owned(),
                name: Some("played".to_owned()),
                version: None,
            },
            offers_tools: true,
            takes_calls: true,
            close_is_held: true,
            pages: tokio::sync::Mutex::new(page_receiver),
            calls: call_sender,
            close,
            is_open: Arc::clone(&is_open),
        };
        adjust(&mut connection);
        assert!(self.answer.send(Ok(connection)).is_ok(), "the attempt was abandoned");
        PlayedServer {
            pages,
            calls,
            closing,
            is_open,
        }
    }

    pub fn fail(self, failure: Failure) {
        assert!(self.answer.send(Err(failure)).is_ok(), "the attempt was abandoned");
    }

    /// Waits until nobody waits for the attempt any more.
    pub async fn abandoned(mut self) {
        self.answer.closed().await;
    }
}

impl PlayedServer {
    /// The next call that is handed over.
    pub async fn call(&mut self) -> PlayedCall {
        self.calls.recv().await.unwrap()
    }

    /// Waits until the connection is gone, and says how many calls came that the test has not taken.
    pub async fn calls_left(self) -> usize {
        let Self {
            pages,
            mut calls,
            closing,
            is_open: _,
        } = self;
        // Nothing holds up the closing any more.
        drop((pages, closing));
        let mut count = 0;
        while calls.recv().await.is_some() {
            count += 1;
        }
        count
    }

    /// Ends the connection from the server's side, in a way that the host comes to know of.
    pub fn hang_up(&self) {
        self.is_open.store(false, Ordering::SeqCst);
    }

    /// Waits until the connection is being closed; until what it answers is dropped the closing does not end.
    pub async fn closing(&mut self) -> oneshot::Sender<()> {
        (&mut self.closing).await.unwrap()
    }

    /// Whether it is being closed, or was.
    pub fn is_closing(&mut self) -> bool {
        !matches!(self.closing.try_recv(), Err(oneshot::error::TryRecvError::Empty))
    }
}

impl PlayedCall {
    pub fn answer(self, answer: CallAnswer) {
        assert!(self.answer.send(Ok(answer)).is_ok(), "nobody waits for the answer");
    }

    /// Answers with a text.
    pub fn say(self, text: &str) {
        let result = serde_json::json!({"content": [{"type": "text", "text": text}]});
        self.answer(CallAnswer::Result(result.to_string()));
    }

    pub fn fail(self, failure: Failure) {
        assert!(self.answer.send(Err(failure)).is_ok(), "nobody waits for the answer");
    }

    /// Waits until the server is told that nobody waits any more.
    pub async fn cancelled(self) {
        self.cancelled.await.unwrap();
    }
}

pub struct PlayedConnection {
    server: ServerIdentity,
    offers_tools: bool,
    takes_calls: bool,
    /// Whether a close waits for the test that looks at it.
    close_is_held: bool,
    pages: tokio::sync::Mutex<mpsc::UnboundedReceiver<Result<String, Failure>>>,
    calls: mpsc::UnboundedSender<PlayedCall>,
    close: oneshot::Sender<oneshot::Sender<()>>,
    is_open: Arc<AtomicBool>,
}

struct PlayedPending {
    answer: oneshot::Receiver<Result<CallAnswer, Failure>>,
    cancel: oneshot::Sender<()>,
}

impl Connector for PlayedConnector {
    fn connect<'a>(&'a self, config: &'a ServerConfig) -> BoxFuture<'a, Result<Box<dyn Connection>, Failure>> {
        let (answer, receiver) = oneshot::channel();
        self.attempts
            .send(Attempt {
                config: config.clone(),
                answer,
            })
            .unwrap();
        Box::pin(async move {
            match receiver.await {
                Ok(Ok(connection)) => Ok(Box::new(connection) as Box<dyn Connection>),
                Ok(Err(failure)) => Err(failure),
                // The test holds the attempt no more and will never answer.
                Err(_) => std::future::pending().await,
            }
        })
    }
}

impl Connection for PlayedConnection {
    fn server(&self) -> &ServerIdentity {
        &self.server
    }

    fn offers_tools(&self) -> bool {
        self.offers_tools
    }

    fn list_tools<'a>(&'a self, _cursor: Option<&'a str>) -> BoxFuture<'a, Result<String, Failure>> {
        Box::pin(async move {
            match self.pages.lock().await.recv().await {
                Some(Ok(page)) if page == BREAK_OFF => panic!("a mistake made by a test"),
                Some(page) => page,
                None => std::future::pending().await,
            }
        })
    }

    fn call_tool(&self, call: ToolCall) -> BoxFuture<'_, Result<Box<dyn PendingCall>, Failure>> {
        Box::pin(async move {
            if !self.takes_calls || !self.is_open.load(Ordering::SeqCst) {
                return Err(Failure::new(FailureClass::ConnectionReset, Step::Call));
            }
            let (answer, answer_receiver) = oneshot::channel();
            let (cancel, cancelled) = oneshot::channel();
            // A test that looks at no calls is no failure of the connection.
            let _ = self.calls.send(PlayedCall {
                call,
                answer,
                cancelled,
            });
            Ok(Box::new(PlayedPending {
                answer: answer_receiver,
                cancel,
            }) as Box<dyn PendingCall>)
        })
    }

    fn is_open(&self) -> bool {
        self.is_open.load(Ordering::SeqCst)
    }

    fn close(self: Box<Self>) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let (done, held) = oneshot::channel();
            if self.close.send(done).is_ok() && self.close_is_held {
                // Ends when the test has dropped the other side.
                let _ = held.await;
            }
        })
    }
}

impl PendingCall for PlayedPending {
    fn answer(&mut self) -> BoxFuture<'_, Result<CallAnswer, Failure>> {
        Box::pin(async move {
            match (&mut self.answer).await {
                Ok(answer) => answer,
                // The test holds the call no more and will never answer.
                Err(_) => std::future::pending().await,
            }
        })
    }

    fn cancel(self: Box<Self>) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let _ = self.cancel.send(());
        })
    }
}
