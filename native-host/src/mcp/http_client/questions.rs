//! A server's own requests, on any of its event streams: answered here, a few at once. A stream that brings more is not
//! read on until there is room, so that a server cannot make the host hold what it asks. The SDK would take them all
//! in, and answer one after another.

use std::sync::Arc;

use http::Method;
use serde_json::value::RawValue;
use tokio::sync::OwnedSemaphorePermit;
use toolgate_core::json::{members, string};

use super::{HttpClient, JSON_OR_EVENTS, Route};

/// The longest id of a request that is answered, in bytes of JSON text. Others are a number or a short text.
const MAX_ID_BYTES: usize = 1024;

/// A server's request; all that is kept of it is the answer.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::mcp) struct Question {
    answer: String,
}

impl Question {
    /// The request that a message is; none where it is a notification, which nothing here listens to.
    pub(in crate::mcp) fn of(message: &RawValue) -> Option<Self> {
        let fields = members(message.get())?;
        let id = fields.get("id")?.get();
        let is_id = id.starts_with(|first: char| first == '"' || first == '-' || first.is_ascii_digit());
        if !is_id || id.len() > MAX_ID_BYTES {
            return None;
        }
        let method = fields.get("method").and_then(string);
        // Toolgate declares no capability, so a server has nothing else to ask.
        let answer = if method.as_deref() == Some("ping") {
            r#""result":{}"#
        } else {
            r#""error":{"code":-32601,"message":"Toolgate answers no requests but ping."}"#
        };
        Some(Self {
            answer: format!(r#"{{"jsonrpc":"2.0","id":{id},{answer}}}"#),
        })
    }
}

/// Where the questions of one stream are answered to.
pub(in crate::mcp) struct Answering {
    pub(super) client: HttpClient,
    pub(super) route: Route,
}

/// Room for one answer under way.
pub(in crate::mcp) struct Room(OwnedSemaphorePermit);

impl Answering {
    /// Room, where there is some now.
    pub(in crate::mcp) fn room_now(&self) -> Option<Room> {
        Arc::clone(&self.client.0.answering).try_acquire_owned().ok().map(Room)
    }

    /// Waits until there is room.
    pub(in crate::mcp) async fn room(&self) -> Option<Room> {
        // None is for a closed semaphore, which this one never is.
        Arc::clone(&self.client.0.answering)
            .acquire_owned()
            .await
            .ok()
            .map(Room)
    }

    /// Answers. Nobody waits for the server to take the answer.
    pub(in crate::mcp) fn answer(&self, question: Question, room: Room) {
        let (client, route) = (self.client.clone(), self.route.clone());
        tokio::spawn(async move {
            let sent = async {
                let own = route.headers().ok()?;
                let body = Some(question.answer.into());
                let response = client
                    .send(Method::POST, JSON_OR_EVENTS, &route.sdk, &own, body)
                    .await
                    .ok()?;
                response.status().is_success().then_some(())
            };
            let sent = tokio::time::timeout(client.0.limits.answer, sent);
            if !matches!(client.unless_cancelled(sent).await, Some(Ok(Some(())))) {
                tracing::debug!("a server did not take the answer to its request");
            }
            drop(room.0);
        });
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A test may fail loudly.
mod tests {
    use super::*;

    fn answer(message: &str) -> Option<String> {
        Question::of(serde_json::from_str(message).unwrap()).map(|question| question.answer)
    }

    #[test]
    fn a_ping_is_answered_and_everything_else_refused() {
        assert_eq!(
            answer(r#"{"jsonrpc":"2.0","id":"p\u0041","method":"ping"}"#).as_deref(),
            Some(r#"{"jsonrpc":"2.0","id":"p\u0041","result":{}}"#)
        );
        for message in [
            r#"{"id":-7,"method":"sampling/createMessage","params":{"remote":"text"}}"#,
            r#"{"id":-7,"method":5}"#,
        ] {
            let answer = answer(message).unwrap();
            assert!(
                answer.starts_with(r#"{"jsonrpc":"2.0","id":-7,"error":{"code":-32601,"#),
                "{answer}"
            );
        }
    }

    #[test]
    fn what_is_no_request_gets_no_answer() {
        let long = format!(r#"{{"id":"{}","method":"ping"}}"#, "x".repeat(MAX_ID_BYTES));
        for message in [
            r#"{"method":"notifications/message"}"#,
            r#"{"id":null,"method":"ping"}"#,
            r#"{"id":{},"method":"ping"}"#,
            r#"{"id":[1],"method":"ping"}"#,
            &long,
        ] {
            assert_eq!(answer(message), None, "{message}");
        }
    }
}
