//! Reads an event stream (WHATWG server-sent events): bytes in, events out, whatever the line ends and chunks are.
//!
//! Own reader, because the one below the SDK refuses streams the standard allows: unknown fields, lines without a
//! colon, a field that stands twice.

use std::borrow::Cow;

/// One event. A field is there only where the stream had it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) name: Option<String>,
    pub(super) data: Option<String>,
    pub(super) id: Option<String>,
    /// Bytes of `data` were not UTF-8. The standard has them replaced, which would change what they stand for in silence.
    pub(super) is_mended: bool,
    /// Milliseconds to wait before the stream is asked for again.
    pub(super) retry: Option<u64>,
}

impl Event {
    /// Whether this event may carry a JSON-RPC message.
    pub(super) fn is_message(&self) -> bool {
        matches!(self.name.as_deref(), None | Some("" | "message"))
    }
}

/// The reader's state between chunks.
#[derive(Debug, Default)]
pub(super) struct EventReader {
    line: Vec<u8>,
    event: Event,
    /// Bytes of the unfinished event so far, without the unfinished line.
    event_bytes: usize,
    /// The last byte was a CR: an LF right after it belongs to the same line end.
    after_cr: bool,
    past_first_line: bool,
}

impl EventReader {
    /// Takes the next chunk; adds each event it completes.
    pub(super) fn push(&mut self, chunk: &[u8], events: &mut Vec<Event>) {
        let mut rest = chunk;
        if self.after_cr
            && let Some((first, others)) = rest.split_first()
        {
            self.after_cr = false;
            if *first == b'\n' {
                rest = others;
            }
        }
        while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, tail) = rest.split_at(end);
            self.line.extend_from_slice(line);
            self.finish_line(events);
            rest = match tail {
                [b'\r', b'\n', others @ ..] | [_, others @ ..] => others,
                [] => tail,
            };
            self.after_cr = tail == b"\r";
        }
        self.line.extend_from_slice(rest);
    }

    /// Bytes held for the event that is not yet complete.
    pub(super) fn held_bytes(&self) -> usize {
        self.event_bytes + self.line.len()
    }

    fn finish_line(&mut self, events: &mut Vec<Event>) {
        let mut bytes = std::mem::take(&mut self.line);
        if !std::mem::replace(&mut self.past_first_line, true) && bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        if bytes.is_empty() {
            self.event_bytes = 0;
            let event = std::mem::take(&mut self.event);
            if event != Event::default() {
                events.push(event);
            }
            return;
        }
        let line = String::from_utf8_lossy(&bytes);
        let (field, value) = line.split_once(':').unwrap_or((line.as_ref(), ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        if field == "data" {
            self.event.is_mended |= matches!(line, Cow::Owned(_));
        }
        match field {
            "data" => match &mut self.event.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.event.data = Some(value.to_owned()),
            },
            "event" => self.event.name = Some(value.to_owned()),
            "id" if !value.contains('\0') => self.event.id = Some(value.to_owned()),
            "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.event.retry = value.parse().ok().or(self.event.retry);
            }
            // A comment, or a field this standard does not know: ignored, as it says.
            _ => return,
        }
        self.event_bytes += line.len() + 1;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A test may fail loudly.
mod tests {
    use super::*;

    fn read(chunks: &[&[u8]]) -> Vec<Event> {
        let (mut reader, mut events) = (EventReader::default(), Vec::new());
        for chunk in chunks {
            reader.push(chunk, &mut events);
        }
        events
    }

    fn data(events: &[Event]) -> Vec<&str> {
        events.iter().filter_map(|event| event.data.as_deref()).collect()
    }

    #[test]
    fn every_line_end_at_every_chunk_boundary() {
        for end in ["\n", "\r\n", "\r"] {
            let stream = [
                "event: message",
                "data: {\"a\":",
                "data: 1}",
                "id: 7",
                "",
                "data: two",
                "",
                "",
            ]
            .join(end)
            .into_bytes();
            for cut in 0..=stream.len() {
                let (left, right) = stream.split_at(cut);
                let events = read(&[left, right]);
                assert_eq!(data(&events), ["{\"a\":\n1}", "two"], "line end {end:?}, cut at {cut}");
                assert_eq!(events[0].id.as_deref(), Some("7"));
                assert_eq!(events[0].name.as_deref(), Some("message"));
            }
            let single: Vec<&[u8]> = stream.chunks(1).collect();
            assert_eq!(
                data(&read(&single)),
                ["{\"a\":\n1}", "two"],
                "line end {end:?}, byte by byte"
            );
        }
    }

    #[test]
    fn a_blank_line_made_of_cr_and_an_empty_chunk() {
        assert_eq!(data(&read(&[b"data: x\r", b"", b"\n\r", b"\n"])), ["x"]);
    }

    #[test]
    fn what_the_standard_says_to_ignore_is_ignored() {
        let events = read(&[b": comment\nunknown: 1\nno colon\nretry: soon\nid: a\0b\nevent: a\nevent: b\ndata:x\n\n"]);
        assert_eq!(
            events,
            [Event {
                name: Some("b".to_owned()),
                data: Some("x".to_owned()),
                id: None,
                is_mended: false,
                retry: None
            }]
        );
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_field() {
        assert_eq!(data(&read(&[b"\xEF\xBB", b"\xBFdata: x\n\n"])), ["x"]);
    }

    #[test]
    fn data_that_is_not_utf_8_is_known_for_it() {
        let events = read(&[b": \xff\nevent: \xff\ndata: x\n\ndata: a\ndata: \xff\n\ndata: y\n\n"]);
        let mended: Vec<_> = events.iter().map(|event| event.is_mended).collect();
        assert_eq!(mended, [false, true, false]);
    }

    #[test]
    fn an_event_cut_off_at_the_end_is_none() {
        assert!(read(&[b"data: x\n"]).is_empty());
    }

    #[test]
    fn held_bytes_count_the_unfinished_event_only() {
        let (mut reader, mut events) = (EventReader::default(), Vec::new());
        reader.push(b"data: 12345\ndata: 12", &mut events);
        assert_eq!(reader.held_bytes(), 12 + 8);
        reader.push(b"\n\nda", &mut events);
        assert_eq!(reader.held_bytes(), 2);
    }
}
