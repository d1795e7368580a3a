//! `toolgate bridge`: a host for the one application that started it. Messages come on standard input and go out on
//! standard output, one a line; events too. It ends when standard input ends, after everything is answered.

use std::borrow::Cow;
use std::io;
use std::pin::pin;
use std::time::Duration;

use futures_util::StreamExt as _;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::sync::mpsc;
use toolgate_core::{Code, Diagnostic};

use super::error_object::error_object;
use super::stop::Stop;
use super::{BridgeArguments, inert, open_host};
use crate::bridge::{Bridge, Intake};
use crate::ownership::{self, Patience, Role};

/// The bytes of a message, as everywhere.
const MESSAGE_BYTES: usize = 8 * 1024 * 1024;
/// Requests at once that wait for servers; further ones are refused.
const WAITING_REQUESTS: usize = 256;
const QUEUED_ANSWERS: usize = 4;
/// How long a host may take to end what it does.
const HOST_ENDS: Duration = Duration::from_secs(5);

pub(super) async fn run(arguments: &BridgeArguments) -> Result<(), String> {
    let mut stop = Stop::listen().map_err(|error| format!("cannot listen for signals: {error}"))?;
    let directory = arguments.data.directory().map_err(|error| error.to_string())?;
    let claim = tokio::select! {
        claim = ownership::claim(&directory, Role::Bridge, Patience::default()) => claim,
        () = stop.wanted() => return Ok(()),
    };
    // An owner that takes clients does not take this one: messages and events of an application need an own host.
    let claim = claim.map_err(|error| error.to_string())?;
    let ownership = claim.owned().map_err(|busy| busy.to_string())?;
    let host = open_host(&ownership, None)?;
    tokio::select! {
        () = exchange(host.bridge()) => {}
        () = stop.wanted() => {}
    }
    tokio::select! {
        _ = tokio::time::timeout(HOST_ENDS, host.shutdown()) => {}
        () = stop.wanted() => {}
    }
    Ok(())
}

async fn exchange(bridge: Bridge) {
    let (answers, queue) = mpsc::channel(QUEUED_ANSWERS);
    let written = write(bridge.clone(), queue);
    let read = read(BufReader::new(tokio::io::stdin()), bridge, answers);
    let mut written = pin!(written);
    tokio::select! {
        // The application does not read any more.
        _ = written.as_mut() => {}
        () = read => {
            // Every answer is in the queue, whose end follows them.
            let _ = written.await;
        }
    }
}

async fn read(mut input: impl AsyncBufRead + Unpin, bridge: Bridge, answers: mpsc::Sender<String>) {
    let intake = Intake::new(bridge, answers.clone(), WAITING_REQUESTS);
    while let Some(room) = intake.room().await {
        let line = match next_line(&mut input, MESSAGE_BYTES).await {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) => {
                tracing::warn!(%error, "standard input could not be read");
                break;
            }
        };
        match line {
            Line::Text(text) if text.trim().is_empty() => {}
            Line::Text(text) => intake.take(room, text),
            Line::Unusable(diagnostic) => {
                let error = error_object(&diagnostic);
                let _ = answers
                    .send(format!(r#"{{"jsonrpc":"2.0","id":null,"error":{error}}}"#))
                    .await;
            }
        }
    }
    intake.answered().await;
}

async fn write(bridge: Bridge, mut answers: mpsc::Receiver<String>) -> io::Result<()> {
    let mut output = tokio::io::stdout();
    let mut events = pin!(bridge.events().fuse());
    loop {
        let mut line = tokio::select! {
            answer = answers.recv() => match answer {
                Some(answer) => answer,
                None => return Ok(()),
            },
            Some(event) = events.next() => event,
        };
        // Between tokens a line break is white space; inside of a string it cannot stand.
        // Asked for one by one, which is a search over bytes: a large answer took half of its time here.
        if line.contains('\n') || line.contains('\r') {
            line = line.replace(['\n', '\r'], " ");
        }
        // Where a terminal reads, it is to show what servers say and to obey nothing; the value stays the same.
        if let Cow::Owned(inert) = inert::json(&line) {
            line = inert;
        }
        line.push('\n');
        output.write_all(line.as_bytes()).await?;
        output.flush().await?;
    }
}

enum Line {
    Text(String),
    Unusable(Diagnostic),
}

/// The next line without its end; `None` where there is none any more. Keeps no more than `limit` bytes of it.
async fn next_line(input: &mut (impl AsyncBufRead + Unpin), limit: usize) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut length = 0_usize;
    let mut any = false;
    loop {
        let available = input.fill_buf().await?;
        if available.is_empty() {
            break;
        }
        any = true;
        let end = available.iter().position(|byte| *byte == b'\n');
        let part = available.get(..end.unwrap_or(available.len())).unwrap_or_default();
        length = length.saturating_add(part.len());
        if length <= limit {
            line.extend_from_slice(part);
        }
        let consumed = part.len() + usize::from(end.is_some());
        input.consume(consumed);
        if end.is_some() {
            break;
        }
    }
    if !any {
        return Ok(None);
    }
    if length > limit {
        return Ok(Some(Line::Unusable(Diagnostic::new(
            Code::BridgeMessageTooLarge,
            format!("The message has {length} bytes; at most {limit} are taken."),
        ))));
    }
    Ok(Some(match String::from_utf8(line) {
        Ok(text) => Line::Text(text),
        Err(_) => Line::Unusable(Diagnostic::new(
            Code::BridgeParseError,
            "The message is not UTF-8; send JSON text in UTF-8.",
        )),
    }))
}

#[cfg(test)]
mod tests {
    // Tests may fail loudly.
    #![allow(clippy::unwrap_used)]

    use super::*;

    async fn lines(input: &[u8], limit: usize) -> Vec<String> {
        // A small buffer, so that lines come in pieces.
        let mut input = BufReader::with_capacity(3, input);
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut input, limit).await.unwrap() {
            lines.push(match line {
                Line::Text(text) => text,
                Line::Unusable(diagnostic) => diagnostic.code.to_string(),
            });
        }
        lines
    }

    #[tokio::test]
    async fn lines_are_read_up_to_the_limit_and_the_next_one_is_whole_again() {
        assert_eq!(
            lines(b"12345\n123456\nabc", 5).await,
            ["12345", "mcp.bridge_message_too_large", "abc"]
        );
        assert_eq!(lines(b"\n\nx\n", 5).await, ["", "", "x"]);
        assert_eq!(lines(b"", 5).await, Vec::<String>::new());
        assert_eq!(lines(b"\xff\nx", 5).await, ["mcp.bridge_parse_error", "x"]);
    }
}
