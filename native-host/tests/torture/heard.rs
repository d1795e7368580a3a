//! What a server got, as words in a fixed order with how often each came: `initialize, tools/list ×2, DELETE`. The
//! table may say `×0..3` where the number is open.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use serde_json::Value;
use toolgate_testkit::Received;

/// Words by their place in the order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard(BTreeMap<(usize, String), usize>);

const ORDER: &[&str] = &[
    "discover",
    "initialize",
    "initialized",
    "GET",
    "GET again",
    "tools/list",
    "tools/call",
];

impl Heard {
    /// The requests of a server over HTTP.
    pub fn requests(received: &[Received]) -> Self {
        Self::words(received.iter().map(|request| match request.method.as_str() {
            _ if request.is_cut => "tools/call cut short".to_owned(),
            "POST" => message(&request.json(), &request.rpc()),
            "GET" if !request.header("last-event-id").is_empty() => "GET again".to_owned(),
            other => other.to_owned(),
        }))
    }

    /// The methods that a server got by its standard input; that of an answer is empty.
    pub fn methods<'a>(methods: impl Iterator<Item = &'a str>) -> Self {
        Self::words(methods.map(|method| message(&Value::Null, method)))
    }

    fn words(words: impl Iterator<Item = String>) -> Self {
        let mut counts = BTreeMap::new();
        for word in words {
            *counts.entry(placed(word)).or_default() += 1;
        }
        Self(counts)
    }

    /// How often a word came.
    pub fn count(&self, word: &str) -> usize {
        self.0.get(&placed(word.to_owned())).copied().unwrap_or_default()
    }

    /// Whether it is what the table says.
    pub fn fits(&self, expected: &str) -> bool {
        let expected = read(expected);
        expected
            .iter()
            .all(|(word, range)| range.contains(&self.0.get(word).copied().unwrap_or_default()))
            && self.0.keys().all(|word| expected.contains_key(word))
    }
}

impl fmt::Display for Heard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return formatter.write_str("nothing");
        }
        let words: Vec<_> = self
            .0
            .iter()
            .map(|((_, word), count)| {
                if *count == 1 {
                    word.clone()
                } else {
                    format!("{word} ×{count}")
                }
            })
            .collect();
        formatter.write_str(&words.join(", "))
    }
}

fn read(text: &str) -> BTreeMap<(usize, String), RangeInclusive<usize>> {
    let words = text.split(", ").filter(|word| !word.is_empty() && *word != "nothing");
    let with_range = |word: &str| {
        let (word, count) = word.split_once(" ×").unwrap_or((word, "1"));
        let (least, most) = count.split_once("..").unwrap_or((count, count));
        (placed(word.to_owned()), least.parse().unwrap()..=most.parse().unwrap())
    };
    words.map(with_range).collect()
}

fn placed(word: String) -> (usize, String) {
    let last = usize::from(word == "DELETE");
    let place = ORDER.iter().position(|other| *other == word);
    (place.unwrap_or(ORDER.len() + last), word)
}

fn message(body: &Value, method: &str) -> String {
    match method {
        "" => match body.pointer("/error/code") {
            Some(code) => format!("answer {code}"),
            None => "answer".to_owned(),
        },
        "server/discover" => "discover".to_owned(),
        other => other.trim_start_matches("notifications/").to_owned(),
    }
}
