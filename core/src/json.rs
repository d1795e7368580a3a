//! JSON as text: documents of servers and models are carried as the text they came in, so that no number, key order
//! or string is ever changed on the way.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// One JSON value as text, without white space between its tokens; numbers and strings are spelled as they came.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "string"))]
pub struct JsonText(Box<RawValue>);

impl JsonText {
    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }
}

impl fmt::Debug for JsonText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl PartialEq for JsonText {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for JsonText {}
