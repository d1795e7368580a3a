//! Which of a code's cases a diagnostic is, with what it is about: for sentences in other languages than the English one of
//! the diagnostic, which say as much as it.

use serde::{Deserialize, Serialize};

/// One case of a code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Reason {
    /// The case.
    pub case: ReasonCase,
    /// What it is about, as each case says. Never a value that may be secret.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

/// The cases of the codes that have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ReasonCase {
    /// A comma is missing.
    CommaMissing,
    /// The colon after a key is missing.
    ColonMissing,
    /// The value after a colon is missing.
    ValueMissing,
    /// A key in double quotes belongs here.
    KeyWanted,
    /// A word that is no JSON value.
    BareWord,
    /// What does not belong here at all.
    OutOfPlace,
    /// More follows after the end of the JSON.
    MoreFollows,
    /// A comma is one too many.
    CommaTooMany,
    /// A colon that follows no key.
    ColonTooMany,
    /// A `}` that closes nothing.
    BraceTooMany,
    /// A `]` that closes nothing.
    BracketTooMany,
    /// An object that is not closed.
    ObjectOpen,
    /// A list that is not closed.
    ListOpen,
    /// A comment that is not closed.
    CommentOpen,
    /// A text that is not closed, or not on its line.
    TextOpen,
    /// A Markdown fence that is not closed.
    FenceOpen,
    /// An escape that JSON does not have, or half of one.
    EscapeInvalid,
    /// Other quotes than straight double ones.
    QuotesInvalid,
    /// Not a number as JSON writes one.
    NumberInvalid,
    /// A full-width comma or colon.
    FullWidth,
    /// An invisible or unusual character.
    CharacterInvalid,
    /// A text belongs here. Name: what stands here, as in `found`.
    TextWanted,
    /// A list belongs here. Name: what stands here.
    ListWanted,
    /// An object belongs here. Name: what stands here.
    ObjectWanted,
    /// `"http"` or `"stdio"` belongs here. Name: what stands here.
    TransportWanted,
    /// Two fields say the same. Names: both.
    SaidTwice,
    /// A field or value is read as another. Names: it, and the other.
    ReadAs,
    /// What was passed over as it is no strict JSON. Names: of `byte_order_mark`, `fence`, `comments`, `trailing_commas`.
    PassedOver,
    /// Not used: every tool starts as Off.
    ToolsStartOff,
    /// Not used: there is no sign-in by OAuth.
    NoSignIn,
    /// Not used: write it as a header.
    HeaderInstead,
    /// Not used: headers are not read from elsewhere.
    HeadersHere,
    /// Not used: variables are not read from elsewhere.
    VariablesHere,
    /// Not used: values are not asked for.
    NoInputs,
    /// Not used: there are time limits already.
    OwnTimeLimits,
    /// Not used: the name is the key.
    NameIsKey,
    /// Not used, but near to a field. Name: that field.
    Meant,
    /// Not used, as it is null.
    IsNull,
    /// Not used: it belongs to a server with a command.
    ForCommand,
    /// Not used: it belongs to a server with a url.
    ForUrl,
}

impl ReasonCase {
    /// The reason with what it is about.
    pub(crate) fn about<const N: usize>(self, names: [&str; N]) -> Reason {
        Reason {
            case: self,
            names: names.iter().map(|name| (*name).to_owned()).collect(),
        }
    }
}

impl From<ReasonCase> for Reason {
    fn from(case: ReasonCase) -> Self {
        case.about([])
    }
}
