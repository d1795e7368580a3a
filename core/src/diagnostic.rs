//! The one type in which Toolgate says that something is wrong, was mended, or was not used.

use serde::{Deserialize, Serialize};

use crate::identity::RegistrationId;
use crate::{Code, Reason};

/// What was wrong, where, and what to do about it. Never holds a secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Diagnostic {
    /// The stable code.
    pub code: Code,
    /// A sentence in English for a person: what was found, and what would be right.
    pub message: String,
    /// Which of the code's cases it is, where it has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The field at fault, as a path such as `mcpServers.docs.headers.X`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The line in the text that was read, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column in that line, counted from 1 in UTF-16 code units, as editors in a browser count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The tool this is about, by its native name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native_name: Option<String>,
    /// The server this is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registration_id: Option<RegistrationId>,
}

impl Diagnostic {
    /// A diagnostic with a code and a message and nothing else.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            reason: None,
            path: None,
            line: None,
            column: None,
            native_name: None,
            registration_id: None,
        }
    }

    /// The same, for this reason.
    #[must_use]
    pub fn because(mut self, reason: impl Into<Reason>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// The same, at a field.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// The same, at a line and column (both from 1).
    #[must_use]
    pub fn at_position(mut self, line: u32, column: u32) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    /// The same, about a tool.
    #[must_use]
    pub fn about_tool(mut self, native_name: impl Into<String>) -> Self {
        self.native_name = Some(native_name.into());
        self
    }

    /// The same, about a server.
    #[must_use]
    pub fn about_server(mut self, registration_id: RegistrationId) -> Self {
        self.registration_id = Some(registration_id);
        self
    }
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}", self.code, self.message)?;
        if let Some(path) = &self.path {
            write!(formatter, " (at {path})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}

/// Why something was refused as a whole: the first reason, and every further one that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Refusal {
    /// The first reason.
    #[serde(flatten)]
    pub first: Box<Diagnostic>,
    /// Further reasons, in the order in which they stand in the input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Diagnostic>,
}

impl Refusal {
    /// A refusal for these reasons; `None` where there are none.
    pub fn from_reasons(reasons: Vec<Diagnostic>) -> Option<Self> {
        let mut reasons = reasons.into_iter();
        let first = reasons.next()?;
        Some(Self {
            first: Box::new(first),
            others: reasons.collect(),
        })
    }

    /// Every reason, the first one first.
    pub fn reasons(&self) -> impl Iterator<Item = &Diagnostic> {
        std::iter::once(&*self.first).chain(&self.others)
    }
}

/// The reasons, the first one first.
impl IntoIterator for Refusal {
    type Item = Diagnostic;
    type IntoIter = std::iter::Chain<std::iter::Once<Diagnostic>, std::vec::IntoIter<Diagnostic>>;

    fn into_iter(self) -> Self::IntoIter {
        std::iter::once(*self.first).chain(self.others)
    }
}

impl From<Diagnostic> for Refusal {
    fn from(first: Diagnostic) -> Self {
        Self {
            first: Box::new(first),
            others: Vec::new(),
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.first.fmt(formatter)
    }
}

impl std::error::Error for Refusal {}
