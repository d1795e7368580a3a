//! How much work it is to compare a value with a schema. A validator goes through every path of `anyOf`, `allOf` and
//! references; forty small definitions can make 2⁴⁰ of them.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::form::Schemas;

/// Comparisons of one value with one schema that are made, at most.
const MOST_WORK: u64 = 200_000;
/// Pairs of a value and a schema that are looked at to find that out, at most.
const MOST_PAIRS: usize = 200_000;
/// Levels of values and references, at most.
const DEEPEST: usize = 200;

/// Whether the comparison ends soon.
pub(super) fn is_bounded(schema: &Value, instance: &Value) -> bool {
    let schemas = Schemas::of(schema);
    let mut estimate = Estimate {
        schemas: &schemas,
        known: HashMap::new(),
    };
    estimate.of(schema, instance, 0).is_some_and(|work| work <= MOST_WORK)
}

type Pair = (*const Value, *const Value);

struct Estimate<'r, 's> {
    schemas: &'r Schemas<'s>,
    /// 0 while it is being found out: a validator breaks such a circle too.
    known: HashMap<Pair, u64>,
}

impl<'s> Estimate<'_, 's> {
    /// The number of comparisons; `None` where there are too many, or they go too deep.
    fn of(&mut self, schema: &'s Value, instance: &Value, depth: usize) -> Option<u64> {
        let Value::Object(map) = schema else { return Some(1) };
        let pair = (std::ptr::from_ref(schema), std::ptr::from_ref(instance));
        if let Some(known) = self.known.get(&pair) {
            return Some(*known);
        }
        if depth > DEEPEST || self.known.len() >= MOST_PAIRS {
            return None;
        }
        self.known.insert(pair, 0);
        let mut sum = 1_u64;
        let mut add = |estimate: &mut Self, schema: &'s Value, instance: &Value| {
            sum = sum.saturating_add(estimate.of(schema, instance, depth + 1)?);
            (sum <= MOST_WORK).then_some(())
        };
        for schema in self.in_place(map) {
            add(self, schema, instance)?;
        }
        match instance {
            Value::Object(members) => {
                let properties = map.get("properties").and_then(Value::as_object);
                let patterns = map.get("patternProperties").and_then(Value::as_object);
                let further = ["additionalProperties", "propertyNames"];
                for (name, member) in members {
                    if let Some(schema) = properties.and_then(|properties| properties.get(name)) {
                        add(self, schema, member)?;
                    }
                    for schema in patterns.into_iter().flat_map(Map::values) {
                        add(self, schema, member)?;
                    }
                    for schema in further.iter().filter_map(|keyword| map.get(*keyword)) {
                        add(self, schema, member)?;
                    }
                }
            }
            Value::Array(items) => {
                let first: Vec<&'s Value> = ["prefixItems", "items"]
                    .iter()
                    .filter_map(|keyword| map.get(*keyword)?.as_array())
                    .flatten()
                    .collect();
                let rest: Vec<&'s Value> = ["items", "additionalItems", "contains"]
                    .iter()
                    .filter_map(|keyword| map.get(*keyword))
                    .collect();
                for (index, item) in items.iter().enumerate() {
                    for schema in first.get(index).into_iter().chain(&rest) {
                        add(self, schema, item)?;
                    }
                }
            }
            _ => {}
        }
        self.known.insert(pair, sum);
        Some(sum)
    }

    /// The schemas that are compared with the same value.
    fn in_place(&self, map: &'s Map<String, Value>) -> Vec<&'s Value> {
        let mut found = Vec::new();
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let target = map.get(keyword).and_then(Value::as_str);
            found.extend(target.and_then(|target| self.schemas.resolve(target)));
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = map.get(keyword) {
                found.extend(branches);
                if keyword != "allOf" {
                    // Once to know whether one of them fits, once more to say why not.
                    found.extend(branches);
                }
            }
        }
        found.extend(
            ["not", "if", "then", "else"]
                .iter()
                .filter_map(|keyword| map.get(*keyword)),
        );
        for keyword in ["dependentSchemas", "dependencies"] {
            if let Some(Value::Object(schemas)) = map.get(keyword) {
                found.extend(schemas.values());
            }
        }
        found
    }
}
