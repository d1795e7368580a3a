//! Takes an input apart. Its parts are separated by the byte FF, which no UTF-8 text holds, so that a fuzzer can make,
//! drop and exchange whole parts, and a person can write them.

use std::collections::VecDeque;

/// What separates the parts of an input.
pub(crate) const SEPARATOR: u8 = 0xFF;

/// The parts of an input that are not taken yet.
pub(crate) struct Parts<'a>(VecDeque<&'a [u8]>);

impl<'a> Parts<'a> {
    pub(crate) fn of(input: &'a [u8]) -> Self {
        Self(input.split(|byte| *byte == SEPARATOR).collect())
    }

    /// The next part; empty where there is none.
    pub(crate) fn bytes(&mut self) -> &'a [u8] {
        self.0.pop_front().unwrap_or_default()
    }

    /// The next part as text; what is not UTF-8 in it is replaced.
    pub(crate) fn text(&mut self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }

    /// A number that the next part stands for: below 256, its first byte.
    pub(crate) fn number(&mut self) -> usize {
        self.bytes().first().copied().unwrap_or_default().into()
    }

    /// Every further part as text, at most so many.
    pub(crate) fn texts(mut self, most: usize) -> Vec<String> {
        let count = self.0.len().min(most);
        (0..count).map(|_| self.text()).collect()
    }
}
