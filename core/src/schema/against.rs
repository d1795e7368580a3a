//! Comparing a call's arguments with the tool's input schema: warnings for a person, which block nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use super::compiler::{Purpose, compiled};
use super::work::is_bounded;
use super::{ArgumentsCheck, ArgumentsWarning, SchemaNotes};
use crate::json::pointer_to;
use crate::text::shortened;
use crate::{Code, Diagnostic};

/// Warnings that are listed, at most.
const MOST_WARNINGS: usize = 100;

/// A tool's input schema, compiled to compare arguments with it.
#[derive(Debug)]
pub struct ArgumentsSchema {
    /// The schema with its validator, or why there is none.
    compiled: Result<(Value, Validator), String>,
    notes: Vec<Diagnostic>,
}

impl ArgumentsSchema {
    /// Compiles a schema, as the draft it declares. Of a text that is no schema, each check says so.
    pub fn new(schema: &str) -> Self {
        let parsed: Value = match serde_json::from_str(schema) {
            Ok(parsed) => parsed,
            Err(_) => {
                return Self {
                    compiled: Err("The input schema is no JSON that can be read here.".to_owned()),
                    notes: Vec::new(),
                };
            }
        };
        match compiled(&parsed, Purpose::Validate) {
            Ok((validator, notes)) => Self {
                compiled: Ok((parsed, validator)),
                notes: diagnostics(notes),
            },
            Err(fault) => Self {
                compiled: Err(format!("The input schema cannot be used: {}.", fault.0)),
                notes: Vec::new(),
            },
        }
    }

    /// Compares arguments with the schema. Of a text that is no JSON there is nothing to say here.
    pub fn check(&self, arguments: &str) -> ArgumentsCheck {
        let unchecked = |why: &str| ArgumentsCheck {
            unchecked: Some(why.to_owned()),
            ..ArgumentsCheck::default()
        };
        let (schema, validator) = match &self.compiled {
            Ok(compiled) => compiled,
            Err(why) => return unchecked(why),
        };
        let Ok(instance) = serde_json::from_str::<Value>(arguments) else {
            return unchecked("The arguments are no JSON that can be read here.");
        };
        if !is_bounded(schema, &instance) {
            return unchecked("Comparing the arguments with the schema is more work than is spent on it.");
        }
        // The validator is other people's code on other people's data.
        let found = catch_unwind(AssertUnwindSafe(|| {
            let mut warnings = Vec::new();
            for error in validator.iter_errors(&instance) {
                warnings.extend(warnings_of(&error));
                if warnings.len() > MOST_WARNINGS {
                    break;
                }
            }
            warnings
        }));
        let Ok(mut warnings) = found else {
            return unchecked("The schema's validator failed on the arguments.");
        };
        let has_more = warnings.len() > MOST_WARNINGS;
        warnings.truncate(MOST_WARNINGS);
        ArgumentsCheck {
            warnings,
            has_more,
            notes: self.notes.clone(),
            unchecked: None,
        }
    }
}

/// Compares arguments with a schema, both as JSON text; see [`ArgumentsSchema`].
pub fn check_arguments(schema: &str, arguments: &str) -> ArgumentsCheck {
    ArgumentsSchema::new(schema).check(arguments)
}

/// The warnings of one error: of members, each at its own place.
fn warnings_of(error: &ValidationError<'_>) -> Vec<ArgumentsWarning> {
    let path = error.instance_path().to_string();
    let warning = |path: String, expected: Option<String>| ArgumentsWarning {
        path,
        keyword: error.kind().keyword().to_owned(),
        expected: expected.as_deref().map(shortened),
        message: shortened(&error.to_string()),
    };
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            vec![warning(pointer_to(&path, name), Some(name.to_owned()))]
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => unexpected
            .iter()
            .take(MOST_WARNINGS + 1)
            .map(|name| warning(pointer_to(&path, name), Some(name.clone())))
            .collect(),
        kind => vec![warning(path, expected(kind))],
    }
}

fn expected(kind: &ValidationErrorKind) -> Option<String> {
    use ValidationErrorKind as Kind;
    Some(match kind {
        Kind::Type {
            kind: TypeKind::Single(one),
        } => one.to_string(),
        Kind::Type {
            kind: TypeKind::Multiple(several),
        } => several.iter().map(|one| one.to_string()).collect::<Vec<_>>().join(", "),
        Kind::Enum { options } => options.to_string(),
        Kind::Constant { expected_value } => expected_value.to_string(),
        Kind::Minimum { limit }
        | Kind::Maximum { limit }
        | Kind::ExclusiveMinimum { limit }
        | Kind::ExclusiveMaximum { limit } => limit.to_string(),
        Kind::MinLength { limit }
        | Kind::MaxLength { limit }
        | Kind::MinItems { limit }
        | Kind::MaxItems { limit }
        | Kind::MinProperties { limit }
        | Kind::MaxProperties { limit } => limit.to_string(),
        Kind::MultipleOf { multiple_of } => multiple_of.to_string(),
        Kind::Pattern { pattern } => pattern.clone(),
        Kind::Format { format } => format.clone(),
        _ => return None,
    })
}

/// What of the schema is not checked.
fn diagnostics(notes: SchemaNotes) -> Vec<Diagnostic> {
    let SchemaNotes {
        unknown_dialect,
        unreadable_pattern,
        unchecked_pattern,
    } = notes;
    let mut found = Vec::new();
    if let Some(dialect) = unknown_dialect {
        found.push(Diagnostic::new(
            Code::ToolSchemaDialectUnknown,
            format!("The schema declares the dialect {dialect}, which is not known here; it is read as 2020-12."),
        ));
    }
    for pattern in unreadable_pattern.into_iter().chain(unchecked_pattern) {
        found.push(Diagnostic::new(
            Code::ToolSchemaPatternUnreadable,
            format!("The schema's pattern {pattern} is not checked here, and others may not be."),
        ));
    }
    found
}
