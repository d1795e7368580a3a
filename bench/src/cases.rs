//! The work that is measured, each kind at three sizes.

#![allow(
    clippy::unnecessary_wraps,
    reason = "cases are of one kind, and of some the input may be refused"
)]

use toolgate_core::form::{Choices, FormModel};
use toolgate_core::import::{Registered, import_many};
use toolgate_core::layers::descriptors;
use toolgate_core::model_text::{Resources, model_result};
use toolgate_core::outcome::from_result;
use toolgate_core::projection::project_discovery;
use toolgate_core::schema::JsonSchemaCheck;
use toolgate_core::{Limits, alias, catalog};

use crate::inputs;

const KIB: usize = 1024;
/// 512 tools of so many bytes are a catalog of 8 MiB, the largest there is.
const LARGE_TOOL: usize = 16 * KIB - 32;
/// What tools of real servers have.
const COMMON_TOOL: usize = 2 * KIB;

/// Work that can be done again and again on an input made before. It answers the size of what it made, so that nothing
/// can be left out, and 0 where the input was refused.
pub type Work = Box<dyn FnMut() -> usize>;

/// A kind of work.
#[derive(Clone, Copy)]
pub struct Case {
    /// Its name in results.
    pub name: &'static str,
    /// What it is, for a table.
    pub about: &'static str,
    /// What the sizes count.
    pub unit: &'static str,
    /// Three sizes, each four times the one before (import, which has room for 30 servers: 8, 15 and 30).
    pub sizes: [usize; 3],
    /// Makes the input of a size, and the work on it.
    pub prepare: fn(usize) -> Option<Work>,
}

/// Every kind of work.
pub const CASES: &[Case] = &[
    Case {
        name: "import",
        about: "Preview of an import",
        unit: "servers",
        sizes: [8, 15, 30],
        prepare: import,
    },
    Case {
        name: "catalog",
        about: "Catalog from pages of tools of 16 KiB, schemas compiled",
        unit: "tools",
        sizes: [32, 128, 512],
        prepare: catalog,
    },
    Case {
        name: "result",
        about: "Result of a call to the Markdown a model reads",
        unit: "KiB",
        sizes: [256, 1024, 4096],
        prepare: result,
    },
    Case {
        name: "aliases",
        about: "Aliases of tools",
        unit: "tools",
        sizes: [1600, 6400, 25_600],
        prepare: aliases,
    },
    Case {
        name: "layers",
        about: "Two layers of descriptions on tools of 2 KiB",
        unit: "tools",
        sizes: [32, 128, 512],
        prepare: layers,
    },
    Case {
        name: "discovery",
        about: "Catalog of tools of 2 KiB with the decisions about them, as the page gets it",
        unit: "tools",
        sizes: [32, 128, 512],
        prepare: discovery,
    },
    Case {
        name: "form",
        about: "Form of a schema",
        unit: "KiB",
        sizes: [16, 64, 256],
        prepare: form,
    },
];

fn import(servers: usize) -> Option<Work> {
    let text = inputs::import_text(servers);
    Some(Box::new(move || {
        let registered = Registered { names: &[], servers: 0 };
        let preview = import_many(&text, &registered, &Limits::default());
        if preview.errors.is_empty() {
            preview.entries.len()
        } else {
            0
        }
    }))
}

fn catalog(tools: usize) -> Option<Work> {
    let pages = inputs::pages(tools, LARGE_TOOL);
    Some(Box::new(move || {
        let pages = pages.iter().map(String::as_str);
        catalog::build_catalog(pages, inputs::context(), &Limits::default(), &JsonSchemaCheck)
            .map_or(0, |catalog| catalog.tools.len())
    }))
}

fn result(kib: usize) -> Option<Work> {
    let text = inputs::result(kib * KIB);
    Some(Box::new(move || {
        model_result(&from_result(&text), Resources::Noted).map_or(0, |result| result.content.len())
    }))
}

fn aliases(tools: usize) -> Option<Work> {
    let tools = inputs::tool_ids(tools);
    Some(Box::new(move || {
        let named = tools.iter().map(|(id, server)| (id, server.as_str()));
        alias::allocate(named, ["read_file"]).iter().map(String::len).sum()
    }))
}

fn layers(tools: usize) -> Option<Work> {
    let registration = inputs::registration(tools)?;
    let catalog = inputs::catalog(tools, COMMON_TOOL).ok()?;
    Some(Box::new(move || {
        let offer = descriptors(&registration, &catalog);
        if offer.diagnostics.is_empty() {
            offer.tools.len()
        } else {
            0
        }
    }))
}

fn discovery(tools: usize) -> Option<Work> {
    let registration = inputs::registration(tools)?;
    let catalog = inputs::catalog(tools, COMMON_TOOL).ok()?;
    Some(Box::new(move || {
        serde_json::to_string(&project_discovery(&registration, &catalog)).map_or(0, |text| text.len())
    }))
}

fn form(kib: usize) -> Option<Work> {
    let schema = inputs::schema(kib * KIB);
    Some(Box::new(move || {
        let form = FormModel::new(&schema).read("{}", &Choices::default());
        form.and_then(|form| serde_json::to_string(&form).ok())
            .map_or(0, |text| text.len())
    }))
}
