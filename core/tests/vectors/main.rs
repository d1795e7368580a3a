//! The shared vectors of `tests/vectors/<group>/<name>.json`, run by the same code natively, as WebAssembly in Node and
//! as WebAssembly in a browser.
//!
//! A file holds `{ "about", "rule", "cases": [ { "name", "input", "expected" } ] }`. What a group does with an input is
//! the one function in its file here, which calls the core's public interface and answers JSON; `input` and `expected`
//! may use the notation of `notation.rs` for what is too large to write out. Expected values are derived by hand from
//! the rule the file names.
//!
//! A new group is a file here with `FILES` and `run`, and one line in `groups!` below; a new vector is its name in
//! `FILES`. A native test compares the folder with these lists, so nothing can be forgotten.

// Tests say what they expect by failing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
// Every group has the same signature, whether or not it takes its input apart.
#![allow(clippy::needless_pass_by_value)]

mod harness;
mod notation;

/// Declares the groups: for each a module, and a test of the same name that runs all its vectors.
macro_rules! groups {
    ($($group:ident)*) => {
        $(
            mod $group;

            #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
            #[cfg_attr(not(target_arch = "wasm32"), test)]
            fn $group() {
                harness::run_group(stringify!($group), $group::FILES, $group::run);
            }
        )*

        /// Every group with the files it runs.
        #[cfg(not(target_arch = "wasm32"))]
        const GROUPS: &[(&str, &[harness::File])] = &[$((stringify!($group), $group::FILES),)*];
    };
}

/// The files of a group, read when this is compiled.
macro_rules! files {
    ($group:literal: $($name:literal),* $(,)?) => {
        &[$(crate::harness::File {
            name: $name,
            text: include_str!(concat!("../../../tests/vectors/", $group, "/", $name, ".json")),
        },)*]
    };
}
pub(crate) use files;

groups! {
    alias
    catalog
    endpoint
    form
    identity
    import
    import_many
    json
    layers
    legacy
    mask
    mirror
    model_text
    outcome
    page
    projection
    review
    schema
    stored
    validate
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn every_file_is_run() {
    harness::compare_with_folder(GROUPS);
}
