//! What a schema asks of one place: the schemas that hold there together, found through references and `allOf`, and the
//! alternatives that `anyOf`, `oneOf` and a list of types leave.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::shapes::described_options;

/// Schemas that hold together at one place, at most.
const MOST_LAYERS: usize = 64;
/// Alternatives of one place, at most.
const MOST_ALTERNATIVES: usize = 64;
/// `anyOf` within `anyOf`, at most.
const DEEPEST_CHOICE: usize = 8;

/// A schema as a whole, in which references are looked up.
pub(crate) struct Schemas<'a> {
    pub(super) root: &'a Value,
    anchors: HashMap<&'a str, &'a Value>,
}

/// What holds at one place.
#[derive(Clone, Default)]
pub(super) struct Spec<'a> {
    /// Schemas that all hold, the outermost first: what it says about a title, say, counts before what it refers to says.
    pub(super) layers: Vec<&'a Map<String, Value>>,
    /// `anyOf` and `oneOf` that are still to choose from.
    pub(super) groups: Vec<&'a [Value]>,
    /// Nothing fits here.
    pub(super) never: bool,
    /// A reference leads nowhere that is known here.
    pub(super) unresolved: bool,
    /// Some `anyOf` or `oneOf` says only what more must be true.
    pub(super) is_narrowed: bool,
    /// A name for it: the last part of a reference.
    pub(super) name: Option<&'a str>,
}

/// One way to fill a place.
#[derive(Clone)]
pub(super) struct Alternative<'a> {
    pub(super) spec: Spec<'a>,
    pub(super) shape: Shape<'a>,
    /// What the schema calls it, where it is one of several.
    pub(super) label: Option<&'a str>,
}

/// Values to choose from, each with the schema that is its own where there is one.
pub(super) type Options<'a> = Vec<(&'a Value, Option<&'a Map<String, Value>>)>;

/// What kind of value an alternative is.
#[derive(Clone, PartialEq)]
pub(super) enum Shape<'a> {
    Text,
    Number,
    Integer,
    Null,
    Object,
    List,
    /// One of these.
    Options(Options<'a>),
    /// `true` or `false`.
    Boolean,
}

impl<'a> Schemas<'a> {
    pub(crate) fn of(root: &'a Value) -> Self {
        let mut anchors = HashMap::new();
        let mut stack = vec![root];
        while let Some(value) = stack.pop() {
            match value {
                Value::Object(map) => {
                    for keyword in ["$anchor", "$dynamicAnchor", "$id", "id"] {
                        if let Some(Value::String(name)) = map.get(keyword) {
                            anchors.entry(name.strip_prefix('#').unwrap_or(name)).or_insert(value);
                        }
                    }
                    stack.extend(map.values().rev());
                }
                Value::Array(items) => stack.extend(items.iter().rev()),
                _ => {}
            }
        }
        Self { root, anchors }
    }

    /// What holds where all of these schemas do.
    pub(super) fn spec(&self, schemas: impl IntoIterator<Item = &'a Value>) -> Spec<'a> {
        let mut spec = Spec::default();
        for schema in schemas {
            self.add(&mut spec, schema);
        }
        spec
    }

    fn add(&self, spec: &mut Spec<'a>, schema: &'a Value) {
        let mut seen = HashSet::new();
        let mut stack = vec![schema];
        while let Some(schema) = stack.pop() {
            let map = match schema {
                Value::Object(map) => map,
                Value::Bool(false) => {
                    spec.never = true;
                    continue;
                }
                _ => continue,
            };
            if !seen.insert(std::ptr::from_ref(map)) || spec.layers.len() >= MOST_LAYERS {
                continue;
            }
            spec.layers.push(map);
            for keyword in ["anyOf", "oneOf"] {
                match map.get(keyword) {
                    Some(Value::Array(branches)) if branches.len() == 1 => stack.extend(branches),
                    Some(Value::Array(branches)) if Self::is_choice(branches) => spec.groups.push(branches),
                    Some(_) => spec.is_narrowed = true,
                    None => {}
                }
            }
            if let Some(Value::Array(all)) = map.get("allOf") {
                stack.extend(all.iter().rev());
            }
            for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
                if let Some(Value::String(reference)) = map.get(keyword) {
                    match self.resolve(reference) {
                        Some(target) => {
                            let last = reference.rsplit(['/', '#']).next().filter(|name| !name.is_empty());
                            spec.name = spec.name.or(last);
                            stack.push(target);
                        }
                        None => spec.unresolved = true,
                    }
                }
            }
        }
    }

    /// Whether these branches say what a value is, and not only what more must be true of it.
    fn is_choice(branches: &[Value]) -> bool {
        const SAYS_WHAT: [&str; 9] = [
            "type",
            "properties",
            "items",
            "prefixItems",
            "enum",
            "const",
            "anyOf",
            "oneOf",
            "additionalProperties",
        ];
        branches.iter().any(|branch| {
            let Value::Object(map) = branch else { return false };
            map.contains_key("$ref")
                || SAYS_WHAT.iter().any(|keyword| map.contains_key(*keyword))
                || matches!(map.get("allOf"), Some(Value::Array(all)) if Self::is_choice(all))
        })
    }

    /// The schema that a reference leads to, within the whole.
    pub(crate) fn resolve(&self, reference: &str) -> Option<&'a Value> {
        let id = self.root.get("$id").and_then(Value::as_str).unwrap_or_default();
        let own = id.split('#').next().unwrap_or_default();
        let reference = match reference.strip_prefix(own) {
            Some(rest) if !own.is_empty() && (rest.is_empty() || rest.starts_with('#')) => rest,
            _ => reference,
        };
        let Some(fragment) = reference.strip_prefix('#') else {
            return if reference.is_empty() {
                Some(self.root)
            } else {
                self.anchors.get(reference).copied()
            };
        };
        let fragment = percent_decoded(fragment);
        if fragment.is_empty() || fragment.starts_with('/') {
            self.root.pointer(&fragment)
        } else {
            self.anchors.get(&*fragment).copied()
        }
    }

    /// The ways to fill a place, in the order of the schema. None where nothing fits.
    pub(super) fn alternatives(&self, spec: &Spec<'a>) -> Vec<Alternative<'a>> {
        let mut found = Vec::new();
        if !spec.never {
            self.collect(spec, None, &mut found, DEEPEST_CHOICE);
        }
        found
    }

    fn collect(&self, spec: &Spec<'a>, label: Option<&'a str>, found: &mut Vec<Alternative<'a>>, deeper: usize) {
        if found.len() >= MOST_ALTERNATIVES {
            return;
        }
        if let Some(options) = spec.options() {
            found.push(Alternative {
                spec: spec.clone(),
                shape: Shape::Options(options),
                label,
            });
            return;
        }
        if let Some((branches, further)) = spec.groups.split_first().filter(|_| deeper > 0) {
            if let Some(options) = described_options(branches) {
                found.push(Alternative {
                    spec: spec.clone(),
                    shape: Shape::Options(options),
                    label,
                });
                return;
            }
            for branch in *branches {
                if found.len() >= MOST_ALTERNATIVES {
                    return;
                }
                // What the branch says counts before what stands around it.
                let mut inner = self.spec([branch]);
                if inner.never {
                    continue;
                }
                let label = inner.text("title").or(inner.name);
                for layer in &spec.layers {
                    if !inner.layers.iter().any(|other| std::ptr::eq(*other, *layer)) {
                        inner.layers.push(layer);
                    }
                }
                inner.groups.retain(|group| !std::ptr::eq(*group, *branches));
                inner.groups.extend(further);
                inner.unresolved |= spec.unresolved;
                inner.is_narrowed |= spec.is_narrowed;
                self.collect(&inner, label, found, deeper - 1);
            }
            return;
        }
        let shapes = spec.shapes();
        let label = label.filter(|_| shapes.len() == 1);
        for shape in shapes {
            found.push(Alternative {
                spec: spec.clone(),
                shape,
                label,
            });
        }
    }
}

fn percent_decoded(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        let code = after.get(..2).filter(|_| *first == b'%');
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
