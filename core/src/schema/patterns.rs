//! The regular expressions of a schema: how much work each is to compile, and taking some of them out.

use std::collections::HashSet;
use std::iter::Peekable;
use std::str::Chars;

use serde_json::Value;

use super::compiler::Purpose;

/// What the patterns of one schema may weigh together, in states of a compiled expression. A state takes about 5 µs in an
/// unoptimised build and 100 bytes, so the patterns of a schema take some 100 ms there, and 2 MB, at most.
const BUDGET: u64 = 20_000;

/// What a pattern weighs at least: reading it is work too.
const LEAST: u64 = 16;

/// States of a class that holds nearly every character, such as `.` and `[^a]`: a character has up to four bytes.
const WIDE: u64 = 12;

/// States of `\w`, which some of the compiler's ways read as a class of Unicode.
const WORD: u64 = 200;

/// States of a class of Unicode, such as `\p{L}`.
const UNICODE: u64 = 400;

/// The patterns that the budget of one schema does not reach to. Which these are depends on nothing but the schema.
#[derive(Default)]
pub(super) struct Unchecked {
    /// The first of them.
    pub(super) first: Option<String>,
    all: HashSet<String>,
}

impl Unchecked {
    /// Those of a schema. Each pattern counts once, however often it stands there, in the order of the schema.
    pub(super) fn of(schema: &Value) -> Self {
        let mut unchecked = Self::default();
        let mut seen = HashSet::new();
        let mut left = BUDGET;
        each(schema, &mut |pattern| {
            if !seen.insert(pattern) {
                return;
            }
            if let Some(rest) = left.checked_sub(weight(pattern)) {
                left = rest;
            } else {
                unchecked.first.get_or_insert_with(|| pattern.to_owned());
                unchecked.all.insert(pattern.to_owned());
            }
        });
        unchecked
    }

    pub(super) fn contains(&self, pattern: &str) -> bool {
        self.all.contains(pattern)
    }
}

/// Looks at every `pattern` and `patternProperties`, in data such as an `enum` too: a reference can make a schema of it.
fn each<'schema>(value: &'schema Value, look: &mut impl FnMut(&'schema str)) {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(pattern)) = map.get("pattern") {
                look(pattern);
            }
            if let Some(Value::Object(properties)) = map.get("patternProperties") {
                properties.keys().for_each(|pattern| look(pattern));
            }
            map.values().for_each(|value| each(value, look));
        }
        Value::Array(items) => items.iter().for_each(|item| each(item, look)),
        _ => {}
    }
}

/// Takes patterns out of a schema, in data too: no data keeps a schema from compiling. What is compared with a value of an
/// `enum` that has lost its member `pattern` is warned of without need; nothing is refused for it.
pub(super) fn take_out(value: &mut Value, purpose: Purpose, is_taken: &mut impl FnMut(&str) -> bool) {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(pattern)) = map.get("pattern")
                && is_taken(pattern)
            {
                map.shift_remove("pattern");
            }
            let mut loses_names = false;
            if let Some(Value::Object(properties)) = map.get_mut("patternProperties") {
                *properties = std::mem::take(properties)
                    .into_iter()
                    .enumerate()
                    .map(|(index, (pattern, schema))| {
                        // Its schema is still compiled, under a pattern that is none.
                        let pattern = if is_taken(&pattern) {
                            loses_names = true;
                            format!("taken out {index}")
                        } else {
                            pattern
                        };
                        (pattern, schema)
                    })
                    .collect();
            }
            if loses_names && purpose == Purpose::Validate {
                // What this says holds for names that fit none of the patterns, and which these are is not known.
                map.shift_remove("additionalProperties");
            }
            map.values_mut().for_each(|value| take_out(value, purpose, is_taken));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| take_out(item, purpose, is_taken)),
        _ => {}
    }
}

/// About how many states a pattern is compiled to: its characters and classes, each as often as the repetitions around
/// it write it out.
fn weight(pattern: &str) -> u64 {
    let mut chars = pattern.chars().peekable();
    // What stands before each group that is open.
    let mut outer = Vec::new();
    let mut sum = 0_u64;
    // The last character, class or group, which a repetition after it repeats.
    let mut last = 0;
    while let Some(char) = chars.next() {
        last = match char {
            '(' => {
                outer.push(sum);
                sum = 0;
                0
            }
            ')' => {
                let group = sum.saturating_add(1);
                sum = outer.pop().unwrap_or_default();
                group
            }
            '[' => class(&mut chars),
            '\\' => escape(&mut chars),
            '.' => WIDE,
            '{' => match repetitions(&mut chars) {
                Some(times) => {
                    sum = sum.saturating_sub(last);
                    last.saturating_mul(times)
                }
                None => 1,
            },
            // What stands before it is written out once.
            '*' | '+' | '?' => {
                sum = sum.saturating_add(1);
                continue;
            }
            other => width(other),
        };
        sum = sum.saturating_add(last);
    }
    let states = outer.into_iter().fold(sum, u64::saturating_add).max(LEAST);
    // With these the compiler reads `\w` and `\d` as classes of Unicode, and tries in more than one way.
    let looks_around = ["(?=", "(?!", "(?<"].iter().any(|group| pattern.contains(group));
    states.saturating_mul(if looks_around { 4 } else { 1 })
}

/// The rest of a class, after its bracket.
fn class(chars: &mut Peekable<Chars<'_>>) -> u64 {
    let mut sum = if chars.next_if_eq(&'^').is_some() { WIDE } else { 1 };
    while let Some(char) = chars.next() {
        match char {
            ']' => break,
            '\\' => sum = sum.saturating_add(escape(chars)),
            // ASCII shares its states.
            other => sum = sum.saturating_add(width(other) - 1),
        }
    }
    sum
}

/// The rest of an escape, after its backslash.
fn escape(chars: &mut Peekable<Chars<'_>>) -> u64 {
    let Some(char) = chars.next() else { return 1 };
    if matches!(char, 'p' | 'P' | 'u' | 'x') && chars.next_if_eq(&'{').is_some() {
        // The name of a class, or the number of a character: no repetition.
        let _name = chars.by_ref().find(|char| *char == '}');
    }
    match char {
        'p' | 'P' => UNICODE,
        'w' | 'W' => WORD,
        'd' | 'D' | 's' | 'S' | 'u' | 'x' => WIDE,
        other => width(other),
    }
}

/// How often `{2}`, `{2,}` or `{2,5}` writes out what stands before it; `None`, with nothing read, where it is none.
fn repetitions(chars: &mut Peekable<Chars<'_>>) -> Option<u64> {
    let mut ahead = chars.clone();
    let mut times = 0_u64;
    let mut number = 0_u64;
    loop {
        match ahead.next()? {
            digit @ '0'..='9' => {
                let digit = u64::from(digit) - u64::from('0');
                number = number.saturating_mul(10).saturating_add(digit);
            }
            ',' | ' ' => {
                times = times.max(number);
                number = 0;
            }
            '}' => break,
            _ => return None,
        }
    }
    *chars = ahead;
    Some(times.max(number).max(1))
}

/// Bytes of a character.
fn width(char: char) -> u64 {
    if char.is_ascii() { 1 } else { 4 }
}
