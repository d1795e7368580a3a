//! Event streams: the same events whatever the chunks, those that a reader finds which looks at the whole stream, line by
//! line, as the standard is written; and no more is held than came.

use toolgate_host::mcp::readers::{ReadEvent, events};

/// The first byte says how long the chunks are; the rest is the stream.
pub fn check(input: &[u8]) {
    let Some((&cut, stream)) = input.split_first() else {
        return;
    };
    let whole = events([stream]);
    assert_eq!(whole.0, reference(stream), "{:?}", stream.escape_ascii().to_string());
    // What is no UTF-8 is held as the character that stands for it, of three bytes.
    assert!(whole.1 <= 3 * stream.len());
    for chunk in [1, 1 + usize::from(cut % 16), 1 + usize::from(cut)] {
        assert_eq!(events(stream.chunks(chunk)), whole, "in chunks of {chunk}");
    }
    let (left, right) = stream.split_at(usize::from(cut).min(stream.len()));
    assert_eq!(events([left, &[], right]), whole, "cut at {cut}");
}

/// Events as WHATWG's standard reads them: decode, split into lines, take each line apart, dispatch at an empty one.
fn reference(stream: &[u8]) -> Vec<ReadEvent> {
    let stream = stream.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(stream);
    let mut events = Vec::new();
    let mut event = ReadEvent::default();
    let mut rest = stream;
    while let Some(end) = rest.iter().position(|byte| b"\r\n".contains(byte)) {
        let line = String::from_utf8_lossy(&rest[..end]).into_owned();
        let after = if rest[end..].starts_with(b"\r\n") { 2 } else { 1 };
        rest = &rest[end + after..];
        if line.is_empty() {
            let event = std::mem::take(&mut event);
            if event != ReadEvent::default() {
                events.push(event);
            }
            continue;
        }
        let (field, value) = match line.find(':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line.as_str(), ""),
        };
        let value = if let Some(' ') = value.chars().next() { &value[1..] } else { value };
        match field {
            "event" => event.name = Some(value.to_owned()),
            "data" => {
                let data = event.data.take().map(|data| data + "\n").unwrap_or_default();
                event.data = Some(data + value);
            }
            "id" if value.find('\0').is_none() => event.id = Some(value.to_owned()),
            "retry" if !value.is_empty() && value.chars().all(|digit| digit.is_ascii_digit()) => {
                if let Ok(milliseconds) = value.parse() {
                    event.retry = Some(milliseconds);
                }
            }
            _ => {}
        }
    }
    events
}
