//! Licences as packages state them: an SPDX expression, or the older form with `/` for a choice.

/// Whether the expression can be met with the allowed licences alone. One that cannot be read is not met.
pub(super) fn is_allowed(expression: &str, allowed: &[impl AsRef<str>]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader {
        tokens: &tokens,
        allowed: &|license| allowed.iter().any(|one| one.as_ref() == license),
    };
    reader.choice() == Some(true) && reader.tokens.is_empty()
}

/// Reads an expression from the left; `None` where it is none.
struct Reader<'a> {
    tokens: &'a [&'a str],
    allowed: &'a dyn Fn(&str) -> bool,
}

impl<'a> Reader<'a> {
    /// Of parts with `OR` between them one is enough.
    fn choice(&mut self) -> Option<bool> {
        let mut met = self.sum()?;
        while self.takes("OR") {
            met |= self.sum()?;
        }
        Some(met)
    }

    /// Of parts with `AND` between them, which binds closer, each is needed.
    fn sum(&mut self) -> Option<bool> {
        let mut met = self.part()?;
        while self.takes("AND") {
            met &= self.part()?;
        }
        Some(met)
    }

    fn part(&mut self) -> Option<bool> {
        if self.takes("(") {
            let met = self.choice()?;
            return self.takes(")").then_some(met);
        }
        let license = self.next()?;
        if matches!(license, "OR" | "AND" | "WITH" | ")") {
            return None;
        }
        if self.takes("WITH") {
            let exception = self.next()?;
            return Some((self.allowed)(&format!("{license} WITH {exception}")));
        }
        Some((self.allowed)(license))
    }

    fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(first)
    }

    fn takes(&mut self, token: &str) -> bool {
        let is_next = self.tokens.first() == Some(&token);
        if is_next {
            self.next();
        }
        is_next
    }
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn an_expression_is_met_by_what_is_allowed() {
        for (expression, expected) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("GPL-3.0 OR MIT", true),
            ("GPL-3.0/MIT", true),
            ("Apache-2.0 / MIT", true),
            ("GPL-3.0 AND MIT", false),
            ("Apache-2.0 AND MIT", true),
            // AND binds closer than OR.
            ("MIT OR GPL-3.0 AND Apache-2.0", true),
            ("GPL-3.0 AND Apache-2.0 OR GPL-2.0 AND MIT", false),
            ("(MIT OR GPL-3.0) AND GPL-2.0", false),
            ("(MIT OR GPL-3.0) AND Apache-2.0", true),
            ("GPL-2.0 WITH Classpath-exception-2.0", false),
            ("X WITH Y", true),
            ("X", false),
            ("", false),
            ("MIT OR", false),
            ("MIT MIT", false),
            ("(MIT", false),
            ("SEE LICENSE IN LICENSE", false),
        ] {
            assert_eq!(
                is_allowed(expression, &["MIT", "Apache-2.0", "X WITH Y"]),
                expected,
                "{expression}"
            );
        }
    }
}
