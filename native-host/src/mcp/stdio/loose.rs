//! Which request a line answers that is no good JSON-RPC message, so that nobody waits for an answer that has come.

use std::fmt;

use rmcp::model::RequestId;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use toolgate_core::json;

use super::super::envelope::request_id;

/// The id in a text that begins as a JSON-RPC message does, as far as the text can be read; `None` where it looks like
/// something else, such as a line of a log that happens to be JSON.
pub(in crate::mcp) fn known_id(text: &str) -> Option<RequestId> {
    let mut found = Found::default();
    let mut json = serde_json::Deserializer::from_str(text);
    // Where and why it breaks off is of no interest.
    let _ = DeserializeSeed::deserialize(&mut found, &mut json);
    found.id.filter(|_| found.is_json_rpc && !found.is_call)
}

#[derive(Default)]
struct Found {
    id: Option<RequestId>,
    is_json_rpc: bool,
    is_call: bool,
}

impl<'de> DeserializeSeed<'de> for &mut Found {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Found {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON-RPC message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<&'de RawValue>()? {
            // A key that is no Unicode text is none of these, and hides none of them.
            match json::string(key).as_deref().unwrap_or_default() {
                "id" => self.id = request_id(map.next_value::<&'de RawValue>()?),
                "jsonrpc" => {
                    map.next_value::<IgnoredAny>()?;
                    self.is_json_rpc = true;
                }
                "method" => {
                    map.next_value::<IgnoredAny>()?;
                    self.is_call = true;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_found_before_the_text_breaks_off() {
        let seven = Some(RequestId::Number(7));
        assert_eq!(known_id(r#"{"jsonrpc":"2.0","id":7,"result":{"a":[1,"#), seven);
        assert_eq!(known_id(r#"{"id":"7","jsonrpc":"2.0","result":{},"error":{}}"#), seven);
        assert_eq!(known_id(r#"{"jsonrpc":"2.0","id":7}"#), seven);
        assert_eq!(known_id(r#"{"\ud800":0,"jsonrpc":"2.0","id":7,"result":["#), seven);
        for other in [
            r#"{"id":7,"message":"a log"}"#,
            r#"{"jsonrpc":"2.0","id":7,"method":"ping","#,
            r#"{"jsonrpc":"2.0","result":{"a":[1,"#,
            "[7]",
            "remote text",
        ] {
            assert_eq!(known_id(other), None, "{other}");
        }
    }
}
