//! The readers of what servers send, for the tests that feed them anything (`tests/properties`, `docs/fuzzing.md`). Hidden,
//! and no part of the library's interface: whatever is here may change at any time.

use std::io;

use tokio::io::AsyncBufRead;

use super::envelope::{self, Message};
use super::sse::EventReader;
use super::stdio::{Line, Lines, known_id};

/// One event of an event stream; a field is there only where the stream had it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadEvent {
    /// `event`.
    pub name: Option<String>,
    /// `data`.
    pub data: Option<String>,
    /// `id`.
    pub id: Option<String>,
    /// `retry`, in milliseconds.
    pub retry: Option<u64>,
}

/// The events of a stream that comes in these chunks, and how many bytes are held for the one that is not complete.
pub fn events<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> (Vec<ReadEvent>, usize) {
    let mut reader = EventReader::default();
    let mut events = Vec::new();
    for chunk in chunks {
        reader.push(chunk, &mut events);
    }
    let events = events.into_iter().map(|event| ReadEvent {
        name: event.name,
        data: event.data,
        id: event.id,
        retry: event.retry,
    });
    (events.collect(), reader.held_bytes())
}

/// One line of a server's standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadLine {
    /// The line without its end.
    Whole(Vec<u8>),
    /// The beginning of a line that is longer than the limit; its rest is passed over.
    TooLong(Vec<u8>),
    /// The rest of such a line was longer than what is passed over: nothing more is read.
    GivenUp,
}

/// The lines of an output, of at most so many bytes each. Of a longer line so many bytes more are passed over.
///
/// # Errors
///
/// Those of the input.
pub async fn lines(
    input: impl AsyncBufRead + Unpin,
    limit: usize,
    passed_over: usize,
) -> Result<Vec<ReadLine>, io::Error> {
    let mut lines = Lines::new(input, limit);
    let mut read = Vec::new();
    loop {
        match lines.next().await? {
            Line::Whole(line) => read.push(ReadLine::Whole(line)),
            Line::TooLong(beginning) => {
                read.push(ReadLine::TooLong(beginning));
                if !lines.pass_over(passed_over).await? {
                    read.push(ReadLine::GivenUp);
                    return Ok(read);
                }
            }
            Line::End => return Ok(read),
        }
    }
}

/// One JSON-RPC message of a server, with the id it answers, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadMessage {
    /// An answer, and its result's JSON text.
    Result(Option<String>, String),
    /// A refusal, its error object's JSON text and the code in it.
    Error(Option<String>, String, Option<i64>),
    /// A request or a notification, whole.
    Call(String),
}

/// The messages in a body, an event or a line; `None` where it is no JSON-RPC.
pub fn messages(text: &str) -> Option<Vec<ReadMessage>> {
    let messages = envelope::split(text).ok()?.into_iter().map(|message| match message {
        Message::Result { id, result } => ReadMessage::Result(id.map(|id| id.to_string()), result.get().to_owned()),
        Message::Error { id, error } => ReadMessage::Error(
            id.map(|id| id.to_string()),
            error.get().to_owned(),
            envelope::error_code(error.get()),
        ),
        Message::Call(whole) => ReadMessage::Call(whole.get().to_owned()),
    });
    Some(messages.collect())
}

/// The request that a text answers which may break off or be no good message; `None` where it looks like something else.
pub fn answered_by(text: &str) -> Option<String> {
    known_id(text).map(|id| id.to_string())
}
