//! JSON-RPC messages of servers: what is inside comes out as the text it was; a message that is whole answers the request
//! that its beginning says; and what is no JSON-RPC is said to be none.

use serde_json::value::RawValue;
use toolgate_host::mcp::readers::{ReadMessage, answered_by, messages};

/// The input is a line, a body or the data of an event.
pub fn check(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let answered = answered_by(&text);
    let Some(read) = messages(&text) else {
        return;
    };
    assert_eq!(messages(&text).as_ref(), Some(&read), "not the same twice");
    let without_mark = text.strip_prefix('\u{feff}').unwrap_or(&text);
    assert!(serde_json::from_str::<&RawValue>(without_mark).is_ok(), "{text:?}");
    for message in &read {
        let inside = match message {
            ReadMessage::Result(_, inside) | ReadMessage::Error(_, inside, _) | ReadMessage::Call(inside) => inside,
        };
        assert!(text.contains(inside.as_str()), "{inside:?} is not what {text:?} says");
        assert!(serde_json::from_str::<&RawValue>(inside).is_ok(), "{inside:?}");
    }
    // An answer, and the beginning of one, are told to the same request.
    if let ([ReadMessage::Result(id, _) | ReadMessage::Error(id, _, _)], true) =
        (read.as_slice(), text.trim_start().starts_with('{'))
        && answered.is_some()
    {
        assert_eq!(*id, answered, "{text:?}");
    }
    // Several in an array are those that they are by themselves.
    let alone: Vec<&RawValue> = serde_json::from_str(without_mark).unwrap_or_default();
    for (alone, message) in alone.iter().zip(&read) {
        assert_eq!(messages(alone.get()).as_deref(), Some(std::slice::from_ref(message)), "{text:?}");
    }
}
