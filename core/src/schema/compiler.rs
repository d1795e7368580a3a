//! The JSON Schema compiler: drafts 4 to 2020-12, offline.

use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, Keyword, PatternOptions, ReferencingError, Retrieve, Uri, ValidationError, Validator};
use serde_json::{Map, Value};

use super::patterns::{self, Unchecked};
use super::prepare;
use super::{SchemaCheck, SchemaFault, SchemaNotes};
use crate::text::shortened;

/// The schema compiler of the `jsonschema` crate. Reads drafts 4, 6, 7, 2019-09 and 2020-12; fetches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonSchemaCheck;

impl SchemaCheck for JsonSchemaCheck {
    fn compile(&self, schema: &Value) -> Result<SchemaNotes, SchemaFault> {
        compiled(schema, Purpose::Compile).map(|(_, notes)| notes)
    }
}

/// What a schema is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To know whether it is one.
    Compile,
    /// To compare values with it.
    Validate,
}

/// Compiles a schema as the draft it declares.
pub(super) fn compiled(schema: &Value, purpose: Purpose) -> Result<(Validator, SchemaNotes), SchemaFault> {
    let mut notes = SchemaNotes::default();
    if prepare::depth_is_above(schema, DEEPEST) {
        return Err(SchemaFault(format!(
            "it is nested more than {DEEPEST} levels deep, which is more than is compiled"
        )));
    }
    let declared = schema.get("$schema").and_then(Value::as_str);
    let draft = declared.map_or(Draft::Draft202012, Draft::from_schema_uri);
    let draft = if draft == Draft::Unknown {
        Draft::Draft202012
    } else {
        draft
    };
    notes.unknown_dialect = prepare::unknown_dialect(schema).map(shortened);
    let mut copy = prepare::prepared(schema, draft, purpose);
    let unchecked = Unchecked::of(copy.as_ref().unwrap_or(schema));
    if let Some(first) = &unchecked.first {
        notes.unchecked_pattern = Some(shortened(first));
        let copy = copy.get_or_insert_with(|| schema.clone());
        patterns::take_out(copy, purpose, &mut |pattern| unchecked.contains(pattern));
    }
    let fault = match build(copy.as_ref().unwrap_or(schema), draft) {
        Ok(validator) => return Ok((validator, notes)),
        Err(fault) => fault,
    };
    if !fault.is_pattern {
        return Err(fault.sentence);
    }
    // The compiler stops at the first pattern it cannot read. Take all of them away and ask about the rest.
    let copy = copy.get_or_insert_with(|| schema.clone());
    let mut readable = Readable::new(draft);
    patterns::take_out(copy, purpose, &mut |pattern| !readable.is(pattern));
    notes.unreadable_pattern = readable.first.as_deref().map(shortened);
    let validator = build(copy, draft).map_err(|fault| fault.sentence)?;
    Ok((validator, notes))
}

/// Levels of nesting that are compiled. The compiler recurses, and has 1 MiB of stack in a WebAssembly module.
const DEEPEST: usize = 64;

/// Steps back that matching one pattern may take: beyond, the value counts as one that does not match.
const MOST_BACKTRACKS: usize = 20_000;

/// Why the compiler refused.
struct Refused {
    sentence: SchemaFault,
    /// It could not read a regular expression.
    is_pattern: bool,
}

fn build(schema: &Value, draft: Draft) -> Result<Validator, Refused> {
    let mut options = jsonschema::options()
        .with_draft(draft)
        .with_retriever(Nowhere)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(MOST_BACKTRACKS));
    // The compiler expands these through every path of references below them, which forty small definitions make 2⁴⁰.
    // Where they are surely keywords, `prepare` has what stands under them compiled; a reference can make a keyword of
    // any other place too, so they are never expanded.
    for keyword in prepare::UNEVALUATED {
        options = options.with_keyword(keyword, |_, _, _| Ok(Box::new(NotExpanded)));
    }
    // The compiler is other people's code on other people's data: a panic in it is a schema we cannot use.
    match catch_unwind(AssertUnwindSafe(|| options.build(schema))) {
        Ok(Ok(validator)) => Ok(validator),
        Ok(Err(error)) => Err(match error.kind() {
            ValidationErrorKind::Referencing(ReferencingError::Unretrievable { uri, .. }) => {
                refers_elsewhere(&first_elsewhere(schema, draft).unwrap_or_else(|| uri.clone()))
            }
            _ => Refused::from(error),
        }),
        Err(_) => Err(Refused {
            sentence: SchemaFault("the schema compiler failed on it".to_owned()),
            is_pattern: false,
        }),
    }
}

impl From<ValidationError<'_>> for Refused {
    fn from(error: ValidationError<'_>) -> Self {
        let is_pattern = matches!(error.kind(), ValidationErrorKind::Format { format } if format == "regex");
        let place = error.instance_path().to_string();
        let place = if place.is_empty() { "its root" } else { place.as_str() };
        let sentence = format!("at {}: {}", shortened(place), shortened(&error.to_string()));
        Self {
            sentence: SchemaFault(sentence),
            is_pattern,
        }
    }
}

fn refers_elsewhere(uri: &str) -> Refused {
    Refused {
        sentence: SchemaFault(format!(
            "it refers to {}, which stands elsewhere; nothing is fetched",
            shortened(uri)
        )),
        is_pattern: false,
    }
}

/// Of all that a schema refers to elsewhere, the first in alphabetical order: the compiler stops at any one of them, each
/// time at another.
fn first_elsewhere(schema: &Value, draft: Draft) -> Option<String> {
    let asked = Arc::new(Mutex::new(BTreeSet::new()));
    let options = jsonschema::options()
        .with_draft(draft)
        .with_retriever(Asked(Arc::clone(&asked)));
    // What comes of it is of no interest.
    let _ = catch_unwind(AssertUnwindSafe(|| options.build(schema).is_ok()));
    asked.lock().ok()?.first().cloned()
}

/// Notes what is asked for, and gives a schema that allows everything.
struct Asked(Arc<Mutex<BTreeSet<String>>>);

impl Retrieve for Asked {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        if let Ok(mut asked) = self.0.lock() {
            asked.insert(uri.to_string());
        }
        Ok(Value::Bool(true))
    }
}

/// Refuses to fetch anything.
struct Nowhere;

impl Retrieve for Nowhere {
    fn retrieve(&self, _: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err("nothing is fetched".into())
    }
}

/// A keyword that is not compiled, and holds for every value.
struct NotExpanded;

impl<'instance> Keyword<'instance> for NotExpanded {
    fn validate(&self, _: &'instance Value) -> Result<(), ValidationError<'instance>> {
        Ok(())
    }

    fn is_valid(&self, _: &'instance Value) -> bool {
        true
    }
}

/// Which regular expressions the engine can read.
struct Readable {
    draft: Draft,
    known: HashMap<String, bool>,
    /// The first that cannot be read.
    first: Option<String>,
}

impl Readable {
    fn new(draft: Draft) -> Self {
        Self {
            draft,
            known: HashMap::new(),
            first: None,
        }
    }

    fn is(&mut self, pattern: &str) -> bool {
        if let Some(known) = self.known.get(pattern) {
            return *known;
        }
        let mut schema = Map::new();
        schema.insert("pattern".to_owned(), Value::String(pattern.to_owned()));
        let readable = build(&Value::Object(schema), self.draft).is_ok();
        if !readable && self.first.is_none() {
            self.first = Some(pattern.to_owned());
        }
        self.known.insert(pattern.to_owned(), readable);
        readable
    }
}
