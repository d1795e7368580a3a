//! TypeScript declarations of Rust types, laid out as a person would: for the generators, so that no type is written
//! twice.

use std::collections::BTreeMap;

use ts_rs::{Config, TS, TypeVisitor};

use crate::form::FormNode;
use crate::import::{AddPreview, ImportPreview};
use crate::layers::ToolDescriptor;
use crate::outcome::CallOutcome;
use crate::page::models::{LegacyRound, LegacySettlement, LegacyTool, OutcomeReading, ToolPreview};
use crate::page::{CheckedText, ServerCheck};
use crate::schema::ArgumentsCheck;
use crate::server::DescriptionOverride;

/// The declarations of the types the core's WebAssembly functions take and give (`core/src/wasm_types.d.ts`).
pub fn wasm_types() -> Declarations {
    let mut declarations = Declarations::default();
    declarations.add::<AddPreview>();
    declarations.add::<ImportPreview>();
    declarations.add::<CheckedText>();
    declarations.add::<ServerCheck>();
    declarations.add::<DescriptionOverride>();
    declarations.add::<ToolDescriptor>();
    declarations.add::<ToolPreview>();
    declarations.add::<CallOutcome>();
    declarations.add::<OutcomeReading>();
    declarations.add::<FormNode>();
    declarations.add::<ArgumentsCheck>();
    declarations.add::<LegacyRound>();
    declarations.add::<LegacyTool>();
    declarations.add::<LegacySettlement>();
    declarations
}

/// Declarations met so far, by name.
#[derive(Default)]
pub struct Declarations {
    config: Config,
    types: BTreeMap<String, String>,
}

impl Declarations {
    /// Adds a type with every type it mentions.
    pub fn add<T: TS + 'static + ?Sized>(&mut self) {
        self.visit::<T>();
        T::visit_generics(self);
    }

    /// How a type is named where it is used.
    pub fn name_of<T: TS + ?Sized>(&self) -> String {
        T::name(&self.config)
    }

    /// The declarations in the order of their names, each after an empty line.
    pub fn render(&self) -> String {
        self.types
            .values()
            .flat_map(|declaration| ["\n", declaration.as_str()])
            .collect()
    }
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Types without a file of their own are built in: strings, lists, options.
        if T::output_path().is_none() {
            return;
        }
        let name = T::ident(&self.config);
        if self.types.contains_key(&name) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        let declaration = format!("{docs}export {}", T::decl(&self.config));
        self.types.insert(name, lay_out(&declaration));
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

/// Breaks a declaration into lines: one field a line, indented, and long unions one variant a line.
fn lay_out(declaration: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for line in declaration.lines() {
        let body = line.trim_end();
        if inside {
            text.push_str("  ");
        }
        if let (true, Some(last_field)) = (inside, body.strip_suffix(" };")) {
            text.push_str(last_field);
            text.push_str("\n};");
            inside = false;
        } else if body.len() > 120 && !body.contains('{') {
            text.push_str(&body.replacen(" = ", " =\n  | ", 1).replace("\" | ", "\"\n  | "));
        } else {
            text.push_str(body);
            inside |= body.ends_with(" = {");
        }
        text.push('\n');
    }
    text
}
