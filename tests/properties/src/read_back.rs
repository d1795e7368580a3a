//! Reads the Markdown of a structured value back into JSON: what is lost, forged or closed too early shows here.

/// The JSON text that the lines stand for; panics on a line that does not belong to a value.
pub fn value(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut reader = Reader { lines: &lines, at: 0 };
    let json = reader.root();
    assert_eq!(
        reader.at,
        lines.len(),
        "there is more after the value: {:?}",
        &lines[reader.at..]
    );
    json
}

struct Reader<'a> {
    lines: &'a [&'a str],
    at: usize,
}

impl<'a> Reader<'a> {
    fn root(&mut self) -> String {
        if self.lines[0].starts_with("- ") {
            return self.list(0);
        }
        match span(self.lines[0]) {
            Some((content, rest)) => {
                assert_eq!(rest, "", "there is more after a scalar");
                self.at += 1;
                content.to_owned()
            }
            None => self.fence(self.lines[0], 0),
        }
    }

    /// The list whose dashes are indented by so much.
    fn list(&mut self, indent: usize) -> String {
        let mut members = Vec::new();
        let mut items = Vec::new();
        while let Some(entry) = self.entry(indent) {
            if entry == format!("item {}:", items.len()) {
                self.at += 1;
                items.push(self.list(indent + 2));
                continue;
            }
            let Some((content, rest)) = span(entry) else {
                let text = self.fence(entry, indent + 2);
                items.push(text);
                continue;
            };
            if rest.is_empty() {
                self.at += 1;
                items.push(content.to_owned());
                continue;
            }
            let name = if content.starts_with('"') {
                content.to_owned()
            } else {
                serde_json::Value::from(content).to_string()
            };
            let value = if let Some(scalar) = rest.strip_prefix(": ") {
                let (content, rest) = span(scalar).expect("a scalar");
                assert_eq!(rest, "", "there is more after a scalar");
                self.at += 1;
                content.to_owned()
            } else {
                assert_eq!(rest, ":");
                self.at += 1;
                let next = self.lines[self.at];
                let inner = next.strip_prefix(&" ".repeat(indent + 2)).expect("an indented line");
                if inner.starts_with("- ") {
                    self.list(indent + 2)
                } else {
                    self.fence(inner, indent + 2)
                }
            };
            members.push(format!("{name}:{value}"));
        }
        match (members.is_empty(), items.is_empty()) {
            (false, true) => format!("{{{}}}", members.join(",")),
            (true, false) => format!("[{}]", items.join(",")),
            _ => panic!("a list is empty, or of two kinds"),
        }
    }

    /// What stands after the dash of the next line, where that is an entry of the list.
    fn entry(&self, indent: usize) -> Option<&'a str> {
        self.lines
            .get(self.at)?
            .strip_prefix(&" ".repeat(indent))?
            .strip_prefix("- ")
    }

    /// The string that stands in a fence whose first line is the present one.
    fn fence(&mut self, opening: &str, indent: usize) -> String {
        assert!(
            opening.len() >= 3 && opening.bytes().all(|byte| byte == b'`'),
            "no fence: {opening:?}"
        );
        let closing = format!("{}{opening}", " ".repeat(indent));
        let mut text = Vec::new();
        loop {
            self.at += 1;
            let line = self.lines[self.at];
            if line == closing {
                break;
            }
            let line = match line {
                "" => "",
                line => line.strip_prefix(&" ".repeat(indent)).expect("a line is not indented"),
            };
            let run = line.split(|other| other != '`').map(str::len).max().unwrap();
            assert!(run < opening.len(), "a run of backticks is as long as the fence");
            text.push(line);
        }
        self.at += 1;
        let text = text.join("\n");
        assert!(text.contains('\n'), "a fence around one line");
        serde_json::Value::from(text).to_string()
    }
}

/// The content of the code span at the start of a line, as Markdown delimits it, and what comes after; `None` where
/// the line's first run of backticks is not closed.
fn span(line: &str) -> Option<(&str, &str)> {
    let delimiter = line.len() - line.trim_start_matches('`').len();
    assert!(delimiter > 0, "neither a span nor a fence: {line:?}");
    let mut at = delimiter;
    while at < line.len() {
        let rest = &line[at..];
        let before = rest.len() - rest.trim_start_matches(|other| other != '`').len();
        at += before;
        let run = line[at..].len() - line[at..].trim_start_matches('`').len();
        if run == delimiter {
            let content = &line[delimiter..at];
            assert!(
                !content.starts_with([' ', '`']) && !content.ends_with([' ', '`']),
                "a span loses its end: {line:?}"
            );
            return Some((content, &line[at + run..]));
        }
        at += run;
    }
    None
}
