//! What only a child process can do wrong.

use super::answers;
use super::says::Says;
use crate::behaviours::ShownBy;
use crate::script::Script;

/// An odd server with a name.
#[derive(Clone, Copy, Debug)]
pub struct Oddity {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// The script it plays otherwise.
    pub script: fn() -> Script,
    /// What it does.
    pub(super) trick: Trick,
}

/// What an odd server does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Trick {
    /// Writes odd bytes in place of an answer.
    Says(Says),
    /// Writes each answer byte by byte.
    Drips,
    /// Writes to standard error without end, beside its answers.
    FloodsStderrForEver,
    /// Closes its standard output at once, and stays.
    ClosesOutputFirst,
    /// Closes its standard input when it is first asked, and stays.
    ClosesInput,
    /// Writes what looks like answers before it is asked anything.
    AnswersFirst,
    /// Writes other things than messages between its messages.
    Noise,
    /// Writes a megabyte to standard error before it answers, and goes on.
    FloodsStderr,
    /// Exits at once.
    Exits(u8),
    /// Exits when it is asked by this method.
    ExitsOn(&'static str),
    /// Ends itself by SIGKILL.
    KillsItself,
    /// Reads and never answers.
    Silent,
    /// Does not even read.
    Deaf,
    /// Does not answer `server/discover`.
    SilentProbe,
    /// Takes a second to begin.
    Slow,
    /// Answers a call with a line that does not end.
    EndlessLine,
    /// Writes a line that does not end before it answers anything.
    EndlessNoise,
    /// Answers a call with a line above the limit, and goes on.
    LongAnswer,
    /// The same with the id at its end.
    LongAnswerIdLast,
    /// Answers a call with half a message.
    TornAnswer,
    /// Answers a call with a result and an error in one.
    DoubleAnswer,
    /// Answers a call with bytes that are not UTF-8.
    BadUtf8,
    /// Answers a call with an error that names no request.
    NullError,
    /// Answers with everything it was started with.
    TellsAll,
    /// Writes everything it was started with to standard error and exits.
    LeaksAndExits,
    /// Refuses the list with everything it was started with in the error.
    LeaksInErrors,
    /// Closes its standard output when a tool is called, and stays.
    ClosesOutput,
    /// Neither the end of its input nor SIGTERM ends it.
    Stubborn,
    /// The same with children in its group, in a session of their own, and orphaned ones.
    Family,
    /// The same, and it does not answer when its tools are asked for.
    SilentFamily,
    /// It has such descendants, but ends in order itself.
    LeavesFamily,
}

impl Oddity {
    /// What a client does when the server shows its behaviour.
    pub fn shown_by(&self) -> ShownBy {
        match self.trick {
            Trick::EndlessLine
            | Trick::LongAnswer
            | Trick::LongAnswerIdLast
            | Trick::TornAnswer
            | Trick::DoubleAnswer
            | Trick::BadUtf8
            | Trick::NullError
            | Trick::TellsAll
            | Trick::ClosesOutput
            | Trick::ExitsOn("tools/call") => ShownBy::Call,
            Trick::Says(says) => says.shown_by(),
            _ => ShownBy::List,
        }
    }
}

impl Trick {
    pub(super) fn outlives_its_input(self) -> bool {
        matches!(
            self,
            Self::Stubborn | Self::Family | Self::SilentFamily | Self::ClosesOutputFirst | Self::ClosesInput
        )
    }
}

/// Whatever the server is asked by.
pub(super) const ANYTHING: &str = "";

const fn odd(name: &'static str, about: &'static str, trick: Trick) -> Oddity {
    Oddity {
        name,
        about,
        script: Script::default,
        trick,
    }
}

/// Every oddity.
pub fn oddities() -> impl Iterator<Item = &'static Oddity> {
    ODDITIES.iter().chain(answers::ROWS)
}

const ODDITIES: &[Oddity] = &[
    odd("stdio-byte-by-byte", "Each answer comes byte by byte.", Trick::Drips),
    odd(
        "stdio-stderr-for-ever",
        "Standard error without end beside the answers.",
        Trick::FloodsStderrForEver,
    ),
    odd(
        "stdio-closes-output-first",
        "Closes its output at once, and stays.",
        Trick::ClosesOutputFirst,
    ),
    odd(
        "stdio-closes-input",
        "Closes its input when it is first asked, and stays.",
        Trick::ClosesInput,
    ),
    odd(
        "stdio-answers-first",
        "Writes what looks like answers to ids that nobody gave, before it is asked.",
        Trick::AnswersFirst,
    ),
    odd("stdio-noise", "Noise on standard output.", Trick::Noise),
    odd(
        "stdio-floods-stderr",
        "A megabyte of standard error first.",
        Trick::FloodsStderr,
    ),
    odd("stdio-exit-3", "Exits with code 3 at once.", Trick::Exits(3)),
    odd("stdio-exit-0", "Exits with code 0 at once.", Trick::Exits(0)),
    odd(
        "stdio-dies-of-probe",
        "Exits when it is asked by server/discover.",
        Trick::ExitsOn("server/discover"),
    ),
    odd(
        "stdio-dies-of-initialize",
        "Exits when it is asked by initialize.",
        Trick::ExitsOn("initialize"),
    ),
    odd(
        "stdio-dies-of-anything",
        "Exits when it is asked anything.",
        Trick::ExitsOn(ANYTHING),
    ),
    odd(
        "stdio-dies-of-call",
        "Exits when a tool is called.",
        Trick::ExitsOn("tools/call"),
    ),
    odd("stdio-killed", "Is killed by a signal at once.", Trick::KillsItself),
    odd("stdio-silent", "Never answers.", Trick::Silent),
    odd("stdio-deaf", "Never reads.", Trick::Deaf),
    odd(
        "stdio-silent-probe",
        "Does not answer server/discover.",
        Trick::SilentProbe,
    ),
    odd("stdio-slow", "Takes a second to begin.", Trick::Slow),
    Oddity {
        name: "stdio-slow-2026",
        about: "The same, of revision 2026-07-28.",
        script: Script::modern,
        trick: Trick::Slow,
    },
    odd(
        "stdio-endless-line",
        "A line without end answers a call.",
        Trick::EndlessLine,
    ),
    odd(
        "stdio-endless-noise",
        "A line without end comes first.",
        Trick::EndlessNoise,
    ),
    odd(
        "stdio-long-answer",
        "A line above the limit answers a call.",
        Trick::LongAnswer,
    ),
    odd(
        "stdio-long-answer-id-last",
        "The same, its id at the end.",
        Trick::LongAnswerIdLast,
    ),
    odd("stdio-torn-answer", "Half a message answers a call.", Trick::TornAnswer),
    odd("stdio-double-answer", "Result and error in one.", Trick::DoubleAnswer),
    odd(
        "stdio-bad-utf8",
        "Bytes that are not UTF-8 answer a call.",
        Trick::BadUtf8,
    ),
    odd(
        "stdio-null-error",
        "An error of no request answers a call.",
        Trick::NullError,
    ),
    odd(
        "stdio-tells-all",
        "A call answers what it was started with.",
        Trick::TellsAll,
    ),
    odd(
        "stdio-leaks-and-exits",
        "Says what it was started with on standard error and exits.",
        Trick::LeaksAndExits,
    ),
    odd(
        "stdio-leaks-in-errors",
        "Says what it was started with wherever it can.",
        Trick::LeaksInErrors,
    ),
    odd(
        "stdio-closes-output",
        "Closes its output when a tool is called.",
        Trick::ClosesOutput,
    ),
    odd(
        "stdio-stubborn",
        "Ends neither with its input nor by SIGTERM.",
        Trick::Stubborn,
    ),
    odd("stdio-family", "Has stubborn descendants of every kind.", Trick::Family),
    odd(
        "stdio-family-silent-list",
        "The same, and its tools are not listed.",
        Trick::SilentFamily,
    ),
    odd(
        "stdio-leaves-family",
        "Ends in order and leaves such behind.",
        Trick::LeavesFamily,
    ),
];
