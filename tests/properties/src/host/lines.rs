//! Lines of a server's output: the same whatever the chunks, those that splitting the whole output gives, and none
//! longer than the limit.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::FutureExt as _;
use tokio::io::{AsyncBufRead, AsyncRead, ReadBuf};
use toolgate_host::mcp::readers::{ReadLine, lines};

/// The first two bytes are the limit and how long the chunks are; the rest is the output.
pub fn check(input: &[u8]) {
    let &[limit, cut, ref output @ ..] = input else {
        return;
    };
    let limit = usize::from(limit % 32);
    let passed_over = 2 * limit;
    let expected = reference(output, limit, passed_over);
    for line in &expected {
        match line {
            ReadLine::Whole(line) => assert!(line.len() <= limit),
            ReadLine::TooLong(line) => assert_eq!(line.len(), limit),
            ReadLine::GivenUp => {}
        }
    }
    for chunk in [1, 1 + usize::from(cut % 16), 1 + usize::from(cut), output.len().max(1)] {
        let chunks = Chunks { rest: output, chunk };
        let read = lines(chunks, limit, passed_over).now_or_never().expect("nothing to wait for");
        assert_eq!(
            read.expect("no error"),
            expected,
            "chunks of {chunk}: {:?}",
            output.escape_ascii().to_string()
        );
    }
}

/// The lines of an output that is there as a whole.
fn reference(output: &[u8], limit: usize, passed_over: usize) -> Vec<ReadLine> {
    let mut lines: Vec<&[u8]> = output.split(|byte| *byte == b'\n').collect();
    // After the last line end there is no further line.
    let unfinished = lines.pop().filter(|line| !line.is_empty());
    let mut read = Vec::new();
    for line in lines.into_iter().chain(unfinished) {
        if line.len() <= limit {
            read.push(ReadLine::Whole(line.to_vec()));
            continue;
        }
        read.push(ReadLine::TooLong(line[..limit].to_vec()));
        let rest = line.len() - limit;
        if rest > passed_over {
            read.push(ReadLine::GivenUp);
            break;
        }
    }
    read
}

/// An input that gives a chunk at a time.
struct Chunks<'a> {
    rest: &'a [u8],
    chunk: usize,
}

impl AsyncRead for Chunks<'_> {
    fn poll_read(self: Pin<&mut Self>, _: &mut Context<'_>, _: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Err(io::Error::other("lines are read by the chunk")))
    }
}

impl AsyncBufRead for Chunks<'_> {
    fn poll_fill_buf(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.get_mut();
        Poll::Ready(Ok(&this.rest[..this.chunk.min(this.rest.len())]))
    }

    fn consume(self: Pin<&mut Self>, amount: usize) {
        let this = self.get_mut();
        this.rest = &this.rest[amount..];
    }
}
