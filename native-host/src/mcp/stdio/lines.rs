//! Lines of a server's standard output, of bounded length.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _};

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line without its end.
    Whole(Vec<u8>),
    /// The beginning of a line that is longer than the limit. The rest is passed over by [`Lines::pass_over`].
    TooLong(Vec<u8>),
    /// There is no more.
    End,
}

pub(super) struct Lines<R> {
    input: R,
    limit: usize,
}

impl<R: AsyncBufRead + Unpin> Lines<R> {
    /// Lines of at most so many bytes.
    pub(super) fn new(input: R, limit: usize) -> Self {
        Self { input, limit }
    }

    /// The next line. Dropping the future loses what was read of it.
    pub(super) async fn next(&mut self) -> io::Result<Line> {
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
    pub(super) async fn pass_over(&mut self, mut bytes: usize) -> io::Result<bool> {
        loop {
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                return Ok(true);
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let consumed = end.map_or(available.len(), |end| end + 1);
            self.input.consume(consumed);
            if end.is_some() {
                return Ok(true);
            }
            match bytes.checked_sub(consumed) {
                Some(left) => bytes = left,
                None => return Ok(false),
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
}
