//! The tools a model may be offered, with the descriptions it is to read.
//!
//! Descriptions come in layers: the server's catalog, the registration's override, the agent's profile; a later one
//! replaces what it names (manager contract §4). Each is applied to a copy: nothing of the catalog ever changes, nor does
//! anything else of a schema than the descriptions that are replaced.

pub mod agent;
mod schema_text;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::alias;
use crate::catalog::{Catalog, CatalogTool};
use crate::identity::ToolId;
use crate::json::{JsonText, quoted};
use crate::path;
use crate::projection::not_model_ready;
use crate::server::{DescriptionOverride, Registration};
use crate::text::shortened;
use crate::{Code, Diagnostic, Limits};

use schema_text::Description;

/// A tool a model may be offered: a copy that nothing changes after it was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ToolDescriptor {
    /// Who is called.
    #[serde(serialize_with = "write_id", deserialize_with = "read_id")]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub tool_id: ToolId,
    /// The server's display name, for the alias.
    pub server_name: String,
    /// The description with the layers applied; empty where there is none.
    pub description: String,
    /// The input schema with the layers applied, as JSON text.
    #[serde(with = "quoted")]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub input_schema_json: JsonText,
}

/// A tool as one model sees it, for the time of one binding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ModelTool {
    /// The name the model calls it by.
    pub alias: String,
    /// Who is called.
    #[serde(serialize_with = "write_id")]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub tool_id: ToolId,
    /// The description; empty where there is none.
    pub description: String,
    /// The input schema as JSON text.
    #[serde(with = "quoted")]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub input_schema_json: JsonText,
}

/// Tools with what there is to say of others that are missing, or of descriptions that found no place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer<T> {
    /// The tools.
    pub tools: Vec<T>,
    /// What is left out or skipped.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Default for Offer<T> {
    fn default() -> Self {
        Self {
            tools: Vec::new(),
            diagnostics: Vec::new(),
        }
    }
}

/// A server's tools for Legacy chats: those that can go to a model, in the catalog's order, with the first
/// two layers of descriptions (manager contract §8).
///
/// A paused server offers nothing, and says so once; a tool that is off is left out without a word, as that is what was
/// decided; a tool whose root type is not `object` is left out with a diagnostic.
pub fn descriptors(registration: &Registration, catalog: &Catalog) -> Offer<ToolDescriptor> {
    let mut offer = Offer::default();
    for tool in &catalog.tools {
        match descriptor(registration, tool) {
            Ok((tool, skipped)) => {
                offer.tools.push(tool);
                offer.diagnostics.extend(skipped);
            }
            Err(reasons) => {
                if let Some(paused) = reasons.iter().find(|reason| reason.code == Code::ToolServerPaused) {
                    offer.diagnostics = vec![Diagnostic {
                        native_name: None,
                        ..paused.clone()
                    }];
                    return offer;
                }
                if reasons.iter().all(|reason| reason.code != Code::ToolPermissionOff) {
                    offer.diagnostics.extend(reasons);
                }
            }
        }
    }
    offer
}

/// One tool of a catalog with the first two layers, and what was skipped of the override; or every reason why the tool
/// cannot go to a model as things are (manager contract §7).
pub fn descriptor(
    registration: &Registration,
    tool: &CatalogTool,
) -> Result<(ToolDescriptor, Vec<Diagnostic>), Vec<Diagnostic>> {
    let about_server = |reason: Diagnostic| reason.about_server(registration.id);
    let reasons = not_model_ready(registration, tool);
    if !reasons.is_empty() {
        return Err(reasons.into_iter().map(about_server).collect());
    }
    Ok(described(registration, tool))
}

/// The same of a tool that is known to go to models.
pub(crate) fn described(registration: &Registration, tool: &CatalogTool) -> (ToolDescriptor, Vec<Diagnostic>) {
    let mut descriptor = ToolDescriptor {
        tool_id: ToolId::new(registration.id, tool.native_name.clone()),
        server_name: registration.display_name.clone(),
        description: tool.description.clone().unwrap_or_default(),
        input_schema_json: tool.input_schema.clone(),
    };
    let skipped = match registration.tool_description_overrides.get(&tool.native_name) {
        Some(layer) => descriptor.describe(layer),
        None => Vec::new(),
    };
    (descriptor, skipped)
}

impl ToolDescriptor {
    /// Applies a layer: what it names replaces what is there. Answers a `mcp.description_property_missing` for each
    /// property of the layer that the root of the schema does not have, or that is `true` or `false` and so has no
    /// place for a description; these are skipped, the tool stays.
    pub fn describe(&mut self, layer: &DescriptionOverride) -> Vec<Diagnostic> {
        let DescriptionOverride {
            description,
            properties,
        } = layer;
        if let Some(description) = description {
            self.description.clone_from(description);
        }
        if properties.is_empty() {
            return Vec::new();
        }
        let described = schema_text::describe(&self.input_schema_json, properties);
        self.input_schema_json = described.schema;
        described
            .fates
            .into_iter()
            .filter_map(|(property, fate)| {
                let what = match fate {
                    Description::Written => return None,
                    Description::NoProperty => "does not have this property",
                    Description::NoPlace => "has no schema object for this property, so that it has no description",
                };
                let message = format!(
                    "A description is set for the property {}, but the tool {what}; it was skipped.",
                    shortened(property)
                );
                Some(
                    Diagnostic::new(Code::DescriptionPropertyMissing, message)
                        .at(path::member("properties", property))
                        .about_tool(self.tool_id.native_name())
                        .about_server(self.tool_id.registration_id()),
                )
            })
            .collect()
    }
}

/// Gives the tools their aliases beside local names, which stay as they are (see [`alias::allocate`]). In the same order.
pub fn with_aliases<'l>(
    descriptors: &[ToolDescriptor],
    local_names: impl IntoIterator<Item = &'l str>,
) -> Vec<ModelTool> {
    let named = descriptors
        .iter()
        .map(|descriptor| (&descriptor.tool_id, descriptor.server_name.as_str()));
    let aliases = alias::allocate(named, local_names);
    descriptors
        .iter()
        .zip(aliases)
        .map(|(descriptor, alias)| ModelTool {
            alias,
            tool_id: descriptor.tool_id.clone(),
            description: descriptor.description.clone(),
            input_schema_json: descriptor.input_schema_json.clone(),
        })
        .collect()
}

fn write_id<S: Serializer>(id: &ToolId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(id)
}

fn read_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ToolId, D::Error> {
    let text = String::deserialize(deserializer)?;
    ToolId::parse(&text, &Limits::default()).map_err(serde::de::Error::custom)
}
