//! Whether two JSON texts stand for the same value.

use std::borrow::Cow;

use super::literal::{Unit, units};
use super::tokens::Tokens;

/// Whether two JSON texts stand for the same value: whatever the white space, the escapes in strings, the order of an
/// object's members and the spelling of numbers, which are compared as decimals of any length, never as floats (`1e2`
/// is `100`, `-0` is `0`). Where a key stands twice in an object, each of its values counts, in their order.
///
/// The texts must be JSON. Takes time in proportion to their length (times a logarithm for large objects), and no stack.
pub fn equal(one: &str, other: &str) -> bool {
    let one = Tree::of(one);
    let other = Tree::of(other);
    let (Some(root), Some(other_root)) = (one.root(), other.root()) else {
        return false;
    };
    let mut pairs = vec![(root, other_root)];
    while let Some(pair) = pairs.pop() {
        match pair {
            (Node::Text(one), Node::Text(other)) if one == other => {}
            (Node::Scalar(one), Node::Scalar(other)) if same_scalar(one, other) => {}
            (Node::List(items), Node::List(others)) if items.len() == others.len() => {
                for (item, counterpart) in items.iter().zip(others) {
                    let (Some(item), Some(counterpart)) = (one.nodes.get(*item), other.nodes.get(*counterpart)) else {
                        return false;
                    };
                    pairs.push((item, counterpart));
                }
            }
            (Node::Object(members), Node::Object(others)) if members.len() == others.len() => {
                for ((key, value), (other_key, counterpart)) in members.iter().zip(others) {
                    if key != other_key {
                        return false;
                    }
                    let (Some(value), Some(counterpart)) = (one.nodes.get(*value), other.nodes.get(*counterpart))
                    else {
                        return false;
                    };
                    pairs.push((value, counterpart));
                }
            }
            _ => return false,
        }
    }
    true
}

/// What a string stands for.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Text<'a> {
    Unicode(Cow<'a, str>),
    /// With a lone surrogate: its code units.
    Odd(Vec<u16>),
}

impl<'a> Text<'a> {
    fn of(literal: &'a str) -> Self {
        if !literal.contains('\\') {
            return Self::Unicode(Cow::Borrowed(literal.trim_matches('"')));
        }
        let mut text = String::with_capacity(literal.len());
        for unit in units(literal) {
            match unit {
                Unit::Char(character) => text.push(character),
                Unit::Lone(_) => return Self::odd(literal),
            }
        }
        Self::Unicode(Cow::Owned(text))
    }

    fn odd(literal: &str) -> Self {
        let mut code_units = Vec::with_capacity(literal.len());
        for unit in units(literal) {
            match unit {
                Unit::Char(character) => code_units.extend_from_slice(character.encode_utf16(&mut [0; 2])),
                Unit::Lone(lone) => code_units.push(lone),
            }
        }
        Self::Odd(code_units)
    }
}

enum Node<'a> {
    /// A number, `true`, `false` or `null`.
    Scalar(&'a str),
    Text(Text<'a>),
    List(Vec<usize>),
    /// Sorted by key.
    Object(Vec<(Text<'a>, usize)>),
}

/// All values of a text, each after what it holds; the root is the last.
struct Tree<'a> {
    nodes: Vec<Node<'a>>,
}

/// A container whose end has not been read.
enum Open<'a> {
    List(Vec<usize>),
    Object(Vec<(Text<'a>, usize)>, Option<Text<'a>>),
}

impl<'a> Tree<'a> {
    fn of(text: &'a str) -> Self {
        let mut tree = Self { nodes: Vec::new() };
        let mut open: Vec<Open<'a>> = Vec::new();
        for token in Tokens::of(text) {
            let node = match token {
                "," | ":" => continue,
                "{" => {
                    open.push(Open::Object(Vec::new(), None));
                    continue;
                }
                "[" => {
                    open.push(Open::List(Vec::new()));
                    continue;
                }
                "}" | "]" => match open.pop() {
                    Some(Open::List(items)) => Node::List(items),
                    Some(Open::Object(mut members, _)) => {
                        // Stable: the values of a key that stands twice stay in their order.
                        members.sort_by(|(one, _), (other, _)| one.cmp(other));
                        Node::Object(members)
                    }
                    None => continue,
                },
                string if string.starts_with('"') => {
                    if let Some(Open::Object(_, key @ None)) = open.last_mut() {
                        *key = Some(Text::of(string));
                        continue;
                    }
                    Node::Text(Text::of(string))
                }
                scalar => Node::Scalar(scalar),
            };
            let id = tree.nodes.len();
            tree.nodes.push(node);
            match open.last_mut() {
                Some(Open::List(items)) => items.push(id),
                Some(Open::Object(members, key)) => {
                    if let Some(key) = key.take() {
                        members.push((key, id));
                    }
                }
                None => {}
            }
        }
        tree
    }

    fn root(&self) -> Option<&Node<'a>> {
        self.nodes.last()
    }
}

fn same_scalar(one: &str, other: &str) -> bool {
    one == other
        || match (Decimal::of(one), Decimal::of(other)) {
            (Some(one), Some(other)) => one == other,
            _ => false,
        }
}

/// A number as `0.<digits> × 10^exponent`, the digits without zeros at either end; zero has no digits.
#[derive(PartialEq, Eq)]
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// `None` for what is no number, and for an exponent beyond 18 digits: such numbers are equal only where they are
    /// spelled the same.
    fn of(number: &str) -> Option<Self> {
        let (negative, number) = match number.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, number),
        };
        if !number.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = [whole, fraction].concat();
        let digits = all.trim_start_matches('0');
        if digits.is_empty() {
            return Some(Self {
                negative: false,
                digits: String::new(),
                exponent: 0,
            });
        }
        let leading_zeros = i64::try_from(all.len() - digits.len()).ok()?;
        let point = i64::try_from(whole.len()).ok()?;
        let exponent: i64 = exponent.strip_prefix('+').unwrap_or(exponent).parse().ok()?;
        Some(Self {
            negative,
            digits: digits.trim_end_matches('0').to_owned(),
            exponent: exponent.checked_add(point)?.checked_sub(leading_zeros)?,
        })
    }
}
