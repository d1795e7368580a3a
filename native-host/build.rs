//! Embeds the page: writes a table of the files in `web/dist` (made by `cargo xtask build`) for `src/page/`.
//! Where there is no page the table is empty, and the page says how it is built.

#![allow(clippy::expect_used, reason = "a build script reports by failing")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let page = manifest.join("../web/dist");
    // Cargo notices files that come into a folder, but takes a folder that is not there for one that always changes.
    // In a source tree that cannot be written to nothing will come.
    let _ = fs::create_dir_all(&page);
    println!("cargo::rerun-if-changed={}", page.display());
    println!("cargo::rerun-if-changed=build.rs");

    let mut table = String::from("static EMBEDDED: &[(&str, bool, &[u8])] = &[\n");
    // Without an index it is no page, whatever else is there.
    if page.join("index.html").is_file() {
        row(&mut table, "index.html", &page.join("index.html"), false);
        let mut assets: Vec<PathBuf> = fs::read_dir(page.join("assets"))
            .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default();
        assets.sort();
        for asset in assets.iter().filter(|path| path.is_file() && !is_brotli(path)) {
            let name = asset.file_name().and_then(|name| name.to_str()).expect("UTF-8 names");
            let compressed = asset.with_file_name(format!("{name}.br"));
            let (file, brotli) = if compressed.is_file() {
                (compressed.as_path(), true)
            } else {
                (asset.as_path(), false)
            };
            row(&mut table, &format!("assets/{name}"), file, brotli);
        }
    }
    table.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("page.rs"), table).expect("OUT_DIR can be written to");
}

fn is_brotli(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "br")
}

fn row(table: &mut String, name: &str, file: &Path, brotli: bool) {
    let file = file.canonicalize().expect("the file is there");
    let file = file.to_str().expect("a UTF-8 path to the sources");
    writeln!(table, "    ({name:?}, {brotli}, include_bytes!({file:?})),").expect("strings grow");
}
