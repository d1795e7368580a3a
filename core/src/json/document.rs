//! A JSON text with the place of every value in it, for looking values up by JSON Pointer (RFC 6901).

use std::borrow::Cow;
use std::ops::Range;

use serde_json::value::RawValue;

use super::tokens::Tokens;

/// A JSON text taken apart. Building it takes time in proportion to the text, and no stack.
pub(crate) struct Document<'a> {
    text: &'a str,
    /// Each value after what it holds; the root is the last.
    values: Vec<Node<'a>>,
}

/// The number of a value in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Id(usize);

struct Node<'a> {
    span: Range<usize>,
    kind: Kind<'a>,
}

/// What a value is.
pub(crate) enum Kind<'a> {
    /// A string, a number, `true`, `false` or `null`.
    Scalar,
    List(Vec<Id>),
    Object(Vec<Member<'a>>),
}

/// A member of an object.
pub(crate) struct Member<'a> {
    /// What its key stands for; none where that is no Unicode text.
    pub(crate) key: Option<Cow<'a, str>>,
    /// Where its key begins.
    pub(crate) start: usize,
    pub(crate) value: Id,
}

/// A container whose end has not been read.
struct Open<'a> {
    start: usize,
    kind: Kind<'a>,
    /// The key before the value that is read next, and where it begins.
    key: Option<(Option<Cow<'a, str>>, usize)>,
}

impl<'a> Document<'a> {
    /// Reads a text; `None` where it is no JSON.
    pub(crate) fn of(text: &'a str) -> Option<Self> {
        serde_json::from_str::<&RawValue>(text).ok()?;
        let mut document = Self {
            text,
            values: Vec::new(),
        };
        let mut open: Vec<Open<'a>> = Vec::new();
        for token in Tokens::of(text) {
            let start = token.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
            let span = start..start.checked_add(token.len())?;
            let node = match token {
                "," | ":" => continue,
                "{" | "[" => {
                    let kind = if token == "{" {
                        Kind::Object(Vec::new())
                    } else {
                        Kind::List(Vec::new())
                    };
                    open.push(Open { start, kind, key: None });
                    continue;
                }
                "}" | "]" => {
                    let container = open.pop()?;
                    Node {
                        span: container.start..span.end,
                        kind: container.kind,
                    }
                }
                scalar => {
                    if let Some(Open {
                        kind: Kind::Object(_),
                        key: key @ None,
                        ..
                    }) = open.last_mut()
                    {
                        *key = Some((super::split::decode(scalar), start));
                        continue;
                    }
                    Node {
                        span,
                        kind: Kind::Scalar,
                    }
                }
            };
            let value = Id(document.values.len());
            document.values.push(node);
            match open.last_mut() {
                Some(Open {
                    kind: Kind::List(items),
                    ..
                }) => items.push(value),
                Some(Open {
                    kind: Kind::Object(members),
                    key,
                    ..
                }) => {
                    let (key, start) = key.take()?;
                    members.push(Member { key, start, value });
                }
                _ => {}
            }
        }
        Some(document)
    }

    /// The whole.
    pub(crate) fn root(&self) -> Id {
        Id(self.values.len().saturating_sub(1))
    }

    pub(crate) fn source(&self) -> &'a str {
        self.text
    }

    pub(crate) fn kind(&self, value: Id) -> &Kind<'a> {
        self.values.get(value.0).map_or(&Kind::Scalar, |node| &node.kind)
    }

    pub(crate) fn span(&self, value: Id) -> Range<usize> {
        self.values.get(value.0).map_or(0..0, |node| node.span.clone())
    }

    /// A value as it is spelled.
    pub(crate) fn text(&self, value: Id) -> &'a str {
        self.text.get(self.span(value)).unwrap_or_default()
    }

    /// What a string stands for; `None` where the value is no string, or no Unicode text.
    pub(crate) fn string(&self, value: Id) -> Option<Cow<'a, str>> {
        super::split::decode(self.text(value))
    }

    /// The value of an object's member; where the key stands twice, the last one.
    pub(crate) fn member(&self, object: Id, key: &str) -> Option<Id> {
        let Kind::Object(members) = self.kind(object) else {
            return None;
        };
        let found = members.iter().rfind(|member| member.key.as_deref() == Some(key))?;
        Some(found.value)
    }

    /// The value that a pointer leads to.
    pub(crate) fn at(&self, pointer: &str) -> Option<Id> {
        steps(pointer)?.try_fold(self.root(), |value, step| self.step(value, &step))
    }

    /// One step further.
    pub(crate) fn step(&self, value: Id, step: &str) -> Option<Id> {
        match self.kind(value) {
            Kind::Object(_) => self.member(value, step),
            Kind::List(items) => items.get(index(step)?).copied(),
            Kind::Scalar => None,
        }
    }
}

/// The steps of a pointer, taken out of their escapes; `None` where it is no pointer.
pub(crate) fn steps(pointer: &str) -> Option<impl Iterator<Item = String> + '_> {
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return None;
    }
    Some(
        pointer
            .split('/')
            .skip(1)
            .map(|step| step.replace("~1", "/").replace("~0", "~")),
    )
}

/// The pointer one step further.
pub(crate) fn pointer_to(parent: &str, step: &str) -> String {
    format!("{parent}/{}", step.replace('~', "~0").replace('/', "~1"))
}

/// The index that a step stands for.
pub(crate) fn index(step: &str) -> Option<usize> {
    let plain = step == "0" || step.starts_with(|first: char| matches!(first, '1'..='9'));
    if plain { step.parse().ok() } else { None }
}
