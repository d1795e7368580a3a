//! The files that are generated from Rust and committed: written, or checked for being current.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::process::{cargo, output};
use crate::root::root;

/// A generated file and the program that prints it.
struct Generated {
    path: &'static str,
    arguments: &'static [&'static str],
}

const ALL: &[Generated] = &[
    Generated {
        path: "web/src/generated/types.ts",
        arguments: &[
            "-p",
            "toolgate-host",
            "--features",
            "typescript",
            "--example",
            "typescript",
        ],
    },
    Generated {
        path: "core/src/wasm_types.d.ts",
        arguments: &[
            "-p",
            "toolgate-core",
            "--features",
            "typescript",
            "--example",
            "wasm_types",
        ],
    },
    Generated {
        path: "docs/codes.md",
        arguments: &["-p", "toolgate-core", "--example", "codes"],
    },
    Generated {
        path: "docs/torture.md",
        arguments: &["-p", "toolgate-testkit", "--example", "scoreboard"],
    },
];

impl Generated {
    fn content(&self) -> Result<String> {
        output(cargo().args(["run", "--quiet"]).args(self.arguments))
    }
}

/// Writes every generated file.
pub(crate) fn write() -> Result<()> {
    for file in ALL {
        let path = root().join(file.path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, file.content()?).with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("wrote {}", file.path);
    }
    Ok(())
}

/// Fails where a committed file is not what the generator prints.
pub(crate) fn check() -> Result<()> {
    let mut stale = Vec::new();
    for file in ALL {
        let committed = fs::read_to_string(root().join(file.path)).unwrap_or_default();
        if committed != file.content()? {
            stale.push(file.path);
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    bail!(
        "not current: {}; run `cargo xtask generate` and commit the result",
        stale.join(", ")
    )
}
