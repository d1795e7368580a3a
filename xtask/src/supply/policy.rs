//! What `deny.toml` says, read line by line: it has one entry a line.

/// What a workspace allows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Policy {
    /// The licences.
    pub(super) allow: Vec<String>,
    /// The crates, as `name@version`, that may be here beside another version; `None` where any may.
    pub(super) skip: Option<Vec<String>>,
}

impl Policy {
    /// Reads the text of a `deny.toml`.
    pub(super) fn read(text: &str) -> Self {
        let skip = list(text, "skip = [");
        Self {
            allow: list(text, "allow = [").iter().filter_map(|line| quoted(line)).collect(),
            skip: (!text.lines().any(|line| line == "multiple-versions = \"allow\""))
                .then(|| skip.iter().filter_map(|line| quoted(line)).collect()),
        }
    }
}

/// The lines between one that opens a list and the one that closes it.
fn list<'a>(text: &'a str, opening: &str) -> Vec<&'a str> {
    let mut lines = text.lines().skip_while(|line| *line != opening);
    lines.next();
    lines.take_while(|line| *line != "]").collect()
}

/// The first quoted text of a line.
fn quoted(line: &str) -> Option<String> {
    line.trim_start().starts_with(['"', '{']).then_some(())?;
    line.split('"').nth(1).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::Policy;

    #[test]
    fn the_lists_are_read_and_what_allows_every_version_too() {
        let text = "[licenses]\nallow = [\n    \"MIT\", # short\n    # \"GPL-3.0\",\n    \"Zlib\",\n]\n\
            [bans]\nskip = [\n    { crate = \"a@1.0.0\", reason = \"b's\" },\n]\n";
        let expected = Policy {
            allow: vec!["MIT".to_owned(), "Zlib".to_owned()],
            skip: Some(vec!["a@1.0.0".to_owned()]),
        };
        assert_eq!(Policy::read(text), expected);
        assert_eq!(Policy::read("multiple-versions = \"allow\"\n").skip, None);
    }
}
