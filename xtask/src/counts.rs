//! Reading how many tests passed and failed from what the test programs print.

use std::ops::AddAssign;

/// Numbers of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// How many passed.
    pub(crate) passed: u64,
    /// How many failed, or could not be run.
    pub(crate) failed: u64,
}

impl Counts {
    /// Adds what a line of output says, if it is a summary of Rust's test programs (`test result: ok. 3 passed; …`) or
    /// of Node's test runner (`# pass 3`, or with an information sign).
    pub(crate) fn read(&mut self, line: &str) {
        if let Some(summary) = line.trim_start().strip_prefix("test result:") {
            self.passed += number_before(summary, " passed");
            self.failed += number_before(summary, " failed");
        } else if let Some(summary) = line.strip_prefix("# ").or_else(|| line.strip_prefix("\u{2139} ")) {
            let mut words = summary.split(' ');
            let (word, number) = (words.next(), words.next().and_then(|number| number.parse::<u64>().ok()));
            match (word, number, words.next()) {
                (Some("pass"), Some(number), None) => self.passed += number,
                (Some("fail" | "cancelled"), Some(number), None) => self.failed += number,
                _ => {}
            }
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

fn number_before(text: &str, word: &str) -> u64 {
    text.split_once(word)
        .and_then(|(before, _)| before.rsplit(' ').next())
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Counts {
        let mut counts = Counts::default();
        text.lines().for_each(|line| counts.read(line));
        counts
    }

    #[test]
    fn rust_summaries_add_up() {
        let output = "running 2 tests\n\
            test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
            test result: FAILED. 3 passed; 4 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
        assert_eq!(read(output), Counts { passed: 5, failed: 4 });
    }

    #[test]
    fn node_summaries_of_both_reporters_count() {
        assert_eq!(
            read("# tests 4\n# pass 3\n# fail 1\n# cancelled 0\n"),
            Counts { passed: 3, failed: 1 }
        );
        let spec = "\u{2139} tests 4\n\u{2139} pass 2\n\u{2139} fail 1\n\u{2139} cancelled 1\n";
        assert_eq!(read(spec), Counts { passed: 2, failed: 2 });
    }

    #[test]
    fn what_a_test_prints_is_no_summary() {
        assert_eq!(read("# pass the salt\n2 passed\n# pass 3 of 4\n"), Counts::default());
    }
}
