//! A catalog read from disk: everything that was asked of the server's list is asked again.

use std::collections::HashSet;

use serde_json::Value;

use super::build::{compile, kind, mirrors_headers};
use super::{Catalog, CatalogTool, headers};
use crate::json::JsonText;
use crate::schema::SchemaCheck;
use crate::server::TransportKind;
use crate::{Code, Diagnostic, Limits};

/// Checks a catalog that was read from disk (manager contract §5: it is validated again in full): names, duplicates,
/// numbers, sizes, schemas, header annotations. Answers the same catalog, or `mcp.catalog_damaged` where no discovery
/// could have given it; only a refresh repairs that.
///
/// Sizes are counted on the fields that are kept, which is never more than what the server sent. Where the stored
/// content hash still fits, [`CompiledBefore`](crate::schema::CompiledBefore) saves compiling the schemas again.
pub fn revalidate(
    catalog: Catalog,
    transport: TransportKind,
    limits: &Limits,
    check: &dyn SchemaCheck,
) -> Result<Catalog, Diagnostic> {
    if catalog.tools.len() > limits.tools {
        return Err(damaged(format!(
            "it holds {} tools, more than {}",
            catalog.tools.len(),
            limits.tools
        )));
    }
    let mirrors_headers = mirrors_headers(&catalog.protocol_version, transport);
    let mut names = HashSet::new();
    let mut bytes = 0_usize;
    for tool in &catalog.tools {
        let size = size(tool);
        bytes = bytes.saturating_add(size);
        check_tool(tool, size, limits, mirrors_headers, check)?;
        if !names.insert(tool.native_name.as_str()) {
            return Err(damaged("it holds two tools of this name").about_tool(&tool.native_name));
        }
    }
    if bytes > limits.catalog_bytes {
        return Err(damaged(format!(
            "its tools are {bytes} bytes of JSON, more than {}",
            limits.catalog_bytes
        )));
    }
    Ok(catalog)
}

fn check_tool(
    tool: &CatalogTool,
    size: usize,
    limits: &Limits,
    mirrors_headers: bool,
    check: &dyn SchemaCheck,
) -> Result<(), Diagnostic> {
    if tool.native_name.is_empty() || tool.native_name.len() > limits.tool_name_bytes {
        return Err(damaged(format!(
            "it holds a tool whose name is {} bytes long; 1 to {} are right",
            tool.native_name.len(),
            limits.tool_name_bytes
        )));
    }
    let about = |reason: String| damaged(reason).about_tool(&tool.native_name);
    if size > limits.tool_bytes {
        return Err(about(format!(
            "the tool is {size} bytes of JSON, more than {}",
            limits.tool_bytes
        )));
    }
    let compiled = |schema: &JsonText, field: &str| {
        compile(Some(schema.as_raw()), check)
            .map_err(|reason| about(format!("the {field} cannot be used: {reason}")).at(field))
    };
    let is_known = |schema: &JsonText| !check.looks() && kind(Some(schema.as_raw())) == "an object";
    if mirrors_headers || !is_known(&tool.input_schema) {
        let (input_schema, _) = compiled(&tool.input_schema, "inputSchema")?;
        if mirrors_headers {
            headers::annotated(&input_schema).map_err(|fault| {
                about(format!("an x-mcp-header annotation is invalid: {}", fault.reason))
                    .at(format!("inputSchema{}", fault.pointer))
            })?;
        }
    }
    if let Some(schema) = tool.output_schema.as_ref().filter(|schema| !is_known(schema)) {
        compiled(schema, "outputSchema")?;
    }
    if kind(Some(tool.annotations.as_raw())) != "an object" {
        return Err(about("the annotations are no object".to_owned()).at("annotations"));
    }
    Ok(())
}

/// The bytes of JSON text of a tool, at least: what its fields took when the server sent them without a needless escape.
pub(super) fn size(tool: &CatalogTool) -> usize {
    let text = |text: &str| Value::from(text).to_string().len();
    let optional = |field: &str, value: Option<usize>| value.map_or(0, |value| field.len() + value);
    let annotations = tool.annotations.as_str();
    [
        r#"{"name":,"inputSchema":}"#.len(),
        text(&tool.native_name),
        tool.input_schema.as_str().len(),
        optional(r#","title":"#, tool.title.as_deref().map(text)),
        optional(r#","description":"#, tool.description.as_deref().map(text)),
        optional(
            r#","outputSchema":"#,
            tool.output_schema.as_ref().map(|schema| schema.as_str().len()),
        ),
        optional(r#","annotations":"#, (annotations != "{}").then_some(annotations.len())),
    ]
    .into_iter()
    .fold(0, usize::saturating_add)
}

fn damaged(reason: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::new(
        Code::CatalogDamaged,
        format!("The stored catalog is damaged: {reason}. Refresh the tools to write it anew."),
    )
}
