//! Compiling JSON Schemas: what the domain asks for, and (feature `schema`) the compiler that answers.

#[cfg(feature = "schema")]
mod against;
#[cfg(feature = "schema")]
mod compiler;
#[cfg(feature = "schema")]
mod patterns;
#[cfg(feature = "schema")]
mod prepare;
#[cfg(feature = "schema")]
mod work;

use serde::Serialize;
use serde_json::Value;

use crate::Diagnostic;

#[cfg(feature = "schema")]
pub use against::{ArgumentsSchema, check_arguments};
#[cfg(feature = "schema")]
pub use compiler::JsonSchemaCheck;

/// The compiler the domain asks whether a JSON Schema is one. A parameter everywhere, so that the page's first-load
/// module needs no compiler and there is still one behaviour. Nothing is ever fetched.
pub trait SchemaCheck {
    /// Compiles a schema as the draft it declares, 2020-12 where it declares none or an unknown one.
    fn compile(&self, schema: &Value) -> Result<SchemaNotes, SchemaFault>;

    /// Whether it looks at schemas at all: of a stored catalog, what nobody looks at is not read.
    fn looks(&self) -> bool {
        true
    }
}

/// What is worth saying about a schema that compiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SchemaNotes {
    /// The `$schema` it declares is no draft we know; it was read as 2020-12.
    pub unknown_dialect: Option<String>,
    /// A `pattern` our engine cannot read; it is not checked.
    pub unreadable_pattern: Option<String>,
    /// The first `pattern` that is not checked because the schema's patterns are more work than is spent on one schema.
    pub unchecked_pattern: Option<String>,
}

/// Why a schema does not compile: a sentence for a person, with the place inside the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaFault(pub String);

/// How arguments compare with a tool's input schema. For a person to look at: nothing is refused for it, as the server
/// decides (manager contract §6).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ArgumentsCheck {
    /// What does not fit the schema, in the order in which it was found.
    pub warnings: Vec<ArgumentsWarning>,
    /// There are more warnings than are listed.
    pub has_more: bool,
    /// Rules of the schema that were not checked.
    pub notes: Vec<Diagnostic>,
    /// Why nothing was checked, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unchecked: Option<String>,
}

/// One thing that does not fit the schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ArgumentsWarning {
    /// The JSON Pointer of the value in the arguments; of a member that is missing, where it would be.
    pub path: String,
    /// The keyword of the schema, `required` for example.
    pub keyword: String,
    /// What the keyword asks for, as text: a type, a bound, the values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// A sentence in English. It may repeat a piece of the arguments.
    pub message: String,
}

/// Takes every schema for one that compiles: for a catalog from disk whose stored content hash still fits, since its
/// schemas were compiled when it was written.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompiledBefore;

impl SchemaCheck for CompiledBefore {
    fn compile(&self, _: &Value) -> Result<SchemaNotes, SchemaFault> {
        Ok(SchemaNotes::default())
    }

    fn looks(&self) -> bool {
        false
    }
}
