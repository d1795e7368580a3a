//! Where something stands in a text, as an editor in a browser counts: lines from 1, columns from 1 in UTF-16 units.

use crate::Diagnostic;

/// Bytes between two places whose distance from the beginning is kept.
const STRIDE: usize = 1024;

/// Turns places of the JSON into lines and columns of the text it stands in. Built once, each look-up is short, so that
/// many diagnostics in a long line stay cheap.
pub(super) struct Places<'text> {
    text: &'text [u8],
    /// Where the JSON begins in the text.
    offset: usize,
    /// Where each line begins.
    line_starts: Vec<usize>,
    /// UTF-16 units before each multiple of [`STRIDE`].
    units_before: Vec<usize>,
}

impl<'text> Places<'text> {
    /// For JSON that begins `offset` bytes into the text.
    pub(super) fn new(text: &'text str, offset: usize) -> Self {
        let text = text.as_bytes();
        let mut line_starts = vec![0];
        let mut units_before = Vec::with_capacity(text.len() / STRIDE + 1);
        let mut units = 0;
        for (index, &byte) in text.iter().enumerate() {
            if index % STRIDE == 0 {
                units_before.push(units);
            }
            units += units_of(byte);
            // A line ends in LF, CRLF or a lone CR.
            if byte == b'\n' || (byte == b'\r' && text.get(index + 1) != Some(&b'\n')) {
                line_starts.push(index + 1);
            }
        }
        Self {
            text,
            offset,
            line_starts,
            units_before,
        }
    }

    /// The diagnostic, at a place of the JSON (in bytes).
    pub(super) fn mark(&self, diagnostic: Diagnostic, at: usize) -> Diagnostic {
        let (line, column) = self.position(at);
        diagnostic.at_position(line, column)
    }

    /// The line and column of a place of the JSON (in bytes).
    pub(super) fn position(&self, at: usize) -> (u32, u32) {
        let at = (self.offset + at).min(self.text.len());
        let line = self.line_starts.partition_point(|start| *start <= at);
        let line_start = self
            .line_starts
            .get(line.saturating_sub(1))
            .copied()
            .unwrap_or_default();
        let column = self.units(at) - self.units(line_start) + 1;
        (saturate(line), saturate(column))
    }

    /// UTF-16 units before a place of the text.
    fn units(&self, at: usize) -> usize {
        let stride = at / STRIDE;
        let before = self.units_before.get(stride);
        // At the very end of the text there may be no entry; then everything counts.
        let (from, before) = before.map_or((0, 0), |units| (stride * STRIDE, *units));
        before
            + self
                .text
                .get(from..at)
                .unwrap_or_default()
                .iter()
                .copied()
                .map(units_of)
                .sum::<usize>()
    }
}

/// UTF-16 units of the character that a byte of UTF-8 begins; none for a byte that goes on with one.
fn units_of(byte: u8) -> usize {
    match byte {
        0x80..=0xbf => 0,
        0xf0..=0xff => 2,
        _ => 1,
    }
}

fn saturate(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
