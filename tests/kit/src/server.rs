//! A server of the kit on a loopback socket.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::behaviours;
use crate::conversation::reply;
use crate::script::{Ending, Script};
use crate::standing::{QUESTION, Standing};
use crate::tls;
use crate::wire::{Received, read_request};

/// Now and then between one byte and the next of an answer that drips.
const DRIP: Duration = Duration::from_millis(1);

/// What is repeated of the end of an answer.
const TAIL: usize = 16 * 1024;

/// A running server. Dropping it ends it.
#[derive(Debug)]
pub struct HttpServer {
    address: SocketAddr,
    scheme: &'static str,
    record: watch::Receiver<Record>,
    task: JoinHandle<()>,
}

/// What happened at a server so far.
#[derive(Clone, Debug, Default)]
struct Record {
    received: Vec<Received>,
    /// Answers that were held open until the client closed the connection.
    abandoned: usize,
    /// Bytes of endless answers that the system took.
    endless: usize,
    /// TLS sessions that did not come about.
    refused_sessions: usize,
}

impl HttpServer {
    /// Starts the server of a named behaviour on a free port.
    ///
    /// # Errors
    ///
    /// No behaviour has this name, or no socket could be had.
    pub async fn start(behaviour: &str) -> io::Result<Self> {
        let behaviour = behaviours::find(behaviour)
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("no behaviour is named {behaviour}")))?;
        Self::play((behaviour.script)()).await
    }

    /// Starts a server of any script.
    ///
    /// # Errors
    ///
    /// No socket could be had.
    pub async fn play(script: Script) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let (sender, record) = watch::channel(Record::default());
        let acceptor = script.certificate.map(tls::acceptor).transpose()?;
        let scheme = if acceptor.is_some() { "https" } else { "http" };
        let task = if script.listens {
            tokio::spawn(accept(listener, acceptor, Arc::new(script), Arc::new(sender)))
        } else {
            drop(listener);
            tokio::spawn(async {})
        };
        Ok(Self {
            address,
            scheme,
            record,
            task,
        })
    }

    /// Ends the server in the middle of whatever it does; how many calls of tools had come.
    pub async fn end(&mut self) -> usize {
        self.task.abort();
        // Its connections are closed once it is gone.
        let _ = (&mut self.task).await;
        self.calls()
    }

    /// The endpoint.
    pub fn url(&self) -> String {
        format!("{}://{}/mcp", self.scheme, self.address)
    }

    /// Host and port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Every request so far, in the order of arrival.
    pub fn received(&self) -> Vec<Received> {
        self.record.borrow().received.clone()
    }

    /// What was asked so far, one word each: see [`Received::what`].
    pub fn asked(&self) -> Vec<String> {
        self.record.borrow().received.iter().map(Received::what).collect()
    }

    /// How many calls of tools came, whole or cut short.
    pub fn calls(&self) -> usize {
        let record = self.record.borrow();
        let calls = record
            .received
            .iter()
            .filter(|request| request.is_cut || request.rpc() == "tools/call");
        calls.count()
    }

    /// Waits until so many clients have broken off before their TLS session stood.
    ///
    /// # Errors
    ///
    /// The server ended before.
    pub async fn wait_for_refused_sessions(&mut self, count: usize) -> io::Result<()> {
        self.record
            .wait_for(|record| record.refused_sessions >= count)
            .await
            .map_err(io::Error::other)?;
        Ok(())
    }

    /// How many bytes of endless answers have been written.
    pub fn endless_bytes(&self) -> usize {
        self.record.borrow().endless
    }

    /// Waits until a request fits, and answers it.
    ///
    /// # Errors
    ///
    /// The server ended before.
    pub async fn wait_for(&mut self, fits: impl Fn(&Received) -> bool) -> io::Result<Received> {
        let record = self
            .record
            .wait_for(|record| record.received.iter().any(&fits))
            .await
            .map_err(io::Error::other)?;
        record
            .received
            .iter()
            .find(|request| fits(request))
            .cloned()
            .ok_or_else(|| io::Error::other("the record shrank"))
    }

    /// Waits until the client has closed so many connections whose answer was being held open.
    ///
    /// # Errors
    ///
    /// The server ended before.
    pub async fn wait_for_abandoned(&mut self, count: usize) -> io::Result<()> {
        self.record
            .wait_for(|record| record.abandoned >= count)
            .await
            .map_err(io::Error::other)?;
        Ok(())
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What a request comes in on.
trait Socket: AsyncRead + AsyncWrite + Unpin {
    /// Sees to it that closing resets the connection.
    fn reset_when_closed(&self) -> io::Result<()>;
}

impl Socket for TcpStream {
    fn reset_when_closed(&self) -> io::Result<()> {
        self.set_zero_linger()
    }
}

impl Socket for TlsStream<TcpStream> {
    fn reset_when_closed(&self) -> io::Result<()> {
        self.get_ref().0.set_zero_linger()
    }
}

async fn accept(
    listener: TcpListener,
    acceptor: Option<TlsAcceptor>,
    script: Arc<Script>,
    record: Arc<watch::Sender<Record>>,
) {
    let mut connections = tokio::task::JoinSet::new();
    let standing = Arc::new(Standing::new());
    while let Ok((stream, _)) = listener.accept().await {
        let (script, record, standing) = (Arc::clone(&script), Arc::clone(&record), Arc::clone(&standing));
        let acceptor = acceptor.clone();
        connections.spawn(async move {
            // A client that breaks off is part of what is tested.
            let _ = match acceptor {
                None => serve(stream, &script, &record, &standing).await,
                Some(acceptor) => match acceptor.accept(stream).await {
                    Ok(stream) => serve(stream, &script, &record, &standing).await,
                    Err(error) => {
                        record.send_modify(|record| record.refused_sessions += 1);
                        Err(error)
                    }
                },
            };
        });
    }
}

async fn serve(
    stream: impl Socket,
    script: &Script,
    record: &watch::Sender<Record>,
    standing: &Standing,
) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    let request = match read_request(&mut stream, script.most_body_bytes).await {
        Ok(Some(request)) => request,
        Ok(None) => return Ok(()),
        // What is no HTTP, such as the start of a TLS session.
        Err(_) => return stream.write_all(b"HTTP/1.1 400 Kit\r\nConnection: close\r\n\r\n").await,
    };
    let (mut bytes, ending) = if request.is_cut {
        (Vec::new(), script.cut)
    } else {
        reply(script, &request)
    };
    record.send_modify(|record| record.received.push(request.clone()));
    if script.asks && request.method == "GET" {
        return standing.serve(stream.get_mut()).await;
    }
    if script.asks && request.rpc() == "tools/call" {
        if standing.ask() {
            let answers = |request: &Received| request.json().get("id").is_some_and(|id| id == QUESTION);
            let is_answered = |record: &Record| record.received.iter().any(answers);
            record
                .subscribe()
                .wait_for(is_answered)
                .await
                .map_err(io::Error::other)?;
        } else {
            bytes = reply(&script.clone().refusing_calls(), &request).0;
        }
    }
    if ending == Ending::Drip {
        for (at, byte) in bytes.iter().enumerate() {
            stream.write_all(&[*byte]).await?;
            stream.flush().await?;
            if at % 16 == 0 {
                tokio::time::sleep(DRIP).await;
            }
        }
        bytes.clear();
    }
    let written = stream.write_all(&bytes).await;
    let flushed = stream.flush().await;
    match ending {
        Ending::Close | Ending::Drip => {
            written?;
            flushed?;
            stream.shutdown().await?;
            // Closing with unread bytes would reset the connection.
            while stream.read(&mut [0; 1024]).await? > 0 {}
        }
        Ending::ShutDown => {
            stream.shutdown().await?;
            // Until the server ends.
            std::future::pending::<()>().await;
        }
        Ending::Repeat | Ending::RepeatTail => {
            let after = |end: &[u8]| {
                let found = bytes.windows(end.len()).position(|window| window == end);
                found.map(|at| at + end.len())
            };
            let head = if ending == Ending::RepeatTail {
                bytes.len().saturating_sub(TAIL)
            } else {
                after(b"\r\n\r\n").or_else(|| after(b"\r\n")).unwrap_or_default()
            };
            let again = bytes.get(head..).unwrap_or_default();
            while !again.is_empty() {
                stream.write_all(again).await?;
                record.send_modify(|record| record.endless += again.len());
            }
        }
        Ending::Reset => stream.get_ref().reset_when_closed()?,
        Ending::Hold => {
            while matches!(stream.read(&mut [0; 1024]).await, Ok(1..)) {}
            record.send_modify(|record| record.abandoned += 1);
        }
    }
    Ok(())
}
