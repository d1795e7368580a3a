//! The form in which inputs are committed: a line of `tests/corpus/<property>.txt` is one, with what is no printable ASCII
//! escaped as in Rust's byte strings. So a file can be read, compared, and added to by hand.

/// Reads the inputs of a file; where a line is none, its number.
pub fn read(text: &str) -> Result<Vec<Vec<u8>>, usize> {
    text.lines()
        .enumerate()
        .map(|(index, line)| input(line).ok_or(index + 1))
        .collect()
}

/// Writes inputs as such a file, in one order whatever theirs is.
pub fn write(mut inputs: Vec<Vec<u8>>) -> String {
    inputs.sort_by(|one, other| one.len().cmp(&other.len()).then_with(|| one.cmp(other)));
    inputs.dedup();
    let mut text = String::new();
    for input in inputs {
        for byte in input {
            match byte {
                b'\\' => text.push_str("\\\\"),
                b' '..=b'~' => text.push(char::from(byte)),
                _ => text.extend(std::ascii::escape_default(byte).map(char::from)),
            }
        }
        text.push('\n');
    }
    text
}

fn input(line: &str) -> Option<Vec<u8>> {
    let mut input = Vec::with_capacity(line.len());
    let mut rest = line.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        let (byte, after) = match (byte, after) {
            (b'\\', [b'x', high, low, after @ ..]) => {
                let digit = |digit: &u8| {
                    char::from(*digit)
                        .to_digit(16)
                        .and_then(|digit| u8::try_from(digit).ok())
                };
                (digit(high)? << 4 | digit(low)?, after)
            }
            (b'\\', [b'n', after @ ..]) => (b'\n', after),
            (b'\\', [b'r', after @ ..]) => (b'\r', after),
            (b'\\', [b't', after @ ..]) => (b'\t', after),
            (b'\\', [b'\\', after @ ..]) => (b'\\', after),
            (b'\\', _) => return None,
            (byte, after) => (*byte, after),
        };
        input.push(byte);
        rest = after;
    }
    Some(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back() {
        let inputs = vec![Vec::new(), b"\\n\\".to_vec(), (0..=255).collect()];
        let text = write(inputs.clone());
        assert_eq!(text.lines().count(), 3);
        assert!(text.is_ascii());
        assert_eq!(read(&text), Ok(inputs));
    }

    #[test]
    fn a_line_that_is_none_is_named() {
        assert_eq!(read("a\n\\q\n"), Err(2));
        assert_eq!(read("\\x0g"), Err(1));
        assert_eq!(read("\\"), Err(1));
    }
}
