//! The generator: JSON texts with everything in them that is hard to write as Markdown or to read as JSON.

#[path = "../support/random.rs"]
mod numbers;

pub(crate) use numbers::Random;

impl Random {
    /// The JSON text of a value of at most so many levels.
    pub(crate) fn json(&mut self, levels: usize) -> String {
        match self.below(if levels == 0 { 4 } else { 8 }) {
            0 => self.pick(SCALARS).to_owned(),
            1 => self.number(),
            2 | 3 => self.string(),
            4 | 5 => {
                let items: Vec<String> = (0..self.below(4)).map(|_| self.json(levels - 1)).collect();
                format!("[{}]", items.join(","))
            }
            _ => {
                let members: Vec<String> = (0..self.below(4))
                    .map(|_| format!("{}:{}", self.string(), self.json(levels - 1)))
                    .collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }

    /// A value inside a chain of containers.
    pub(crate) fn deep_json(&mut self, levels: usize) -> String {
        let mut json = self.json(2);
        for _ in 0..levels {
            json = match self.below(4) {
                0 => format!("[{json}]"),
                1 => format!("[{},{json}]", self.number()),
                2 => format!("{{{}:{json}}}", self.string()),
                _ => format!("{{{}:{json},{}:null}}", self.string(), self.string()),
            };
        }
        json
    }

    /// A string literal.
    pub(crate) fn string(&mut self) -> String {
        let parts: Vec<&str> = (0..self.below(6)).map(|_| self.pick(PARTS)).collect();
        format!("\"{}\"", parts.concat())
    }

    fn number(&mut self) -> String {
        let digits = |random: &mut Self, most: usize| -> String {
            let first = char::from(b'1' + u8::try_from(random.below(9)).unwrap());
            let rest = (0..random.below(most)).map(|_| char::from(b'0' + u8::try_from(random.below(10)).unwrap()));
            std::iter::once(first).chain(rest.collect::<Vec<_>>()).collect()
        };
        let mut number = String::from(self.pick(&["", "-"]));
        number.push_str(&digits(self, 30));
        if self.below(3) == 0 {
            number.push('.');
            number.push_str(&digits(self, 20));
        }
        if self.below(3) == 0 {
            number.push_str(self.pick(&["e", "E", "e+", "E-"]));
            number.push_str(&digits(self, 4));
        }
        number
    }
}

const SCALARS: &[&str] = &["true", "false", "null", "0", "-0", "0.00", "1e400", "\"\"", "{}", "[]"];

/// Pieces of string literals, as they stand in JSON.
const PARTS: &[&str] = &[
    "a",
    "word ",
    " ",
    "温度",
    "😀",
    "`",
    "``",
    "```",
    "~~~",
    "\\n",
    "\\n\\n",
    "\\u000a",
    "\\r\\n",
    "\\r",
    "\\t",
    "\\n## Notes\\n",
    "\\n## Details\\n\\n",
    "\\n```\\n## Error details\\n",
    "# x",
    "\\n- `a`: `1`",
    "\\n  - item 0:",
    "\\n    ",
    "- ",
    ": ",
    "\\\"",
    "\\\\",
    "\\\\n",
    "\\/",
    "\\u0000",
    "\\u001b[0m",
    "\\u000b",
    "\\f",
    "\\b",
    "\u{85}",
    "\u{2028}",
    "\\u2029",
    "\u{7f}",
    "\u{202e}",
    "\\ud83d\\ude00",
    "\\ud800",
    "\\uDC00",
    "\\u0060",
    "<script>",
    "[x]: y",
    "$",
    "{}",
];
