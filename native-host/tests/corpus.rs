//! The inputs of `tests/corpus/` that are the host's: what must hold for any input holds for these. See `docs/fuzzing.md`.

#![allow(clippy::expect_used, reason = "a test stops where its ground is missing")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use toolgate_properties::{core, each_of_host, host, replay};

/// Declares a test for each property.
macro_rules! tests {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                replay(host::ALL, stringify!($name));
            }
        )*
    };
}

each_of_host!(tests);

/// Each property has a file of inputs and a fuzz target, and there are no others.
#[test]
fn every_property_has_a_corpus_and_a_target() {
    let stems = |folder: &str| -> BTreeSet<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
        let files = fs::read_dir(folder).expect("the folder");
        files
            .map(|file| file.expect("a file").path())
            .filter_map(|file| Some(file.file_stem()?.to_string_lossy().into_owned()))
            .collect()
    };
    let all: BTreeSet<String> = core::ALL
        .iter()
        .chain(host::ALL)
        .map(|property| property.name.to_owned())
        .collect();
    assert_eq!(stems("tests/corpus"), all);
    assert_eq!(stems("fuzz/targets"), all);
}
