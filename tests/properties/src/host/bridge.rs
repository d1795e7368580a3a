//! Bridge messages: each is answered by one well-formed response with its id and either a result or a typed error,
//! whatever it is and whatever the servers say; and nothing fails in the host itself.

use serde_json::Value;
use serde_json::value::RawValue;
use toolgate_core::Code;
use toolgate_core::json;
use toolgate_host::Bridge;
use toolgate_host::store::MemoryFiles;

use super::served::{Said, with_host};
use crate::parts::Parts;

/// In a message it stands for the id of the server that was made first.
const SERVER: &str = "$server";

/// The parts are what every server lists, what every server answers to a call, and messages.
pub fn check(input: &[u8]) {
    let mut parts = Parts::of(input);
    let said = Said {
        page: parts.text(),
        answer: parts.text(),
    };
    let messages = parts.texts(12);
    let answered = with_host(&MemoryFiles::new(), &said, |host| async move {
        let bridge = host.bridge();
        let mut server = String::new();
        for message in messages {
            let message = message.replace(SERVER, &server);
            let answer = answer(&bridge, message).await;
            if let (true, Some(id)) = (server.is_empty(), answer["result"]["id"].as_str()) {
                id.clone_into(&mut server);
            }
        }
        host.shutdown().await;
    });
    assert_eq!(answered, Some(()), "the host opens on an empty folder");
}

/// The answer to a message, after all that must hold of it.
async fn answer(bridge: &Bridge, message: String) -> Value {
    let text = bridge.handle(message.clone()).await;
    let members = json::members(&text).expect("an answer is an object");
    let names: Vec<&str> = members.iter().map(|(name, _)| name).collect();
    assert!(
        names == ["jsonrpc", "id", "result"] || names == ["jsonrpc", "id", "error"],
        "{message:?} was answered by {text}"
    );
    assert_eq!(members.get("jsonrpc").map(RawValue::get), Some("\"2.0\""));
    let id = members.get("id").map(RawValue::get);
    assert_eq!(id, Some(id_of(&message).as_deref().unwrap_or("null")), "{message:?}: {text}");
    if let Some(error) = members.get("error") {
        check_error(&message, error.get());
    }
    // Numbers of any size stand in documents, which are strings here: the rest is small.
    serde_json::from_str(&text).unwrap_or_default()
}

fn check_error(message: &str, error: &str) {
    let error = json::members(error).expect("an error object");
    let number: i64 = error.get("code").unwrap().get().parse().expect("the error's number");
    assert!([-32700, -32600, -32601, -32602, -32000].contains(&number), "{number}");
    let data = json::members(error.get("data").unwrap().get()).expect("the error's data");
    let code = data.get("code").and_then(json::string).expect("a code");
    let known = Code::ALL.iter().find(|known| known.as_str() == code);
    assert!(
        known.is_some_and(|known| *known != Code::BridgeInternalError),
        "{message:?} failed with {code}"
    );
    let sentence = error.get("message").and_then(json::string).expect("a sentence");
    assert!(!sentence.is_empty());
}

/// The id that a message is answered with: its own where it is an object whose members stand once each and the id is of
/// a type that JSON-RPC knows.
fn id_of(message: &str) -> Option<String> {
    let members = json::members(message)?;
    for name in ["jsonrpc", "id", "method", "params"] {
        if members.iter().filter(|(other, _)| *other == name).count() > 1 {
            return None;
        }
    }
    let id = members.get("id")?.get();
    let is_id = id == "null" || id.starts_with(|first: char| "\"-0123456789".contains(first));
    is_id.then(|| id.to_owned())
}
