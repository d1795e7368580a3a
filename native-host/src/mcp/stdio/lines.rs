//! Lines of a server's standard output, of bounded length.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _};

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::mcp) enum Line {
    /// A line without its end.
    Whole(Vec<u8>),
    /// The beginning of a line that is longer than the limit. The rest is passed over by [`Lines::pass_over`].
    TooLong(Vec<u8>),
    /// There is no more.
    End,
}

pub(in crate::mcp) struct Lines<R> {
    input: R,
    limit: usize,
}

impl<R: AsyncBufRead + Unpin> Lines<R> {
    /// Lines of at most so many bytes.
    pub(in crate::mcp) fn new(input: R, limit: usize) -> Self {
        Self { input, limit }
    }

    /// The next line. Dropping the future loses what was read of it.
    pub(in crate::mcp) async fn next(&mut self) -> io::Result<Line> {
        let mut line = Vec::new();
        loop {
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                return Ok(if line.is_empty() { Line::End } else { Line::Whole(line) });
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = available.get(..end.unwrap_or(available.len())).unwrap_or_default();
            let room = self.limit - line.len();
            if part.len() > room {
                line.extend_from_slice(part.get(..room).unwrap_or_default());
                // The line end stays where it is: what is passed over ends with it.
                self.input.consume(room);
                return Ok(Line::TooLong(line));
            }
            line.extend_from_slice(part);
            let consumed = part.len() + usize::from(end.is_some());
            self.input.consume(consumed);
            if end.is_some() {
                return Ok(Line::Whole(line));
            }
        }
    }

    /// Passes over the rest of a line; whether its end came within so many bytes.
    pub(in crate::mcp) async fn pass_over(&mut self, mut bytes: usize) -> io::Result<bool> {
        loop {
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                return Ok(true);
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = end.unwrap_or(available.len());
            self.input.consume(part + usize::from(end.is_some()));
            // Counted alike however the line comes in: also where its end is in the piece that is too much.
            match (bytes.checked_sub(part), end) {
                (None, _) => return Ok(false),
                (Some(_), Some(_)) => return Ok(true),
                (Some(left), None) => bytes = left,
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // A test may fail loudly.
mod tests {
    use tokio::io::BufReader;

    use super::*;

    fn whole(text: &str) -> Line {
        Line::Whole(text.into())
    }

    #[tokio::test]
    async fn lines_come_whole_whatever_the_pieces() {
        for capacity in [1, 3, 64] {
            let mut lines = Lines::new(BufReader::with_capacity(capacity, &b"12345\n\nlast"[..]), 5);
            assert_eq!(lines.next().await.unwrap(), whole("12345"));
            assert_eq!(lines.next().await.unwrap(), whole(""));
            assert_eq!(lines.next().await.unwrap(), whole("last"));
            assert_eq!(lines.next().await.unwrap(), Line::End);
        }
    }

    #[tokio::test]
    async fn after_a_long_line_the_next_one_is_whole() {
        for capacity in [1, 3, 64] {
            let mut lines = Lines::new(BufReader::with_capacity(capacity, &b"123456\nnext\n"[..]), 5);
            assert_eq!(lines.next().await.unwrap(), Line::TooLong(b"12345".to_vec()));
            assert!(lines.pass_over(64).await.unwrap());
            assert_eq!(lines.next().await.unwrap(), whole("next"));
        }
    }

    #[tokio::test]
    async fn a_line_without_end_is_given_up() {
        let endless = vec![b'x'; 100];
        let mut lines = Lines::new(BufReader::with_capacity(7, endless.as_slice()), 5);
        assert!(matches!(lines.next().await.unwrap(), Line::TooLong(_)));
        assert!(!lines.pass_over(50).await.unwrap());
    }

    #[tokio::test]
    async fn what_is_passed_over_is_counted_alike_whatever_the_pieces() {
        for capacity in [1, 3, 64] {
            for (rest, passed_over, is_passed) in [(10, 10, true), (11, 10, false), (1, 0, false)] {
                let output = format!("12345{}\nnext\n", "x".repeat(rest));
                let mut lines = Lines::new(BufReader::with_capacity(capacity, output.as_bytes()), 5);
                assert!(matches!(lines.next().await.unwrap(), Line::TooLong(_)));
                assert_eq!(
                    lines.pass_over(passed_over).await.unwrap(),
                    is_passed,
                    "{rest} of {passed_over} bytes in pieces of {capacity}"
                );
            }
        }
    }
}
