//! How a server of the kit behaves: data, read by `conversation`.

use serde_json::Value;

use crate::tls::Certificate;
use crate::wire::Received;

/// How a server behaves. The default is a well-behaved server of the older revisions with a session and JSON answers.
#[derive(Clone, Debug)]
pub struct Script {
    /// Which lifecycle it knows.
    pub era: Era,
    /// The protocol versions it speaks, the one it prefers first.
    pub versions: Vec<&'static str>,
    /// Whether `initialize` opens a session.
    pub session: bool,
    /// The JSON text of its capabilities.
    pub capabilities: &'static str,
    /// How it frames answers.
    pub framing: Framing,
    /// JSON-RPC messages sent before the answer to `tools/list`, where it is an event stream.
    pub prelude: Vec<String>,
    /// The pages of `tools/list`.
    pub pages: Vec<Page>,
    /// What it does in place of behaving well; the first that fits counts.
    pub instead: Vec<(On, Answer)>,
    /// Whether anything listens at its address at all.
    pub listens: bool,
    /// How much of a request's body is read.
    pub most_body_bytes: usize,
    /// What happens to the connection of a request that has more.
    pub cut: Ending,
    /// Whether it keeps a stream of its own open and asks there for a sign of life before it answers a call. A call it
    /// cannot ask anybody about is refused.
    pub asks: bool,
    /// Whether a request must be in its session.
    pub checks_session: bool,
    /// What it shows for itself where it speaks TLS.
    pub certificate: Option<Certificate>,
}

/// Which lifecycle a server knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// `initialize` (revisions of 2024 and 2025).
    Initialize,
    /// `server/discover` (revision 2026-07-28).
    Discover,
}

/// How answers are framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// `application/json`.
    Json,
    /// `text/event-stream`, in HTTP chunks of so many bytes.
    Events(LineEnd, usize),
    /// `text/event-stream`; the stream of a list or a call closes at once and is to be asked for again by a GET (MCP 2025-11-25).
    Resumed,
}

/// Line ends of an event stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// LF
    Lf,
    /// CR LF
    CrLf,
    /// CR
    Cr,
}

impl LineEnd {
    /// The characters.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
        }
    }
}

/// One page of `tools/list`.
#[derive(Clone, Debug)]
pub struct Page {
    /// The cursor that asks for it; `None` is the first page.
    pub cursor: Option<String>,
    /// The JSON text of the result, sent as it is.
    pub result: String,
}

/// Which requests an answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// Every request.
    Every,
    /// POST of this JSON-RPC method.
    Rpc(&'static str),
    /// POST of `tools/list` with this cursor.
    Page(&'static str),
    /// This HTTP method.
    Http(&'static str),
}

/// What a server does in place of behaving well.
#[derive(Clone, Debug)]
pub enum Answer {
    /// An HTTP answer with a body and its length.
    Http {
        /// The status.
        status: u16,
        /// Header lines besides content-length.
        headers: Vec<(&'static str, String)>,
        /// The body.
        body: Vec<u8>,
    },
    /// A JSON-RPC error to the request.
    Error {
        /// The HTTP status.
        status: u16,
        /// The code.
        code: i64,
        /// JSON text of `data`.
        data: Option<String>,
    },
    /// The result with this JSON text.
    Result(String),
    /// The result whose JSON text is made of the request.
    Page(fn(&Asked) -> String),
    /// An array of a notification and the result with this JSON text, as revision 2025-03-26 has it.
    Batch(String),
    /// The message that is made of the request, whatever it is, framed as every other.
    Message(fn(&Asked) -> String),
    /// The message of a server that behaves well, below this status and these header lines and no other; it ends with
    /// the connection.
    Headed(u16, &'static [&'static str]),
    /// The text that is made of the request, as an event stream that ends with the connection.
    Stream(fn(&Asked) -> String),
    /// These bytes after the request, whatever they are.
    Bytes(Vec<u8>, Ending),
    /// The bytes that are made of the request, whatever they are.
    Made(fn(&Asked) -> Vec<u8>, Ending),
}

/// A request, as an odd answer needs to know it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The JSON text of its id; `null` where it has none.
    pub id: String,
    /// The message a server that behaves well would answer.
    pub message: String,
    /// The cursor it asks for; empty where it has none.
    pub cursor: String,
}

impl On {
    /// Whether a request that came with this HTTP method, or by standard input, is meant.
    pub(crate) fn fits(self, request: &Received) -> bool {
        match self {
            Self::Every => true,
            Self::Rpc(method) => method == request.rpc(),
            Self::Page(cursor) => request.json().pointer("/params/cursor").and_then(Value::as_str) == Some(cursor),
            Self::Http(method) => method == request.method,
        }
    }
}

impl Asked {
    /// A message with this id whose further fields are this JSON text.
    pub fn with(&self, fields: &str) -> String {
        let id = &self.id;
        format!(r#"{{"jsonrpc":"2.0","id":{id},{fields}}}"#)
    }
}

/// What happens to the connection after the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It is closed in order.
    Close,
    /// The server's side is closed, and the client's neither read nor closed.
    ShutDown,
    /// It is reset.
    Reset,
    /// It stays open until the client closes it.
    Hold,
    /// What follows the head of the answer, or its first line where the head has no end, is sent again and again until
    /// the client closes it.
    Repeat,
    /// The last kibibytes are sent again and again until the client closes it.
    RepeatTail,
    /// The bytes come one by one, then it is closed in order.
    Drip,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            era: Era::Initialize,
            versions: vec!["2025-11-25", "2025-06-18", "2025-03-26"],
            session: true,
            capabilities: r#"{"tools":{}}"#,
            framing: Framing::Json,
            prelude: Vec::new(),
            pages: vec![Page::only(crate::catalogs::two_tools())],
            instead: Vec::new(),
            listens: true,
            most_body_bytes: usize::MAX,
            cut: Ending::Reset,
            asks: false,
            checks_session: true,
            certificate: None,
        }
    }
}

impl Script {
    /// A well-behaved server of revision 2026-07-28.
    pub fn modern() -> Self {
        Self {
            era: Era::Discover,
            versions: vec!["2026-07-28"],
            session: false,
            ..Self::default()
        }
    }

    /// The same as a server of revision 2026-07-28.
    #[must_use]
    pub fn in_2026(self) -> Self {
        let Self {
            era, versions, session, ..
        } = Self::modern();
        Self {
            era,
            versions,
            session,
            ..self
        }
    }

    /// The same with other pages.
    #[must_use]
    pub fn pages(mut self, pages: Vec<Page>) -> Self {
        self.pages = pages;
        self
    }

    /// The same with another framing.
    #[must_use]
    pub fn framing(mut self, framing: Framing) -> Self {
        self.framing = framing;
        self
    }

    /// The same, but it refuses calls.
    pub(crate) fn refusing_calls(self) -> Self {
        self.instead(
            On::Rpc("tools/call"),
            Answer::Error {
                status: 200,
                code: -32603,
                data: None,
            },
        )
    }

    /// The same, whatever session a request is in.
    #[must_use]
    pub fn unchecked(self) -> Self {
        Self {
            checks_session: false,
            ..self
        }
    }

    /// The same, but to these requests it does this.
    #[must_use]
    pub fn instead(mut self, on: On, answer: Answer) -> Self {
        self.instead.push((on, answer));
        self
    }
}

impl Page {
    /// The first page, and no other: the JSON text of its result.
    pub fn only(result: impl Into<String>) -> Self {
        Self {
            cursor: None,
            result: result.into(),
        }
    }

    /// The page that a cursor asks for.
    pub fn at(cursor: &str, result: impl Into<String>) -> Self {
        Self {
            cursor: Some(cursor.to_owned()),
            result: result.into(),
        }
    }
}

impl Answer {
    /// An answer that holds nothing but its status.
    pub fn status(status: u16) -> Self {
        Self::Http {
            status,
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    /// An answer with a body of a type.
    pub fn typed(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::Http {
            status,
            headers: vec![("Content-Type", content_type.to_owned())],
            body: body.into(),
        }
    }

    /// No answer; the connection stays open until the client closes it.
    pub const fn silence() -> Self {
        Self::Bytes(Vec::new(), Ending::Hold)
    }
}
