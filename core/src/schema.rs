//! Compiling JSON Schemas: what the domain asks for, and (feature `schema`) the compiler that answers.

#[cfg(feature = "schema")]
mod compiler;
#[cfg(feature = "schema")]
mod patterns;
#[cfg(feature = "schema")]
mod prepare;

use serde_json::Value;

#[cfg(feature = "schema")]
pub use compiler::JsonSchemaCheck;

/// The compiler the domain asks whether a JSON Schema is one. A parameter everywhere, so that the page's first-load
/// module needs no compiler and there is still one behaviour. Nothing is ever fetched.
pub trait SchemaCheck {
    /// Compiles a schema as the draft it declares, 2020-12 where it declares none or an unknown one.
    fn compile(&self, schema: &Value) -> Result<SchemaNotes, SchemaFault>;
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

/// Takes every schema for one that compiles: for a catalog from disk whose stored content hash still fits, since its
/// schemas were compiled when it was written.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompiledBefore;

impl SchemaCheck for CompiledBefore {
    fn compile(&self, _: &Value) -> Result<SchemaNotes, SchemaFault> {
        Ok(SchemaNotes::default())
    }
}
