//! The stream that a server keeps open to speak by itself, and what a server asks there on behalf of a call.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, watch};

/// Where a server's question goes, while its stream is open.
type Open = Option<mpsc::UnboundedSender<String>>;

/// A server's standing stream.
#[derive(Debug)]
pub(crate) struct Standing(watch::Sender<Open>);

/// The id of what is asked.
pub(crate) const QUESTION: &str = "asked-by-the-kit";

impl Standing {
    pub(crate) fn new() -> Self {
        Self(watch::Sender::new(None))
    }

    /// Keeps the stream open until the client closes it, and writes to it what is asked.
    pub(crate) async fn serve(&self, stream: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> io::Result<()> {
        let (sender, mut asked) = mpsc::unbounded_channel();
        let head = b"HTTP/1.1 200 Kit\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n: open\n\n";
        // Whoever has seen the head can be asked.
        self.0.send_replace(Some(sender));
        stream.write_all(head).await?;
        let mut nothing = [0; 64];
        loop {
            tokio::select! {
                Some(question) = asked.recv() => {
                    stream.write_all(format!("data: {question}\n\n").as_bytes()).await?;
                }
                read = stream.read(&mut nothing) => if read? == 0 { return Ok(()) },
            }
        }
    }

    /// Asks for a sign of life; whether there was a stream to ask it on.
    pub(crate) fn ask(&self) -> bool {
        let question = format!(r#"{{"jsonrpc":"2.0","id":"{QUESTION}","method":"ping"}}"#);
        self.0.borrow().as_ref().is_some_and(|open| open.send(question).is_ok())
    }
}
